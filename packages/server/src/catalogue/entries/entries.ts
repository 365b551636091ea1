import type { ReadDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { seenInPart } from './in-part.ts'
import { selectBook, selectSeries, selectVisibleLibrary } from './queries.ts'

export { seriesCoverVersion } from './cover-version.ts'

export { derivedInPart, seenInPart } from './in-part.ts'
export { visibleBookIds, visibleSeriesIds } from './queries.ts'

/** It throws `not_found` for a book that this viewer may not see; its file may be missing. */
export const requireBook = async (db: ReadDb, viewer: Viewer, id: string) => {
  const row = await selectBook(db, viewer, id)
  if (!row) throw notFound('book')
  return row
}

/** It throws `not_found` for a series that this viewer may not see. */
export const requireSeries = async (db: ReadDb, viewer: Viewer, id: string) => {
  const row = await selectSeries(db, viewer, id)
  const [seen] = row ? await seenInPart(db, viewer, [row]) : []
  if (!seen) throw notFound('series')
  return seen
}

/** It throws `not_found` for a book or a series that this viewer may not see. */
export const requireEntity = (db: ReadDb, viewer: Viewer, entity: 'series' | 'book', id: string) =>
  entity === 'series' ? requireSeries(db, viewer, id) : requireBook(db, viewer, id)

/** It throws `not_found` for a library that this viewer may not see. */
export const requireLibrary = async (db: ReadDb, viewer: Viewer, id: string) => {
  const library = await selectVisibleLibrary(db, viewer, id)
  if (!library) throw notFound('library')
  return library
}

export const seesLibrary = async (db: ReadDb, viewer: Viewer, id: string): Promise<boolean> =>
  (await selectVisibleLibrary(db, viewer, id)) !== undefined
