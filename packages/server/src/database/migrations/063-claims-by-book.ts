import { sql } from 'kysely'
import { type Migration, schemaChange } from './migration.ts'

/**
 * What a book says of its series is written once for each book that a scan finds: the rows lie in the order of their books, so
 * that there is no second place to write them to. PostgreSQL has no such tables.
 */
export const claimsByBook: Migration = {
  version: 63,
  name: 'claims by book',
  run: async (db, dialect) => {
    if (dialect.hasSeveralNodes) return
    const { createTable, createIndex } = schemaChange(db, dialect)
    await createTable('book_claim_by_book', {
      columns: { book_id: 'text', claims: 'text', counted_in: 'text?' },
      primaryKey: ['book_id'],
      liesByKey: true,
      foreignKeys: { book_claim_of: ['book_id', 'book', 'cascade'] },
    })
    await sql`insert into book_claim_by_book select book_id, claims, counted_in from book_claim order by book_id`.execute(
      db,
    )
    await db.schema.dropTable('book_claim').execute()
    await db.schema.alterTable('book_claim_by_book').renameTo('book_claim').execute()
    await createIndex('book_claim_counted', 'book_claim', { columns: ['counted_in'], where: 'counted_in is not null' })
    await createIndex('book_claim_of_summary', 'book_claim', {
      columns: ['counted_in', 'book_id'],
      where: `replace(claims, '"summary":', '') <> claims`,
    })
  },
}
