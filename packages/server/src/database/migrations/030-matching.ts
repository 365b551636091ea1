import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const matching: Migration = {
  name: 'matching: what plugins take series and books for, what was refused, and what is asked again by itself',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await createMatches(change)
    await createRefusals(change)
    await createJobs(change)
  },
}

const createMatches = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'plugin_match',
    {
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
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('plugin_match_pk', ['id'])
        .addForeignKeyConstraint('plugin_match_by', ['plugin_id'], 'plugin', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('plugin_match_series', ['series_id'], 'series', ['id'], (key) =>
          key.onDelete('cascade'),
        )
        .addForeignKeyConstraint('plugin_match_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('plugin_match_of', 'plugin_match', ['plugin_id', 'entity_id'], { unique: true })
  await createIndex('plugin_match_queue', 'plugin_match', ['entity', 'state', 'at', 'id'])
  await createIndex('plugin_match_wanted', 'plugin_match', ['id'], { where: 'wanted_cover_url is not null' })
  await createIndex('plugin_match_of_series', 'plugin_match', ['series_id'], { where: 'series_id is not null' })
  await createIndex('plugin_match_of_book', 'plugin_match', ['book_id'], { where: 'book_id is not null' })
}

const createRefusals = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'match_refusal',
    {
      plugin_id: 'text',
      entity_id: 'text',
      external_id: 'text',
      series_id: 'text?',
      book_id: 'text?',
      at: 'text',
      by_user_id: 'text?',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('match_refusal_pk', ['entity_id', 'plugin_id', 'external_id'])
        .addForeignKeyConstraint('match_refusal_by', ['plugin_id'], 'plugin', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('match_refusal_series', ['series_id'], 'series', ['id'], (key) =>
          key.onDelete('cascade'),
        )
        .addForeignKeyConstraint('match_refusal_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('match_refusal_of_plugin', 'match_refusal', ['plugin_id'])
  await createIndex('match_refusal_of_series', 'match_refusal', ['series_id'], { where: 'series_id is not null' })
  await createIndex('match_refusal_of_book', 'match_refusal', ['book_id'], { where: 'book_id is not null' })
}

const createJobs = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'library_job',
    {
      id: 'text',
      library_id: 'text',
      plugin_id: 'text',
      name: 'text',
      /** JSON. */
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
    (table) =>
      table
        .addPrimaryKeyConstraint('library_job_pk', ['id'])
        .addForeignKeyConstraint('library_job_of', ['library_id'], 'library', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('library_job_by', ['plugin_id'], 'plugin', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('library_job_of_library', 'library_job', ['library_id', 'created_at', 'id'])
  await createIndex('library_job_of_plugin', 'library_job', ['plugin_id'])
}
