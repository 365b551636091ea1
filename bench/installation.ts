import { type Client, createApiKey, createClient, login } from '../packages/api/src/index.ts'
import { spawnServer, type ServerProcess } from './server-process.ts'
import { makeTemporaryDirectory } from './temporary-directory.ts'

type Headers = Readonly<Record<string, string>>
type Environment = Readonly<Record<string, string>>

/** A data directory that a server has run on before, with an administrator and credentials that hold for the whole run. */
export interface Installation extends AsyncDisposable {
  readonly directory: string
  readonly token: Headers
  readonly key: Headers
  /** Name and password, as doors take them. */
  readonly basic: Headers
  readonly username: string
  /** Programs of the bench that are to share the installation get this environment. */
  readonly environment: Environment
  spawn(): Promise<ServerProcess>
  /** The same, once it answers; with `more` in its environment. */
  start(more?: Environment): Promise<ServerProcess>
}

const admin = { username: 'bench', password: 'seven-lanterns-on-a-slow-river' }
const basic = {
  authorization: `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}`,
}
const environment = {
  CARREL_HOST: '127.0.0.1',
  CARREL_ADMIN_USERNAME: admin.username,
  CARREL_ADMIN_PASSWORD: admin.password,
  CARREL_RATE_LIMIT_ENABLED: 'false',
  CARREL_LOG_FORMAT: 'json',
}

/** `prepare` puts into the directory what is to be there before the first start. */
export const makeInstallation = async (
  more: Environment,
  prepare: (directory: string) => Promise<void> = async () => undefined,
): Promise<Installation> => {
  const { path: directory, remove } = await makeTemporaryDirectory('carrel-bench-')
  const spawnWith = (own: Environment) => spawnServer(directory, { ...environment, ...more, ...own })
  const spawn = () => spawnWith({})
  const start = async (own: Environment = {}): Promise<ServerProcess> => {
    const server = await spawnWith(own)
    try {
      await server.ready()
      return server
    } catch (error) {
      await server.kill()
      throw error
    }
  }
  try {
    await prepare(directory)
    await using server = await start()
    const credentials = await signIn(server.port)
    return {
      directory,
      username: admin.username,
      ...credentials,
      basic,
      environment: { ...environment, ...more, CARREL_DATA_DIR: directory },
      spawn,
      start,
      [Symbol.asyncDispose]: remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

const signIn = async (port: number): Promise<Pick<Installation, 'token' | 'key'>> => {
  const token = await tokenOf(port, admin.username, admin.password)
  const created = await callerAt(port, token)(createApiKey, { body: { name: 'bench' } })
  if (!created.ok) throw new Error(`No API key: ${created.error.message}`)
  return { token, key: { 'x-api-key': created.body.key } }
}

/** The password checked once more, and a session more. */
export const signInAgain = (port: number): Promise<Headers> => tokenOf(port, admin.username, admin.password)

const tokenOf = async (port: number, username: string, password: string): Promise<Headers> => {
  const signedIn = await callerAt(port, {})(login, { body: { username, password } })
  if (!signedIn.ok) throw new Error(`${username} could not sign in: ${signedIn.error.message}`)
  return { authorization: `Bearer ${signedIn.body.accessToken}` }
}

export const callerAt = (port: number, headers: Headers): Client =>
  createClient({ baseUrl: `http://127.0.0.1:${port}`, headers })
