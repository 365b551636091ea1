import * as api from '@carrel/api'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { latestVersion, migrate } from '../../src/database/migrate.ts'
import { migrations } from '../../src/database/migrations/index.ts'
import { type Migration, schemaChange } from '../../src/database/migrations/migration.ts'
import { createLog } from '../../src/platform/log.ts'
import { addBooks, addLibrary, addSeries } from '../content.ts'
import { bodyOf } from '../outcome.ts'
import { type Carrel, claim, signIn, type Visitor } from './carrel.ts'
import { startNodes } from './nodes.ts'
import { newDatabase } from './postgres-of-file.ts'
import { run } from './program.ts'

/** What a version may do while the one before is running: it adds, to every table here. */
const nextVersion: Migration = {
  version: latestVersion + 1,
  name: 'shelves',
  run: async (db, dialect) => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = current_schema() and tablename <> 'schema_version'`.execute(
      db,
    )
    for (const { name } of rows) await db.schema.alterTable(name).addColumn('added_later', dialect.text).execute()
    const { createTable, createIndex } = schemaChange(db, dialect)
    await createTable('shelf', { columns: { id: 'text' }, primaryKey: ['id'] })
    await createIndex('book_by_later', 'book', ['added_later'])
  },
}

/** More often than a statement is sent before it is prepared, on each connection of a small pool. */
const rounds = 8

/** It reads and writes as apps do, and returns the statuses that are not what they should be. */
const use = async ({ call }: Visitor, turn: string): Promise<readonly string[]> => {
  const faults: string[] = []
  const expectStatus = (what: string, { status }: { readonly status: number }, expected = 200): void => {
    if (status !== expected) faults.push(`${what}: ${status}`)
  }
  for (let round = 0; round < rounds; round += 1) {
    const books = await call(api.listBooks, { query: { pageSize: 10 } })
    expectStatus('books', books)
    const [book] = books.status === 200 ? bodyOf(books).data : []
    const params = { id: book?.id ?? '' }
    expectStatus('book', await call(api.readBook, { params }))
    expectStatus('series', await call(api.listSeries, {}))
    expectStatus('libraries', await call(api.listLibraries, {}))
    expectStatus('search', await call(api.search, { query: { q: 'Series' } }))
    expectStatus('progress', await call(api.saveProgress, { params, body: { currentPage: 1 + round } }))
    expectStatus('read progress', await call(api.readProgress, { params }))
    expectStatus('users', await call(api.listUsers, {}))
    expectStatus('tasks', await call(api.listTasks, {}))
    expectStatus('settings', await call(api.listSettings, {}))
    expectStatus('collection', await call(api.createCollection, { body: { name: `${turn} ${round}` } }), 201)
    expectStatus('collections', await call(api.listCollections, {}))
  }
  return faults
}

const readiness = async ({ url }: Carrel) => {
  const reply = await fetch(`${url}/health/ready`)
  return { status: reply.status, body: await reply.json() }
}

test('E13 W16 a node goes on beside a newer one that has added to the schema: reads, writes, sign-ins, readiness', async () => {
  const url = await newDatabase()
  await using nodes = await startNodes({ kind: 'postgres', url })
  const { database } = nodes
  await addBooks(database, await addSeries(database, await addLibrary(database)), [{}, {}])
  await using old = await nodes.startApi('old', { asShipped: true })
  const ana = await claim(old)
  expect(await use(ana, 'before')).toEqual([])

  const log = createLog({ level: 'silent', format: 'json' })
  const keepCopy = async (): Promise<void> => undefined
  await migrate({ database, log, clock: () => new Date(), keepCopy, steps: [...migrations, nextVersion] })

  expect(await use(ana, 'after')).toEqual([])
  expect(await use(await signIn(old, 'ana'), 'once more')).toEqual([])
  expect(await readiness(old)).toMatchObject({ status: 200, body: { status: 'ok' } })
  // Once it has ended, only the newer program may start.
  const again = await run(['migrate'], { cwd: nodes.folder, env: { CARREL_DATABASE_URL: url } })
  expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('Start the newer program again') })
})
