import { type Migration, schemaChange } from './migration.ts'

export const booksInShort: Migration = {
  name: 'books in short, to be looked up by their ids, and smaller samples of what is searched',
  run: async (db, dialect) => {
    const { createIndex } = schemaChange(db, dialect)
    // Not of present ones alone: SQLite takes an index for all that is asked only if it has the state as well.
    const columns = ['id', 'state', 'series_id', 'library_id', 'age_rating', 'page_count', 'format', 'book_type']
    await createIndex('book_in_short', 'book', [...columns, 'created_at'])
    for (const entity of ['series', 'book', 'term', 'collection', 'read_list'])
      await dialect.textIndex.sampleMore(db, `${entity}_search`)
  },
}
