import type { ReadProgress } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { Viewer } from '../visibility/visibility.ts'
export { familyOf as applicationOf } from './device.ts'
export type { ReadBook } from './book.ts'
export {
  type BookShape,
  koreaderFromPlace,
  locatorFromPlace,
  placeFromKoreader,
  placeFromLocator,
  placeFromPosition,
} from './convert/convert.ts'
export { dropDevice, listDevices, mergeDevices, nameDevice } from './devices/devices.ts'
export { readThroughsOfBook, readThroughsOfSeries } from './completions.ts'
export { readProgression, saveProgression } from './progression.ts'
export { markBooks } from './bulk/bulk-marks.ts'
export { markSeries } from './marks.ts'
export { type Reader, requireBook as requireReadBook, resetProgress, saveProgress } from './progress.ts'
export { readerFrom } from './reader.ts'
export { rebuildProjections } from './rebuild.ts'
export { booksToRead, type FactElsewhere, recordElsewhere, type StandingPlace, standingIn } from './elsewhere.ts'
export { forgetLog } from './forget-log.ts'
export { giveHistoryBack, moveHistory } from './move-history.ts'
import { countVisible, recountProgress, selectKeptCounts, selectProgressOf, type SeriesCounts } from './queries.ts'

/** Where a user stands in each of these books; those not begun are absent. Up to 500 books, one statement. */
export const progressOf = (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, ReadProgress>> => selectProgressOf(db, userId, bookIds)

/**
 * How many of the books of each series this viewer has read and begun, of those that are present and visible to them
 * (HTTP-3); a series without any is absent. What is unread is the number of its visible books less `read`. One
 * statement: counts that are kept, unless an age rating may hide single books of a series from this viewer.
 */
export const unreadCounts = async (
  db: ReadDb,
  viewer: Viewer,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, SeriesCounts>> => {
  if (seriesIds.length === 0) return new Map()
  return viewer.rule.ageCeiling === null
    ? selectKeptCounts(db, viewer.userId, seriesIds)
    : countVisible(db, viewer, seriesIds)
}

/**
 * Whoever changes which books of a series are present (missing, restored, moved to another series, removed) calls this
 * in the same transaction, with every series that lost or gained one: it counts for all users at once.
 */
export const recountSeries = (db: WriteDb, seriesIds: readonly string[]): Promise<void> =>
  recountProgress(db, { seriesIds })
