import { CompiledQuery, sql } from 'kysely'
import { cachedTexts } from './cached-texts.ts'
import type { ManyRows, ValueKind } from './dialect.ts'

/** Writing these as JSON takes two milliseconds, after which others are answered: the process that answers moves ten thousand books. */
const rowsAtOnce = 1000

const types: Readonly<Record<ValueKind, string>> = { text: 'text', integer: 'bigint', real: 'double precision' }

type Row = Readonly<Record<string, unknown>>

/** A column takes what its type reads. JSON has neither bytes nor halves of characters. */
const inJson = (rows: readonly Row[]): string => JSON.stringify(rows.map(rowInJson))

/** Hardly any row has a value that is written in another way: it goes without a copy. */
const rowInJson = (row: Row): Row => {
  let copy: Record<string, unknown> | undefined
  for (const [name, value] of Object.entries(row)) {
    const json = asJson(value)
    if (json === value) continue
    copy ??= { ...row }
    copy[name] = json
  }
  return copy ?? row
}

const asJson = (value: unknown): unknown => {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
}

/** All rows are one parameter: with one for each value, making the statement would take longer than running it. */
const insertFrom = (statement: string, columns: readonly string[]): string => {
  const [, table] = /^insert into "(\w+)" /.exec(statement) ?? []
  const values = `values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`
  if (table === undefined || !statement.includes(values)) throw new Error(`Not an insert of rows: ${statement}`)
  const names = columns.map((column) => `"${column}"`).join(', ')
  const rows = `select ${names} from json_populate_recordset(null::"${table}", cast($1 as json))`
  return statement.replace(values, () => rows)
}

function* partsOf<Each>(rows: readonly Each[]) {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield rows.slice(from, from + rowsAtOnce)
}

const inserts = cachedTexts()

export const postgresMany: ManyRows = {
  insert: async (db, { shape, rows }, insert) => {
    const [first] = rows
    if (!first) return
    const columns = Object.keys(first)
    const text = inserts.textOf(shape, () => insert([first]).compile().sql)
    if (rows.length === 1) {
      const values = columns.map((column) => first[column])
      await db.executeQuery(CompiledQuery.raw(text, values))
      return
    }
    const statement = insertFrom(text, columns)
    for (const part of partsOf(rows)) await db.executeQuery(CompiledQuery.raw(statement, [inJson(part)]))
  },
  update: async (db, { table, keys, columns }, rows) => {
    const list = Object.entries({ ...keys, ...columns }).map(
      ([name, kind]) => sql`${sql.id(name)} ${sql.raw(types[kind])}`,
    )
    const set = Object.keys(columns).map((name) => sql`${sql.id(name)} = ${sql.ref(`new_value.${name}`)}`)
    const where = Object.keys(keys).map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`new_value.${name}`)}`)
    for (const part of partsOf(rows))
      await sql`update ${sql.table(table)} set ${sql.join(set)}
        from jsonb_to_recordset(cast(${JSON.stringify(part)} as jsonb)) as new_value (${sql.join(list)})
        where ${sql.join(where, sql` and `)}`.execute(db)
  },
}
