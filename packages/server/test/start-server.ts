import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Access, type Client, createClient, login, type Role } from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import type { Database } from '../src/database/database.ts'
import { type DatabaseAddress, openDatabase } from '../src/database/open.ts'
import { openSettings } from '../src/features/settings/settings.ts'
import { createUser } from '../src/features/users/users.ts'
import { withListeners } from '../src/catalogue/listeners/listeners.ts'
import { listeners } from '../src/listeners.ts'
import { namedWritesFile } from '../src/named-writes-file.ts'
import { viewers } from '../src/features/viewers/viewers.ts'
import type { WebApp } from '../src/http/web-app/web-app.ts'
import { createLog } from '../src/platform/log.ts'
import { openTelemetry } from '../src/platform/telemetry/telemetry.ts'
import { passwordHashing } from '../src/platform/secrets/password-hash.ts'
import { rootLimiter, type RunLimited } from '../src/platform/storage/root-limiter.ts'
import { folderInMemory } from './folder-in-memory.ts'
import { shareDecoders } from './shared-decoders.ts'
import { makeDatabase } from './test-database.ts'

export interface ServerOptions {
  /** `CARREL_…`, as an operator would set them. */
  readonly env?: Readonly<Record<string, string>>
  readonly more?: (app: FastifyInstance) => void
  readonly clock?: () => Date
  /** The database is one that another server made and removes: this one is a second node. */
  readonly address?: DatabaseAddress
  /** In place of the gate before the files of libraries: storage that hangs. */
  readonly runLimited?: RunLimited
  readonly webApp?: WebApp
  /** So long it waits for a draw on the rate limits that nodes share. */
  readonly drawMs?: number
}

export interface Person {
  readonly id: string
  readonly username: string
  readonly password: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly cookie: string
  /** Calls the API with this person's access token. */
  readonly call: Client
}

export interface TestServer {
  readonly url: string
  readonly app: FastifyInstance
  readonly context: Context
  readonly logLines: readonly Record<string, unknown>[]
  /** Calls the API without credentials. */
  readonly call: Client
  callWith(headers: Readonly<Record<string, string>>): Client
  /** A fault that the test brought about: it is no failure. */
  forgive(message: string): void
  /** Creates a user and signs in. */
  person(role: Role, more?: PersonOptions): Promise<Person>
  [Symbol.asyncDispose](): Promise<void>
}

interface PersonOptions {
  readonly username?: string
  readonly email?: string
  readonly access?: Partial<Access>
  readonly permissions?: string[]
}

export const testPassword = 'quiet-lamp-over-snow'
/** Real argon2, as cheap as it goes. */
const testCost = { memoryKib: 64, passes: 1 }

/** Whoever asks for a mark keeps what is answered: what is asked from then on is marked in the lines of the log. */
const keeping = new AsyncLocalStorage<true>()
const noticing = (db: Database): Database => ({
  ...db,
  changeMark: (reader) => {
    keeping.enterWith(true)
    return db.changeMark(reader)
  },
})

/** The real application on a socket, with a database of its own and every reply checked against the contract. */
let people = 0
/** Digits only: chance must not write a name that a test looks for. */
const numberOf = (): number => (people += 1)

export const startServer = async ({
  env = {},
  more,
  clock = () => new Date(),
  address: shared,
  runLimited,
  webApp,
  drawMs,
}: ServerOptions = {}): Promise<TestServer> => {
  const directory = await mkdtemp(join(await folderInMemory(), 'carrel-test-'))
  const { address, remove } = shared
    ? { address: shared, remove: async () => undefined }
    : await makeDatabase(directory)
  const variables = {
    CARREL_DATA_DIR: directory,
    CARREL_RATE_LIMIT_ENABLED: 'false',
    CARREL_CHECK_REPLIES: 'true',
    ...env,
  }
  const config = readConfig({ env: variables, workingDir: directory, isTerminal: false })
  const lines: (string | Record<string, unknown>)[] = []
  const logLines: Record<string, unknown>[] = []
  const forgiven = new Set<unknown>()
  const log = createLog({
    level: 'trace',
    format: 'json',
    write: (line) => lines.push(line),
  })
  // Each statement is traced: to write them all down would cost more than to ask many of them.
  log.trace = (fields: unknown, msg?: string) =>
    void lines.push({ level: 'trace', ...Object(fields), msg, isKept: keeping.getStore() })
  const onCrash = (error: Error): never => {
    throw error
  }
  const { collector } = config
  const telemetry = collector && openTelemetry({ collector, log, version: '0.0.0-test', role: 'server' })
  const opened = await openDatabase(address, log, onCrash, {
    namedWritesFile,
    slowStatementMs: config.slowStatementMs,
    noteStatement: telemetry?.noteStatement,
  })
  const listened = noticing(withListeners(opened, listeners))
  const { buckets } = listened
  const db = drawMs !== undefined && buckets ? { ...listened, buckets: { ...buckets, drawMs } } : listened
  const settings = await openSettings(db, config.initialSettings)
  const passwords = passwordHashing(testCost)
  const secret = 'a secret for tests, and for nothing but tests'
  const decoders = shareDecoders()
  const context: Context = {
    config: { ...config, database: address },
    db,
    settings,
    log,
    clock,
    secret,
    passwords,
    viewerOf: viewers(db),
    runLimited: runLimited ?? rootLimiter(log),
    decoders,
    version: '0.0.0-test',
    telemetry,
    webApp,
  }
  const app = await buildApp(context, more)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const callWith = (headers: Readonly<Record<string, string>>): Client =>
    createClient({ baseUrl: url + config.basePath, headers })

  return {
    url,
    app,
    context,
    // There are thousands, and few tests look at them.
    get logLines() {
      for (const line of lines.slice(logLines.length))
        logLines.push(typeof line === 'string' ? (JSON.parse(line) as Record<string, unknown>) : line)
      return logLines
    },
    call: callWith({}),
    callWith,
    forgive: (message) => forgiven.add(message),
    person: async (role, { username = `${role}-${numberOf()}`, ...rest } = {}) => {
      const input = { username, password: testPassword, role, ...rest }
      const { id } = await createUser({ db, passwords, clock, actor: 'operator' }, input)
      const signedIn = await callWith({})(login, { body: { username, password: testPassword } })
      if (!signedIn.ok) throw new Error(`${username} could not sign in: ${signedIn.error.message}`)
      const { accessToken, refreshToken } = signedIn.body
      const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
      const call = callWith({ authorization: `Bearer ${accessToken}` })
      return { id, username, password: testPassword, accessToken, refreshToken, cookie, call }
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await telemetry?.close()
      await decoders.close()
      await db.close()
      await remove()
      await rm(directory, { recursive: true, force: true })
      // A fault of the server is a failure of the test, also where the test looked at something else.
      const faults = lines
        .filter((line) => typeof line === 'string')
        .filter((line) => line.includes('"level":"error"') || line.includes('"level":"fatal"'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ level, msg }) => (level === 'error' || level === 'fatal') && !forgiven.has(msg))
      if (faults.length > 0) throw new Error(`The server logged a fault: ${JSON.stringify(faults[0])}`)
    },
  }
}
