import { enqueueCatalogueCheck, type Migration, schemaChange } from './migration.ts'

/** What conditions look for parts in has an index of words. Rows of before get theirs when the catalogue is checked. */
export const wordsOfTexts: Migration = {
  version: 62,
  name: 'words of texts',
  run: async (db, dialect) => {
    await db.schema.alterTable('book_search').addColumn('text_words', dialect.text).execute()
    await dialect.wordIndex.create(db, { table: 'book_search', column: 'text_words' })
    const { createTable, createIndex } = schemaChange(db, dialect)
    await createIndex('book_search_without_words', 'book_search', { columns: ['number'], where: 'text_words is null' })
    await createTable('text_word', {
      columns: { ending: 'text', word: 'text' },
      primaryKey: ['ending', 'word'],
      liesByKey: true,
    })
    await enqueueCatalogueCheck(db, 62)
  },
}
