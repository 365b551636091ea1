import type { FileFormat } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import { readerOf, type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'

/** Which books are meant: a condition over `book`. */
export type Within = RawBuilder<boolean>

export const inSeries = (seriesId: string): Within => sql<boolean>`book.series_id = ${seriesId}`
/** The ids come from another statement, which names them alone. */
export const amongBooks = (ids: RawBuilder<unknown>): Within => sql<boolean>`book.id in (${ids})`
export const amongSeries = (ids: RawBuilder<unknown>): Within => sql<boolean>`book.series_id in (${ids})`

const withProgress = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('book')
    .leftJoin('read_progress', (join) =>
      join.onRef('read_progress.book_id', '=', 'book.id').on('read_progress.user_id', '=', readerOf(viewer)),
    )
    .where('book.state', '=', sql.lit('present'))
    .where(visibleTo(viewer, 'book'))

/** The page somebody is at in the book as it is now: as far into it, when its pages are others by now. */
const pageNow = sql`case
  when read_progress.page is null or (read_progress.percentage is not null and read_progress.page_count <> book.page_count)
    then coalesce(read_progress.percentage, 0) * book.page_count
  when read_progress.page > book.page_count then book.page_count
  else read_progress.page end`

/** What is read and what is left, of each format. */
export const selectAhead = (db: ReadDb, viewer: Viewer, within: Within) =>
  withProgress(db, viewer)
    .where(within)
    .groupBy('book.format')
    .select(({ fn }) => [
      'book.format',
      fn.countAll<number>().as('books'),
      sql<number>`coalesce(sum(read_progress.completed), 0)`.as('read'),
      fn.max('read_progress.updated_at').as('last_read_at'),
      sql<number>`sum(case when read_progress.completed = 1 then 0 else book.page_count - (${pageNow}) end)`.as(
        'pages_left',
      ),
      sql<number>`sum(case when book.page_count = 0 and coalesce(read_progress.completed, 0) = 0 then 1 else 0 end)`.as(
        'without_pages',
      ),
    ])
    .execute()

export interface AheadOfFormat {
  readonly format: FileFormat
  readonly books: number
  readonly read: number
  readonly last_read_at: string | null
  readonly pages_left: number
  readonly without_pages: number
}

/** A book whose file is at fault may have pages all the same; without any there is nothing to go on with. */
const isReadable = sql<boolean>`(book.page_count > 0
  or not exists (select 1 from file where file.book_id = book.id and file.fault_code is not null))`

const isOpen = sql`(read_progress.completed = 0 or read_progress.rereading = 1)`

/** The book somebody was in last, else the first they have not read, else the first: of those that can be read. */
export const selectNextInSeries = async (db: ReadDb, viewer: Viewer, seriesId: string): Promise<string | undefined> => {
  const row = await withProgress(db, viewer)
    .where('book.series_id', '=', seriesId)
    .where(isReadable)
    .select('book.id')
    .orderBy(sql`case when ${isOpen} then 0 when read_progress.book_id is null then 1 else 2 end`)
    .orderBy(sql`case when ${isOpen} then read_progress.updated_at end`, (order) => order.desc().nullsLast())
    .orderBy('book.position_key')
    .orderBy('book.id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** What its reader has not finished yet and can read: a book, or a series with such a book to be seen. */
export const unfinished = (viewer: Viewer, content: 'book' | 'series'): RawBuilder<boolean> => {
  const book = sql<boolean>`${isReadable} and not exists (select 1 from read_progress where read_progress.book_id = book.id
    and read_progress.user_id = ${readerOf(viewer)} and read_progress.completed = 1 and read_progress.rereading = 0)`
  if (content === 'book') return book
  return sql<boolean>`exists (select 1 from book where book.series_id = series.id and book.state = 'present'
    and ${visibleTo(viewer, 'book')} and ${book})`
}
