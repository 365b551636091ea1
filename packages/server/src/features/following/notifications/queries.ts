import { type NotificationDto, notificationBooksMax } from '@carrel/api'
import { sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import type { Paging } from '../../../platform/paging.ts'
import { listedTo, shownOfOneSeries, tellsSeries, type Viewer } from '../../../catalogue/visibility/visibility.ts'

// This part is about arrivals.

/** It returns those of these books whose series anybody follows. */
export const selectFollowedAmong = async (
  db: ReadDb,
  bookIds: readonly string[],
): Promise<{ id: string; series_id: string; library_id: string }[]> => {
  if (bookIds.length === 0) return []
  return db
    .selectFrom('book')
    .select(['book.id', 'book.series_id', 'book.library_id'])
    .where('book.id', 'in', bookIds)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('series_follow')
          .select('series_follow.user_id')
          .whereRef('series_follow.series_id', '=', 'book.series_id'),
      ),
    )
    .execute()
}

/** It returns, by series, what this scan has found there before. */
export const selectArrivalsOfScan = async (
  db: ReadDb,
  scanId: string,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('arrival')
    .select(['id', 'series_id'])
    .where('scan_id', '=', scanId)
    .where('series_id', 'in', seriesIds)
    .where('told', '=', 0)
    .execute()
  return new Map(rows.map(({ id, series_id }) => [series_id, id]))
}

export interface Arrival {
  readonly id: string
  readonly series_id: string
  readonly library_id: string
  readonly at: string
}

export const insertArrivals = async (
  db: WriteDb,
  arrivals: readonly (Arrival & { readonly scan_id: string })[],
  books: readonly { readonly arrival_id: string; readonly book_id: string }[],
): Promise<void> => {
  await insertMany(
    db,
    'arrival',
    arrivals.map((arrival) => ({ ...arrival, told: 0 as const })),
  )
  await insertMany(db, 'arrival_book', books, 'is left as it is')
}

/** An arrival is due when its scan is over and its books have been analysed: only then is it known who may see them. */
export const selectDue = (db: ReadDb, libraryId: string, afterId: string, limit: number): Promise<Arrival[]> =>
  db
    .selectFrom('arrival')
    .select(['arrival.id', 'arrival.series_id', 'arrival.library_id', 'arrival.at'])
    .where('arrival.library_id', '=', libraryId)
    .where('arrival.told', '=', sql.lit(0))
    .where('arrival.id', '>', afterId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('scan')
            .select('scan.id')
            .whereRef('scan.id', '=', 'arrival.scan_id')
            .where('scan.status', 'in', ['pending', 'processing']),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('arrival_book')
            .innerJoin('file', 'file.book_id', 'arrival_book.book_id')
            .select('arrival_book.book_id')
            .whereRef('arrival_book.arrival_id', '=', 'arrival.id')
            .where('file.analysis', '=', 'pending')
            .where('file.state', '=', 'present'),
        ),
      ),
    )
    .orderBy('arrival.id')
    .limit(limit)
    .execute()

export const anyToTell = async (db: ReadDb, libraryId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('arrival')
    .select('id')
    .where('library_id', '=', libraryId)
    .where('told', '=', sql.lit(0))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const selectArrivedBookIds = async (db: ReadDb, arrivalId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('arrival_book')
    .innerJoin('book', 'book.id', 'arrival_book.book_id')
    .select('arrival_book.book_id')
    .where('arrival_book.arrival_id', '=', arrivalId)
    .where('book.state', '=', 'present')
    .execute()
  return rows.map(({ book_id }) => book_id)
}

export const setTold = async (db: WriteDb, arrivalId: string): Promise<void> => {
  await db.updateTable('arrival').set({ told: 1 }).where('id', '=', arrivalId).execute()
}

// The next functions record who has been notified.

export const selectToldAmong = async (
  db: ReadDb,
  arrivalId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('notification')
    .select('user_id')
    .where('arrival_id', '=', arrivalId)
    .where('user_id', 'in', userIds)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

export const insertNotifications = (
  db: WriteDb,
  rows: readonly { readonly id: string; readonly user_id: string; readonly arrival_id: string }[],
  at: string,
): Promise<void> =>
  insertMany(
    db,
    'notification',
    rows.map((row) => ({ ...row, created_at: at, read_at: null })),
  )

export interface NotificationFilter {
  readonly unread?: boolean | undefined
  readonly id?: string | undefined
}

/** A notification counts only when this viewer can see its series and one of its books by now. */
const shown = (db: ReadDb, viewer: Viewer, { unread, id }: NotificationFilter) =>
  db
    .selectFrom('notification')
    .innerJoin('arrival', 'arrival.id', 'notification.arrival_id')
    .innerJoin('series', 'series.id', 'arrival.series_id')
    .where('notification.user_id', '=', viewer.userId)
    .where(tellsSeries(viewer))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('arrival_book')
          .innerJoin('book', 'book.id', 'arrival_book.book_id')
          .select('book.id')
          .whereRef('arrival_book.arrival_id', '=', 'arrival.id')
          .where(listedTo(viewer, 'book')),
      ),
    )
    .$if(unread === true, (query) => query.where('notification.read_at', 'is', null))
    .$if(unread === false, (query) => query.where('notification.read_at', 'is not', null))
    .$if(id !== undefined, (query) => query.where('notification.id', '=', id ?? ''))

