import { type Kysely, type RawBuilder, sql } from 'kysely'
import { plainText } from '../../platform/sort-key.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const listOrders: Migration = {
  name: 'text as conditions compare it, and lists in every order',
  run: async (db, dialect) => {
    await addTexts(db, dialect)
    await fillTexts(db)
    const change = schemaChange(db, dialect)
    await orderSeries(db, change)
    await orderBooks(db, change)
  },
}

const addTexts = async (db: Kysely<unknown>, { text, integer }: Dialect): Promise<void> => {
  const always = sql`${text} not null default ''`
  const add = (table: string, column: string, type: RawBuilder<unknown>) =>
    sql`alter table ${sql.table(table)} add column ${sql.id(column)} ${type}`.execute(db)
  await add('series', 'title_text', always)
  for (const column of ['title_sort_text', 'summary_text', 'publisher_text', 'language_text', 'path_text'])
    await add('series', column, text)
  await add('series', 'total_volume_count', integer)
  await add('book', 'title_text', always)
  await add('book', 'title_sort_text', text)
  await add('book', 'summary_text', text)
  await add('book', 'path_text', always)
  await add('library_root', 'path_text', always)
  await add('sharing_tag', 'name_text', always)
}

const batch = 1000

type Row = Readonly<Record<string, string | null>> & { readonly id: string }

/** Row by row, a thousand read at a time. */
const each = async (
  read: (after: string) => RawBuilder<Row>,
  write: (row: Row) => RawBuilder<unknown>,
  db: Kysely<unknown>,
): Promise<void> => {
  let after = ''
  for (;;) {
    const { rows } = await read(after).execute(db)
    for (const row of rows) await write(row).execute(db)
    if (rows.length < batch) return
    after = rows.at(-1)?.id ?? ''
  }
}

const folded = (text: string | null | undefined): string | null => (typeof text === 'string' ? plainText(text) : null)

/** Of what is there already. */
export const fillTexts = async (db: Kysely<unknown>): Promise<void> => {
  await fillSeries(db)
  await fillBooks(db)
  await fillNames(db)
}

const fillSeries = (db: Kysely<unknown>): Promise<void> =>
  each(
    (after) => sql<Row>`select id, title, title_sort, summary, publisher, language, path, metadata from series
      where id > ${after} order by id limit ${batch}`,
    ({ id, title = '', title_sort, summary, publisher, language, path, metadata }) => {
      const { totalVolumeCount = null } = JSON.parse(metadata ?? '{}') as { totalVolumeCount?: number }
      return sql`update series set title_text = ${folded(title)}, title_sort_text = ${folded(title_sort)},
        summary_text = ${folded(summary)}, publisher_text = ${folded(publisher)}, language_text = ${folded(language)},
        path_text = ${folded(path)}, total_volume_count = ${totalVolumeCount} where id = ${id}`
    },
    db,
  )

const fillBooks = (db: Kysely<unknown>): Promise<void> =>
  each(
    (after) => sql<Row>`select book.id, title, title_sort, summary, folder, name
      from book left join file on file.book_id = book.id
      where book.id > ${after} order by book.id limit ${batch}`,
    ({ id, title = '', title_sort, summary, folder, name }) =>
      sql`update book set title_text = ${folded(title)}, title_sort_text = ${folded(title_sort)},
        summary_text = ${folded(summary)}, path_text = ${folded(`${folder ?? ''}${name ?? ''}`)} where id = ${id}`,
    db,
  )

const fillNames = async (db: Kysely<unknown>): Promise<void> => {
  await each(
    (after) => sql<Row>`select id, path from library_root where id > ${after} order by id limit ${batch}`,
    ({ id, path }) =>
      sql`update library_root set path_text = ${folded(path?.endsWith('/') ? path : `${path}/`)} where id = ${id}`,
    db,
  )
  await each(
    (after) => sql<Row>`select id, name from sharing_tag where id > ${after} order by id limit ${batch}`,
    ({ id, name }) => sql`update sharing_tag set name_text = ${folded(name)} where id = ${id}`,
    db,
  )
}

/** Of each library: what is seen of several is merged. A list of all would be a second index for each order. */
const orderSeries = async (db: Kysely<unknown>, { createIndex }: SchemaChange): Promise<void> => {
  const shown = { where: 'book_count > 0' }
  for (const [name, column] of [
    ['by_year', 'year'],
    ['by_community_rating', 'community_rating'],
    ['by_external_rating', 'external_rating'],
  ] as const)
    await createIndex(`series_of_library_${name}`, 'series', ['library_id', column, 'id'], shown)
  // Not the column itself: SQLite would rather look there for those above 0, whatever order is wanted.
  await sql`create index series_of_library_by_books on series (library_id, (book_count + 0), id)
    where book_count > 0`.execute(db)
  await orderByChance(db, 'series', shown.where)
  await sql`create index series_by_letter on series (substr(sort_key, 1, 1), library_id)
    where book_count > 0`.execute(db)
  // Unique, which they are with the id: only then does SQLite take the books of one series after those of another
  // without sorting them.
  for (const [name, columns] of [
    ['series_by_name', ['sort_key', 'id']],
    ['series_of_library_by_name', ['library_id', 'sort_key', 'id']],
  ] as const) {
    await db.schema.dropIndex(name).execute()
    await createIndex(name, 'series', columns, { ...shown, unique: true })
  }
}

const orderBooks = async (db: Kysely<unknown>, { createIndex }: SchemaChange): Promise<void> => {
  const present = { where: "state = 'present'" }
  for (const [name, column] of [
    ['by_release', 'released'],
    ['by_number', 'number'],
    ['by_size', 'size'],
    ['by_file_name', 'file_sort_key'],
    ['by_pages', 'page_count'],
  ] as const)
    await createIndex(`book_of_library_${name}`, 'book', ['library_id', column, 'id'], present)
  await orderByChance(db, 'book', present.where)
  // What most conditions and all rules of access ask of a book: read through, it takes a tenth of what the rows take.
  // Nobody looks for a whole title, so that no planner takes it for a way to the rows in another order.
  const asked = [
    'library_id',
    'title_text',
    'format',
    'age_rating',
    'page_count',
    'created_at',
    'book_type',
    'series_id',
  ]
  await createIndex('book_to_filter', 'book', [...asked, 'id'], present)
  // With the state, so that far down a list the rows need not be looked at.
  await db.schema.dropIndex('book_of_series').execute()
  await createIndex('book_of_series', 'book', ['series_id', 'position_key', 'id', 'state'])
}

/** What ids end in is chance. */
const orderByChance = (db: Kysely<unknown>, table: 'series' | 'book', where: string) =>
  sql`create index ${sql.id(`${table}_of_library_by_chance`)} on ${sql.table(table)}
    (library_id, substr(id, 25), id) where ${sql.raw(where)}`.execute(db)
