import { type Migration, schemaChange } from './migration.ts'

const documents = ['series_search', 'book_search', 'term_search', 'collection_search', 'read_list_search']

/**
 * The index of words is read in the order of what fits best, where the database can do so. Series without books are few, and
 * are taken from the number of what is found.
 */
export const rankedSearch: Migration = {
  version: 59,
  name: 'ranked search',
  run: async (db, dialect) => {
    for (const table of documents) await dialect.textIndex.rank(db, table)
    const { createIndex } = schemaChange(db, dialect)
    await createIndex('series_empty', 'series', { columns: ['book_count', 'id'], where: 'book_count <= 0' })
  },
}
