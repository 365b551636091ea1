/**
 * It keeps what a reader has sent, and works out their position from it: C12 and decision 018 are implemented once
 * more, in the plainest way, always from the whole log. Nothing here is taken from the server.
 */
import type { FileFormat } from '@carrel/api'

export interface HouseBook {
  readonly id: string
  readonly title: string
  readonly seriesId: string
  readonly seriesName: string
  readonly format: FileFormat
  /** 0: its text flows. */
  readonly pageCount: number
}

export type How = 'put' | 'session' | 'mark' | 'restore' | 'import'

export interface HouseEntry {
  /** It says in which order the entries were sent. */
  readonly place: number
  readonly book: HouseBook
  readonly device: string
  readonly infers: boolean
  readonly how: How
  readonly kind: 'progress' | 'completed' | 'reset'
  readonly started: number
  readonly at: number
  readonly page: number | null
  readonly percentage: number | null
  readonly finishes: boolean
  readonly activeMs: number | null
  readonly pagesRead: number | null
}

/** A completion the reader has stated, beside the log. */
export interface Stated {
  readonly book: HouseBook
  readonly started: number
  readonly at: number
}

export interface Finished {
  readonly entry: HouseEntry
  readonly started: number
}

/** It is the result of the log of one book. */
export interface Standing {
  readonly at: HouseEntry | undefined
  readonly started: number
  readonly completed: number | undefined
  readonly isRereading: boolean
  /** When the reading they are in now began. */
  readonly readingSince: number
  readonly held: ReadonlySet<HouseEntry>
  readonly finished: readonly Finished[]
}

const hour = 3_600_000

/** It completes a position: page and percentage are each computed from the other, where only one was sent. */
export const placeIn = (
  { pageCount }: HouseBook,
  position: { readonly page: number | null; readonly percentage: number | null },
): { page: number | null; percentage: number | null } => {
  // The contract: `currentPage` is 0 where only a percentage is known.
  if (pageCount === 0 && position.page === 0 && position.percentage !== null)
    return { page: null, percentage: position.percentage }
  if (pageCount === 0) return { page: position.page, percentage: position.percentage }
  if (position.page !== null) {
    const page = Math.min(position.page, pageCount)
    return { page, percentage: position.percentage ?? page / pageCount }
  }
  if (position.percentage === null) return { page: null, percentage: null }
  const page = Math.min(pageCount, Math.max(1, Math.round(position.percentage * pageCount)))
  return { page, percentage: position.percentage }
}

export const isEnd = (
  { pageCount }: HouseBook,
  { page, percentage }: { readonly page: number | null; readonly percentage: number | null },
): boolean => (pageCount > 0 && page !== null && page >= pageCount) || (percentage !== null && percentage >= 0.98)

export const inOrder = (entries: readonly HouseEntry[]): HouseEntry[] =>
  [...entries].sort((one, other) => one.at - other.at || one.place - other.place)

interface Waiting {
  readonly entry: HouseEntry
  last: number
  steps: number
}

/** Everything between two resets. */
interface Reading {
  at: HouseEntry | undefined
  started: number
  completed: number | undefined
  isRereading: boolean
  since: number
  furthestBack: number
  isCounted: boolean
  waiting: Waiting[]
}

const newReading = (): Reading => ({
  at: undefined,
  started: 0,
  completed: undefined,
  isRereading: false,
  since: 0,
  furthestBack: 1,
  isCounted: false,
  waiting: [],
})

export const standingFrom = (entries: readonly HouseEntry[]): Standing => {
  const held = new Set<HouseEntry>()
  const finished: Finished[] = []
  let reading = newReading()
  for (const entry of inOrder(entries)) {
    if (entry.kind === 'reset') reading = newReading()
    else if (entry.page !== null || entry.percentage !== null || entry.finishes)
      tell(reading, entry, { held, finished })
  }
  const { at, started, completed, isRereading, since } = reading
  return { at, started, completed, isRereading, readingSince: since, held, finished }
}

const tell = (
  reading: Reading,
  entry: HouseEntry,
  { held, finished }: { readonly held: Set<HouseEntry>; readonly finished: Finished[] },
): void => {
  if (entry.how === 'restore') {
    setOutright(reading, entry)
    return
  }
  const released = releasedBy(reading, entry)
  for (const each of released) held.delete(each)
  if (released.length === 0 && seemsAccident(reading, entry)) {
    held.add(entry)
    reading.waiting.push({ entry, last: entry.percentage ?? 0, steps: 0 })
    return
  }
  const isOver = reading.completed !== undefined && !reading.isRereading
  if (entry.finishes) {
    if (finish(reading, entry, isOver)) finished.push({ entry, started: reading.since })
    return
  }
  // "completed stays …; a position after it opens a re-read only past 2 %."
  if (isOver && (entry.percentage ?? 0) <= 0.02) return
  if (isOver || !reading.at) beginAgain(reading, entry)
  if (isOver) reading.isRereading = true
  reading.furthestBack = Math.min(reading.furthestBack, entry.percentage ?? 0)
  reading.at = entry
}

const beginAgain = (reading: Reading, entry: HouseEntry): void => {
  if (!reading.at) reading.started = entry.started
  reading.since = entry.started
  reading.furthestBack = 1
  reading.isCounted = false
}

/** It returns whether it counts as another time. */
const finish = (reading: Reading, entry: HouseEntry, isOver: boolean): boolean => {
  if (!reading.at) beginAgain(reading, entry)
  const isReread = reading.completed !== undefined
  const counts = !isOver && !reading.isCounted && (!isReread || reading.furthestBack <= 0.5)
  reading.at = entry
  reading.completed ??= entry.at
  reading.isRereading = false
  reading.isCounted = true
  return counts
}

/** Position and completion become what that point said. */
const setOutright = (reading: Reading, entry: HouseEntry): void => {
  if (!reading.at) beginAgain(reading, entry)
  reading.at = entry
  reading.completed = entry.finishes ? (reading.completed ?? entry.at) : undefined
  reading.isRereading = false
  reading.furthestBack = entry.percentage ?? 0
  reading.isCounted ||= entry.finishes
  reading.waiting = []
}

/** "not from the device of the standing position, at ≤ 2 % or page 1, and the standing position is ≥ 10 % and ≥ 5 pages" */
const seemsAccident = ({ at, completed, isRereading }: Reading, entry: HouseEntry): boolean => {
  if (!at || at.device === entry.device || entry.finishes) return false
  const isAtStart = (entry.page !== null && entry.page <= 1) || (entry.percentage !== null && entry.percentage <= 0.02)
  const percentage = completed !== undefined && !isRereading ? 1 : (at.percentage ?? 1)
  return isAtStart && percentage >= 0.1 && (at.page === null || at.page >= 5)
}

/** "by two further forward positions of that device in the next 60 minutes of client time" */
const releasedBy = (reading: Reading, entry: HouseEntry): HouseEntry[] => {
  reading.waiting = reading.waiting.filter((each) => entry.at - each.entry.at <= hour)
  for (const each of reading.waiting) {
    if (each.entry.device !== entry.device || (entry.percentage ?? 0) <= each.last) continue
    each.last = entry.percentage ?? 0
    each.steps += 1
  }
  const isMeant = reading.waiting.some(({ steps }) => steps >= 2)
  const released = reading.waiting.filter((each) => isMeant && each.entry.device === entry.device)
  reading.waiting = reading.waiting.filter((each) => !released.includes(each))
  return released.map((each) => each.entry)
}
