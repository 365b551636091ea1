import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'

export interface Tracked {
  readonly total: number
  readonly read: number
  readonly begun: number
  /** The number of the last of those at the beginning that are read, without a gap; 0 when the first is not. */
  readonly continuous: number
  readonly last: number
}

/** The books this viewer sees in a series, with the number trackers know them by; a book without one has its place. */
const booksInSeries = (viewer: Viewer, seriesId: string): RawBuilder<unknown> => sql`
  select book.id,
    coalesce(book.number_sort, book.number, book.chapter, book.volume,
      row_number() over (order by book.position_key, book.id)) * 1.0 as number_sort,
    coalesce(read_progress.completed, 0) as is_read,
    case when read_progress.completed = 0 then 1 else 0 end as is_begun
  from book
  left join read_progress on read_progress.book_id = book.id and read_progress.user_id = ${viewer.userId}
  where book.series_id = ${seriesId} and book.state = 'present' and ${visibleTo(viewer, 'book')}`

/** The same of a read list; the number is the place. */
const booksInList = (viewer: Viewer, readListId: string): RawBuilder<unknown> => sql`
  select book.id,
    row_number() over (order by read_list_book.position, read_list_book.id) * 1.0 as number_sort,
    coalesce(read_progress.completed, 0) as is_read,
    case when read_progress.completed = 0 then 1 else 0 end as is_begun
  from read_list_book
  inner join book on book.id = read_list_book.book_id
  left join read_progress on read_progress.book_id = book.id and read_progress.user_id = ${viewer.userId}
  where read_list_book.read_list_id = ${readListId} and book.state = 'present' and ${visibleTo(viewer, 'book')}`

type Where = { readonly seriesId: string } | { readonly readListId: string }

const booksIn = (viewer: Viewer, where: Where): RawBuilder<unknown> =>
  'seriesId' in where ? booksInSeries(viewer, where.seriesId) : booksInList(viewer, where.readListId)

export const selectTracked = async (db: ReadDb, viewer: Viewer, where: Where): Promise<Tracked> => {
  const { rows } = await sql<Tracked>`
    with seen as (${booksIn(viewer, where)}),
      gap as (select min(number_sort) as first from seen where is_read = 0)
    select count(*) as total,
      coalesce(sum(is_read), 0) as read,
      coalesce(sum(is_begun), 0) as begun,
      coalesce(max(number_sort), 0) as last,
      coalesce(max(case when is_read = 1 and (gap.first is null or number_sort < gap.first) then number_sort end), 0)
        as continuous
    from seen cross join gap`.execute(db)
  const [row] = rows
  if (!row) throw new Error('Counting answered nothing')
  return row
}

/** It reads the unread books up to a number. */
export const selectUnreadUpTo = async (
  db: ReadDb,
  viewer: Viewer,
  where: Where,
  { upTo, limit }: { readonly upTo: number; readonly limit: number },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with seen as (${booksIn(viewer, where)})
    select id from seen where is_read = 0 and number_sort <= ${upTo} order by number_sort, id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
