import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const following: Migration = {
  name: 'what is read next, what readers say of series and follow, and what they are told',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await shelve(db, dialect, change)
    await createStatus(change)
    await createFollows(change)
    await createNotifications(change)
    await createWays(change)
  },
}

/** What the shelves of the home page are read from, however much somebody has read. */
const shelve = async (db: Kysely<unknown>, { text }: Dialect, { createIndex }: SchemaChange): Promise<void> => {
  await sql`alter table series_progress add column next_book_id ${text}`.execute(db)
  await fillNextBooks(db)
  await createIndex(
    'series_progress_on_deck',
    'series_progress',
    ['user_id', 'last_read_at desc', 'series_id desc', 'next_book_id'],
    { where: 'next_book_id is not null' },
  )
  await createIndex('read_progress_open', 'read_progress', ['user_id', 'updated_at desc', 'book_id desc'], {
    where: 'completed = 0 or rereading = 1',
  })
}

/** Of what is there already: the first book nobody has opened, where one is finished and none is open. */
export const fillNextBooks = async (db: QueryExecutorProvider): Promise<void> => {
  await sql`update series_progress set next_book_id = (
      select book.id from book where book.series_id = series_progress.series_id and book.state = 'present'
        and not exists (select 1 from read_progress
          where read_progress.user_id = series_progress.user_id and read_progress.book_id = book.id)
      order by book.position_key, book.id limit 1)
    where read_count > 0 and in_progress_count = 0 and not exists (
      select 1 from book cross join read_progress
      where book.series_id = series_progress.series_id and book.state = 'present'
        and read_progress.user_id = series_progress.user_id and read_progress.book_id = book.id
        and read_progress.rereading = 1)`.execute(db)
}

const createStatus = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'series_status',
    { user_id: 'text', series_id: 'text', status: 'text', updated_at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('series_status_pk', ['user_id', 'series_id'])
        .addForeignKeyConstraint('series_status_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('series_status_series', ['series_id'], 'series', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('series_status_of_series', 'series_status', ['series_id'])
  await createIndex('series_status_newest', 'series_status', ['user_id', 'updated_at desc', 'series_id desc'])
}

const createFollows = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'series_follow',
    { user_id: 'text', series_id: 'text', followed_at: 'text', newest_at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('series_follow_pk', ['user_id', 'series_id'])
        .addForeignKeyConstraint('series_follow_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('series_follow_series', ['series_id'], 'series', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('series_follow_of_series', 'series_follow', ['series_id', 'user_id'])
  await createIndex('series_follow_newest', 'series_follow', ['user_id', 'newest_at desc', 'series_id desc'])
}

const createNotifications = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'arrival',
    { id: 'text', scan_id: 'text', series_id: 'text', library_id: 'text', at: 'text', told: 'integer' },
    (table) =>
      table
        .addPrimaryKeyConstraint('arrival_pk', ['id'])
        .addForeignKeyConstraint('arrival_series', ['series_id'], 'series', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('arrival_of_series', 'arrival', ['series_id', 'scan_id'])
  await createIndex('arrival_to_tell', 'arrival', ['library_id', 'id'], { where: 'told = 0' })
  await createTable('arrival_book', { arrival_id: 'text', book_id: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('arrival_book_pk', ['arrival_id', 'book_id'])
      .addForeignKeyConstraint('arrival_book_arrival', ['arrival_id'], 'arrival', ['id'], (key) =>
        key.onDelete('cascade'),
      )
      .addForeignKeyConstraint('arrival_book_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('arrival_book_of_book', 'arrival_book', ['book_id'])
  await createTable(
    'notification',
    { id: 'text', user_id: 'text', arrival_id: 'text', created_at: 'text', read_at: 'text?' },
    (table) =>
      table
        .addPrimaryKeyConstraint('notification_pk', ['id'])
        .addUniqueConstraint('notification_once', ['user_id', 'arrival_id'])
        .addForeignKeyConstraint('notification_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('notification_arrival', ['arrival_id'], 'arrival', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('notification_of_arrival', 'notification', ['arrival_id'])
  await createIndex('notification_newest', 'notification', ['user_id', 'created_at desc', 'id desc'])
  await createIndex('notification_unread', 'notification', ['user_id', 'created_at desc', 'id desc'], {
    where: 'read_at is null',
  })
}

/** Where else notifications go: one address of each user, and one feed. */
const createWays = async ({ createTable }: SchemaChange): Promise<void> => {
  await createTable(
    'webhook',
    {
      user_id: 'text',
      url: 'text',
      active: 'integer',
      salt: 'text',
      failures: 'integer',
      last_delivered_at: 'text?',
      last_failed_at: 'text?',
      last_problem: 'text?',
      updated_at: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('webhook_pk', ['user_id'])
        .addForeignKeyConstraint('webhook_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createTable('feed_key', { user_id: 'text', key_hash: 'text', created_at: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('feed_key_pk', ['user_id'])
      .addUniqueConstraint('feed_key_hash', ['key_hash'])
      .addForeignKeyConstraint('feed_key_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
}
