import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { ColumnDefinition, ColumnType, IndexDefinition, TableDefinition } from './table-definition.ts'

export interface Migration {
  /** What a database is at after it, one more than after the migration before. */
  readonly version: number
  readonly name: string
  /** A migration knows the tables as they were when it was written, not as the schema has them now. */
  readonly run: (db: Kysely<unknown>, dialect: Dialect) => Promise<void>
}

/** What migrations are written in: tables and indexes that come out the same on both databases. */
export const schemaChange = (db: Kysely<unknown>, dialect: Dialect) => {
  const createIndex = async (name: string, table: string, index: IndexDefinition): Promise<void> => {
    const { columns, where, unique, isLong } = 'columns' in index ? index : { columns: index }
    if (isLong && !dialect.indexesAnyText) return
    const list = sql.join(columns.map(indexedColumn))
    const kind = unique ? sql`unique index` : sql`index`
    const part = where === undefined ? sql`` : sql` where ${sql.raw(where)}`
    await sql`create ${kind} ${sql.id(name)} on ${sql.table(table)} (${list})${part}`.execute(db)
  }
  const createTable = async (name: string, table: TableDefinition): Promise<void> => {
    await withConstraints(withColumns(db.schema.createTable(name), table, dialect), name, table)
      .modifyEnd(table.liesByKey ? dialect.keyTableEnd : dialect.tableEnd)
      .execute()
    for (const [index, definition] of Object.entries(table.indexes ?? {})) await createIndex(index, name, definition)
  }
  return { createTable, createIndex }
}

/** The worker works out anew what is kept of books and series that are there already, once. */
export const enqueueCatalogueCheck = async (db: Kysely<unknown>, version: number): Promise<void> => {
  const id = `00000000-0000-7000-8000-${String(version).padStart(12, '0')}`
  await sql`
    insert into task (id, type, key, payload, status, is_due, priority, attempts, max_attempts, interruptions, fence,
      created_at, scheduled_for)
    select ${id}, 'verify_catalogue', 'verify_catalogue ', '{"byHand":false}', 'pending',
      1, 20, 0, 3, 0, 0, '2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'
    where exists (select 1 from book)
      and not exists (select 1 from task where key = 'verify_catalogue ' and status in ('pending', 'processing'))`.execute(
    db,
  )
}

type Builder = CreateTableBuilder<string, string>

const withColumns = (empty: Builder, { columns }: TableDefinition, dialect: Dialect): Builder => {
  let builder = empty
  for (const [name, column] of Object.entries(columns)) {
    const { type, isNullable, byDefault } = partsOf(column)
    builder = builder.addColumn(name, typeIn(dialect, type), (built) => {
      const sure = isNullable ? built : built.notNull()
      return byDefault === undefined ? sure : sure.defaultTo(byDefault)
    })
  }
  return builder
}

const withConstraints = (withColumns: Builder, name: string, table: TableDefinition): Builder => {
  const { primaryKey, unique = {}, foreignKeys = {} } = table
  let builder = withColumns.addPrimaryKeyConstraint(`${name}_pk`, [...primaryKey])
  for (const [constraint, columns] of Object.entries(unique))
    builder = builder.addUniqueConstraint(constraint, [...columns])
  for (const [constraint, [column, to, onDelete]] of Object.entries(foreignKeys)) {
    const [columns, targets] = typeof column === 'string' ? [[column], ['id']] : [[...column], [...column]]
    builder = builder.addForeignKeyConstraint(constraint, columns, to, targets, (key) =>
      onDelete === undefined ? key : key.onDelete(onDelete),
    )
  }
  return builder
}

const partsOf = (column: ColumnDefinition) => {
  if (typeof column !== 'string') return { type: column.type, isNullable: false, byDefault: column.default }
  return { type: column.replace('?', '') as ColumnType, isNullable: column.endsWith('?'), byDefault: undefined }
}

const typeIn = ({ text, integer, real, bytes }: Dialect, type: ColumnType): RawBuilder<unknown> =>
  ({ text, integer, real, bytes })[type]

const indexedColumn = (column: string) => {
  if (column.includes('(')) return sql.raw(column)
  const [name = '', direction] = column.split(' ')
  return direction === 'desc' ? sql`${sql.id(name)} desc` : sql.id(name)
}
