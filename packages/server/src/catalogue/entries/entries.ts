import type { ReadDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { seenInPart } from './in-part.ts'
import { selectBook, selectSeries, selectVisibleLibrary } from './queries.ts'

export { seriesCoverVersion } from './cover-version.ts'

export { derivedInPart, seenInPart } from './in-part.ts'
export { visibleBookIds, visibleSeriesIds } from './queries.ts'

/** One that this viewer may see, be its file missing or not. */
export const requireBook = async (db: ReadDb, viewer: Viewer, id: string) => {
  const row = await selectBook(db, viewer, id)
  if (!row) throw notFound('book')
  return row
}

/** One that this viewer may see. */
export const requireSeries = async (db: ReadDb, viewer: Viewer, id: string) => {
  const row = await selectSeries(db, viewer, id)
  const [seen] = row ? await seenInPart(db, viewer, [row]) : []
  if (!seen) throw notFound('series')
  return seen
}

/** One that this viewer may see. */
export const requireLibrary = async (db: ReadDb, viewer: Viewer, id: string) => {
  const library = await selectVisibleLibrary(db, viewer, id)
  if (!library) throw notFound('library')
  return library
}

export const seesLibrary = async (db: ReadDb, viewer: Viewer, id: string): Promise<boolean> =>
  (await selectVisibleLibrary(db, viewer, id)) !== undefined
