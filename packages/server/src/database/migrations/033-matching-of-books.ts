import { type Migration, schemaChange } from './migration.ts'

export const matchingOfBooks: Migration = {
  name: 'what a plugin was asked for, covers in the history, and all of a library in the order of their ids',
  run: async (db, dialect) => {
    await db.schema.alterTable('plugin_match').addColumn('asked_title', dialect.text).execute()
    const { createIndex, createTable } = schemaChange(db, dialect)
    // Only for who says that the id is not empty: any other question of a library would be read through them, and sorted.
    await createIndex('series_of_library', 'series', ['library_id', 'id'], { where: "book_count > 0 and id > ''" })
    await createIndex('book_of_library', 'book', ['library_id', 'id'], { where: "state = 'present' and id > ''" })
    const columns = {
      history_id: 'text',
      plugin_id: 'text',
      entity_id: 'text',
      before_url: 'text?',
      after_url: 'text?',
    } as const
    await createTable('match_cover', columns, (table) =>
      table
        .addPrimaryKeyConstraint('match_cover_pk', ['history_id'])
        .addForeignKeyConstraint('match_cover_of', ['history_id'], 'metadata_change', ['id'], (key) =>
          key.onDelete('cascade'),
        )
        .addForeignKeyConstraint('match_cover_by', ['plugin_id'], 'plugin', ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex('match_cover_of_plugin', 'match_cover', ['plugin_id'])
  },
}
