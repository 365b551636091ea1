import type { FileFormat, ReadingPaces, ReadingTimeLeft } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { shownIn } from '../progress/position.ts'
import { requireReadBook } from '../progress/progress.ts'
import { requireZone } from '../reading-sessions/apply.ts'
import { selectFigureZone } from '../reading-sessions/queries.ts'
import { type BookInHand, type OwnPace, selectBooksInHand, selectOwnPaces, selectPaces } from './queries.ts'
import { planOf } from './window.ts'

const hour = 60 * 60 * 1000
const yearMs = 366 * 24 * hour

interface Enough {
  readonly pages: number
  readonly ms: number
}

/** With less than this, one quick evening would be a pace. */
const enoughOfFormat: Enough = { pages: 50, ms: hour / 4 }
const enoughOfBook: Enough = { pages: 20, ms: hour / 12 }
/** It applies to a book without pages. */
const enoughRead = 0.05

const isEnough = (measured: Enough, least: Enough): boolean => measured.pages >= least.pages && measured.ms >= least.ms

export const readPaces = async (db: ReadDb, userId: string, now: Date): Promise<ReadingPaces> => ({
  formats: [...(await pacesOf(db, userId, now))]
    .map(([format, { pages, ms }]) => ({
      format,
      pagesPerHour: Math.round((pages / ms) * hour * 10) / 10,
      pages,
      measuredMs: ms,
    }))
    .sort((one, other) => other.measuredMs - one.measuredMs || (one.format < other.format ? -1 : 1)),
})

/** The paces are those of the last year, as far as enough is known. */
export const pacesOf = async (db: ReadDb, userId: string, now: Date): Promise<Map<FileFormat, Enough>> => {
  const { storedZone, builtTo } = await selectFigureZone(db, userId)
  const zone = storedZone !== null && builtTo === null ? requireZone(storedZone) : undefined
  const window = { from: now.getTime() - yearMs, to: now.getTime() }
  const formats = await selectPaces(
    db,
    planOf(userId, window, { zone: zone ?? requireZone('UTC'), storedZone: zone }, 'day'),
  )
  return new Map(
    formats
      .map(({ format, paced_pages, paced_ms }) => [format, { pages: paced_pages, ms: paced_ms }] as const)
      .filter(([, measured]) => isEnough(measured, enoughOfFormat)),
  )
}

export const readTimeLeft = async (db: ReadDb, viewer: Viewer, bookId: string, now: Date): Promise<ReadingTimeLeft> => {
  await requireReadBook(db, viewer, bookId)
  return (await timesLeft(db, viewer.userId, [bookId], now)).get(bookId) ?? nothingLeft
}

const nothingLeft: ReadingTimeLeft = { pagesLeft: null, timeLeftMs: 0, basis: null }

/** One statement for the books, one for the time spent on them, and what the paces of formats take if any is needed. */
export const timesLeft = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ReadingTimeLeft>> => {
  const books = await selectBooksInHand(db, userId, bookIds)
  const unread = [...books].filter(([, { isRead }]) => !isRead)
  const own = await selectOwnPaces(
    db,
    userId,
    // In a book without pages the progress is that of the present reading.
    unread.map(([id, book]) => [id, (book.pageCount === 0 ? book.readingSince : book.startedAt) ?? '~']),
  )
  const paces = unread.some(([id, book]) => !isPacedByItself(book, own.get(id) ?? unknown))
    ? await pacesOf(db, userId, now)
    : new Map<FileFormat, Enough>()
  return new Map(
    [...books].map(([id, book]) => {
      if (book.isRead) return [id, { ...nothingLeft, pagesLeft: book.pageCount > 0 ? 0 : null }]
      return [id, leftOf(book, own.get(id) ?? unknown, paces.get(book.format))]
    }),
  )
}

const unknown: OwnPace = { pages: 0, pacedMs: 0, measuredMs: 0, unmeasured: 0 }

const measuredOf = ({ pages, pacedMs }: OwnPace): Enough => ({ pages, ms: pacedMs })

const isPacedByItself = ({ pageCount }: BookInHand, own: OwnPace): boolean =>
  pageCount === 0 || isEnough(measuredOf(own), enoughOfBook)

const leftOf = (book: BookInHand, own: OwnPace, ofFormat: Enough | undefined): ReadingTimeLeft => {
  if (book.pageCount === 0) return leftOfWhole(book, own)
  const { page, percentage, positionPageCount } = book
  const { currentPage } = shownIn(book.pageCount, { page, percentage, pageCount: positionPageCount })
  const pagesLeft = book.pageCount - currentPage
  if (isPacedByItself(book, own)) return leftAt(measuredOf(own), pagesLeft, 'book')
  return ofFormat ? leftAt(ofFormat, pagesLeft, 'format') : { pagesLeft, timeLeftMs: null, basis: null }
}

const leftAt = ({ pages, ms }: Enough, pagesLeft: number, basis: 'book' | 'format'): ReadingTimeLeft => ({
  pagesLeft,
  timeLeftMs: Math.round((ms / pages) * pagesLeft),
  basis,
})

/** A book without pages tells how far one is: if all of that was measured, the rest takes as long as it did. */
const leftOfWhole = ({ percentage }: BookInHand, { measuredMs, unmeasured }: OwnPace): ReadingTimeLeft => {
  const isKnown = percentage !== null && percentage >= enoughRead && measuredMs >= enoughOfBook.ms && unmeasured === 0
  return isKnown
    ? { pagesLeft: null, timeLeftMs: Math.round((measuredMs / percentage) * (1 - percentage)), basis: 'book' }
    : { pagesLeft: null, timeLeftMs: null, basis: null }
}
