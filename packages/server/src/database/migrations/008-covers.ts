import { type Migration, schemaChange } from './migration.ts'

export const covers: Migration = {
  name: 'why covers cannot be made',
  run: async (db, dialect) => {
    const { createTable } = schemaChange(db, dialect)
    await createTable('cover_fault', { book_id: 'text', code: 'text', message: 'text', at: 'text' }, (table) =>
      table
        .addPrimaryKeyConstraint('cover_fault_pk', ['book_id'])
        .addForeignKeyConstraint('cover_fault_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
    )
  },
}
