import { type Migration, schemaChange } from './migration.ts'

export const lostBooks: Migration = {
  name: 'finding lost books',
  run: async (db, dialect) => {
    const { createIndex } = schemaChange(db, dialect)
    // Each scan and each batch of books that was read asks whether there are any.
    await createIndex('book_lost', 'book', ['id'], { where: "state in ('missing', 'hidden')" })
  },
}
