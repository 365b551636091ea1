import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { type FactElsewhere, type ReadBook, recordElsewhere } from '../reading/reading.ts'
import { lockUser } from '../../database/lock-user.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { bookOf, fileNameIn } from './documents.ts'
import { isFlowing } from './progress.ts'
import { markTaken, type PageTimeRow, selectDevicesOf, selectDocuments, selectWaitingPageTimes } from './queries.ts'

/** Pages no further apart than this belong to one sitting. */
const adjoinS = 5 * 60
const rowsAtOnce = 400
/** One transaction adds this many to the log. */
const sittingsAtOnce = 20

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
 * It writes waiting pages into the log of their book as measured sittings; each row counts once. It returns how many
 * rows.
 */
export const takeInPageTimes = async (
  { db, write }: PageTimeContext,
  { viewer, document, now }: Whose,
): Promise<number> => {
  const said = await selectDocuments(db.read, viewer.userId, document)
  const book = await bookOf(db.read, viewer, document, fileNameIn(said))
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
  const sittings = sittingsIn(rows).slice(0, sittingsAtOnce)
  const last = sittings.at(-1)?.at(-1)
  if (!last) return 0
  const device = await deviceOf(db, userId, document)
  const facts = sittings.map((pages) => factFrom(pages, book, device))
  await recordElsewhere(db, { viewer, book, now }, facts)
  await markTaken(db, last)
  return sittings.reduce((sum, pages) => sum + pages.length, 0)
}

/** Rows in order of time, cut where nothing was read for a while. */
export const sittingsIn = <Row extends Pick<PageTimeRow, 'start_time' | 'duration'>>(rows: readonly Row[]): Row[][] => {
  const sittings: Row[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    const sitting = sittings.at(-1)
    if (sitting && row.start_time <= end + adjoinS) sitting.push(row)
    else sittings.push([row])
    end = Math.max(end, row.start_time + row.duration)
  }
  return sittings
}

type Device = FactElsewhere['device']

/** The file does not say: the device that said where one is in this book, else the only one there is. */
const deviceOf = async (db: ReadDb, userId: string, document: string): Promise<Device> => {
  const [said] = await selectDocuments(db, userId, document)
  const [first, ...others] = await selectDevicesOf(db, userId)
  const known = said ?? (others.length === 0 ? first : undefined)
  return known
    ? { id: `koreader:${known.device_id}`, name: known.device }
    : { id: 'koreader:statistics', name: 'KOReader' }
}

const factFrom = (pages: readonly PageTimeRow[], { format, pageCount }: ReadBook, device: Device): FactElsewhere => {
  const [first] = pages
  const last = pages.at(-1)
  if (!first || !last) throw new Error('A sitting has pages')
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
