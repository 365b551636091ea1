import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const readersThings: Migration = {
  name: 'bookmarks, annotations and fonts of readers, and what they call their devices',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await createMarks(change)
    await createFonts(change)
    await nameDevices(db, dialect, change)
  },
}

const createMarks = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  const where = { id: 'text', user_id: 'text', book_id: 'text', locator: 'text', place: 'real' } as const
  const dates = { created_at: 'text', updated_at: 'text' } as const
  await createTable('bookmark', { ...where, note: 'text', ...dates }, (table) =>
    table
      .addPrimaryKeyConstraint('bookmark_pk', ['id'])
      .addForeignKeyConstraint('bookmark_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
      .addForeignKeyConstraint('bookmark_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createTable(
    'annotation',
    { ...where, quote: 'text', text_before: 'text', text_after: 'text', colour: 'text', note: 'text', ...dates },
    (table) =>
      table
        .addPrimaryKeyConstraint('annotation_pk', ['id'])
        .addForeignKeyConstraint('annotation_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('annotation_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  for (const table of ['bookmark', 'annotation']) {
    await createIndex(`${table}_in_order`, table, ['user_id', 'book_id', 'place', 'id'])
    await createIndex(`${table}_of_book`, table, ['book_id'])
  }
}

const createFonts = async ({ createTable }: SchemaChange): Promise<void> => {
  await createTable(
    'user_font',
    {
      id: 'text',
      user_id: 'text',
      name: 'text',
      name_key: 'text',
      format: 'text',
      size: 'integer',
      bytes: 'bytes',
      created_at: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('user_font_pk', ['id'])
        .addUniqueConstraint('user_font_name', ['user_id', 'name_key'])
        .addForeignKeyConstraint('user_font_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
}

const nameDevices = async (db: Kysely<unknown>, { text }: Dialect, { createIndex }: SchemaChange): Promise<void> => {
  await sql`alter table device add column given_name ${text}`.execute(db)
  await sql`alter table device add column merged_into ${text}`.execute(db)
  await createIndex('device_merged', 'device', ['user_id', 'merged_into'], { where: 'merged_into is not null' })
}
