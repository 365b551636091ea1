import * as api from '@carrel/api'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/platform/log.ts'
import { openStream } from '../event-stream.ts'
import { comic, libraryFolder } from '../library-folder.ts'
import { bodyOf } from '../outcome.ts'
import { requirePgBouncer, startPgBouncer } from '../pgbouncer.ts'
import { claim, type Carrel, signIn } from './carrel.ts'
import { type Nodes, startNodes } from './nodes.ts'
import { newDatabase } from './postgres-of-file.ts'
import { run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

/** Fewer than one process opens without a pooler. */
const connections = 6
const booksCount = 12

const throughPooler = (poolerUrl: string) => ({ asShipped: true, env: { CARREL_DATABASE_POOLER_URL: poolerUrl } })

const listening = async ({ database }: Nodes): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'carrel wake-ups'`.execute(database.readSlowly)
  return rows[0]?.count ?? 0
}

const pooled = async ({ database }: Nodes): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'carrel pooled'`.execute(database.readSlowly)
  return rows[0]?.count ?? 0
}

/** Every statement more often than it takes to be prepared, by many at once. */
const readAndWrite = async (carrel: Carrel, name: string): Promise<readonly number[]> => {
  const { call } = await signIn(carrel, 'ana')
  const { data } = bodyOf(await call(api.listBooks, { query: { pageSize: booksCount } }))
  const statuses: number[] = []
  const rounds = data.map(async ({ id }, at) => {
    const params = { id }
    for (let round = 0; round < 8; round += 1) {
      statuses.push(
        (await call(api.saveProgress, { params, body: { currentPage: 1 + (round % 3) } })).status,
        (await call(api.readProgress, { params })).status,
        (await call(api.listSeries, {})).status,
        (await call(api.search, { query: { q: `Saga ${round}` } })).status,
        (await call(api.savePreference, { params: { key: `${name}-${at}` }, body: { value: round } })).status,
      )
    }
  })
  await Promise.all(rounds)
  return statuses
}

test('CFG-3 P-14 behind PgBouncer in transaction mode nodes and workers do all they do without, over few connections', async ({
  skip,
}) => {
  requirePgBouncer(skip)
  const url = await newDatabase()
  await using pooler = await startPgBouncer(url, connections)
  await using folder = await libraryFolder()
  for (let number = 1; number <= booksCount; number += 1)
    await folder.write(`Saga/Saga ${number}.cbz`, comic({ seed: number }))
  await using nodes = await startNodes({ kind: 'postgres', url })
  await using one = await nodes.startApi('one', throughPooler(pooler.url))
  await using other = await nodes.startApi('other', throughPooler(pooler.url))
  await using stack = new AsyncDisposableStack()
  stack.use(await nodes.startWorker(throughPooler(pooler.url)))
  const ana = await claim(one)
  await using stream = await openStream(other.url, { authorization: `Bearer ${ana.accessToken}` })
  await stream.first('connected')

  const { id } = bodyOf(await ana.call(api.createLibrary, { body: { name: 'L', roots: [folder.path] } }))
  await waitUntil('the scan', async () => {
    const scan = bodyOf(await ana.call(api.readScanStatus, { params: { id } }))
    return scan?.status === 'completed' && scan.analysisPending === 0
  })
  await waitUntil('all books at the other node', () => stream.ofType('book_created').length >= booksCount)
  const statuses = (await Promise.all([readAndWrite(one, 'one'), readAndWrite(other, 'other')])).flat()

  expect(statuses.filter((status) => status >= 300)).toEqual([])
  expect(statuses).toHaveLength(2 * booksCount * 8 * 5)
  // Each process listens at the database itself, and this one beside the test's.
  expect(await listening(nodes)).toBeGreaterThanOrEqual(3)
  expect(await pooled(nodes)).toBeLessThanOrEqual(connections)
})

test('CFG-3 through a pooler a transaction has its own limits, and leaves none behind on a connection', async ({
  skip,
}) => {
  requirePgBouncer(skip)
  const url = await newDatabase()
  await using pooler = await startPgBouncer(url, 1)
  const warnings: string[] = []
  const log = createLog({ level: 'warn', format: 'json', write: (line) => void warnings.push(line) })
  const database = await openDatabase({ kind: 'postgres', url, poolerUrl: pooler.url }, log, (error) => {
    throw error
  })
  await using stack = new AsyncDisposableStack()
  stack.defer(() => database.close())
  const limits = sql<{ statement: string; idle: string }>`
    select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`

  await sql`create table change_mark (reader text primary key, value text not null)`.execute(database.readSlowly)
  const within = await database.write(async (db) => (await limits.execute(db)).rows)
  const { rows: after } = await limits.execute(database.read)

  expect(within).toEqual([{ statement: '15s', idle: '15s' }])
  expect(after).toEqual([{ statement: '0', idle: '0' }])
  expect(warnings.filter((line) => line.includes('has no statement_timeout'))).toHaveLength(1)
})

test('CFG-3 a pooler that stands where the database should is refused with what to do', async ({ skip }) => {
  requirePgBouncer(skip)
  await using folder = await temporaryFolder()
  await using pooler = await startPgBouncer(await newDatabase(), connections)

  const { code, stderr } = await run(['serve'], { cwd: folder.path, env: { CARREL_DATABASE_URL: pooler.url } })

  expect(code).not.toBe(0)
  expect(stderr).toContain('name PostgreSQL itself there, and the pooler in CARREL_DATABASE_POOLER_URL')
})
