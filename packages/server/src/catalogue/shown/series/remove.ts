import type { WriteDb } from '../../../database/database.ts'
import { type GoingSeries, listenersOf, type SeriesChange } from '../../listeners/listeners.ts'
import { deleteLayersOf } from '../../metadata/metadata.ts'
import { deleteSeries, selectCounted, selectSeriesIds, selectShownSeriesIds, updateEmpty } from './queries.ts'

/** Takes series of a library that was deleted out of every list. */
export const emptySeries = async (db: WriteDb, libraryId: string, limit: number): Promise<number> => {
  const ids = await selectShownSeriesIds(db, libraryId, limit)
  if (ids.length > 0) await updateEmpty(db, ids)
  return ids.length
}

/** For ever; their books are gone. */
export const forgetSeries = async (
  db: WriteDb,
  { libraryId, limit, now }: { readonly libraryId: string; readonly limit: number; readonly now: Date },
): Promise<number> => {
  const ids = await selectSeriesIds(db, libraryId, limit)
  const series = ids.map((id) => ({ id, libraryId }))
  if (ids.length > 0) await deleteWithLayers(db, series, now)
  return ids.length
}

/** Their books are those of another series by now, and all that people had on them is. */
export const removeSeries = async (db: WriteDb, ids: readonly string[], now: Date): Promise<void> => {
  if (ids.length === 0) return
  const changes = (await selectCounted(db, ids)).map(
    ({ id, library_id: libraryId, age_rating: ageRating, book_count }): SeriesChange => ({
      id,
      libraryId,
      ageRating,
      ageRatingBefore: ageRating,
      bookCount: 0,
      bookCountBefore: book_count,
      hasOtherBooks: true,
    }),
  )
  await deleteWithLayers(db, changes, now)
  for (const tell of listenersOf(db).seriesChanged) await tell(db, changes, now)
}

const deleteWithLayers = async (db: WriteDb, series: readonly GoingSeries[], now: Date): Promise<void> => {
  const ids = series.map(({ id }) => id)
  for (const tell of listenersOf(db).seriesGo) await tell(db, series, now)
  await deleteLayersOf(db, ids)
  await deleteSeries(db, ids)
}
