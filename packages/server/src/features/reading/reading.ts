import type { SeriesChange } from '../../catalogue/listeners/listeners.ts'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { readerOf, type Viewer } from '../../catalogue/visibility/visibility.ts'
export { applicationOf } from './device.ts'
export type { ReadBook } from './book.ts'
export { bookHref, fileInHref, pageInHref } from './convert/book-href.ts'
export {
  type BookShape,
  koreaderFromLocation,
  locatorFromLocation,
  locationFromCfi,
  locationFromKoreader,
  locationFromLocator,
  locationFromPosition,
} from './convert/convert.ts'
export { dropDevice, listDevices, mergeDevices, nameDevice } from './devices/devices.ts'
export { readThroughsOfBook, readThroughsOfSeries } from './completions.ts'
export { readProgression, saveProgression } from './progress/progression.ts'
export { markBooks } from './bulk/bulk-marks.ts'
export { markSeries } from './progress/marks.ts'
export { type Reader, requireReadBook, resetProgress, saveProgress } from './progress/progress.ts'
export { readerFrom } from './reader.ts'
export { rebuildProjections } from './upkeep/rebuild.ts'
export { bringEntries, type BroughtEntry, takeEntriesBack } from './brought/brought.ts'
export { selectExistingIds } from './log/queries.ts'
export { type EntryElsewhere, recordElsewhere, type StandingPosition, standingIn } from './elsewhere.ts'
export { countUpToNow } from './reading-sessions/count-later.ts'
export { pacesOf, timesLeft } from './stats/pace.ts'
export { readStats, type SeriesFigures } from './stats/stats.ts'
export { readYear } from './stats/year/year.ts'
export { forgetLog } from './upkeep/forget-log.ts'
export { giveHistoryBack, moveHistory } from './upkeep/move-history.ts'
export { selectProgressOf, selectReadBooks } from './queries.ts'
import { countReadOfLibraries, selectStoredCountsOfLibraries } from './of-libraries/queries.ts'
import { countVisible, recountProgress, selectStoredCounts, type SeriesCounts } from './queries.ts'

/**
 * It returns how many of the books of each series this viewer has read and begun, of those that are present and visible
 * to them (HTTP-3); a series without any is absent. The unread count is the number of its visible books less `read`. It
 * takes one statement: stored counts, unless an age rating may hide single books of a series from this viewer.
 */
export const unreadCounts = async (
  db: ReadDb,
  viewer: Viewer,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, SeriesCounts>> => {
  if (seriesIds.length === 0) return new Map()
  return viewer.rule.ageCeiling === null
    ? selectStoredCounts(db, readerOf(viewer), seriesIds)
    : countVisible(db, viewer, seriesIds)
}

/** How many books of each library this viewer has read, of those that stand in its counts; a library without any is absent. */
export const readCountsOfLibraries = async (
  db: ReadDb,
  viewer: Viewer,
  libraryIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (libraryIds.length === 0) return new Map()
  return viewer.rule.ageCeiling === null
    ? selectStoredCountsOfLibraries(db, viewer, libraryIds)
    : countReadOfLibraries(db, viewer, libraryIds)
}

/** It counts anew, for all users at once, in the series whose present books are others than before. */
export const recountOtherBooks = (db: WriteDb, changes: readonly SeriesChange[]): Promise<void> => {
  const others = changes.filter(({ hasOtherBooks }) => hasOtherBooks)
  return recountSeries(
    db,
    others.map(({ id }) => id),
  )
}

export const recountSeries = (db: WriteDb, seriesIds: readonly string[]): Promise<void> =>
  recountProgress(db, { seriesIds })
