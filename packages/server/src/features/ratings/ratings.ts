import type { BookRating, ListAnswer, NewRating, SeriesRating, UserRating } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import type { NamedWrite } from '../../database/named-write.ts'
import { forReader } from '../../database/whom-it-concerns.ts'
import { newId } from '../../platform/ids.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { requireBook, requireSeries } from '../../catalogue/entries/entries.ts'
import { lockSeries, updateCommunityRatings } from '../../catalogue/shown/shown.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import {
  countRatings,
  deleteBrought,
  deleteBookRating,
  deleteSeriesRating,
  deleteSeriesRatings,
  insertBrought,
  type Rated,
  type RatingOrder,
  selectAverage,
  selectBookRating,
  selectRatings,
  selectRatedSeries,
  selectSeriesRating,
  upsertBookRating,
  upsertSeriesRating,
} from './queries.ts'

export { ratingRules } from './merge-rules.ts'

export const readSeriesRating = async (db: ReadDb, viewer: Viewer, id: string): Promise<SeriesRating | undefined> => {
  await requireSeries(db, viewer, id)
  return selectSeriesRating(db, viewer.userId, id)
}

interface GivenRating {
  readonly viewer: Viewer
  readonly id: string
  readonly columns: ReturnType<typeof columnsOf>
}

export const savedSeriesRating: NamedWrite<GivenRating, SeriesRating | undefined> = {
  name: 'rating of a series',
  work: async (db, { viewer, id, columns }) => {
    await requireSeries(db, viewer, id)
    await lockSeries(db, [id])
    await forReader(viewer.userId, () => upsertSeriesRating(db, { series_id: id, ...columns }))
    await updateCommunityRatings(db, [id])
    return selectSeriesRating(db, viewer.userId, id)
  },
}

export const saveSeriesRating = async (
  db: Database,
  viewer: Viewer,
  id: string,
  { rating, now }: { rating: NewRating; now: Date },
): Promise<SeriesRating> =>
  saved(await db.writeNamed(savedSeriesRating, { viewer, id, columns: columnsOf(viewer, rating, now) }))

const saved = <Rating>(rating: Rating | undefined): Rating => {
  if (rating === undefined) throw new Error('A rating that was saved is not there')
  return rating
}

export const removeSeriesRating = (db: Database, viewer: Viewer, id: string): Promise<undefined> =>
  db.write(async (db) => {
    await requireSeries(db, viewer, id)
    await lockSeries(db, [id])
    await forReader(viewer.userId, () => deleteSeriesRating(db, viewer.userId, id))
    await updateCommunityRatings(db, [id])
    return undefined
  })

export const readBookRating = async (db: ReadDb, viewer: Viewer, id: string): Promise<BookRating | undefined> => {
  await requireBook(db, viewer, id)
  return selectBookRating(db, viewer.userId, id)
}

export const savedBookRating: NamedWrite<GivenRating, BookRating | undefined> = {
  name: 'rating of a book',
  work: async (db, { viewer, id, columns }) => {
    await requireBook(db, viewer, id)
    await forReader(viewer.userId, () => upsertBookRating(db, { book_id: id, ...columns }))
    return selectBookRating(db, viewer.userId, id)
  },
}

export const saveBookRating = async (
  db: Database,
  viewer: Viewer,
  id: string,
  { rating, now }: { rating: NewRating; now: Date },
): Promise<BookRating> =>
  saved(await db.writeNamed(savedBookRating, { viewer, id, columns: columnsOf(viewer, rating, now) }))

export const removeBookRating = (db: Database, viewer: Viewer, id: string): Promise<undefined> =>
  db.write(async (db) => {
    await requireBook(db, viewer, id)
    await forReader(viewer.userId, () => deleteBookRating(db, viewer.userId, id))
    return undefined
  })

/** The average is over all users: what one of them gives is not revealed. */
export const readAverage = async (db: ReadDb, viewer: Viewer, id: string) => {
  await requireSeries(db, viewer, id)
  return selectAverage(db, id)
}

export const listRatings = async (
  db: ReadDb,
  viewer: Viewer,
  { itemType, sort }: { itemType?: Rated | undefined; sort?: Sort<RatingOrder['field']> | undefined },
  paging: Paging,
): Promise<ListAnswer<UserRating>> => {
  const total = await countRatings(db, viewer, itemType)
  if (paging.offset >= total) return { total, data: [] }
  return { total, data: await selectRatings(db, viewer, itemType, { order: orderOf(sort, 'title'), paging }) }
}

/** The call comes before a user is deleted: their ratings no longer count. */
export const forgetRatings = async (db: WriteDb, userId: string): Promise<void> => {
  const seriesIds = await selectRatedSeries(db, userId)
  await lockSeries(db, seriesIds)
  await deleteSeriesRatings(db, userId)
  await updateCommunityRatings(db, seriesIds)
}

/** What somebody has given elsewhere. */
export interface BroughtRating {
  readonly userId: string
  /** It is of a series or of a book. */
  readonly itemId: string
  readonly rating: number
  readonly notes: string | null
  readonly at: string
}

/** What is rated here already stays. It returns the ids of the new ones. */
export const bringRatings = async (
  db: WriteDb,
  rated: Rated,
  ratings: readonly BroughtRating[],
  now: Date,
): Promise<readonly string[]> => {
  const itemIds = ratings.map(({ itemId }) => itemId)
  if (rated === 'series') await lockSeries(db, itemIds)
  const rows = ratings.map(({ userId, itemId, rating, notes, at }) => ({
    itemId,
    columns: { id: newId(now.getTime()), user_id: userId, rating, notes, created_at: at, updated_at: at },
  }))
  const ids = await insertBrought(db, rated, rows)
  if (rated === 'series') await updateCommunityRatings(db, itemIds)
  return ids
}

/** Ratings that somebody has changed since stay. */
export const takeRatingsBack = async (db: WriteDb, rated: Rated, ids: readonly string[]): Promise<void> => {
  const seriesIds = await deleteBrought(db, rated, ids)
  if (rated !== 'series') return
  await lockSeries(db, seriesIds)
  await updateCommunityRatings(db, seriesIds)
}

const columnsOf = ({ userId }: Viewer, { rating, notes = null }: NewRating, now: Date) => ({
  id: newId(now.getTime()),
  user_id: userId,
  rating,
  notes,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
})
