import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const koreader: Migration = {
  name: 'what KOReader says and keeps, file names by their digest, and what applications did last',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await createKoreader(change)
    await createConnections(change)
    await sql`alter table file add column name_hash ${dialect.text}`.execute(db)
    await fillNameHashes(db)
    await change.createIndex('file_name_hash', 'file', ['name_hash'], { where: "state = 'present'" })
  },
}

const createKoreader = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'koreader_document',
    {
      user_id: 'text',
      document: 'text',
      device_id: 'text',
      device: 'text',
      progress: 'text',
      percentage: 'real',
      metadata: 'text?',
      at: 'text',
      fact_id: 'text?',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('koreader_document_pk', ['user_id', 'document', 'device_id'])
        .addForeignKeyConstraint('koreader_document_user', ['user_id'], 'user', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('koreader_document_by_age', 'koreader_document', ['user_id', 'at'])
  await createIndex('koreader_document_waiting', 'koreader_document', ['document'], { where: 'fact_id is null' })
  await createTable(
    'koreader_page_time',
    {
      user_id: 'text',
      document: 'text',
      start_time: 'integer',
      page: 'integer',
      duration: 'integer',
      total_pages: 'integer',
      is_taken: 'integer',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('koreader_page_time_pk', ['user_id', 'document', 'start_time', 'page'])
        .addForeignKeyConstraint('koreader_page_time_user', ['user_id'], 'user', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('koreader_page_time_waiting', 'koreader_page_time', ['document', 'user_id'], {
    where: 'is_taken = 0',
  })
  await createTable(
    'koreader_file',
    { user_id: 'text', path: 'text', bytes: 'bytes', size: 'integer', etag: 'text', modified_at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('koreader_file_pk', ['user_id', 'path'])
        .addForeignKeyConstraint('koreader_file_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createTable(
    'koreader_intake',
    { user_id: 'text', etag: 'text', at: 'text', fault: 'text?', page_times: 'integer' },
    (table) =>
      table
        .addPrimaryKeyConstraint('koreader_intake_pk', ['user_id'])
        .addForeignKeyConstraint('koreader_intake_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
}

const createConnections = async ({ createTable }: SchemaChange): Promise<void> => {
  await createTable(
    'connection',
    {
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
    (table) =>
      table
        .addPrimaryKeyConstraint('connection_pk', ['user_id', 'id'])
        .addForeignKeyConstraint('connection_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
}

const filesAtOnce = 500

/** Neither database can do it alike: the digests are made here. */
const fillNameHashes = async (db: Kysely<unknown>): Promise<void> => {
  let after = ''
  for (;;) {
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from file where id > ${after} order by id limit ${filesAtOnce}`.execute(db)
    if (rows.length === 0) return
    const values = rows.map(({ id, name }) => sql`(${id}, ${hash('md5', name, 'hex')})`)
    await sql`with made (id, name_hash) as (values ${sql.join(values)})
      update file set name_hash = (select made.name_hash from made where made.id = file.id)
      where id in (select made.id from made)`.execute(db)
    after = rows.at(-1)?.id ?? ''
  }
}
