import { enqueueCatalogueCheck, type Migration, schemaChange } from './migration.ts'

/** What each book says of its series, and how many books of a series say the same. */
export const claimsOfBooks: Migration = {
  version: 44,
  name: 'claims of books',
  run: async (db, dialect) => {
    const { createTable } = schemaChange(db, dialect)
    await createTable('book_claim', {
      columns: { book_id: 'text', claims: 'text', counted_in: 'text?' },
      primaryKey: ['book_id'],
      foreignKeys: { book_claim_of: ['book_id', 'book', 'cascade'] },
      indexes: { book_claim_counted: { columns: ['counted_in'], where: 'counted_in is not null' } },
    })
    await createTable('series_claim', {
      columns: { series_id: 'text', field: 'text', value: 'text', books: 'integer' },
      primaryKey: ['series_id', 'field', 'value'],
      foreignKeys: { series_claim_of: ['series_id', 'series', 'cascade'] },
    })
    // The check of the catalogue counts what books that are there already say.
    await enqueueCatalogueCheck(db, 44)
  },
}
