import type { AdjacentBooks, BookDetail, BookDto } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import { deleteLayersOf, externalIdsIn, metadataOfBook } from '../metadata/metadata.ts'
import { readThroughsOfBook } from '../reading/reading.ts'
import type { Viewer } from '../visibility/visibility.ts'
import {
  deleteBooks,
  selectBook,
  selectBooksByIds,
  selectNeighbours,
  selectBookIds,
  selectPartsOf,
  updateHidden,
} from './queries.ts'
import { showBooks } from './show.ts'

export { bookFacetsOf, bookLettersOf, firstBooks, listsOfBooks, openBooks } from './lists/lists.ts'
export {
  inheritRatings,
  listed as listedColumns,
  type ListedBook,
  lockBooks,
  markMissing,
  moveBooks,
  moveBooksBack,
  selectVisibleIds as visibleBookIds,
  setBookCovers,
  setBookLocks,
  setLocksOfBooks,
  updateState as setStateOfBooks,
} from './queries.ts'
export { showBooks } from './show.ts'
export { describeBooks, insertBooks, placeBooks } from './record.ts'

/** Those of them that are there and that this viewer sees, in the order they are given in. */
export const showBooksById = async (db: ReadDb, viewer: Viewer, ids: readonly string[]): Promise<BookDto[]> =>
  showBooks(db, viewer, await selectBooksByIds(db, viewer, ids))

export const readBook = async (db: ReadDb, viewer: Viewer, id: string): Promise<BookDetail> => {
  const row = await requireBook(db, viewer, id)
  const [book] = await showBooks(db, viewer, [row])
  if (!book) throw notFound('book')
  const metadata = metadataOfBook(row)
  const { externalLinks } = metadata
  const external = { externalIds: externalIdsIn(row.metadata), externalLinks }
  return { ...book, metadata, ...external, ...(await readThroughsOfBook(db, viewer, id)) }
}

/** One that this viewer may see, be its file missing or not. */
export const requireBook = async (db: ReadDb, viewer: Viewer, id: string) => {
  const row = await selectBook(db, viewer, id)
  if (!row) throw notFound('book')
  return row
}

/** The ids of the books before and after one in its series, as this viewer sees it. */
export const neighboursOf = async (
  db: ReadDb,
  viewer: Viewer,
  id: string,
): Promise<{ readonly prev: string | undefined; readonly next: string | undefined }> => {
  const { before, after } = await selectNeighbours(db, viewer, await requireBook(db, viewer, id))
  return { prev: before?.id, next: after?.id }
}

/** The books before and after one in its series, as this viewer sees it. */
export const readNeighbours = async (db: ReadDb, viewer: Viewer, id: string): Promise<AdjacentBooks> => {
  const row = await requireBook(db, viewer, id)
  const { before, after } = await selectNeighbours(db, viewer, row)
  const shown = await showBooks(
    db,
    viewer,
    [before, after].filter((each) => each !== undefined),
  )
  const byId = (each: typeof before) => shown.find((book) => book.id === each?.id) ?? null
  return { prev: byId(before), next: byId(after) }
}

/** Of a library that was deleted: out of every list at once, so that no index leads to them. */
export const hideBooks = async (db: WriteDb, libraryId: string, limit: number): Promise<number> => {
  const present = await selectBookIds(db, libraryId, 'present', limit)
  const missing = await selectBookIds(db, libraryId, 'missing', limit - present.length)
  const ids = [...present, ...missing]
  if (ids.length > 0) await updateHidden(db, ids)
  return ids.length
}

export const forgetHiddenBooks = async (db: WriteDb, libraryId: string, limit: number): Promise<number> => {
  const ids = await selectBookIds(db, libraryId, 'hidden', limit)
  if (ids.length > 0) await forgetBooks(db, ids)
  return ids.length
}

/**
 * For ever, with all that is known of them. Each feature that keeps something of books by their id alone is called here;
 * what refers to the row of the book goes with it.
 */
export const forgetBooks = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  const ids = [...bookIds, ...(bookIds.length === 0 ? [] : await selectPartsOf(db, bookIds))]
  await deleteLayersOf(db, ids)
  await deleteBooks(db, ids)
}
