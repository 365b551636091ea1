import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { waitUntil } from './smoke/wait-until.ts'

interface Pooler extends AsyncDisposable {
  /** The same database, through the pooler. */
  readonly url: string
}

/** It is for tests that need PgBouncer: they are skipped where there is none, and say so where everybody sees it. */
export const requirePgBouncer = (skip: (note: string) => void): void => {
  if (!spawnSync('pgbouncer', ['--version']).error) return
  const note =
    'NOT TESTED: PostgreSQL behind a pooler, because there is no pgbouncer (Debian: apt-get install pgbouncer)'
  console.warn(note)
  skip(note)
}

/** A connection to the database is somebody's for one transaction, and there are only so many. */
export const startPgBouncer = async (databaseUrl: string, connections: number, moreSettings = ''): Promise<Pooler> => {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'carrel-pgbouncer-'))
  // It runs as somebody else where the tests run as root.
  await chmod(folder, 0o755)
  const own = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(
    settings,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 300
server_reset_query =
${moreSettings}
`,
  )
  const child = spawn('pgbouncer', [...(process.getuid?.() === 0 ? ['--user', 'nobody'] : []), settings], {
    stdio: 'ignore',
  })
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  await waitUntil('PgBouncer to listen', () => isListening(own))
  const url = new URL(databaseUrl)
  url.port = String(own)
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
