import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { listedTo, type Viewer } from '../../../catalogue/visibility/visibility.ts'

/** An automatic collection shows no more than this many of its series. */
const fulfillingMax = 1000

interface Member {
  readonly list: string
  readonly id: string
}

const seriesOrder = sql`case when collection.ordered = 1 then collection_series.position end, series.sort_key, series.id`

/** It returns the order of the series of collections, of those this viewer sees, in one statement. */
export const selectSeriesOf = async (
  db: ReadDb,
  viewer: Viewer,
  collectionIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> => {
  if (collectionIds.length === 0) return new Map()
  const { rows } = await sql<Member>`
    select collection.id as list, series.id as id from collection
    inner join collection_series on collection_series.collection_id = collection.id
    inner join series on series.id = collection_series.series_id
    where collection.id in (${sql.join(collectionIds)}) and collection.condition is null and ${listedTo(viewer, 'series')}
    order by collection.id, ${seriesOrder}`.execute(db)
  return grouped(rows)
}

/** The same of automatic ones, also in one statement. */
export const selectFulfilling = async (
  db: ReadDb,
  viewer: Viewer,
  conditions: ReadonlyMap<string, RawBuilder<boolean>>,
): Promise<ReadonlyMap<string, string[]>> => {
  if (conditions.size === 0) return new Map()
  const parts = [...conditions].map(
    ([id, holds]) => sql`select * from (select cast(${id} as text) as list, series.id as id from series
      where ${listedTo(viewer, 'series')} and ${holds} order by series.sort_key, series.id limit ${fulfillingMax}) as part`,
  )
  const { rows } = await sql<Member>`${sql.join(parts, sql` union all `)}`.execute(db)
  return grouped(rows)
}

const grouped = (rows: readonly Member[]): ReadonlyMap<string, string[]> => {
  const lists = new Map<string, string[]>()
  for (const { list, id } of rows) {
    const cached = lists.get(list)
    if (cached) cached.push(id)
    else lists.set(list, [id])
  }
  return lists
}

interface Part {
  readonly offset: number
  readonly limit: number
}

const inCollection = (viewer: Viewer, id: string, holds: RawBuilder<boolean> | undefined) => sql`from collection
  inner join collection_series on collection_series.collection_id = collection.id
  inner join series on series.id = collection_series.series_id
  where collection.id = ${id} and ${listedTo(viewer, 'series')} and ${holds ?? sql`true`}`

interface Narrowed {
  readonly viewer: Viewer
  readonly id: string
  readonly holds: RawBuilder<boolean> | undefined
}

export const countSeriesIn = (db: ReadDb, { viewer, id, holds }: Narrowed): Promise<number> =>
  counted(db, inCollection(viewer, id, holds))

export const selectSeriesIn = async (
  db: ReadDb,
  { viewer, id, holds }: Narrowed,
  { offset, limit }: Part,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select series.id ${inCollection(viewer, id, holds)}
    order by ${seriesOrder} limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => row.id)
}

const counted = async (db: ReadDb, from: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count ${from}`.execute(db)
  return rows[0]?.count ?? 0
}

// The rest of this file is about read lists.

/** Books stand by release date where the list has no order of its own. */
const bookOrder = sql`case when read_list.ordered = 1 then read_list_book.position end,
  coalesce(book.released, '9999'), book.sort_key, book.id`

export const selectBooksOf = async (
  db: ReadDb,
  viewer: Viewer,
  readListIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> => {
  if (readListIds.length === 0) return new Map()
  const { rows } = await sql<Member>`
    select read_list.id as list, book.id as id from read_list
    inner join read_list_book on read_list_book.read_list_id = read_list.id
    inner join book on book.id = read_list_book.book_id
    where read_list.id in (${sql.join(readListIds)}) and ${listedTo(viewer, 'book')}
    order by read_list.id, ${bookOrder}`.execute(db)
  return grouped(rows)
}

const inReadList = (viewer: Viewer, id: string, holds: RawBuilder<boolean> | undefined) => sql`from read_list
  inner join read_list_book on read_list_book.read_list_id = read_list.id
  inner join book on book.id = read_list_book.book_id
  where read_list.id = ${id} and ${listedTo(viewer, 'book')} and ${holds ?? sql`true`}`

export const countBooksIn = (db: ReadDb, { viewer, id, holds }: Narrowed): Promise<number> =>
  counted(db, inReadList(viewer, id, holds))

export const selectBooksIn = async (
  db: ReadDb,
  { viewer, id, holds }: Narrowed,
  { offset, limit }: Part,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select book.id ${inReadList(viewer, id, holds)}
    order by ${bookOrder} limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => row.id)
}

/** It reads the neighbours of a book, in the order in which the list shows it. */
export const selectBeside = async (
  db: ReadDb,
  viewer: Viewer,
  id: string,
  bookId: string,
): Promise<{ prev: string | null; next: string | null } | undefined> => {
  const { rows } = await sql<{ prev: string | null; next: string | null }>`
    select prev, next from (
      select book.id, lag(book.id) over (order by ${bookOrder}) as prev, lead(book.id) over (order by ${bookOrder}) as next
      ${inReadList(viewer, id, undefined)}
    ) as placed where id = ${bookId}`.execute(db)
  return rows[0]
}
