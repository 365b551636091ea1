import { sql } from 'kysely'
import { type Migration, schemaChange } from './migration.ts'

/** Books that are further files of others, and which file people have chosen. */
export const severalFilesOfBooks: Migration = {
  version: 47,
  name: 'several files of books',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    const { schema } = db
    await schema
      .alterTable('book_merge')
      .addColumn('is_format', dialect.integer, (column) => column.notNull().defaultTo(0))
      .execute()
    await schema
      .alterTable('file')
      .addColumn('is_chosen', dialect.integer, (column) => column.notNull().defaultTo(0))
      .execute()
    await createTable('book_apart', {
      columns: { book_id: 'text', at: 'text' },
      primaryKey: ['book_id'],
      foreignKeys: { book_apart_of: ['book_id', 'book', 'cascade'] },
    })
    await createIndex('book_merge_of_formats', 'book_merge', { columns: ['book_id'], where: 'is_format = 1' })
    // Books that have lain beside each other as two become one.
    await sql`
      insert into task (id, type, key, payload, status, is_due, priority, attempts, max_attempts, interruptions, fence,
        created_at, scheduled_for, library_id)
      select id, 'join_files', 'join_files ' || id, '{"libraryId":"' || id || '"}', 'pending',
        1, 100, 0, 3, 0, 0, '2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z', id
      from library where deleted_at is null`.execute(db)
  },
}
