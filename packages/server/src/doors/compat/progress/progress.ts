import type { CompatReadListTracking, CompatSeriesTracking } from '@carrel/api/doors'
import type { Database } from '../../../database/database.ts'
import {
  markBooks,
  selectProgressOf,
  type Reader,
  requireReadBook,
  saveProgress,
} from '../../../features/reading/reading.ts'
import { listViewerFor, requireList } from '../../../catalogue/member-lists/member-lists.ts'
import { readLists } from '../../../features/read-lists/read-lists.ts'
import { requireSeries } from '../../../catalogue/entries/entries.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { invalid } from '../../../platform/errors.ts'
import { selectTracked, selectUnreadUpTo, type Tracked } from './queries.ts'

interface ProgressPatch {
  readonly page?: number | null
  readonly completed?: boolean | null
}

/** A book is read when they say so, or when its last page is. */
/** Opening a book by mistake leaves its reader where they are (C12). */
const beginningShare = 0.02

export const savePage = async (
  db: Database,
  reader: Reader,
  bookId: string,
  { page, completed }: ProgressPatch,
): Promise<undefined> => {
  const { pageCount } = await requireReadBook(db.read, reader.viewer, bookId)
  if (completed === true) {
    await saveProgress(db, reader, bookId, { currentPage: pageCount, completed: true })
    return undefined
  }
  if (page == null) throw invalid('/page', 'page must be specified if completed is false or null')
  if (page < 1 || (pageCount > 0 && page > pageCount))
    throw invalid('/page', `page must be between 1 and ${pageCount}.`)
  // Who says of a finished book that it is not, or turns to a page past its beginning, begins it again; its last page finishes it.
  const isPastBeginning = page > 1 && page / pageCount > beginningShare
  const isBegunAgain = (completed === false || isPastBeginning) && page < pageCount
  const standing = isBegunAgain
    ? (await selectProgressOf(db.read, reader.viewer.userId, [bookId])).get(bookId)
    : undefined
  const reset = standing?.completed === true
  await saveProgress(db, reader, bookId, { currentPage: page, ...(reset && { reset }) })
  return undefined
}

export const seriesTracking = async (db: Database, viewer: Viewer, seriesId: string): Promise<CompatSeriesTracking> => {
  await requireSeries(db.read, viewer, seriesId)
  const tracked = await selectTracked(db.readSlowly, viewer, { seriesId })
  return { ...countsOf(tracked), lastReadContinuousNumberSort: tracked.continuous, maxNumberSort: tracked.last }
}

export const readListTracking = async (
  db: Database,
  { viewer, mayChange }: { readonly viewer: Viewer; readonly mayChange: boolean },
  readListId: string,
): Promise<CompatReadListTracking> => {
  await requireList(db.read, listViewerFor(readLists, viewer, mayChange), readListId)
  const tracked = await selectTracked(db.readSlowly, viewer, { readListId })
  return { ...countsOf(tracked), lastReadContinuousIndex: tracked.continuous }
}

const countsOf = ({ total, read, begun }: Tracked) => ({
  booksCount: total,
  booksReadCount: read,
  booksUnreadCount: total - read - begun,
  booksInProgressCount: begun,
})

/** No series that somebody reads has more. */
const booksMax = 20_000

export const markUpTo = async (
  db: Database,
  reader: Reader,
  where: { readonly seriesId: string } | { readonly readListId: string },
  upTo: number,
): Promise<undefined> => {
  const { viewer } = reader
  if ('seriesId' in where) await requireSeries(db.read, viewer, where.seriesId)
  else await requireList(db.read, listViewerFor(readLists, viewer, false), where.readListId)
  const ids = await selectUnreadUpTo(db.readSlowly, viewer, where, { upTo, limit: booksMax })
  await markBooks(db, reader, ids, 'read')
  return undefined
}
