import { type Kysely, sql } from 'kysely'
import { sortKey } from '../../platform/sort-key.ts'
import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const metadata: Migration = {
  name: 'what is said of books and series, by whom, and what they can be looked up by',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    // JSON: when each field was said, and by whom; of layers that people and plugins write field by field.
    await db.schema.alterTable('metadata_layer').addColumn('said', dialect.text).execute()
    await createChanges(change)
    await createTerms(change)
    await createExternalIds(change)
    const { text, real } = dialect
    await db.schema.alterTable('series').addColumn('community_rating', real).execute()
    await db.schema.alterTable('series').addColumn('external_rating', real).execute()
    await db.schema.alterTable('book').addColumn('book_type', text).execute()
    // As far as it is known: a year, a month, a day.
    await db.schema.alterTable('book').addColumn('released', text).execute()
    // The order of file names.
    await sql`alter table book add column file_sort_key ${text} not null default ''`.execute(db)
    await orderFileNames(db)
  },
}

const batch = 1000

const orderFileNames = async (db: Kysely<unknown>): Promise<void> => {
  let after = ''
  for (;;) {
    const { rows } = await sql<{ book_id: string; name: string }>`
      select book_id, name from file where book_id > ${after} order by book_id limit ${batch}`.execute(db)
    for (const { book_id, name } of rows)
      await sql`update book set file_sort_key = ${sortKey(name)} where id = ${book_id}`.execute(db)
    if (rows.length < batch) return
    after = rows.at(-1)?.book_id ?? ''
  }
}

const createChanges = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'metadata_change',
    {
      id: 'text',
      entity_id: 'text',
      at: 'text',
      by_user_id: 'text?',
      source: 'text',
      reason: 'text',
      /** JSON: the fields with what was shown before and after. */
      changes: 'text',
      /** JSON: what the source itself said before. */
      said_before: 'text',
      undone_by: 'text?',
    },
    (table) => table.addPrimaryKeyConstraint('metadata_change_pk', ['id']),
  )
  await createIndex('metadata_change_of', 'metadata_change', ['entity_id', 'at desc', 'id desc'])
}

const createTerms = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'term',
    { id: 'text', kind: 'text', name: 'text', key: 'text', sort_key: 'text', created_at: 'text' },
    (table) => table.addPrimaryKeyConstraint('term_pk', ['id']).addUniqueConstraint('term_key', ['kind', 'key']),
  )
  await createIndex('term_by_name', 'term', ['kind', 'sort_key', 'id'])
  for (const entity of ['series', 'book'] as const) {
    const name = `${entity}_term`
    const id = `${entity}_id`
    // Whoever is known for several things stands there once for each.
    await createTable(name, { [id]: 'text', term_id: 'text', role: 'text', place: 'integer' }, (table) =>
      table
        .addPrimaryKeyConstraint(`${name}_pk`, [id, 'term_id', 'role'])
        .addForeignKeyConstraint(`${name}_of`, [id], entity, ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint(`${name}_term`, ['term_id'], 'term', ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex(`${name}_by_term`, name, ['term_id', id])
  }
}

const createExternalIds = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'external_id',
    { entity_id: 'text', entity: 'text', source: 'text', external_id: 'text', url: 'text?' },
    (table) => table.addPrimaryKeyConstraint('external_id_pk', ['entity_id', 'source', 'external_id']),
  )
  await createIndex('external_id_by_id', 'external_id', ['entity', 'source', 'external_id', 'entity_id'])
}
