import { type Kysely, sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const readingFigures: Migration = {
  name: 'sittings, what they add up to, and what users say of when they have read',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await createSittings(change)
    await createFigures(change)
    await createStated(change)
    await createImports(change)
    await change.createIndex('reading_session_resets', 'reading_session', ['user_id', 'book_id', 'at'], {
      where: `kind = 'reset'`,
    })
    await queueRebuild(db)
  },
}

const createSittings = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  // No key to the book: what is gone has still been read.
  await createTable(
    'reading_sitting',
    {
      user_id: 'text',
      id: 'text',
      book_id: 'text',
      series_id: 'text',
      series_name: 'text',
      format: 'text',
      device_id: 'text',
      started_at: 'text',
      ended_at: 'text',
      is_sitting: 'integer',
      finishes: 'integer',
      measured_ms: 'integer?',
      inferred_ms: 'integer',
      claims: 'text?',
      pages: 'integer?',
      coverage: 'text',
      completions: 'integer',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('reading_sitting_pk', ['user_id', 'id'])
        .addForeignKeyConstraint('reading_sitting_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('reading_sitting_in_order', 'reading_sitting', ['user_id', 'started_at', 'id'])
  await createIndex('reading_sitting_of_book', 'reading_sitting', ['user_id', 'book_id', 'started_at', 'id'])
  await createIndex('reading_sitting_by_end', 'reading_sitting', ['user_id', 'book_id', 'ended_at'])
  await createIndex('reading_sitting_of_device', 'reading_sitting', ['user_id', 'device_id', 'started_at'])
}

const createFigures = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'reading_figure',
    {
      user_id: 'text',
      subject: 'text',
      scale: 'text',
      start: 'text',
      subject_id: 'text',
      series_id: 'text',
      name: 'text?',
      sittings: 'integer',
      measured_ms: 'integer',
      inferred_ms: 'integer',
      pages: 'integer',
      without_duration: 'integer',
      without_pages: 'integer',
      completions: 'integer',
      paced_ms: 'integer',
      paced_pages: 'integer',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('reading_figure_pk', [
          'user_id',
          'subject',
          'scale',
          'start',
          'subject_id',
          'series_id',
        ])
        .addForeignKeyConstraint('reading_figure_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createTable(
    'figure_zone',
    { user_id: 'text', zone: 'text', built_start: 'text?', built_id: 'text?' },
    (table) =>
      table
        .addPrimaryKeyConstraint('figure_zone_pk', ['user_id'])
        .addForeignKeyConstraint('figure_zone_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createTable(
    'reading_repair',
    { id: 'text', at: 'text', user_id: 'text', books: 'integer', figures: 'integer' },
    (table) =>
      table
        .addPrimaryKeyConstraint('reading_repair_pk', ['id'])
        .addForeignKeyConstraint('reading_repair_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('reading_repair_of_user', 'reading_repair', ['user_id'])
}

const createStated = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'stated_completion',
    {
      user_id: 'text',
      id: 'text',
      book_id: 'text',
      series_id: 'text',
      series_name: 'text',
      library_id: 'text',
      format: 'text',
      started_at: 'text',
      completed_at: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('stated_completion_pk', ['user_id', 'id'])
        .addForeignKeyConstraint('stated_completion_user', ['user_id'], 'user', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('stated_completion_of_book', 'stated_completion', ['user_id', 'book_id', 'completed_at'])
}

const createImports = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'reading_import',
    {
      id: 'text',
      user_id: 'text',
      created_at: 'text',
      completed_at: 'text?',
      task_id: 'text?',
      total: 'integer',
      report: 'text',
      done: 'integer',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('reading_import_pk', ['id'])
        .addForeignKeyConstraint('reading_import_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('reading_import_of_user', 'reading_import', ['user_id', 'created_at', 'id'])
  await createTable('reading_import_part', { import_id: 'text', place: 'integer', entries: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('reading_import_part_pk', ['import_id', 'place'])
      .addForeignKeyConstraint('reading_import_part_of', ['import_id'], 'reading_import', ['id'], (key) =>
        key.onDelete('cascade'),
      ),
  )
}

/** What is in the log already is counted by a task: with years of it, a start would take too long. */
const queueRebuild = async (db: Kysely<unknown>): Promise<void> => {
  const at = new Date().toISOString()
  await sql`insert into task (id, type, key, payload, status, is_due, priority, attempts, max_attempts, interruptions,
      fence, created_at, scheduled_for)
    select ${newId()}, 'rebuild_reading', 'rebuild_reading ', '{}', 'pending', 1, 50, 0, 3, 0, 0, ${at}, ${at}
    where exists (select 1 from reading_session)
      and not exists (select 1 from task where key = 'rebuild_reading ' and status in ('pending', 'processing'))`.execute(
    db,
  )
}
