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

export const selectOpenBooks: Shelf = (db, viewer, limit) =>
  idsOf(
    db,
    // Crossed, so that SQLite begins with what the index has in order already.
    sql`select book.id from read_progress cross join book
      where read_progress.user_id = ${readerOf(viewer)}
        and (read_progress.completed = 0 or read_progress.rereading = 1)
        and book.id = read_progress.book_id and ${listedTo(viewer, 'book')}
        and not ${isSetAside('book.series_id', readerOf(viewer))}
      order by read_progress.updated_at desc, read_progress.book_id desc limit ${limit}`,
  )

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

/** The books stand by when each was finished last. */
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
      order by read_completion.completed_at desc, read_completion.id desc limit ${limit}`,
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
