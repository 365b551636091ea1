import { CompiledQuery } from 'kysely'
import type { ManyRows } from '../dialect.ts'
import type { AlikeRows, Statement } from './connection.ts'
import { cachedTexts } from '../cached-texts.ts'
import { withEvenLists } from './even-lists.ts'

/** It takes the place of the parameters of a statement that runs once for each row, in one message to the thread. */
class Rows {
  readonly rows: AlikeRows
  constructor(rows: AlikeRows) {
    this.rows = rows
  }
}

type Row = Readonly<Record<string, unknown>>

const runFor = (sql: string, rows: readonly Row[], columns: readonly string[]): CompiledQuery => {
  const [first = {}] = rows
  const shared = columns.map((column) => first[column])
  const varying = columns.filter((column, index) => rows.some((row) => row[column] !== shared[index]))
  // One that grows is copied again and again.
  const values = Array.from<unknown>({ length: rows.length * varying.length })
  let position = 0
  for (const row of rows)
    for (const column of varying) {
      values[position] = row[column]
      position += 1
    }
  const positions = varying.map((column) => columns.indexOf(column))
  return CompiledQuery.raw(sql, [new Rows({ shared, positions, count: rows.length, values })])
}

export const statementOf = ({ sql, parameters }: CompiledQuery): Statement => {
  const [first] = parameters
  return first instanceof Rows ? { sql, parameters: [], rows: first.rows } : withEvenLists({ sql, parameters })
}

/** Others are answered after each of these messages: ten thousand books are moved by the process that answers. */
const rowsAtOnce = 1000

function* partsOf(rows: readonly Row[]) {
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    yield rows.length <= rowsAtOnce ? rows : rows.slice(from, from + rowsAtOnce)
}

const inserts = cachedTexts()

/** It inserts all rows by one statement, which takes longer where nothing is gained by that. */
export const insertTogether: ManyRows['insert'] = async (db, { shape, rows }, insert) => {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const text = together.textOf(shape, () => insertOfJson(insert([first]).compile().sql, columns.length))
  for (const part of partsOf(rows)) {
    const values = part.map((row) => columns.map((column) => wellFormed(row[column])))
    await db.executeQuery(CompiledQuery.raw(text, [JSON.stringify(values)]))
  }
}

const together = cachedTexts()

const insertOfJson = (insertOfOne: string, columnCount: number): string => {
  const values = Array.from({ length: columnCount }, (_, index) => `value ->> ${index}`)
  return insertOfOne.replace(/ values \([?, ]*\)/, ` select ${values.join(', ')} from json_each(?) where true`)
}

/** Half a character is nothing that JSON can say to SQLite. */
const wellFormed = (value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value)

export const sqliteMany: ManyRows = {
  insert: async (db, { shape, rows }, insert) => {
    const [first] = rows
    if (!first) return
    const text = inserts.textOf(shape, () => insert([first]).compile().sql)
    for (const part of partsOf(rows)) await db.executeQuery(runFor(text, part, Object.keys(first)))
  },
  update: async (db, { table, keys, columns }, rows) => {
    const names = [...Object.keys(columns), ...Object.keys(keys)]
    const set = Object.keys(columns).map((column) => `"${column}" = ?`)
    const where = Object.keys(keys).map((key) => `"${key}" = ?`)
    const sql = `update "${table}" set ${set.join(', ')} where ${where.join(' and ')}`
    for (const part of partsOf(rows)) await db.executeQuery(runFor(sql, part, names))
  },
}
