import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

export interface Migration {
  readonly name: string
  /** A migration knows the tables as they were when it was written, not as the schema has them now. */
  readonly run: (db: Kysely<unknown>, dialect: Dialect) => Promise<void>
}

type ColumnType = 'text' | 'integer' | 'real' | 'bytes'
/** A question mark lets null in. */
type ColumnSpec = `${ColumnType}${'' | '?'}`
type Columns = Readonly<Record<string, ColumnSpec>>
type Constraints<C extends Columns> = (
  table: CreateTableBuilder<string, keyof C & string>,
) => CreateTableBuilder<string, keyof C & string>

/** What migrations are written in: tables and indexes that come out the same on both databases. */
export const schemaChange = (db: Kysely<unknown>, dialect: Dialect) => ({
  createTable: async <C extends Columns>(name: string, columns: C, constraints: Constraints<C>): Promise<void> => {
    const { text, integer, real, bytes } = dialect
    const types: Record<ColumnType, RawBuilder<unknown>> = { text, integer, real, bytes }
    let table = db.schema.createTable(name) as CreateTableBuilder<string, keyof C & string>
    for (const [column, spec] of Object.entries(columns) as [keyof C & string, ColumnSpec][]) {
      const type = types[spec.replace('?', '') as ColumnType]
      table = table.addColumn(column, type, (built) => (spec.endsWith('?') ? built : built.notNull()))
    }
    await constraints(table).modifyEnd(dialect.tableEnd).execute()
  },
  /** Columns may be followed by `desc`. */
  createIndex: async (
    name: string,
    table: string,
    columns: readonly string[],
    { unique = false, where }: { readonly unique?: boolean; readonly where?: string } = {},
  ): Promise<void> => {
    const list = sql.join(columns.map(indexedColumn))
    const kind = unique ? sql`unique index` : sql`index`
    const part = where === undefined ? sql`` : sql` where ${sql.raw(where)}`
    await sql`create ${kind} ${sql.id(name)} on ${sql.table(table)} (${list})${part}`.execute(db)
  },
})

const indexedColumn = (spec: string) => {
  const [column = '', direction] = spec.split(' ')
  return direction === 'desc' ? sql`${sql.id(column)} desc` : sql.id(column)
}

export type SchemaChange = ReturnType<typeof schemaChange>
