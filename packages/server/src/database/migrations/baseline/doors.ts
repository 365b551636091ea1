import type { Tables } from '../table-definition.ts'

/** What applications made for KOReader and Komga say and keep, and what each did last. */
export const doors: Tables = {
  koreader_document: {
    columns: {
      user_id: 'text',
      document: 'text',
      device_id: 'text',
      device: 'text',
      progress: 'text',
      percentage: 'real',
      metadata: 'text?',
      at: 'text',
      entry_id: 'text?',
    },
    primaryKey: ['user_id', 'document', 'device_id'],
    foreignKeys: { koreader_document_user: ['user_id', 'user', 'cascade'] },
    indexes: {
      koreader_document_by_age: ['user_id', 'at'],
      koreader_document_waiting: { columns: ['document'], where: 'entry_id is null' },
    },
  },
  koreader_page_time: {
    columns: {
      user_id: 'text',
      document: 'text',
      start_time: 'integer',
      page: 'integer',
      duration: 'integer',
      total_pages: 'integer',
      is_taken: 'integer',
    },
    primaryKey: ['user_id', 'document', 'start_time', 'page'],
    foreignKeys: { koreader_page_time_user: ['user_id', 'user', 'cascade'] },
    indexes: { koreader_page_time_waiting: { columns: ['document', 'user_id'], where: 'is_taken = 0' } },
  },
  koreader_file: {
    columns: { user_id: 'text', path: 'text', bytes: 'bytes', size: 'integer', etag: 'text', modified_at: 'text' },
    primaryKey: ['user_id', 'path'],
    foreignKeys: { koreader_file_user: ['user_id', 'user', 'cascade'] },
  },
  koreader_intake: {
    columns: { user_id: 'text', etag: 'text', at: 'text', fault: 'text?', page_times: 'integer' },
    primaryKey: ['user_id'],
    foreignKeys: { koreader_intake_user: ['user_id', 'user', 'cascade'] },
  },
  connection: {
    columns: {
      user_id: 'text',
      id: 'text',
      door: 'text',
      app: 'text?',
      by_kind: 'text',
      by_id: 'text?',
      used_at: 'text',
      requests: 'text',
      trouble: 'text?',
    },
    primaryKey: ['user_id', 'id'],
    foreignKeys: { connection_user: ['user_id', 'user', 'cascade'] },
  },
  client_setting: {
    columns: { owner: 'text', user_id: 'text?', key: 'text', value: 'text', is_open: 'integer' },
    primaryKey: ['owner', 'key'],
    foreignKeys: { client_setting_user: ['user_id', 'user', 'cascade'] },
    indexes: { client_setting_of_user: ['user_id'] },
  },
}
