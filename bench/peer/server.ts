import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../packages/server/test/free-port.ts'
import type { BenchDatabase } from '../databases/database.ts'
import { startPostgresBench } from '../databases/postgres.ts'
import { makeTemporaryDirectory } from '../temporary-directory.ts'
import type { Account, Adapter, Ask, Headers, SignedIn } from './adapters/adapter.ts'
import { carrel } from './adapters/carrel.ts'
import { komga } from './adapters/komga.ts'

/**
 * One entry of the file that says what is compared. In its texts {port}, {folder}, {node}, {username} and {password} are replaced, and
 * {postgres} by the address of a new database.
 */
export interface ServerEntry {
  readonly name: string
  readonly speaks: 'carrel' | 'komga'
  /** Where another server offers the API of Komga. */
  readonly prefix?: string
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  /** Some servers call people by their addresses. */
  readonly username?: string
}

export interface RunningServer extends AsyncDisposable {
  readonly name: string
  readonly adapter: Adapter
  readonly pid: number
  readonly port: number
  /** From the start of its process to its first 200. */
  readonly startMs: number
  readonly headers: Headers
  readonly cookies: readonly string[]
  readonly ask: Ask
}

const usualAccount: Account = { username: 'bench', password: 'seven-lanterns-on-a-slow-river' }
const readyMsMax = 120_000
const stopMsMax = 30_000
const answerMsMax = 120_000
const askEveryMs = 2

export const readEntries = async (file: string): Promise<ServerEntry[]> => {
  const entries = JSON.parse(await readFile(file, 'utf8')) as ServerEntry[]
  for (const { name, speaks, command } of entries)
    if (!name || !['carrel', 'komga'].includes(speaks) || !Array.isArray(command) || command.length === 0)
      throw new Error(`${file}: a server has a name, what it speaks (carrel or komga) and a command`)
  return entries
}

/** It answers the address of a database that nobody has used. */
export type NewDatabase = () => Promise<string>

/** One PostgreSQL for all entries that name it, begun with the first. */
export const newDatabasesIn = (keep: AsyncDisposableStack): NewDatabase => {
  let started: Promise<BenchDatabase> | undefined
  return async () => {
    started ??= startPostgresBench().then((database) => keep.use(database))
    const { CARREL_DATABASE_URL: url = '' } = await (await started).freshEnvironment()
    return url
  }
}

/** It starts a server on a new folder, as the entry says, and signs in. */
export const startServer = async (entry: ServerEntry, newDatabase: NewDatabase): Promise<RunningServer> => {
  const { path: folder, remove } = await makeTemporaryDirectory('carrel-bench-peer-')
  const port = await freePort()
  const account = { ...usualAccount, ...(entry.username !== undefined && { username: entry.username }) }
  const postgres = JSON.stringify(entry.environment).includes('{postgres}') ? await newDatabase() : ''
  const values = { port: String(port), folder, postgres, node: process.execPath, ...account }
  const filled = (text: string): string =>
    Object.entries(values).reduce((rest, [name, value]) => rest.replaceAll(`{${name}}`, value), text)
  const [program = '', ...args] = entry.command.map(filled)
  const env = Object.fromEntries(Object.entries(entry.environment).map(([name, value]) => [name, filled(value)]))
  const logFile = join(folder, 'bench.log')
  const log = openSync(logFile, 'w')
  const startedAt = performance.now()
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', log, log] })
  closeSync(log)
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  const end = async (): Promise<void> => {
    await stop(child)
    process.off('exit', killAtExit)
    await remove()
  }
  try {
    const adapter = entry.speaks === 'carrel' ? carrel : komga(entry.prefix)
    await answers(child, `http://127.0.0.1:${port}${adapter.health}`)
    const startMs = performance.now() - startedAt
    const { headers, cookies } = await adapter.signIn(askerAt(port, {}), account)
    const ask = askerAt(port, headers)
    const { pid = 0 } = child
    return { name: entry.name, adapter, pid, port, startMs, headers, cookies, ask, [Symbol.asyncDispose]: end }
  } catch (error) {
    const output = await readFile(logFile, 'utf8').catch(() => '')
    await end()
    throw new Error(`${entry.name} did not begin: ${(error as Error).message}\n${output.slice(-2000)}`, {
      cause: error,
    })
  }
}

const answers = async (child: ChildProcess, url: string): Promise<void> => {
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  failed.catch(() => undefined)
  const givenUpAt = performance.now() + readyMsMax
  while (!(await Promise.race([failed, isWell(url)]))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended at once')
    if (performance.now() > givenUpAt) throw new Error(`${url} did not answer`)
    await delay(askEveryMs)
  }
}

const isWell = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(answerMsMax) }).then(
    async (response) => {
      await response.text()
      return response.ok
    },
    () => false,
  )

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const tooLate = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
  await ended
  clearTimeout(tooLate)
}

const askerAt =
  (port: number, signedIn: SignedIn['headers']): Ask =>
  async ({ method = 'GET', path, headers, body }) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...signedIn, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMsMax),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text.slice(0, 500)}`)
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { body: isJson && text !== '' ? JSON.parse(text) : undefined, cookies: response.headers.getSetCookie() }
  }
