import type { WriteDb } from '../../database/database.ts'
import { addToCounts } from '../libraries/libraries.ts'
import { fillPlaces } from '../read-lists/read-lists.ts'
import { recountSeries } from '../reading/reading.ts'
import { type RefreshedSeries, refreshSeries } from '../series/series.ts'

/** All that follows for series, their libraries and their readers when books have come, gone or changed. In the same transaction. */
export const refreshAll = async (
  db: WriteDb,
  seriesIds: Iterable<string>,
  now: Date,
): Promise<readonly RefreshedSeries[]> => {
  const ids = [...new Set(seriesIds)]
  const refreshed = await refreshSeries(db, ids, now)
  for (const [libraryId, ofLibrary] of Map.groupBy(refreshed, (each) => each.libraryId)) {
    const sum = (of: (each: RefreshedSeries) => number): number =>
      ofLibrary.reduce((total, each) => total + of(each), 0)
    await addToCounts(db, libraryId, {
      books: sum(({ bookCount, bookCountBefore }) => bookCount - bookCountBefore),
      series: sum(({ bookCount, bookCountBefore }) => Math.sign(bookCount) - Math.sign(bookCountBefore)),
    })
  }
  await recountSeries(db, ids)
  await fillPlaces(db, ids, now)
  return refreshed
}
