import { type Migration, schemaChange } from './migration.ts'

/** The books of a series that have a summary are found without reading what all of them say. */
export const firstSummariesOfSeries: Migration = {
  version: 52,
  name: 'first summaries of series',
  run: async (db, dialect) => {
    const { createIndex } = schemaChange(db, dialect)
    await createIndex('book_claim_of_summary', 'book_claim', {
      columns: ['counted_in', 'book_id'],
      where: `replace(claims, '"summary":', '') <> claims`,
    })
  },
}
