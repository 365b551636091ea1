import { CompiledQuery } from 'kysely'
import type { ManyRows } from '../dialect.ts'
import type { Statement } from './connection.ts'

/** Stands in the place of the parameters of a statement that runs once for each row, in one message to the thread. */
class Rows {
  readonly rows: readonly (readonly unknown[])[]
  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows
  }
}

export const statementOf = ({ sql, parameters }: CompiledQuery): Statement => {
  const [first] = parameters
  return first instanceof Rows ? { sql, parameters: [], rows: first.rows } : { sql, parameters }
}

export const sqliteMany: ManyRows = {
  insert: async (db, rows, insert) => {
    const [first] = rows
    if (!first) return
    const columns = Object.keys(first)
    const { sql } = insert([first]).compile()
    await db.executeQuery(CompiledQuery.raw(sql, [new Rows(rows.map((row) => columns.map((column) => row[column])))]))
  },
  update: async (db, { table, keys, columns }, rows) => {
    const names = [...Object.keys(columns), ...Object.keys(keys)]
    const set = Object.keys(columns).map((column) => `"${column}" = ?`)
    const where = Object.keys(keys).map((key) => `"${key}" = ?`)
    const sql = `update "${table}" set ${set.join(', ')} where ${where.join(' and ')}`
    await db.executeQuery(CompiledQuery.raw(sql, [new Rows(rows.map((row) => names.map((name) => row[name])))]))
  },
}
