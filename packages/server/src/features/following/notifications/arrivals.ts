import type { WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { insertArrivals, selectArrivalsOfScan, selectFollowedAmong } from './queries.ts'

/**
 * The call belongs in the transaction in which a scan finds new books: it stores those that belong to a series somebody
 * follows.
 */
export const noteArrivals = async (
  db: WriteDb,
  scanId: string,
  newBookIds: readonly string[],
  now: Date,
): Promise<void> => {
  const books = await selectFollowedAmong(db, newBookIds)
  if (books.length === 0) return
  const libraryOf = new Map(books.map(({ series_id, library_id }) => [series_id, library_id]))
  const arrivals = await selectArrivalsOfScan(db, scanId, [...libraryOf.keys()])
  const fresh = [...libraryOf].filter(([seriesId]) => !arrivals.has(seriesId))
  const at = now.toISOString()
  const rows = fresh.map(([series_id, library_id]) => ({
    id: newId(now.getTime()),
    scan_id: scanId,
    series_id,
    library_id,
    at,
  }))
  const idOf = new Map([...arrivals, ...rows.map(({ id, series_id }) => [series_id, id] as const)])
  await insertArrivals(
    db,
    rows,
    books.map(({ id, series_id }) => ({ arrival_id: idOf.get(series_id) ?? '', book_id: id })),
  )
}
