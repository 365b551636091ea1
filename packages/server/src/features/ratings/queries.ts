import type { BookRating, SeriesRating, UserRating } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { cachedStatement } from '../../database/cached-statement.ts'
import { insertMany } from '../../database/many.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import { listedTo, shownOfOneSeries, type Viewer } from '../../catalogue/visibility/visibility.ts'
import type { RatingTables } from './table.ts'

export type Rated = 'series' | 'book'
export type RatingOrder = Order<'title' | 'rating' | 'updatedAt'>

type SeriesRow = RatingTables['series_rating']
type BookRow = RatingTables['book_rating']
type Columns = Omit<SeriesRow, 'series_id' | 'user_id'>

const seriesRatingOf = cachedStatement(
  (db, { userId, seriesId }) =>
    db.selectFrom('series_rating').selectAll().where('user_id', '=', userId).where('series_id', '=', seriesId),
  ['userId', 'seriesId'],
)

export const selectSeriesRating = async (
  db: ReadDb,
  userId: string,
  seriesId: string,
): Promise<SeriesRating | undefined> => {
  const [row] = await seriesRatingOf(db, { userId, seriesId }, undefined)
  return row && { seriesId: row.series_id, ...toRating(row) }
}

const bookRatingOf = cachedStatement(
  (db, { userId, bookId }) =>
    db.selectFrom('book_rating').selectAll().where('user_id', '=', userId).where('book_id', '=', bookId),
  ['userId', 'bookId'],
)

export const selectBookRating = async (db: ReadDb, userId: string, bookId: string): Promise<BookRating | undefined> => {
  const [row] = await bookRatingOf(db, { userId, bookId }, undefined)
  return row && { bookId: row.book_id, ...toRating(row) }
}

const replaced = ['rating', 'notes', 'updated_at'] as const

export const upsertSeriesRating = (db: WriteDb, row: SeriesRow): Promise<void> =>
  insertMany(db, 'series_rating', [row], { keys: ['user_id', 'series_id'], sets: replaced })

export const upsertBookRating = (db: WriteDb, row: BookRow): Promise<void> =>
  insertMany(db, 'book_rating', [row], { keys: ['user_id', 'book_id'], sets: replaced })

const itemColumn = { series: 'series_id', book: 'book_id' } as const

/** It returns the ids of those that were not there. */
export const insertBrought = async (
  db: WriteDb,
  rated: Rated,
  rows: readonly { readonly itemId: string; readonly columns: Columns & { readonly user_id: string } }[],
): Promise<string[]> => {
  if (rows.length === 0) return []
  const inserted = await db
    .insertInto(`${rated}_rating`)
    .values(rows.map(({ itemId, columns }) => ({ ...columns, [itemColumn[rated]]: itemId }) as never))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return inserted.map(({ id }) => id)
}

/** A rating that was changed since it was brought stays. It returns what the others were of. */
export const deleteBrought = async (db: WriteDb, rated: Rated, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const gone =
    rated === 'series'
      ? await db
          .deleteFrom('series_rating')
          .where('id', 'in', ids)
          .whereRef('updated_at', '=', 'created_at')
          .returning('series_id as itemId')
          .execute()
      : await db
          .deleteFrom('book_rating')
          .where('id', 'in', ids)
          .whereRef('updated_at', '=', 'created_at')
          .returning('book_id as itemId')
          .execute()
  return gone.map(({ itemId }) => itemId)
}

export const deleteSeriesRating = async (db: WriteDb, userId: string, seriesId: string): Promise<void> => {
  await db.deleteFrom('series_rating').where('user_id', '=', userId).where('series_id', '=', seriesId).execute()
}

export const deleteBookRating = async (db: WriteDb, userId: string, bookId: string): Promise<void> => {
  await db.deleteFrom('book_rating').where('user_id', '=', userId).where('book_id', '=', bookId).execute()
}

export const selectRatedSeries = async (db: ReadDb, userId: string): Promise<string[]> => {
  const rows = await db.selectFrom('series_rating').select('series_id').where('user_id', '=', userId).execute()
  return rows.map(({ series_id }) => series_id)
}

export const deleteSeriesRatings = async (db: WriteDb, userId: string): Promise<void> => {
  await db.deleteFrom('series_rating').where('user_id', '=', userId).execute()
}

export const selectAverage = async (
  db: ReadDb,
  seriesId: string,
): Promise<{ average: number | null; count: number }> => {
  const { average, count } = await db
    .selectFrom('series_rating')
    .select(({ fn }) => [fn.avg<number | string | null>('rating').as('average'), fn.countAll<number>().as('count')])
    .where('series_id', '=', seriesId)
    .executeTakeFirstOrThrow()
  return { average: average === null ? null : Number(average), count }
}

/** It reads what a user has rated and may see: series, books, or both in one order. */
const ratingsOf = (viewer: Viewer, of: Rated): RawBuilder<unknown> => {
  const rated = sql.table(of)
  const ids = of === 'series' ? sql`rating.series_id, null as book_id` : sql`null as series_id, rating.book_id`
  const title = of === 'series' ? shownOfOneSeries(viewer, 'title') : sql`book.title`
  return sql`select ${sql.lit(of)} as item_type, ${ids}, ${title} as title, ${rated}.sort_key,
      rating.id, rating.rating, rating.notes, rating.created_at, rating.updated_at
    from ${sql.table(`${of}_rating`)} as rating
    join ${rated} on ${rated}.id = rating.${sql.ref(`${of}_id`)}
    where rating.user_id = ${viewer.userId} and ${listedTo(viewer, of)}`
}

const all = (viewer: Viewer, itemType: Rated | undefined): RawBuilder<unknown> =>
  itemType === undefined
    ? sql`(${ratingsOf(viewer, 'series')} union all ${ratingsOf(viewer, 'book')})`
    : sql`(${ratingsOf(viewer, itemType)})`

interface ListedRating extends Columns {
  readonly item_type: Rated
  readonly series_id: string | null
  readonly book_id: string | null
  readonly title: string
}

const columnOf = { title: 'sort_key', rating: 'rating', updatedAt: 'updated_at' } as const

export const selectRatings = async (
  db: ReadDb,
  viewer: Viewer,
  itemType: Rated | undefined,
  { order, paging }: { order: RatingOrder; paging: Paging },
): Promise<UserRating[]> => {
  const direction = sql.raw(order.direction)
  const { rows } = await sql<ListedRating>`
    select * from ${all(viewer, itemType)} as listed
    order by ${sql.ref(columnOf[order.field])} ${direction}, id ${direction}
    limit ${paging.limit} offset ${paging.offset}`.execute(db)
  return rows.map((row) => ({
    itemType: row.item_type,
    seriesId: row.series_id,
    bookId: row.book_id,
    title: row.title,
    ...toRating(row),
  }))
}

export const countRatings = async (db: ReadDb, viewer: Viewer, itemType: Rated | undefined): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${all(viewer, itemType)} as listed`.execute(db)
  return rows[0]?.count ?? 0
}

const toRating = (row: Columns) => ({
  id: row.id,
  rating: row.rating,
  notes: row.notes,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
