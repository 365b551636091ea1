import { type Kysely, type RawBuilder, sql } from 'kysely'
import { plainText } from '../../platform/sort-key.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Migration } from './migration.ts'

export const listOrders: Migration = {
  name: 'text as conditions compare it, and lists in every order',
  run: async (db, dialect) => {
    await addTexts(db, dialect)
    await fillSeries(db)
    await fillBooks(db)
    await fillNames(db)
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
