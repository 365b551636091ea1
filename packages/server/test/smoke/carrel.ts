import { join } from 'node:path'
import { type Client, createClient, login, type Outcome, setUp, type SignedIn } from '@carrel/api'
import { bodyOf } from '../outcome.ts'
import { launch, type Program, type ProgramOptions, workersOf } from './program.ts'
import { waitUntil } from './wait-until.ts'

export interface Carrel extends Program {
  /** The address includes the base path, without a slash at the end. */
  readonly url: string
  readonly dataDir: string
  /** It calls the API without credentials. */
  readonly call: Client
  callWith(headers: Readonly<Record<string, string>>): Client
}

export interface CarrelOptions extends Omit<ProgramOptions, 'input'> {
  readonly dataDir?: string
}

/** For what the worker has no part in: a start takes half as much without it. */
export const withoutWorker = { CARREL_ROLES: 'api' }

export const testPassword = 'quiet-lamp-over-snow'

/** It runs `carrel serve` as an operator does, on a free port, and resolves once the server is ready. */
export const startCarrel = async (options: CarrelOptions): Promise<Carrel> => {
  const { cwd, dataDir = join(cwd, 'data'), env = {} } = options
  const variables = { CARREL_PORT: '0', CARREL_DATA_DIR: dataDir, ...env }
  const program = launch(['serve'], { ...options, env: variables })
  try {
    const url = await waitUntil('the line that says that Carrel is ready', () => addressOf(program))
    const callWith = (headers: Readonly<Record<string, string>>) => createClient({ baseUrl: url, headers })
    return { ...program, url, dataDir, call: callWith({}), callWith }
  } catch (error) {
    await program[Symbol.asyncDispose]()
    throw new Error(`Carrel did not start:\n${program.stdout()}${program.stderr()}`, { cause: error })
  }
}

/** It begins a moment after its server. */
export const workerOf = ({ pid }: Program): Promise<number> => waitUntil('the worker', () => workersOf(pid)[0])

const addressOf = (program: Program): string | undefined => {
  const output = program.stdout()
  return (/"url":"([^"]+)".*"msg":"Carrel is ready"/.exec(output) ?? /^ {2}Address {4}(\S+)$/m.exec(output))?.[1]
}

/** The log must be in JSON. */
export const logLinesOf = (program: Program): Record<string, unknown>[] =>
  program
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

export const logged = (program: Program, message: string): boolean =>
  logLinesOf(program).some(({ msg }) => msg === message)

export interface Visitor extends SignedIn {
  readonly cookie: string
  /** It calls the API with the access token. */
  readonly call: Client
}

/** It creates the first administrator. */
export const claim = async (carrel: Carrel, username = 'ana'): Promise<Visitor> =>
  visitorFrom(carrel, await carrel.call(setUp, { body: { username, password: testPassword } }))

export const signIn = async (carrel: Carrel, username: string, password = testPassword): Promise<Visitor> =>
  visitorFrom(carrel, await carrel.call(login, { body: { username, password } }))

const visitorFrom = (carrel: Carrel, outcome: Outcome<SignedIn>): Visitor => {
  const signedIn = bodyOf(outcome)
  const cookie = outcome.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { ...signedIn, cookie, call: carrel.callWith({ authorization: `Bearer ${signedIn.accessToken}` }) }
}
