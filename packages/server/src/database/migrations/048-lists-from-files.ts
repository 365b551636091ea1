import { sql } from 'kysely'
import { enqueueCatalogueCheck, type Migration, schemaChange } from './migration.ts'
import type { Tables } from './table-definition.ts'

const tables: Tables = {
  list_claim: {
    columns: { book_id: 'text', list: 'text', name_key: 'text', name: 'text', place: 'text?' },
    primaryKey: ['book_id', 'list', 'name_key'],
    foreignKeys: { list_claim_of: ['book_id', 'book', 'cascade'] },
    indexes: { list_claim_by_name: ['list', 'name_key', 'book_id'] },
  },
  list_to_follow: {
    columns: { kind: 'text', key: 'text', mark: 'text' },
    primaryKey: ['kind', 'key'],
  },
  declined_list: {
    columns: { list: 'text', name_key: 'text', at: 'text' },
    primaryKey: ['list', 'name_key'],
  },
}

/** What files say of the lists their books are in, and which lists were made of that. */
export const listsFromFiles: Migration = {
  version: 48,
  name: 'lists from files',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    for (const [name, table] of Object.entries(tables)) await createTable(name, table)
    for (const table of ['collection', 'read_list']) {
      await db.schema.alterTable(table).addColumn('files_key', dialect.text).execute()
      await db.schema
        .alterTable(table)
        .addColumn('follows_files', dialect.integer, (column) => column.notNull().defaultTo(0))
        .execute()
      await createIndex(`${table}_from_files`, table, {
        columns: ['files_key'],
        where: 'files_key is not null',
        unique: true,
      })
    }
    for (const column of ['lists_from_files', 'lists_unread'])
      await db.schema
        .alterTable('library')
        .addColumn(column, dialect.integer, (built) => built.notNull().defaultTo(0))
        .execute()
    // What was read before does not say which lists a book is in.
    await sql`update library set lists_unread = 1`.execute(db)
    // The check of the catalogue counts what paths say of series.
    await enqueueCatalogueCheck(db, 48)
  },
}
