import { type Migration, schemaChange } from './migration.ts'

export const matchingOfBooks: Migration = {
  name: 'what a plugin was asked for, and all series and books of a library in the order of their ids',
  run: async (db, dialect) => {
    await db.schema.alterTable('plugin_match').addColumn('asked_title', dialect.text).execute()
    const { createIndex } = schemaChange(db, dialect)
    await createIndex('series_of_library', 'series', ['library_id', 'id'], { where: 'book_count > 0' })
    await createIndex('book_of_library', 'book', ['library_id', 'id'], { where: "state = 'present'" })
  },
}
