import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { type EntryElsewhere, type ReadBook, recordElsewhere } from '../reading/reading.ts'
import { lockUser } from '../../database/lock-user.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { bookOf, fileNameIn } from './documents.ts'
import { isFlowing } from './progress.ts'
import { markTaken, type PageTimeRow, selectDevicesOf, selectDocuments, selectWaitingPageTimes } from './queries.ts'

/** Pages no further apart than this belong to one session. */
const adjoinS = 5 * 60
const rowsAtOnce = 400
/** One transaction adds this many to the log. */
const sessionsAtOnce = 20

interface PageTimeContext {
  readonly db: Pick<Database, 'read'>
  readonly write: Database['write']
}

interface Whose {
  readonly viewer: Viewer
  readonly document: string
  readonly now: Date
}

/**
 * It writes waiting pages into the log of their book as measured sessions; each row counts once. It returns how many
 * rows.
 */
export const takeInPageTimes = async (
  { db, write }: PageTimeContext,
  { viewer, document, now }: Whose,
): Promise<number> => {
  const documents = await selectDocuments(db.read, viewer.userId, document)
  const book = await bookOf(db.read, viewer, document, fileNameIn(documents))
  if (!book) return 0
  let taken = 0
  for (;;) {
    const some = await write((db) => takeInSome(db, { viewer, document, now }, book))
    taken += some
    if (some === 0) return taken
  }
}

const takeInSome = async (db: WriteDb, { viewer, document, now }: Whose, book: ReadBook): Promise<number> => {
  const { userId } = viewer
  await lockUser(db, userId)
  const rows = await selectWaitingPageTimes(db, { userId, document }, rowsAtOnce)
  const sessions = sessionsIn(rows).slice(0, sessionsAtOnce)
  const last = sessions.at(-1)?.at(-1)
  if (!last) return 0
  const device = await deviceOf(db, userId, document)
  const entries = sessions.map((pages) => entryFrom(pages, book, device))
  await recordElsewhere(db, { viewer, book, now }, entries)
  await markTaken(db, last)
  return sessions.reduce((sum, pages) => sum + pages.length, 0)
}

/** Rows in order of time, cut where nothing was read for a while. */
export const sessionsIn = <Row extends Pick<PageTimeRow, 'start_time' | 'duration'>>(rows: readonly Row[]): Row[][] => {
  const sessions: Row[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    const session = sessions.at(-1)
    if (session && row.start_time <= end + adjoinS) session.push(row)
    else sessions.push([row])
    end = Math.max(end, row.start_time + row.duration)
  }
  return sessions
}

type Device = EntryElsewhere['device']

/** The file does not say: the device that said where one is in this book, else the only one there is. */
const deviceOf = async (db: ReadDb, userId: string, document: string): Promise<Device> => {
  const [own] = await selectDocuments(db, userId, document)
  const [first, ...others] = await selectDevicesOf(db, userId)
  const device = own ?? (others.length === 0 ? first : undefined)
  return device
    ? { id: `koreader:${device.device_id}`, name: device.device }
    : { id: 'koreader:statistics', name: 'KOReader' }
}

const entryFrom = (pages: readonly PageTimeRow[], { format, pageCount }: ReadBook, device: Device): EntryElsewhere => {
  const [first] = pages
  const last = pages.at(-1)
  if (!first || !last) throw new Error('A session has pages')
  const started = first.start_time * 1000
  const ended = Math.max(...pages.map(({ start_time, duration }) => start_time + duration)) * 1000
  const spent = pages.reduce((sum, { duration }) => sum + duration, 0) * 1000
  const different = new Set(pages.map(({ page }) => page)).size
  // The pages of a book that flows are those of the screen: they become the same share of the book's own pages.
  const part = isFlowing(format) && pageCount > 0 ? pageCount / last.total_pages : 1
  return {
    device,
    source: 'koreader',
    page: isFlowing(format) ? null : last.page,
    percentage: Math.min(1, last.page / last.total_pages),
    time: { started, ended },
    activeMs: Math.min(spent, ended - started),
    pagesRead: Math.round(different * part),
  }
}
