/** The sessions that entries come to, and the pages read in each: decision 024, in the plainest way. */
import { type Finished, type HouseBook, type HouseEntry, inOrder, type Stated } from './log.ts'

export interface HouseSession {
  readonly book: HouseBook
  readonly device: string
  readonly isSession: boolean
  readonly start: number
  end: number
  measured: number | null
  inferred: number
  /** Null: nobody said how many. */
  pages: number | null
  completions: number
  readonly entries: HouseEntry[]
}

const near = 5 * 60_000

/** It computes the sessions of one reader in one book from their entries. */
export const sessionsOf = (
  entries: readonly HouseEntry[],
  finished: readonly Finished[],
  stated: readonly Stated[],
): HouseSession[] => {
  const ends = new Set(finished.map(({ entry }) => entry))
  const resets = inOrder(entries).filter(({ kind }) => kind === 'reset')
  const readingOf = (entry: HouseEntry) =>
    resets.filter((reset) => reset.at < entry.at || (reset.at === entry.at && reset.place < entry.place)).length
  const read = entries.filter(({ how, kind }) => kind !== 'reset' && how !== 'mark' && how !== 'restore')
  const groups = Map.groupBy(read, (entry) => `${readingOf(entry)} ${entry.device}`)
  const sessions = [...groups.values()].flatMap((own) => ofDevice(own, ends))
  const pressed = entries.filter((entry) => ends.has(entry) && (entry.how === 'mark' || entry.how === 'restore'))
  const alone = pressed.map((entry) => aloneAt(entry.book, entry.device, entry.at, [entry]))
  const statedAlone = stated.map(({ book, at }) => aloneAt(book, 'unknown', at, []))
  const all = [...sessions, ...alone, ...statedAlone].sort((one, other) => one.start - other.start)
  countPages(
    all,
    resets.map(({ at }) => at),
  )
  return all
}

const aloneAt = (book: HouseBook, device: string, at: number, entries: HouseEntry[]): HouseSession => ({
  book,
  device,
  isSession: false,
  start: at,
  end: at,
  measured: null,
  inferred: 0,
  pages: null,
  completions: 1,
  entries,
})

interface Stretch {
  readonly entry: HouseEntry
  readonly guests: readonly HouseEntry[]
  readonly end: number
}

/** A position saved while somebody measures, or up to five minutes after, belongs to what was measured. */
const stretchesOf = (entries: readonly HouseEntry[]): Stretch[] => {
  const measured = entries.filter(({ activeMs }) => activeMs !== null).sort((one, other) => one.started - other.started)
  const hostOf = (entry: HouseEntry) =>
    entry.activeMs === null
      ? measured.findLast((each) => each.started <= entry.at && entry.at <= each.at + near)
      : undefined
  return entries
    .filter((entry) => hostOf(entry) === undefined)
    .map((entry) => {
      const guests = entries.filter((each) => hostOf(each) === entry)
      return { entry, guests, end: Math.max(entry.at, ...guests.map(({ at }) => at)) }
    })
    .sort((one, other) => one.entry.started - other.entry.started)
}

const ofDevice = (entries: readonly HouseEntry[], ends: ReadonlySet<HouseEntry>): HouseSession[] => {
  const sessions: HouseSession[] = []
  let last: Stretch | undefined
  for (const stretch of stretchesOf(entries)) {
    const { entry, guests } = stretch
    const every = [entry, ...guests]
    let session = sessions.at(-1)
    const wasEnded = last && [last.entry, ...last.guests].some(({ kind }) => kind === 'completed')
    if (!session || wasEnded || entry.started > session.end + near) {
      session = { ...aloneAt(entry.book, entry.device, entry.started, []), isSession: true, completions: 0 }
      sessions.push(session)
    } else if (last && guesses(last.entry) && guesses(entry)) {
      session.inferred += Math.max(0, entry.started - session.end)
    }
    session.end = Math.max(session.end, stretch.end)
    for (const each of every) {
      if (each.activeMs !== null) session.measured = (session.measured ?? 0) + each.activeMs
      if (ends.has(each)) session.completions += 1
      session.entries.push(each)
    }
    last = stretch
  }
  return sessions
}

/** "never from POST /reading-sessions …; what was brought in infers nothing" */
const guesses = ({ infers, how, activeMs }: HouseEntry): boolean => infers && how === 'put' && activeMs === null

/** A page counts once, until a reset, or until the book was finished and the reader is back in its first half. */
const countPages = (all: readonly HouseSession[], resets: readonly number[]): void => {
  let seen = new Set<number>()
  let unplaced = 0
  let isFinished = false
  let since = 0
  for (const session of all) {
    const begun = resets.filter((at) => at <= session.end).length
    const claims = session.entries.filter(({ pagesRead }) => pagesRead !== null)
    if (begun !== since || (isFinished && claims.some(isInFirstHalf))) {
      seen = new Set()
      unplaced = 0
      isFinished = false
    }
    since = begun
    for (const claim of claims) {
      const room = claim.book.pageCount === 0 ? Infinity : claim.book.pageCount - seen.size - unplaced
      const pages = pagesOf(claim)
      const fresh = pages ? pages.filter((page) => !seen.has(page)).length : (claim.pagesRead ?? 0)
      const counted = Math.max(0, Math.min(fresh, room))
      seen = new Set([...seen, ...(pages ?? [])])
      if (!pages) unplaced += counted
      session.pages = (session.pages ?? 0) + counted
    }
    isFinished ||= session.entries.some(({ finishes }) => finishes)
  }
}

/** It returns the pages read up to its end; undefined where nobody can say which. */
const pagesOf = ({ pagesRead, page, book }: HouseEntry): number[] | undefined => {
  if (page === null || book.pageCount === 0 || !pagesRead) return undefined
  const count = Math.min(pagesRead, book.pageCount)
  const first = Math.max(1, Math.min(page, book.pageCount) - count + 1)
  return Array.from({ length: count }, (_, index) => first + index)
}

const isInFirstHalf = (claim: HouseEntry): boolean => {
  const [first] = pagesOf(claim) ?? []
  return first === undefined ? (claim.pagesRead ?? 0) > 0 : first <= claim.book.pageCount / 2
}
