import type { Kysely } from 'kysely'
import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const factsAndTasks: Migration = {
  name: 'facts, tasks and their figures',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await createFacts(db, change)
    await createTasks(change)
    await createFigures(db, change)
    // For their clean-up.
    await change.createIndex('session_by_use', 'session', ['last_used_at'])
    await change.createIndex('refresh_token_by_time', 'refresh_token', ['created_at'])
  },
}

const createFacts = async (db: Kysely<unknown>, { createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'fact',
    {
      id: 'text',
      number: 'integer?',
      type: 'text',
      at: 'text',
      data: 'text',
      user_id: 'text?',
      permission: 'text?',
      library_id: 'text?',
      age_rating: 'integer?',
      sharing_tags: 'text?',
    },
    (table) => table.addPrimaryKeyConstraint('fact_pk', ['id']).addUniqueConstraint('fact_number', ['number']),
  )
  await createIndex('fact_unnumbered', 'fact', ['id'], { where: 'number is null' })
  await createTable('fact_sequence', { the_one: 'integer', last_number: 'integer' }, (table) =>
    table.addPrimaryKeyConstraint('fact_sequence_pk', ['the_one']),
  )
  const sequence = { the_one: 1, last_number: 0 }
  await (db as Kysely<{ fact_sequence: typeof sequence }>).insertInto('fact_sequence').values(sequence).execute()
}

const createTasks = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'task',
    {
      id: 'text',
      type: 'text',
      key: 'text?',
      payload: 'text',
      status: 'text',
      is_due: 'integer',
      priority: 'integer',
      attempts: 'integer',
      max_attempts: 'integer',
      interruptions: 'integer',
      fence: 'integer',
      worker_id: 'text?',
      progress: 'text?',
      library_id: 'text?',
      series_id: 'text?',
      book_id: 'text?',
      last_error: 'text?',
      result: 'text?',
      created_at: 'text',
      scheduled_for: 'text',
      started_at: 'text?',
      completed_at: 'text?',
    },
    (table) => table.addPrimaryKeyConstraint('task_pk', ['id']),
  )
  const live = `status in ('pending', 'processing')`
  await createIndex('task_live_key', 'task', ['key'], { unique: true, where: `key is not null and ${live}` })
  // What the condition says already stands in front: without figures SQLite takes the index with most equal columns.
  await createIndex('task_due', 'task', ['status', 'is_due', 'priority desc', 'scheduled_for', 'id'], {
    where: `status = 'pending' and is_due = 1`,
  })
  await createIndex('task_waiting', 'task', ['status', 'is_due', 'scheduled_for'], {
    where: `status = 'pending' and is_due = 0`,
  })
  await createIndex('task_held', 'task', ['worker_id', 'status'], { where: 'worker_id is not null' })
  await createIndex('task_held_key', 'task', ['key'], { where: 'worker_id is not null and key is not null' })
  await createIndex('task_by_status', 'task', ['status', 'id'])
  await createIndex('task_by_type', 'task', ['type', 'id'])
  await createIndex('task_by_library', 'task', ['library_id', 'id'], { where: 'library_id is not null' })
  await createIndex('task_by_completion', 'task', ['completed_at'], { where: 'completed_at is not null' })
  await createTable(
    'worker',
    { id: 'text', host: 'text', pid: 'integer', process: 'text', beat: 'integer', started_at: 'text', beat_at: 'text' },
    (table) => table.addPrimaryKeyConstraint('worker_pk', ['id']),
  )
  await createTable('schedule', { name: 'text', pattern: 'text', checked_at: 'text' }, (table) =>
    table.addPrimaryKeyConstraint('schedule_pk', ['name']),
  )
}

const createFigures = async (db: Kysely<unknown>, { createTable }: SchemaChange): Promise<void> => {
  await createTable(
    'task_figure',
    {
      hour: 'text',
      type: 'text',
      succeeded: 'integer',
      failed: 'integer',
      retried: 'integer',
      items: 'integer',
      bytes: 'integer',
      duration_ms: 'integer',
      wait_ms: 'integer',
      shortest_ms: 'integer',
      longest_ms: 'integer',
    },
    (table) => table.addPrimaryKeyConstraint('task_figure_pk', ['hour', 'type']),
  )
  await createTable('task_duration', { hour: 'text', type: 'text', bucket: 'integer', count: 'integer' }, (table) =>
    table.addPrimaryKeyConstraint('task_duration_pk', ['hour', 'type', 'bucket']),
  )
  await createTable('task_last_error', { type: 'text', message: 'text', at: 'text' }, (table) =>
    table.addPrimaryKeyConstraint('task_last_error_pk', ['type']),
  )
  await createTable(
    'task_total',
    {
      the_one: 'integer',
      succeeded: 'integer',
      failed: 'integer',
      succeeded_before: 'integer',
      failed_before: 'integer',
    },
    (table) => table.addPrimaryKeyConstraint('task_total_pk', ['the_one']),
  )
  const total = { the_one: 1, succeeded: 0, failed: 0, succeeded_before: 0, failed_before: 0 }
  await (db as Kysely<{ task_total: typeof total }>).insertInto('task_total').values(total).execute()
}
