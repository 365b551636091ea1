import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import { listedTo, readerOf, seesWholeSeries, type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'

/** Each answers ids, in their order, of what this viewer sees. */
type Shelf = (db: ReadDb, viewer: Viewer, limit: number) => Promise<string[]>

const idsOf = async (db: ReadDb, statement: RawBuilder<{ id: string }>): Promise<string[]> => {
  const { rows } = await statement.execute(db)
  return rows.map(({ id }) => id)
}

/** Books of series that their reader has set aside are not proposed. */
const isSetAside = (seriesId: string, userId: string) => sql`exists (select 1 from series_status
  where series_status.user_id = ${userId} and series_status.series_id = ${sql.ref(seriesId)}
    and series_status.status in ('paused', 'dropped'))`

/** Somebody does not want to go on with this book for now, with what they had read of it by then. */
export interface PutAside {
  readonly bookId: string
  readonly at: string
}

/** Reading on in a book takes it up again. */
const isPutAside = (aside: readonly PutAside[]) =>
  aside.length === 0
    ? sql`1 = 0`
    : sql.join(
        aside.map(({ bookId, at }) => sql`(read_progress.book_id = ${bookId} and read_progress.updated_at <= ${at})`),
        sql` or `,
      )

// Crossed, so that SQLite begins with what the index has in order already.
const openBooks = (viewer: Viewer) => sql`read_progress cross join book
  where read_progress.user_id = ${readerOf(viewer)}
    and (read_progress.completed = 0 or read_progress.rereading = 1)
    and book.id = read_progress.book_id and ${listedTo(viewer, 'book')}`

export const selectOpenBooks = (
  db: ReadDb,
  viewer: Viewer,
  limit: number,
  aside: readonly PutAside[] = [],
): Promise<string[]> =>
  idsOf(
    db,
    sql`select book.id from ${openBooks(viewer)}
        and not ${isSetAside('book.series_id', readerOf(viewer))} and not (${isPutAside(aside)})
      order by read_progress.updated_at desc, read_progress.book_id desc limit ${limit}`,
  )

export const countOpenBooks = async (db: ReadDb, viewer: Viewer): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${openBooks(viewer)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** When the position in a book changed last; undefined when it has not been begun. */
export const selectUpdatedAt = async (db: ReadDb, viewer: Viewer, bookId: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('read_progress')
    .select('updated_at')
    .where('user_id', '=', readerOf(viewer))
    .where('book_id', '=', bookId)
    .executeTakeFirst()
  return row?.updated_at
}

/** What the device is called with which each book was read last; a device that was merged is called as that other one. */
export const selectDeviceNames = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('read_progress')
    .innerJoin('device', (join) =>
      join.onRef('device.id', '=', 'read_progress.device_id').on('device.user_id', '=', userId),
    )
    .leftJoin('device as standing', (join) =>
      join.onRef('standing.id', '=', 'device.merged_into').on('standing.user_id', '=', userId),
    )
    .select('read_progress.book_id')
    .select(({ fn }) =>
      fn.coalesce('standing.given_name', 'standing.name', 'device.given_name', 'device.name').as('name'),
    )
    .where('read_progress.user_id', '=', userId)
    .where('read_progress.book_id', 'in', bookIds)
    .execute()
  return new Map(rows.map(({ book_id, name }) => [book_id, name]))
}

export const selectOnDeck: Shelf = (db, viewer, limit) =>
  seesWholeSeries(viewer) ? selectKeptNext(db, viewer, limit) : selectVisibleNext(db, viewer, limit)

const selectKeptNext: Shelf = (db, viewer, limit) =>
  idsOf(
    db,
    sql`select book.id from series_progress cross join book
      where series_progress.user_id = ${readerOf(viewer)} and series_progress.next_book_id is not null
        and book.id = series_progress.next_book_id and ${listedTo(viewer, 'book')}
        and not ${isSetAside('series_progress.series_id', readerOf(viewer))}
      order by series_progress.last_read_at desc, series_progress.series_id desc limit ${limit}`,
  )

/** The stored counts include books that this viewer may not see: the next book is computed from what they have read. */
const selectVisibleNext: Shelf = (db, viewer, limit) => {
  const userId = readerOf(viewer)
  const next = sql`select book.id from book where book.series_id = reading.series_id and ${listedTo(viewer, 'book')}
    and not exists (select 1 from read_progress
      where read_progress.user_id = ${userId} and read_progress.book_id = book.id)
    order by book.position_key, book.id limit 1`
  return idsOf(
    db,
    sql`select id from (
        select reading.series_id, reading.last_read_at, (${next}) as id from (
          select book.series_id, max(read_progress.updated_at) as last_read_at
          from read_progress cross join book
          where read_progress.user_id = ${userId} and book.id = read_progress.book_id and ${listedTo(viewer, 'book')}
          group by book.series_id
          having sum(read_progress.completed) > 0
            and sum(case when read_progress.completed = 0 or read_progress.rereading = 1 then 1 else 0 end) = 0
        ) as reading where not ${isSetAside('reading.series_id', userId)}
      ) as deck where id is not null
      order by last_read_at desc, series_id desc limit ${limit}`,
  )
}

/**
 * The books stand by when each was finished last. The limit stands in the text: of one that it does not know SQLite thinks, where it
 * has statistics, that all of them had better be put into order.
 */
export const selectFinished: Shelf = (db, viewer, limit) =>
  idsOf(
    db,
    sql`select book.id from read_completion cross join read_progress cross join book
      where read_completion.user_id = ${readerOf(viewer)}
        and read_progress.user_id = ${readerOf(viewer)} and read_progress.book_id = read_completion.book_id
        and read_progress.completed = 1
        and book.id = read_completion.book_id and ${listedTo(viewer, 'book')}
        and not exists (select 1 from read_completion as later
          where later.user_id = ${readerOf(viewer)} and later.book_id = read_completion.book_id
            and (later.completed_at, later.id) > (read_completion.completed_at, read_completion.id))
      order by read_completion.completed_at desc, read_completion.id desc limit ${sql.lit(limit)}`,
  )

export const selectFollowedUnread: Shelf = (db, viewer, limit) =>
  idsOf(
    db,
    sql`select series.id from series_follow cross join series
      where series_follow.user_id = ${readerOf(viewer)} and series.id = series_follow.series_id
        and ${listedTo(viewer, 'series')} and ${isUnread(viewer)}
      order by series_follow.newest_at desc, series_follow.series_id desc limit ${limit}`,
  )

const isUnread = (viewer: Viewer): RawBuilder<unknown> =>
  seesWholeSeries(viewer)
    ? sql`series.book_count > coalesce((select series_progress.read_count from series_progress
        where series_progress.user_id = ${readerOf(viewer)} and series_progress.series_id = series.id), 0)`
    : sql`exists (select 1 from book where book.series_id = series.id and book.state = 'present'
        and ${visibleTo(viewer, 'book')} and not exists (select 1 from read_progress
          where read_progress.user_id = ${readerOf(viewer)} and read_progress.book_id = book.id
            and read_progress.completed = 1))`

/** Series of which this reader has read everything they see, and nothing since: a row for each of their last books. */
export const selectReadLongAgo = async (
  db: ReadDb,
  viewer: Viewer,
  limit: number,
  before: string,
): Promise<string[]> => {
  const userId = readerOf(viewer)
  const ids = await idsOf(
    db,
    sql`select series.id from read_completion cross join book cross join series
      where read_completion.user_id = ${userId} and read_completion.completed_at < ${before}
        and book.id = read_completion.book_id and series.id = book.series_id
        and ${listedTo(viewer, 'series')} and not (${isUnread(viewer)})
        and exists (select 1 from series_progress where series_progress.user_id = ${userId}
          and series_progress.series_id = series.id and series_progress.last_read_at < ${before}
          and series_progress.in_progress_count = 0)
      order by read_completion.completed_at desc, read_completion.id desc limit ${limit * booksOfSeries}`,
  )
  return [...new Set(ids)].slice(0, limit)
}

/** So many rows are looked at for each series that is shown. */
const booksOfSeries = 10

export interface Newest {
  readonly series_id: string
  readonly created_at: string
}

/** The books that came last, without those of some series. */
export const selectNewestOfOthers = (
  db: ReadDb,
  viewer: Viewer,
  { libraryId, seriesIds, limit }: { libraryId?: string | undefined; seriesIds: readonly string[]; limit: number },
): Promise<Newest[]> =>
  db
    .selectFrom('book')
    .select(['series_id', 'created_at'])
    .where(listedTo(viewer, 'book'))
    .where('series_id', 'not in', seriesIds)
    .$if(libraryId !== undefined, (query) => query.where('library_id', '=', libraryId ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export interface PileRow {
  readonly seriesId: string
  /** The first of them, by its place in the series. */
  readonly bookId: string
  readonly count: number
  readonly firstNumber: number | null
  readonly lastNumber: number | null
}

/** Above all series that there are. Behind a limit SQLite looks for books by their series, and not by when they came. */
const booksOfSeriesMax = 50_000

/** What there is of each series since the time beside it. */
export const selectPileRows = async (
  db: ReadDb,
  viewer: Viewer,
  series: readonly (readonly [seriesId: string, since: string])[],
): Promise<PileRow[]> => {
  if (series.length === 0) return []
  const number = sql`coalesce(book.number, book.chapter, book.volume)`
  const each = series.map(
    ([seriesId, since]) => sql`
      select ${seriesId} as id, count(*) as count, count(${number}) as numbered,
        min(${number}) as first, max(${number}) as last, min(book.position_key) as place
      from (select series_id, library_id, age_rating, state, created_at, number, chapter, volume, position_key
        from book where series_id = ${seriesId} limit ${sql.lit(booksOfSeriesMax)}) as book
      where book.created_at >= ${since} and ${listedTo(viewer, 'book')}`,
  )
  const { rows } = await sql<PileSums>`${sql.join(each, sql` union all `)}`.execute(db)
  const ids = await selectBooksAt(
    db,
    viewer,
    rows.filter(({ count }) => count > 0),
  )
  return rows.flatMap(({ id: seriesId, count, numbered, first, last }) => {
    const bookId = ids.get(seriesId)
    if (bookId === undefined) return []
    const isNumbered = numbered === count
    return [{ seriesId, bookId, count, firstNumber: isNumbered ? first : null, lastNumber: isNumbered ? last : null }]
  })
}

interface PileSums {
  readonly id: string
  readonly count: number
  readonly numbered: number
  readonly first: number | null
  readonly last: number | null
  readonly place: string
}

/** The book at one place of each series. */
const selectBooksAt = async (
  db: ReadDb,
  viewer: Viewer,
  piles: readonly Pick<PileSums, 'id' | 'place'>[],
): Promise<ReadonlyMap<string, string>> => {
  if (piles.length === 0) return new Map()
  const each = piles.map(
    ({ id, place }) => sql`select book.series_id, min(book.id) as id from book
      where book.series_id = ${id} and book.position_key = ${place} and ${listedTo(viewer, 'book')}
      group by book.series_id`,
  )
  const { rows } = await sql<{ series_id: string; id: string }>`${sql.join(each, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ series_id, id }) => [series_id, id]))
}