export const countNotifications = async (db: ReadDb, viewer: Viewer, filter: NotificationFilter): Promise<number> => {
  const { count } = await shown(db, viewer, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectNotifications = async (
  db: ReadDb,
  viewer: Viewer,
  filter: NotificationFilter,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
): Promise<NotificationDto[]> => {
  const rows = await shown(db, viewer, filter)
    .select([
      'notification.id',
      'notification.arrival_id',
      'notification.created_at',
      'notification.read_at',
      'series.id as series_id',
      shownOfOneSeries<string>(viewer, 'title').as('series_title'),
      'series.library_id',
    ])
    .orderBy('notification.created_at', 'desc')
    .orderBy('notification.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const books = await selectShownBooks(
    db,
    viewer,
    rows.map(({ arrival_id }) => arrival_id),
  )
  return rows.flatMap((row) => {
    const ofArrival = books.get(row.arrival_id) ?? []
    const [first] = ofArrival
    // The row was deleted between two statements.
    if (!first) return []
    return [
      {
        id: row.id,
        type: 'new_books' as const,
        seriesId: row.series_id,
        seriesTitle: row.series_title,
        libraryId: row.library_id,
        bookCount: first.total,
        books: ofArrival.map(({ id, title, number, volume, chapter }) => ({ id, title, number, volume, chapter })),
        createdAt: row.created_at,
        readAt: row.read_at,
      },
    ]
  })
}

const selectShownBooks = async (db: ReadDb, viewer: Viewer, arrivalIds: readonly string[]) => {
  if (arrivalIds.length === 0) return new Map<string, never[]>()
  const { rows } = await sql<{
    arrival_id: string
    id: string
    title: string
    number: number | null
    volume: number | null
    chapter: number | null
    total: number
  }>`select arrival_id, id, title, number, volume, chapter, total from (
      select arrival_book.arrival_id, book.id, book.title, book.number, book.volume, book.chapter,
        row_number() over (partition by arrival_book.arrival_id order by book.position_key, book.id) as place,
        count(*) over (partition by arrival_book.arrival_id) as total
      from arrival_book join book on book.id = arrival_book.book_id
      where arrival_book.arrival_id in (${sql.join(arrivalIds)}) and ${listedTo(viewer, 'book')}
    ) as arrived where place <= ${notificationBooksMax} order by arrival_id, place`.execute(db)
  return Map.groupBy(rows, ({ arrival_id }) => arrival_id)
}

export const updateRead = async (
  db: WriteDb,
  userId: string,
  ids: readonly string[] | 'all',
  at: string,
): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('notification')
    .set({ read_at: at })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== 'all', (query) => query.where('id', 'in', ids === 'all' ? [] : ids))
    .execute()
}

export const removeNotification = async (db: WriteDb, userId: string, id: string): Promise<void> => {
  await db.deleteFrom('notification').where('user_id', '=', userId).where('id', '=', id).execute()
}

// The rest of this file deletes what is old.

export const deleteOldNotifications = async (
  db: WriteDb,
  { before, keptMax, limit }: { readonly before: string; readonly keptMax: number; readonly limit: number },
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('notification')
    .where(
      'id',
      'in',
      sql<string>`(select id from (
        select id, created_at, row_number() over (partition by user_id order by created_at desc, id desc) as place
        from notification) as ranked
        where created_at < ${before} or place > ${keptMax} limit ${limit})`,
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** It deletes arrivals of which nobody has a notification any more. */
export const deleteOldArrivals = async (db: WriteDb, before: string, limit: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('arrival')
    .where(
      'id',
      'in',
      sql<string>`(select arrival.id from arrival where arrival.at < ${before} and not exists (
        select 1 from notification where notification.arrival_id = arrival.id) limit ${limit})`,
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
