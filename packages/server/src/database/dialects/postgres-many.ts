import { sql } from 'kysely'
import type { ManyRows, ValueKind } from './dialect.ts'

/** The protocol counts parameters in 16 bits. */
const parametersMax = 30_000

const types: Readonly<Record<ValueKind, string>> = { text: 'text', integer: 'bigint', real: 'double precision' }

export const postgresMany: ManyRows = {
  insert: async (db, rows, insert) => {
    const [first] = rows
    if (!first) return
    const rowsAtOnce = Math.floor(parametersMax / Object.keys(first).length)
    for (let from = 0; from < rows.length; from += rowsAtOnce)
      await db.executeQuery(insert(rows.slice(from, from + rowsAtOnce)).compile())
  },
  update: async (db, { table, keys, columns }, rows) => {
    const list = Object.entries({ ...keys, ...columns }).map(
      ([name, kind]) => sql`${sql.id(name)} ${sql.raw(types[kind])}`,
    )
    const set = Object.keys(columns).map((name) => sql`${sql.id(name)} = ${sql.ref(`new_value.${name}`)}`)
    const where = Object.keys(keys).map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`new_value.${name}`)}`)
    await sql`update ${sql.table(table)} set ${sql.join(set)}
      from jsonb_to_recordset(cast(${JSON.stringify(rows)} as jsonb)) as new_value (${sql.join(list)})
      where ${sql.join(where, sql` and `)}`.execute(db)
  },
}
