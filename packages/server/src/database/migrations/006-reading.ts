import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const reading: Migration = {
  name: 'what was read, and where readers stand',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await createLog(change)
    await createFold(change)
    await createPositions(change)
    await createCompletions(change)
  },
}

const createLog = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  // No key to the book: what is gone has still been read.
  await createTable(
    'reading_session',
    {
      user_id: 'text',
      id: 'text',
      book_id: 'text',
      series_id: 'text',
      series_name: 'text',
      library_id: 'text',
      format: 'text',
      kind: 'text',
      source: 'text',
      started_at: 'text',
      at: 'text',
      said_at: 'text?',
      recorded_at: 'text',
      device_id: 'text',
      active_ms: 'integer?',
      pages_read: 'integer?',
      page: 'integer?',
      percentage: 'real?',
      page_count: 'integer?',
      finishes: 'integer',
      outright: 'integer',
      locator: 'text?',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('reading_session_pk', ['user_id', 'id'])
        .addForeignKeyConstraint('reading_session_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('reading_session_in_order', 'reading_session', ['user_id', 'book_id', 'at', 'id'])
  await createIndex('reading_session_by_start', 'reading_session', ['user_id', 'started_at', 'id'])
  await createTable('device', { user_id: 'text', id: 'text', name: 'text?', last_used_at: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('device_pk', ['user_id', 'id'])
      .addForeignKeyConstraint('device_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
}

const createFold = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'reading_head',
    { user_id: 'text', book_id: 'text', at: 'text', fact_id: 'text', unsaved: 'integer', state: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('reading_head_pk', ['user_id', 'book_id'])
        .addForeignKeyConstraint('reading_head_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('reading_head_of_book', 'reading_head', ['book_id'])
  await createTable(
    'reading_snapshot',
    { user_id: 'text', book_id: 'text', at: 'text', fact_id: 'text', state: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('reading_snapshot_pk', ['user_id', 'book_id', 'at', 'fact_id'])
        .addForeignKeyConstraint('reading_snapshot_user', ['user_id'], 'user', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
}

const createPositions = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'read_progress',
    {
      user_id: 'text',
      book_id: 'text',
      fact_id: 'text',
      device_id: 'text',
      page: 'integer?',
      percentage: 'real?',
      page_count: 'integer?',
      completed: 'integer',
      rereading: 'integer',
      started_at: 'text',
      updated_at: 'text',
      completed_at: 'text?',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('read_progress_pk', ['user_id', 'book_id'])
        .addForeignKeyConstraint('read_progress_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('read_progress_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('read_progress_of_book', 'read_progress', ['book_id'])
  await createIndex('read_progress_newest', 'read_progress', ['user_id', 'updated_at desc', 'book_id desc'])
  await createTable(
    'series_progress',
    { user_id: 'text', series_id: 'text', read_count: 'integer', in_progress_count: 'integer', last_read_at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('series_progress_pk', ['user_id', 'series_id'])
        .addForeignKeyConstraint('series_progress_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('series_progress_series', ['series_id'], 'series', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('series_progress_of_series', 'series_progress', ['series_id'])
  await createIndex('series_progress_newest', 'series_progress', ['user_id', 'last_read_at desc', 'series_id desc'])
}

const createCompletions = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'read_completion',
    { user_id: 'text', id: 'text', book_id: 'text', started_at: 'text', completed_at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('read_completion_pk', ['user_id', 'id'])
        .addForeignKeyConstraint('read_completion_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('read_completion_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('read_completion_in_order', 'read_completion', ['user_id', 'book_id', 'completed_at', 'id'])
  await createIndex('read_completion_of_book', 'read_completion', ['book_id'])
  await createIndex('read_completion_newest', 'read_completion', ['user_id', 'completed_at desc', 'id desc'])
  await createTable('removed_completion', { user_id: 'text', id: 'text', book_id: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('removed_completion_pk', ['user_id', 'id'])
      .addForeignKeyConstraint('removed_completion_user', ['user_id'], 'user', ['id'], (key) =>
        key.onDelete('cascade'),
      ),
  )
}
