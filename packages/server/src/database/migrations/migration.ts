import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

export interface Migration {
  readonly name: string
  /** A migration knows the tables as they were when it was written, not as the schema has them now. */
  readonly run: (db: Kysely<unknown>, dialect: Dialect) => Promise<void>
}

type ColumnType = 'text' | 'integer'
type ColumnSpec = `${ColumnType}${'' | '?'}`

/** `{ id: 'text', age: 'integer?' }`: a question mark lets null in. `more` adds keys and references. */
export const createTable = async <Columns extends Record<string, ColumnSpec>>(
  db: Kysely<unknown>,
  dialect: Dialect,
  name: string,
  columns: Columns,
  more: (
    table: CreateTableBuilder<string, keyof Columns & string>,
  ) => CreateTableBuilder<string, keyof Columns & string>,
): Promise<void> => {
  const types: Record<ColumnType, RawBuilder<unknown>> = { text: dialect.text, integer: dialect.integer }
  let table = db.schema.createTable(name) as CreateTableBuilder<string, keyof Columns & string>
  for (const [column, spec] of Object.entries(columns) as [keyof Columns & string, ColumnSpec][]) {
    const type = types[spec.replace('?', '') as ColumnType]
    table = table.addColumn(column, type, (built) => (spec.endsWith('?') ? built : built.notNull()))
  }
  await more(table).modifyEnd(dialect.tableEnd).execute()
}

export const createIndex = async (
  db: Kysely<unknown>,
  name: string,
  table: string,
  columns: readonly string[],
  { unique = false } = {},
): Promise<void> => {
  await sql`create ${sql.raw(unique ? 'unique ' : '')}index ${sql.id(name)} on ${sql.table(table)} (${sql.join(columns.map((column) => sql.id(column)))})`.execute(
    db,
  )
}
