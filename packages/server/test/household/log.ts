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

export interface HouseFact {
  /** It says in which order the facts were sent. */
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
  readonly fact: HouseFact
  readonly started: number
}

/** It is the result of the log of one book. */
export interface Standing {
  readonly at: HouseFact | undefined
  readonly started: number
  readonly completed: number | undefined
  readonly isRereading: boolean
  /** When the reading they are in now began. */
  readonly readingSince: number
  readonly held: ReadonlySet<HouseFact>
  readonly finished: readonly Finished[]
}

const hour = 3_600_000

/** It completes a position: page and percentage are each computed from the other, where only one was sent. */
export const placeIn = (
  { pageCount }: HouseBook,
  said: { readonly page: number | null; readonly percentage: number | null },
): { page: number | null; percentage: number | null } => {
  // The contract: `currentPage` is 0 where only a percentage is known.
  if (pageCount === 0 && said.page === 0 && said.percentage !== null) return { page: null, percentage: said.percentage }
  if (pageCount === 0) return { page: said.page, percentage: said.percentage }
  if (said.page !== null) {
    const page = Math.min(said.page, pageCount)
    return { page, percentage: said.percentage ?? page / pageCount }
  }
  if (said.percentage === null) return { page: null, percentage: null }
  const page = Math.min(pageCount, Math.max(1, Math.round(said.percentage * pageCount)))
  return { page, percentage: said.percentage }
}

export const isEnd = (
  { pageCount }: HouseBook,
  { page, percentage }: { readonly page: number | null; readonly percentage: number | null },
): boolean => (pageCount > 0 && page !== null && page >= pageCount) || (percentage !== null && percentage >= 0.98)

export const inOrder = (facts: readonly HouseFact[]): HouseFact[] =>
  [...facts].sort((one, other) => one.at - other.at || one.place - other.place)

interface Waiting {
  readonly fact: HouseFact
  last: number
  steps: number
}

/** Everything between two resets. */
interface Reading {
  at: HouseFact | undefined
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

export const standingFrom = (facts: readonly HouseFact[]): Standing => {
  const held = new Set<HouseFact>()
  const finished: Finished[] = []
  let reading = newReading()
  for (const fact of inOrder(facts)) {
    if (fact.kind === 'reset') reading = newReading()
    else if (fact.page !== null || fact.percentage !== null || fact.finishes) tell(reading, fact, { held, finished })
  }
  const { at, started, completed, isRereading, since } = reading
  return { at, started, completed, isRereading, readingSince: since, held, finished }
}

const tell = (
  reading: Reading,
  fact: HouseFact,
  { held, finished }: { readonly held: Set<HouseFact>; readonly finished: Finished[] },
): void => {
  if (fact.how === 'restore') {
    setOutright(reading, fact)
    return
  }
  const released = releasedBy(reading, fact)
  for (const each of released) held.delete(each)
  if (released.length === 0 && seemsAccident(reading, fact)) {
    held.add(fact)
    reading.waiting.push({ fact, last: fact.percentage ?? 0, steps: 0 })
    return
  }
  const isOver = reading.completed !== undefined && !reading.isRereading
  if (fact.finishes) {
    if (finish(reading, fact, isOver)) finished.push({ fact, started: reading.since })
    return
  }
  // "completed stays …; a position after it opens a re-read only past 2 %."
  if (isOver && (fact.percentage ?? 0) <= 0.02) return
  if (isOver || !reading.at) beginAgain(reading, fact)
  if (isOver) reading.isRereading = true
  reading.furthestBack = Math.min(reading.furthestBack, fact.percentage ?? 0)
  reading.at = fact
}

const beginAgain = (reading: Reading, fact: HouseFact): void => {
  if (!reading.at) reading.started = fact.started
  reading.since = fact.started
  reading.furthestBack = 1
  reading.isCounted = false
}

/** It returns whether it counts as another time. */
const finish = (reading: Reading, fact: HouseFact, isOver: boolean): boolean => {
  if (!reading.at) beginAgain(reading, fact)
  const isReread = reading.completed !== undefined
  const counts = !isOver && !reading.isCounted && (!isReread || reading.furthestBack <= 0.5)
  reading.at = fact
  reading.completed ??= fact.at
  reading.isRereading = false
  reading.isCounted = true
  return counts
}

/** Position and completion become what that point said. */
const setOutright = (reading: Reading, fact: HouseFact): void => {
  if (!reading.at) beginAgain(reading, fact)
  reading.at = fact
  reading.completed = fact.finishes ? (reading.completed ?? fact.at) : undefined
  reading.isRereading = false
  reading.furthestBack = fact.percentage ?? 0
  reading.isCounted ||= fact.finishes
  reading.waiting = []
}

/** "not from the device of the standing position, at ≤ 2 % or page 1, and the standing position is ≥ 10 % and ≥ 5 pages" */
const seemsAccident = ({ at, completed, isRereading }: Reading, fact: HouseFact): boolean => {
  if (!at || at.device === fact.device || fact.finishes) return false
  const isAtStart = (fact.page !== null && fact.page <= 1) || (fact.percentage !== null && fact.percentage <= 0.02)
  const percentage = completed !== undefined && !isRereading ? 1 : (at.percentage ?? 1)
  return isAtStart && percentage >= 0.1 && (at.page === null || at.page >= 5)
}

/** "by two further forward positions of that device in the next 60 minutes of client time" */
const releasedBy = (reading: Reading, fact: HouseFact): HouseFact[] => {
  reading.waiting = reading.waiting.filter((each) => fact.at - each.fact.at <= hour)
  for (const each of reading.waiting) {
    if (each.fact.device !== fact.device || (fact.percentage ?? 0) <= each.last) continue
    each.last = fact.percentage ?? 0
    each.steps += 1
  }
  const isMeant = reading.waiting.some(({ steps }) => steps >= 2)
  const released = reading.waiting.filter((each) => isMeant && each.fact.device === fact.device)
  reading.waiting = reading.waiting.filter((each) => !released.includes(each))
  return released.map((each) => each.fact)
}
