import { type Migration, schemaChange } from './migration.ts'

export const exports: Migration = {
  name: 'what users have had written to files',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    await createTable(
      'series_export',
      {
        id: 'text',
        user_id: 'text',
        export_type: 'text',
        format: 'text',
        /** JSON: the keys of fields in order, ids of libraries, and conditions. */
        fields: 'text',
        book_fields: 'text',
        library_ids: 'text?',
        condition: 'text?',
        book_condition: 'text?',
        sees_paths: 'integer',
        task_id: 'text?',
        file_name: 'text?',
        sight: 'text?',
        row_count: 'integer?',
        size: 'integer?',
        error: 'text?',
        created_at: 'text',
        started_at: 'text?',
        completed_at: 'text?',
        expires_at: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('series_export_pk', ['id'])
          .addForeignKeyConstraint('series_export_of', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex('series_export_of_user', 'series_export', ['user_id', 'created_at', 'id'])
    await createIndex('series_export_by_file', 'series_export', ['file_name'], { unique: true })
    await createIndex('series_export_by_end', 'series_export', ['completed_at', 'id'], {
      where: 'completed_at is not null',
    })
    await createIndex('series_export_by_expiry', 'series_export', ['expires_at', 'id'])
  },
}
