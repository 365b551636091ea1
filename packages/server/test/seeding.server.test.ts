import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { copyToPostgres } from '../../../bench/databases/copy-to-postgres.ts'
import { planLibrary } from '../../../bench/gen/plan.ts'
import { seedProfiles } from '../../../bench/gen/profiles.ts'
import { fillSqlite } from '../../../bench/seeding/fill-sqlite.ts'
import { analysisOf, walkedOf } from '../../../bench/seeding/seen.ts'
import type { Database } from '../src/database/database.ts'
import { copiedTables } from '../src/database/copied-tables.ts'
import { withListeners } from '../src/catalogue/listeners/listeners.ts'
import { listeners } from '../src/listeners.ts'
import { type DatabaseAddress, openDatabase } from '../src/database/open.ts'
import { storeFiles } from '../src/features/scan/identity/store-files.ts'
import { selectScannedLibrary } from '../src/features/scan/queries.ts'
import { refresh } from '../src/catalogue/shown/shown.ts'
import { newId } from '../src/platform/ids.ts'
import { createLog } from '../src/platform/log.ts'
import { addLibrary } from './content.ts'
import { migrateFresh } from './migrate-fresh.ts'
import { makeDatabase, makeEmptyDatabase, testDialect } from './test-database.ts'

const now = new Date('2026-11-01T10:00:00.000Z')
const books = 2000
const library = { id: newId(), rootId: newId() }
const profile = { ...seedProfiles['10k'], series: 90, singles: books - 90 * seedProfiles['10k'].booksEach }

const opened = async (address: DatabaseAddress): Promise<Database> => {
  const database = await openDatabase(address, createLog({ level: 'silent', format: 'json' }), (error) => {
    throw error
  })
  return withListeners(database, listeners)
}

const libraryIn = async (db: Database) => {
  await addLibrary(db, library)
  const scanned = await selectScannedLibrary(db.read, library.id)
  if (!scanned) throw new Error('The library is not there')
  return scanned
}

/** The rows are written as a scan writes them. */
const scanInto = async (db: Database): Promise<void> => {
  const scanned = await libraryIn(db)
  const placements = [...planLibrary(profile)]
    .flatMap((series) => series.books)
    .map((book) => ({
      rootId: library.rootId,
      walked: walkedOf(book),
      bookId: undefined,
      analysed: { analysis: analysisOf(book) },
      change: 'new' as const,
      isNewContent: true,
    }))
  await db.write(async (db) => {
    const { touched } = await storeFiles(db, scanned, placements, { now })
    await refresh(db, touched, now)
    // Covers are made by others.
    await db.deleteFrom('cover_wanted').execute()
  })
}

type Row = Readonly<Record<string, unknown>>

const rowsOf = async (db: Database, table: string): Promise<readonly Row[]> => {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(db.readSlowly)
  return rows
}

/** It reads all rows of all tables, sorted, with names in the place of random ids. */
const everythingIn = async (db: Database): Promise<ReadonlyMap<string, readonly string[]>> => {
  const names = new Map<unknown, string>()
  for (const { id, book_id, folder, name } of await db.readSlowly.selectFrom('file').selectAll().execute()) {
    names.set(id, `file ${folder}${name}`)
    names.set(book_id, `book ${folder}${name}`)
  }
  for (const { id, key } of await rowsOf(db, 'series')) names.set(id, `series ${String(key)}`)
  for (const { id, kind, key } of await rowsOf(db, 'term')) names.set(id, `${String(kind)} ${String(key)}`)
  const all = new Map<string, readonly string[]>()
  for (const table of copiedTables) {
    const rows = (await rowsOf(db, table)).map(({ number, ...row }) => ({
      ...row,
      // The book itself states its number, the database numbers the rows of the index.
      ...(!table.endsWith('_search') && { number }),
    }))
    const named = rows.map((row: Row) =>
      JSON.stringify(Object.entries(row).map(([column, value]) => [column, names.get(value) ?? value])),
    )
    all.set(table, named.sort())
  }
  return all
}

/** Each word with the text it is in, as SQLite's index has it; PostgreSQL's is made of the rows alone. */
const wordsFound = async (db: Database): Promise<readonly string[]> => {
  if (testDialect === 'postgres') return []
  const all: string[] = []
  for (const table of ['series_search', 'book_search', 'term_search']) {
    await db.write(async (db) => {
      await sql`create virtual table ${sql.table(`${table}_vocabulary`)}
        using fts5vocab(${sql.table(`${table}_text`)}, 'instance')`.execute(db)
    })
    const { rows } = await sql<{ found: string }>`select term || ' ' || title || ' ' || words as found
      from ${sql.table(`${table}_vocabulary`)} as vocabulary
      join ${sql.table(table)} as document on document.number = vocabulary.doc`.execute(db.readSlowly)
    all.push(...rows.map(({ found }) => found))
  }
  return all.sort()
}

const indexesOf = async (db: Database): Promise<readonly Row[]> => {
  const listed =
    testDialect === 'postgres'
      ? sql<Row>`select indexname as name, indexdef as definition from pg_indexes
          where schemaname = current_schema() order by indexname`
      : sql<Row>`select name, sql from sqlite_schema where type in ('index', 'trigger') order by name`
  return (await listed.execute(db.read)).rows
}

/** A file of SQLite with the library in it, written straight. */
const filledFile = async (directory: string): Promise<string> => {
  const file = join(directory, 'filled.db')
  await migrateFresh({ kind: 'sqlite', file })
  const empty = await opened({ kind: 'sqlite', file })
  const library = await libraryIn(empty)
  await empty.close()
  expect(await fillSqlite(file, { library, profile, from: now })).toBe(books)
  return file
}

test('a library for the bench is written as a scan writes it, table by table', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'carrel-test-'))
  const scannedInto = await makeDatabase(directory)
  const scanned = await opened(scannedInto.address)
  await scanInto(scanned)
  const file = await filledFile(directory)
  const copiedTo = testDialect === 'postgres' ? await makeEmptyDatabase() : undefined
  if (copiedTo) await copyToPostgres(file, copiedTo.url)
  const straight = await opened(copiedTo ? { kind: 'postgres', url: copiedTo.url } : { kind: 'sqlite', file })

  const [expected, actual] = [await everythingIn(scanned), await everythingIn(straight)]
  expect(expected.get('book')).toHaveLength(books)
  expect(expected.get('book_term')?.length).toBeGreaterThan(books)
  for (const [table, rows] of expected) expect({ [table]: actual.get(table) }).toEqual({ [table]: rows })
  expect(await indexesOf(straight)).toEqual(await indexesOf(scanned))
  expect(await wordsFound(straight)).toEqual(await wordsFound(scanned))

  await Promise.all([scanned.close(), straight.close()])
  await Promise.all([scannedInto.remove(), copiedTo?.remove()])
  await rm(directory, { recursive: true })
})
