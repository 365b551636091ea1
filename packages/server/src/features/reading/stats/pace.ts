import type { FileFormat, ReadingPaces, ReadingTimeLeft } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { shownIn } from '../progress/position.ts'
import { requireBook } from '../progress/progress.ts'
import { requireZone } from '../reading-sessions/apply.ts'
import { selectFigureZone } from '../reading-sessions/queries.ts'
import { type BookInHand, selectBookInHand, selectOwnPace, selectPaces } from './queries.ts'
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

const isEnough = (known: Enough, least: Enough): boolean => known.pages >= least.pages && known.ms >= least.ms

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
  const { kept, builtTo } = await selectFigureZone(db, userId)
  const zone = kept !== null && builtTo === null ? requireZone(kept) : undefined
  const window = { from: now.getTime() - yearMs, to: now.getTime() }
  const formats = await selectPaces(db, planOf(userId, window, { zone: zone ?? requireZone('UTC'), kept: zone }, 'day'))
  return new Map(
    formats
      .map(({ format, paced_pages, paced_ms }) => [format, { pages: paced_pages, ms: paced_ms }] as const)
      .filter(([, known]) => isEnough(known, enoughOfFormat)),
  )
}

export const readTimeLeft = async (db: ReadDb, viewer: Viewer, bookId: string, now: Date): Promise<ReadingTimeLeft> => {
  await requireBook(db, viewer, bookId)
  const book = await selectBookInHand(db, viewer.userId, bookId)
  if (!book || book.isRead) return { pagesLeft: book && book.pageCount > 0 ? 0 : null, timeLeftMs: 0, basis: null }
  // In a book without pages the progress is that of the present reading.
  const since = (book.pageCount === 0 ? book.readingSince : book.startedAt) ?? '~'
  const own = await selectOwnPace(db, { userId: viewer.userId, bookId, since })
  if (book.pageCount === 0) return leftOfWhole(book, own)
  const { currentPage } = shownIn(book.pageCount, {
    page: book.page,
    percentage: book.percentage,
    pageCount: book.positionPageCount,
  })
  const pagesLeft = book.pageCount - currentPage
  const known = { pages: own.pages, ms: own.pacedMs }
  if (isEnough(known, enoughOfBook)) return leftAt(known, pagesLeft, 'book')
  const ofFormat = (await pacesOf(db, viewer.userId, now)).get(book.format)
  return ofFormat ? leftAt(ofFormat, pagesLeft, 'format') : { pagesLeft, timeLeftMs: null, basis: null }
}

const leftAt = ({ pages, ms }: Enough, pagesLeft: number, basis: 'book' | 'format'): ReadingTimeLeft => ({
  pagesLeft,
  timeLeftMs: Math.round((ms / pages) * pagesLeft),
  basis,
})

/** A book without pages tells how far one is: if all of that was measured, the rest takes as long as it did. */
const leftOfWhole = (
  { percentage }: BookInHand,
  { measuredMs, unmeasured }: { readonly measuredMs: number; readonly unmeasured: number },
): ReadingTimeLeft => {
  const isKnown = percentage !== null && percentage >= enoughRead && measuredMs >= enoughOfBook.ms && unmeasured === 0
  return isKnown
    ? { pagesLeft: null, timeLeftMs: Math.round((measuredMs / percentage) * (1 - percentage)), basis: 'book' }
    : { pagesLeft: null, timeLeftMs: null, basis: null }
}
