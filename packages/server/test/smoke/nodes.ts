import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Database, WriteDb } from '../../src/database/database.ts'
import { type DatabaseAddress, openDatabase } from '../../src/database/open.ts'
import { announce } from '../../src/events/outbox.ts'
import { relayEvents } from '../../src/events/relay.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/log.ts'
import { enqueue } from '../../src/tasks/queue.ts'
import type { WorkerTiming } from '../../src/tasks/worker.ts'
import type { TestStream } from '../event-stream.ts'
import { migrateFresh } from '../migrate-fresh.ts'
import type { TestTask } from '../work.ts'
import { type Carrel, type CarrelOptions, logged, startCarrel } from './carrel.ts'
import { launch, type Program } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { notesFile, type RunNote } from './programs/test-tasks.ts'
import { waitUntil } from './wait-until.ts'

const entry = fileURLToPath(new URL('dist/bundle/with-test-tasks.js', import.meta.url))

/** Short, so that a test need not wait long for one that is silent. */
const shortLeases: WorkerTiming = {
  leaseMs: 3000,
  heartbeatEveryMs: 500,
  pollMs: 200,
  settleMs: 30_000,
  stopMs: 5000,
}

interface NodeOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly timing?: Partial<WorkerTiming>
  /** The bundle as users run it, without tasks of tests. */
  readonly asShipped?: boolean
  /** The node reaches the database through this address, when not directly. */
  readonly databaseUrl?: string
}

/** One installation on a database of its own, and as many processes of it as a test starts. */
export interface Nodes extends AsyncDisposable {
  /** The test's own way to the database, through the product's code. */
  readonly database: Database
  readonly folder: string
  /** `carrel serve`: on SQLite with its worker, on PostgreSQL without. */
  startApi(name: string, options?: NodeOptions): Promise<Carrel>
  /** It starts `carrel worker`, and resolves once the worker is ready. */
  startWorker(options?: NodeOptions): Promise<Program>
  enqueue(task: TestTask, names: readonly string[]): Promise<string[]>
  /** It lets long tasks of these names finish. */
  letEnd(...names: string[]): void
  /** Each message is announced in a transaction of its own, to everybody, as progress of a task. */
  announce(...messages: readonly string[]): Promise<void>
  notes(): RunNote[]
  begun(name: string): RunNote[]
  /** The names of effects, each as often as it happened. */
  effects(): Promise<string[]>
}

export const startNodes = async (address: DatabaseAddress | 'sqlite'): Promise<Nodes> => {
  const folder = await temporaryFolder()
  const notesPath = join(folder.path, notesFile)
  const at: DatabaseAddress =
    address === 'sqlite' ? { kind: 'sqlite', file: join(folder.path, 'data', 'carrel.db') } : address
  mkdirSync(join(folder.path, 'data'))
  await migrateFresh(at)
  const database = await openDatabase(at, createLog({ level: 'silent', format: 'json' }), (error) => {
    throw error
  })
  await database.write((db) => sql`create table effect (name text not null, pid integer not null)`.execute(db))
  const relay = relayEvents(database, createLog({ level: 'silent', format: 'json' }))
  const optionsOf = (name: string, options: NodeOptions): CarrelOptions => {
    const { env = {}, timing = {}, asShipped = false, databaseUrl } = options
    const cwd = join(folder.path, name)
    mkdirSync(cwd, { recursive: true })
    return {
      cwd,
      ...(!asShipped && { entry }),
      dataDir: at.kind === 'sqlite' ? join(folder.path, 'data') : join(cwd, 'data'),
      env: {
        CARREL_RATE_LIMIT_ENABLED: 'false',
        ...(at.kind === 'postgres' && { CARREL_DATABASE_URL: databaseUrl ?? at.url, CARREL_ROLES: 'api' }),
        TEST_FOLDER: folder.path,
        TEST_TIMING: JSON.stringify({ ...shortLeases, ...timing }),
        ...env,
      },
    }
  }
  const notes = (): RunNote[] =>
    existsSync(notesPath)
      ? readFileSync(notesPath, 'utf8')
          .split('\n')
          .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as RunNote]))
      : []

  return {
    database,
    folder: folder.path,
    startApi: (name, options = {}) => startCarrel(optionsOf(name, options)),
    startWorker: async (options = {}) => {
      const { dataDir = '', env, ...rest } = optionsOf('worker', options)
      const worker = launch(['worker'], { ...rest, env: { ...env, CARREL_DATA_DIR: dataDir } })
      try {
        await waitUntil('the line that says that the worker is ready', () => logged(worker, 'The worker is ready'))
      } catch (error) {
        await worker[Symbol.asyncDispose]()
        throw new Error(`The worker did not start:\n${worker.stdout()}${worker.stderr()}`, { cause: error })
      }
      return worker
    },
    enqueue: (task, names) =>
      database.write(async (db) => {
        const ids: string[] = []
        for (const name of names) ids.push((await enqueue(db, task, { name }, { now: new Date() })).taskId)
        return ids
      }),
    letEnd: (...names) => {
      for (const name of names) writeFileSync(join(folder.path, name), '')
    },
    announce: async (...messages) => {
      for (const message of messages) await database.write((db) => announceMessage(db, message))
    },
    notes,
    begun: (name) => notes().filter((note) => note.name === name && note.what === 'begun'),
    effects: async () => {
      const { rows } = await sql<{ name: string }>`select name from effect order by name`.execute(database.readSlowly)
      return rows.map(({ name }) => name)
    },
    async [Symbol.asyncDispose]() {
      await relay?.stop()
      await database.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

export const announceMessage = (db: WriteDb, message: string): Promise<void> =>
  announce(
    db,
    [
      {
        event: {
          type: 'task_progress',
          taskId: newId(),
          taskType: 'test',
          status: 'processing',
          progress: { current: 0, total: 0, message },
        },
        to: {},
      },
    ],
    new Date(),
  )

/**
 * It stops a process between two of its transactions. In the middle of one it would hold locks, and the others would
 * wait until PostgreSQL ends it, which is longer than they take to stop.
 */
export const freeze = async (nodes: Nodes, program: Program): Promise<void> => {
  await waitUntil('a moment between two transactions', async () => {
    program.kill('SIGSTOP')
    if (await isQuiet(nodes)) return true
    program.kill('SIGCONT')
    return false
  })
}

const isQuiet = async ({ database }: Nodes): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and state in ('active', 'idle in transaction', 'idle in transaction (aborted)')`.execute(database.readSlowly)
  return rows.length === 0
}

/** Tasks that ran twice at the same time, as far as no process was killed in the middle of one. */
export const ranTwiceAtOnce = (notes: readonly RunNote[]): string[] => {
  const running = new Set<string>()
  return notes.flatMap(({ what, name }) => {
    if (what === 'told to stop') return []
    if (what !== 'begun') running.delete(name)
    else if (running.has(name)) return [name]
    else running.add(name)
    return []
  })
}

/** The messages that came to a stream, in the order in which they came. */
export const messagesOf = (stream: TestStream): string[] =>
  stream.ofType('task_progress').map(({ data }) => (data.progress as { message: string }).message)

export const taskOf = ({ database }: Nodes, id: string) =>
  database.read.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
