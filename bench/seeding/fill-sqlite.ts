import type Sqlite from 'better-sqlite3'
import { nameDocument, spelledOutIn, spellingsOf } from '../../packages/server/src/features/search-index/documents.ts'
import type { Document } from '../../packages/server/src/features/search-index/queries.ts'
import type { ScannedLibrary } from '../../packages/server/src/features/scan/library.ts'
import type { Mention } from '../../packages/server/src/features/terms/terms.ts'
import { newId } from '../../packages/server/src/platform/ids.ts'
import { sortKey } from '../../packages/server/src/platform/sort-key.ts'
import { loadSqlite } from '../databases/server-drivers.ts'
import type { PlannedBook } from '../gen/plan.ts'
import { straightRows } from './straight-rows.ts'

const booksAtOnce = 2000
/** A library comes by and by: so much later is the next part. */
const apartMs = 60_000
const cacheKib = 1024 * 1024
/** FTS5 counts in bytes. */
const hashBytes = 64 * 1024 * 1024

/**
 * Rows as they stand after a scan, straight into the file of a database that has been made but holds no books: without
 * its indexes, which are made again at the end, and without waiting for the disk.
 */
export const fillSqlite = (
  file: string,
  library: ScannedLibrary,
  series: Iterable<{ readonly books: readonly PlannedBook[] }>,
  from: Date,
): number => {
  const database = new (loadSqlite())(file, { fileMustExist: true })
  try {
    database.pragma('journal_mode = delete')
    database.pragma('journal_mode = off')
    database.pragma('synchronous = off')
    database.pragma('foreign_keys = off')
    database.pragma(`cache_size = -${cacheKib}`)
    const restore = withoutIndexes(database)
    const counts = fill(database, library, series, from)
    restore()
    return counts
  } finally {
    database.close()
  }
}

interface Kept {
  readonly name: string
  readonly type: 'index' | 'trigger'
  readonly table: string
  readonly sql: string
}

const indexedTables = [
  'series',
  'series_name',
  'series_term',
  'book',
  'file',
  'book_fingerprint',
  'metadata_layer',
  'book_term',
  'term',
]
const foundTables = ['series_search', 'book_search', 'term_search']

/** Answers what makes them again. */
const withoutIndexes = (database: Sqlite.Database): (() => void) => {
  const of = [...indexedTables, ...foundTables]
  const kept = database
    .prepare<string[], Kept>(
      `select name, type, tbl_name as "table", sql from sqlite_schema
       where type in ('index', 'trigger') and sql is not null and tbl_name in (${of.map(() => '?').join(', ')})`,
    )
    .all(...of)
  for (const { name, type } of kept) database.exec(`drop ${type} "${name}"`)
  return () => {
    for (const table of foundTables) {
      database.exec(`insert into ${table}_text (${table}_text, rank) values ('hashsize', ${hashBytes})`)
      database.exec(`insert into ${table}_text (rowid, words) select number, words from ${table}`)
    }
    for (const { sql } of kept) database.exec(sql)
  }
}

const fill = (
  database: Sqlite.Database,
  library: ScannedLibrary,
  series: Iterable<{ readonly books: readonly PlannedBook[] }>,
  from: Date,
): number => {
  const insert = inserter(database)
  const terms = termsIn(insert)
  const words = new Set<string>()
  let now = from
  let count = 0
  let seriesCount = 0
  let waiting: PlannedBook[] = []
  const write = (): void => {
    const { rows, mentions } = straightRows(library, waiting, now)
    const documents = [...rows.series_search, ...rows.book_search] as readonly Pick<Document, 'words'>[]
    database.transaction(() => {
      for (const [table, of] of Object.entries(rows)) insert(table, of)
      insert('series_term', terms(mentions.series, 'series_id', now))
      insert('book_term', terms(mentions.book, 'book_id', now))
      for (const word of spelledOutIn(documents)) {
        if (words.has(word)) continue
        words.add(word)
        insert('search_word', spellingsOf(word))
      }
    })()
    count += rows.book.length
    seriesCount += rows.series.length
    waiting = []
    now = new Date(now.getTime() + apartMs)
  }
  for (const { books } of series) {
    waiting.push(...books)
    if (waiting.length >= booksAtOnce) write()
  }
  write()
  database
    .prepare('update library set book_count = ?, series_count = ? where id = ?')
    .run(count, seriesCount, library.id)
  return count
}

type Insert = (table: string, rows: readonly object[]) => void

const inserter = (database: Sqlite.Database): Insert => {
  const known = new Map<string, { readonly columns: readonly string[]; readonly statement: Sqlite.Statement }>()
  const insertOf = (table: string, columns: readonly string[]) => {
    const statement = database.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    const made = { columns, statement }
    known.set(table, made)
    return made
  }
  return (table, rows) => {
    const [first] = rows
    if (!first) return
    const { columns, statement } = known.get(table) ?? insertOf(table, Object.keys(first))
    for (const row of rows as readonly Record<string, unknown>[]) statement.run(columns.map((column) => row[column]))
  }
}

/** Makes those that are not there yet; answers the rows that lead to them. */
const termsIn = (insert: Insert) => {
  const idOf = new Map<string, string>()
  return (mentions: readonly Mention[], of: 'series_id' | 'book_id', now: Date): object[] => {
    const rows = new Map<string, object>()
    for (const { id, kind, key, name, role, place } of mentions) {
      let termId = idOf.get(`${kind} ${key}`)
      if (termId === undefined) {
        termId = newId(now.getTime())
        idOf.set(`${kind} ${key}`, termId)
        insert('term', [{ id: termId, kind, name, key, sort_key: sortKey(name), created_at: now.toISOString() }])
        const { title, words } = nameDocument({ id: termId, title: name })
        if (kind === 'person') insert('term_search', [{ term_id: termId, title, words }])
      }
      rows.set(`${id} ${termId} ${role}`, { [of]: id, term_id: termId, role, place })
    }
    return [...rows.values()]
  }
}
