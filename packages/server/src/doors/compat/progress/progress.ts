import type { CompatReadListTracking, CompatSeriesTracking } from '@carrel/api/doors'
import type { Database } from '../../../database/database.ts'
import { markBooks, type Reader, requireReadBook, saveProgress } from '../../../features/reading/reading.ts'
import type { Viewer } from '../../../features/visibility/visibility.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { selectTracked, selectUnreadUpTo, type Tracked } from './queries.ts'

interface Said {
  readonly page?: number | null
  readonly completed?: boolean | null
}

/** A book is read when they say so, or when its last page is. */
export const savePage = async (
  db: Database,
  reader: Reader,
  bookId: string,
  { page, completed }: Said,
): Promise<undefined> => {
  const { pageCount } = await requireReadBook(db.read, reader.viewer, bookId)
  if (completed === true) {
    await saveProgress(db, reader, bookId, { currentPage: pageCount, completed: true })
    return undefined
  }
  if (page == null) throw invalid('/page', 'page must be specified if completed is false or null')
  if (page < 1 || (pageCount > 0 && page > pageCount))
    throw invalid('/page', `page must be between 1 and ${pageCount}.`)
  await saveProgress(db, reader, bookId, { currentPage: page })
  return undefined
}

export const seriesTracking = async (
  { readSlowly }: Database,
  viewer: Viewer,
  seriesId: string,
): Promise<CompatSeriesTracking> => {
  const tracked = await selectTracked(readSlowly, viewer, { seriesId })
  if (tracked.total === 0) throw notFound('series')
  return {
    ...countsOf(tracked),
    lastReadContinuousNumberSort: tracked.continuous,
    maxNumberSort: tracked.last,
  }
}

export const readListTracking = async (
  { readSlowly }: Database,
  viewer: Viewer,
  readListId: string,
): Promise<CompatReadListTracking> => {
  const tracked = await selectTracked(readSlowly, viewer, { readListId })
  if (tracked.total === 0) throw notFound('read list')
  return { ...countsOf(tracked), lastReadContinuousIndex: tracked.continuous }
}

const countsOf = ({ total, read, begun }: Tracked) => ({
  booksCount: total,
  booksReadCount: read,
  booksUnreadCount: total - read - begun,
  booksInProgressCount: begun,
})

/** More stand in no series that somebody reads. */
const booksMax = 20_000

export const markUpTo = async (
  db: Database,
  reader: Reader,
  where: { readonly seriesId: string } | { readonly readListId: string },
  upTo: number,
): Promise<undefined> => {
  const { viewer } = reader
  const { total } = await selectTracked(db.readSlowly, viewer, where)
  if (total === 0) throw notFound('seriesId' in where ? 'series' : 'read list')
  const ids = await selectUnreadUpTo(db.readSlowly, viewer, where, { upTo, limit: booksMax })
  await markBooks(db, reader, ids, 'read')
  return undefined
}
