import { type Migration, schemaChange } from './migration.ts'

export const readerSettings: Migration = {
  name: 'how each user reads: everywhere, on a device, in a library, in a series',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    // What it is for stands in `subject`; that of a library or series goes with it.
    await createTable(
      'reader_setting',
      {
        user_id: 'text',
        level: 'text',
        subject: 'text',
        library_id: 'text?',
        series_id: 'text?',
        settings: 'text',
        updated_at: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('reader_setting_pk', ['user_id', 'level', 'subject'])
          .addForeignKeyConstraint('reader_setting_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
          .addForeignKeyConstraint('reader_setting_library', ['library_id'], 'library', ['id'], (key) =>
            key.onDelete('cascade'),
          )
          .addForeignKeyConstraint('reader_setting_series', ['series_id'], 'series', ['id'], (key) =>
            key.onDelete('cascade'),
          ),
    )
    await createIndex('reader_setting_by_library', 'reader_setting', ['library_id'], {
      where: 'library_id is not null',
    })
    await createIndex('reader_setting_by_series', 'reader_setting', ['series_id'], { where: 'series_id is not null' })
  },
}
