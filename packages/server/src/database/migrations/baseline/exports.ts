import type { Tables } from '../table-definition.ts'

export const exports: Tables = {
  series_export: {
    columns: {
      id: 'text',
      user_id: 'text',
      export_type: 'text',
      format: 'text',
      // JSON: the keys of fields in order, ids of libraries, and conditions.
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
      hides_reading: 'integer?',
    },
    primaryKey: ['id'],
    foreignKeys: { series_export_of: ['user_id', 'user', 'cascade'] },
    indexes: {
      series_export_of_user: ['user_id', 'created_at', 'id'],
      series_export_by_file: { columns: ['file_name'], unique: true },
      series_export_by_end: { columns: ['completed_at', 'id'], where: 'completed_at is not null' },
      series_export_by_expiry: ['expires_at', 'id'],
    },
  },
}
