import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const duplicates: Migration = {
  name: 'what series are told apart by, which are the same, and which have become one',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await createKeys(change)
    await createGroups(change)
    await createMerges(change)
  },
}

/** Filled by the first search for duplicates. */
const createKeys = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'series_match_key',
    { series_id: 'text', match_type: 'text', scope: 'text', key: 'text', is_title: 'integer', seen_at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('series_match_key_pk', ['series_id', 'match_type', 'key'])
        .addForeignKeyConstraint('series_match_key_of', ['series_id'], 'series', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('series_match_key_by_key', 'series_match_key', ['match_type', 'scope', 'key', 'series_id'])
}

const createGroups = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'duplicate_group',
    { id: 'text', match_type: 'text', scope: 'text', key: 'text', created_at: 'text', updated_at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('duplicate_group_pk', ['id'])
        .addUniqueConstraint('duplicate_group_key', ['match_type', 'scope', 'key']),
  )
  for (const entity of ['series', 'book'] as const) {
    const name = `duplicate_${entity}`
    const of = `${entity}_id`
    await createTable(name, { group_id: 'text', [of]: 'text', dismissed: 'integer' }, (table) =>
      table
        .addPrimaryKeyConstraint(`${name}_pk`, ['group_id', of])
        .addForeignKeyConstraint(`${name}_in`, ['group_id'], 'duplicate_group', ['id'], (key) =>
          key.onDelete('cascade'),
        )
        .addForeignKeyConstraint(`${name}_of`, [of], entity, ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex(`${name}_by_${entity}`, name, [of, 'group_id'])
  }
}

const createMerges = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'series_merge',
    { library_id: 'text', key: 'text', into_series_id: 'text', at: 'text', by_user_id: 'text?' },
    (table) =>
      table
        .addPrimaryKeyConstraint('series_merge_pk', ['library_id', 'key'])
        .addForeignKeyConstraint('series_merge_into', ['into_series_id'], 'series', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('series_merge_by_series', 'series_merge', ['into_series_id'])
}
