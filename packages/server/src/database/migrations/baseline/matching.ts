import type { Tables } from '../table-definition.ts'

export const matching: Tables = {
  plugin_match: {
    columns: {
      id: 'text',
      plugin_id: 'text',
      entity: 'text',
      entity_id: 'text',
      series_id: 'text?',
      book_id: 'text?',
      library_id: 'text',
      state: 'text',
      external_id: 'text?',
      confidence: 'real?',
      candidates: 'text',
      cover_url: 'text?',
      wanted_cover_url: 'text?',
      refreshed_at: 'text?',
      at: 'text',
      by_user_id: 'text?',
      asked_title: 'text?',
    },
    primaryKey: ['id'],
    foreignKeys: {
      plugin_match_by: ['plugin_id', 'plugin', 'cascade'],
      plugin_match_series: ['series_id', 'series', 'cascade'],
      plugin_match_book: ['book_id', 'book', 'cascade'],
    },
    indexes: {
      plugin_match_of: { columns: ['plugin_id', 'entity_id'], unique: true },
      plugin_match_queue: ['entity', 'state', 'at', 'id'],
      plugin_match_wanted: { columns: ['id'], where: 'wanted_cover_url is not null' },
      plugin_match_of_series: { columns: ['series_id'], where: 'series_id is not null' },
      plugin_match_of_book: { columns: ['book_id'], where: 'book_id is not null' },
    },
  },
  match_refusal: {
    columns: {
      plugin_id: 'text',
      entity_id: 'text',
      external_id: 'text',
      series_id: 'text?',
      book_id: 'text?',
      at: 'text',
      by_user_id: 'text?',
    },
    primaryKey: ['entity_id', 'plugin_id', 'external_id'],
    foreignKeys: {
      match_refusal_by: ['plugin_id', 'plugin', 'cascade'],
      match_refusal_series: ['series_id', 'series', 'cascade'],
      match_refusal_book: ['book_id', 'book', 'cascade'],
    },
    indexes: {
      match_refusal_of_plugin: ['plugin_id'],
      match_refusal_of_series: { columns: ['series_id'], where: 'series_id is not null' },
      match_refusal_of_book: { columns: ['book_id'], where: 'book_id is not null' },
    },
  },
  match_cover: {
    columns: { history_id: 'text', plugin_id: 'text', entity_id: 'text', before_url: 'text?', after_url: 'text?' },
    primaryKey: ['history_id'],
    foreignKeys: {
      match_cover_of: ['history_id', 'metadata_change', 'cascade'],
      match_cover_by: ['plugin_id', 'plugin', 'cascade'],
    },
    indexes: { match_cover_of_plugin: ['plugin_id'] },
  },
  library_job: {
    columns: {
      id: 'text',
      library_id: 'text',
      plugin_id: 'text',
      name: 'text',
      // JSON.
      config: 'text',
      cron: 'text',
      time_zone: 'text?',
      enabled: 'integer',
      last_run_at: 'text?',
      last_status: 'text?',
      last_message: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    primaryKey: ['id'],
    foreignKeys: {
      library_job_of: ['library_id', 'library', 'cascade'],
      library_job_by: ['plugin_id', 'plugin', 'cascade'],
    },
    indexes: { library_job_of_library: ['library_id', 'created_at', 'id'], library_job_of_plugin: ['plugin_id'] },
  },
}
