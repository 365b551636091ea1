import type Sqlite from 'better-sqlite3'
import { nameDocument, spellingsOf, wordEndingsOf } from '../../packages/server/src/catalogue/search-index/documents.ts'
import type { Mention } from '../../packages/server/src/catalogue/terms/terms.ts'
import { fillTextIndex } from '../../packages/server/src/database/dialects/sqlite/text-index.ts'
import { fillWordIndex } from '../../packages/server/src/database/dialects/sqlite/word-index.ts'
import { newId } from '../../packages/server/src/platform/ids.ts'
import { sortKey } from '../../packages/server/src/platform/text/sort-key.ts'
import { loadSqlite } from '../databases/server-drivers.ts'
import { type LibraryPart, type LibraryToFill, partsOf } from './parts.ts'

const cacheKib = 1024 * 1024
/** FTS5 counts in bytes. */
const hashBytes = 64 * 1024 * 1024

/**
 * Rows as they stand after a scan, straight into the file of a database that has been made but holds no books: without
 * its indexes, which are made again at the end, and without waiting for the disk.
 */
export const fillSqlite = async (file: string, toFill: LibraryToFill): Promise<number> => {
  const database = new (loadSqlite())(file, { fileMustExist: true })
  try {
    database.pragma('journal_mode = memory')
    database.pragma('synchronous = off')
    database.pragma('foreign_keys = off')
    database.pragma(`cache_size = -${cacheKib}`)
    const restore = withoutIndexes(database)
    const count = await fill(database, toFill)
    restore()
    return count
  } finally {
    database.close()
  }
}

interface SchemaObject {
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
  'book_claim',
  'book_term',
  'term',
]
const foundTables = ['series_search', 'book_search', 'term_search']

/** It returns what makes them again. */
const withoutIndexes = (database: Sqlite.Database): (() => void) => {
  const of = [...indexedTables, ...foundTables]
  const schemaObjects = database
    .prepare<string[], SchemaObject>(
      `select name, type, tbl_name as "table", sql from sqlite_schema
       where type in ('index', 'trigger') and sql is not null and tbl_name in (${of.map(() => '?').join(', ')})`,
    )
    .all(...of)
  for (const { name, type } of schemaObjects) database.exec(`drop ${type} "${name}"`)
  return () => {
    for (const table of foundTables) {
      database.exec(`insert into ${table}_text (${table}_text, rank) values ('hashsize', ${hashBytes})`)
      database.exec(fillTextIndex(table))
    }
    database.exec(fillWordIndex('book_search', 'text_words'))
    for (const { sql } of schemaObjects) database.exec(sql)
  }
}

const fill = async (database: Sqlite.Database, toFill: LibraryToFill): Promise<number> => {
  const insert = inserter(database)
  const terms = termsIn(insert)
  const words = new Set<string>()
  const textWords = new Set<string>()
  const counts = { books: 0, series: 0 }
  const write = database.transaction(({ rows, mentions, words: more, textWords: moreOfTexts, now }: LibraryPart) => {
    for (const { table, columns, values } of rows) {
      const count = insert(table, columns, values)
      if (table === 'book') counts.books += count
      if (table === 'series') counts.series += count
    }
    insert('series_term', termColumns('series'), terms(mentions.series, now))
    insert('book_term', termColumns('book'), terms(mentions.book, now))
    for (const word of more) {
      if (words.has(word)) continue
      words.add(word)
      for (const { spelling, word: of } of spellingsOf(word))
        insert('search_word', ['spelling', 'word'], [spelling, of])
    }
    for (const word of moreOfTexts) {
      if (textWords.has(word)) continue
      textWords.add(word)
      for (const { ending, word: of } of wordEndingsOf(word)) insert('text_word', ['ending', 'word'], [ending, of])
    }
  })
  for await (const part of partsOf(toFill)) write(part)
  database
    .prepare('update library set book_count = ?, series_count = ? where id = ?')
    .run(counts.books, counts.series, toFill.library.id)
  return counts.books
}

/** It returns how many. */
type Insert = (table: string, columns: readonly string[], values: readonly unknown[]) => number

/** Many rows in one statement: each statement costs as much as a row or two. */
const valuesAtOnce = 400

const inserter = (database: Sqlite.Database): Insert => {
  const statements = new Map<string, Sqlite.Statement>()
  const insertOf = (table: string, columns: readonly string[], rows: number): Sqlite.Statement => {
    const statement = statements.get(`${table} ${rows}`)
    if (statement) return statement
    const row = `(${columns.map(() => '?').join(', ')})`
    const made = database.prepare(
      `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: rows }, () => row).join(', ')}`,
    )
    statements.set(`${table} ${rows}`, made)
    return made
  }
  return (table, columns, values) => {
    const step = columns.length * Math.max(1, Math.floor(valuesAtOnce / columns.length))
    for (let at = 0; at < values.length; at += step) {
      const some = values.slice(at, at + step)
      insertOf(table, columns, some.length / columns.length).run(some)
    }
    return values.length / columns.length
  }
}

const termColumns = (entity: 'series' | 'book') => [`${entity}_id`, 'term_id', 'role', 'place']

/** It makes those that are not there yet; it returns the rows that lead to them, flat. */
const termsIn = (insert: Insert) => {
  const idOf = new Map<string, string>()
  const make = ({ kind, key, name }: Mention, now: Date): string => {
    const id = newId(now.getTime())
    idOf.set(`${kind} ${key}`, id)
    const columns = ['id', 'kind', 'name', 'key', 'sort_key', 'created_at']
    insert('term', columns, [id, kind, name, key, sortKey(name), now.toISOString()])
    const { title, words } = nameDocument({ id, title: name })
    if (kind === 'person') insert('term_search', ['term_id', 'title', 'words'], [id, title, words])
    return id
  }
  return (mentions: readonly Mention[], now: Date): unknown[] => {
    const rows = new Map<string, readonly unknown[]>()
    for (const mention of mentions) {
      const { id, kind, key, role, place } = mention
      const termId = idOf.get(`${kind} ${key}`) ?? make(mention, now)
      rows.set(`${id} ${termId} ${role}`, [id, termId, role, place])
    }
    return [...rows.values()].flat()
  }
}
