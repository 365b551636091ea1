import { type Kysely, sql } from 'kysely'
import { seriesNameKeys } from '../../platform/name-keys.ts'
import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const ownLists: Migration = {
  name: 'ratings, presets, collections, read lists and what is wanted, and the names series go by',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await createRatings(change)
    await createPresets(change)
    await createCollections(change)
    await createReadLists(change)
    await createWanted(change)
    await createSeriesNames(change)
    await nameSeries(db)
  },
}

const createRatings = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  for (const entity of ['series', 'book'] as const) {
    const name = `${entity}_rating`
    const of = `${entity}_id`
    await createTable(
      name,
      {
        user_id: 'text',
        [of]: 'text',
        id: 'text',
        rating: 'integer',
        notes: 'text?',
        created_at: 'text',
        updated_at: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint(`${name}_pk`, ['user_id', of])
          .addForeignKeyConstraint(`${name}_user`, ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
          .addForeignKeyConstraint(`${name}_of`, [of], entity, ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex(`${name}_of_${entity}`, name, [of])
    await createIndex(`${name}_best`, name, ['user_id', 'rating', of])
  }
}

const createPresets = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'filter_preset',
    {
      id: 'text',
      user_id: 'text',
      name: 'text',
      name_key: 'text',
      sort_key: 'text',
      scope: 'text',
      target: 'text',
      condition: 'text',
      query: 'text?',
      sort: 'text?',
      library_id: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('filter_preset_pk', ['id'])
        .addForeignKeyConstraint('filter_preset_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('filter_preset_library', ['library_id'], 'library', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  const name = ['user_id', 'scope', 'target', 'name_key']
  await createIndex('filter_preset_name', 'filter_preset', name, { unique: true, where: 'library_id is null' })
  await createIndex('filter_preset_name_in_library', 'filter_preset', [...name, 'library_id'], {
    unique: true,
    where: 'library_id is not null',
  })
  await createIndex('filter_preset_by_name', 'filter_preset', ['user_id', 'sort_key', 'id'])
}

const listColumns = {
  id: 'text',
  name: 'text',
  name_key: 'text',
  sort_key: 'text',
  summary: 'text?',
  ordered: 'integer',
  created_at: 'text',
  updated_at: 'text',
} as const

const createCollections = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  // With a condition it has no members of its own: they are whatever fulfils it.
  await createTable('collection', { ...listColumns, condition: 'text?' }, (table) =>
    table.addPrimaryKeyConstraint('collection_pk', ['id']).addUniqueConstraint('collection_name', ['name_key']),
  )
  await createIndex('collection_by_name', 'collection', ['sort_key', 'id'])
  await createTable(
    'collection_series',
    { collection_id: 'text', series_id: 'text', position: 'integer', added_at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('collection_series_pk', ['collection_id', 'series_id'])
        .addForeignKeyConstraint('collection_series_in', ['collection_id'], 'collection', ['id'], (key) =>
          key.onDelete('cascade'),
        )
        .addForeignKeyConstraint('collection_series_of', ['series_id'], 'series', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('collection_series_in_order', 'collection_series', ['collection_id', 'position', 'series_id'])
  await createIndex('collection_series_by_series', 'collection_series', ['series_id', 'collection_id'])
}

const createReadLists = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable('read_list', listColumns, (table) =>
    table.addPrimaryKeyConstraint('read_list_pk', ['id']).addUniqueConstraint('read_list_name', ['name_key']),
  )
  await createIndex('read_list_by_name', 'read_list', ['sort_key', 'id'])
  // Without a book it keeps the place of one that is not there yet, by what the imported list calls it.
  await createTable(
    'read_list_book',
    {
      id: 'text',
      read_list_id: 'text',
      book_id: 'text?',
      position: 'integer',
      added_at: 'text',
      wanted_series: 'text?',
      wanted_series_key: 'text?',
      wanted_number: 'text?',
      wanted_volume: 'text?',
      wanted_year: 'text?',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('read_list_book_pk', ['id'])
        .addForeignKeyConstraint('read_list_book_in', ['read_list_id'], 'read_list', ['id'], (key) =>
          key.onDelete('cascade'),
        )
        .addForeignKeyConstraint('read_list_book_of', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('read_list_book_in_order', 'read_list_book', ['read_list_id', 'position', 'id'])
  await createIndex('read_list_book_by_book', 'read_list_book', ['book_id', 'read_list_id'], {
    unique: true,
    where: 'book_id is not null',
  })
  await createIndex('read_list_book_wanted', 'read_list_book', ['wanted_series_key', 'wanted_number'], {
    where: 'book_id is null',
  })
}

const createWanted = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'want_to_read',
    { id: 'text', user_id: 'text', series_id: 'text?', book_id: 'text?', position: 'integer', added_at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('want_to_read_pk', ['id'])
        .addForeignKeyConstraint('want_to_read_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('want_to_read_series', ['series_id'], 'series', ['id'], (key) =>
          key.onDelete('cascade'),
        )
        .addForeignKeyConstraint('want_to_read_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('want_to_read_in_order', 'want_to_read', ['user_id', 'position', 'id'])
  await createIndex('want_to_read_one_series', 'want_to_read', ['user_id', 'series_id'], {
    unique: true,
    where: 'series_id is not null',
  })
  await createIndex('want_to_read_one_book', 'want_to_read', ['user_id', 'book_id'], {
    unique: true,
    where: 'book_id is not null',
  })
}

/** What a series may be meant by in the lists of other programs. */
const createSeriesNames = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable('series_name', { series_id: 'text', key: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('series_name_pk', ['series_id', 'key'])
      .addForeignKeyConstraint('series_name_of', ['series_id'], 'series', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('series_name_by_key', 'series_name', ['key', 'series_id'])
}

const batch = 1000

/** Of a database that has series already. */
export const nameSeries = async (db: Kysely<unknown>): Promise<void> => {
  let after = ''
  for (;;) {
    const { rows } = await sql<{ id: string; name: string; title: string; metadata: string }>`
      select id, name, title, metadata from series where id > ${after} order by id limit ${batch}`.execute(db)
    for (const { id, name, title, metadata } of rows) {
      const { alternateTitles = [] } = JSON.parse(metadata) as { alternateTitles?: readonly { title: string }[] }
      for (const key of seriesNameKeys([name, title, ...alternateTitles.map((each) => each.title)]))
        await sql`insert into series_name (series_id, key) values (${id}, ${key})`.execute(db)
    }
    if (rows.length < batch) return
    after = rows.at(-1)?.id ?? ''
  }
}
