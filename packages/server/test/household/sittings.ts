/** The sittings that facts come to, and the pages read in each: decision 024, in the plainest way. */
import { type Finished, type HouseBook, type HouseFact, inOrder, type Stated } from './log.ts'

export interface HouseSitting {
  readonly book: HouseBook
  readonly device: string
  readonly isSitting: boolean
  readonly start: number
  end: number
  measured: number | null
  inferred: number
  /** Null: nobody said how many. */
  pages: number | null
  completions: number
  readonly facts: HouseFact[]
}

const near = 5 * 60_000

/** It computes the sittings of one reader in one book from their facts. */
export const sittingsOf = (
  facts: readonly HouseFact[],
  finished: readonly Finished[],
  stated: readonly Stated[],
): HouseSitting[] => {
  const ends = new Set(finished.map(({ fact }) => fact))
  const resets = inOrder(facts).filter(({ kind }) => kind === 'reset')
  const readingOf = (fact: HouseFact) =>
    resets.filter((reset) => reset.at < fact.at || (reset.at === fact.at && reset.place < fact.place)).length
  const read = facts.filter(({ how, kind }) => kind !== 'reset' && how !== 'mark' && how !== 'restore')
  const groups = Map.groupBy(read, (fact) => `${readingOf(fact)} ${fact.device}`)
  const sittings = [...groups.values()].flatMap((own) => ofDevice(own, ends))
  const pressed = facts.filter((fact) => ends.has(fact) && (fact.how === 'mark' || fact.how === 'restore'))
  const alone = pressed.map((fact) => aloneAt(fact.book, fact.device, fact.at, [fact]))
  const said = stated.map(({ book, at }) => aloneAt(book, 'unknown', at, []))
  const all = [...sittings, ...alone, ...said].sort((one, other) => one.start - other.start)
  countPages(
    all,
    resets.map(({ at }) => at),
  )
  return all
}

const aloneAt = (book: HouseBook, device: string, at: number, facts: HouseFact[]): HouseSitting => ({
  book,
  device,
  isSitting: false,
  start: at,
  end: at,
  measured: null,
  inferred: 0,
  pages: null,
  completions: 1,
  facts,
})

interface Stretch {
  readonly fact: HouseFact
  readonly guests: readonly HouseFact[]
  readonly end: number
}

/** A position saved while somebody measures, or up to five minutes after, belongs to what was measured. */
const stretchesOf = (facts: readonly HouseFact[]): Stretch[] => {
  const measured = facts.filter(({ activeMs }) => activeMs !== null).sort((one, other) => one.started - other.started)
  const hostOf = (fact: HouseFact) =>
    fact.activeMs === null
      ? measured.findLast((each) => each.started <= fact.at && fact.at <= each.at + near)
      : undefined
  return facts
    .filter((fact) => hostOf(fact) === undefined)
    .map((fact) => {
      const guests = facts.filter((each) => hostOf(each) === fact)
      return { fact, guests, end: Math.max(fact.at, ...guests.map(({ at }) => at)) }
    })
    .sort((one, other) => one.fact.started - other.fact.started)
}

const ofDevice = (facts: readonly HouseFact[], ends: ReadonlySet<HouseFact>): HouseSitting[] => {
  const sittings: HouseSitting[] = []
  let last: Stretch | undefined
  for (const stretch of stretchesOf(facts)) {
    const { fact, guests } = stretch
    const every = [fact, ...guests]
    let sitting = sittings.at(-1)
    const wasEnded = last && [last.fact, ...last.guests].some(({ kind }) => kind === 'completed')
    if (!sitting || wasEnded || fact.started > sitting.end + near) {
      sitting = { ...aloneAt(fact.book, fact.device, fact.started, []), isSitting: true, completions: 0 }
      sittings.push(sitting)
    } else if (last && guesses(last.fact) && guesses(fact)) {
      sitting.inferred += Math.max(0, fact.started - sitting.end)
    }
    sitting.end = Math.max(sitting.end, stretch.end)
    for (const each of every) {
      if (each.activeMs !== null) sitting.measured = (sitting.measured ?? 0) + each.activeMs
      if (ends.has(each)) sitting.completions += 1
      sitting.facts.push(each)
    }
    last = stretch
  }
  return sittings
}

/** "never from POST /reading-sessions …; what was brought in infers nothing" */
const guesses = ({ infers, how, activeMs }: HouseFact): boolean => infers && how === 'put' && activeMs === null

/** A page counts once, until a reset, or until the book was finished and the reader is back in its first half. */
const countPages = (all: readonly HouseSitting[], resets: readonly number[]): void => {
  let seen = new Set<number>()
  let unplaced = 0
  let isFinished = false
  let since = 0
  for (const sitting of all) {
    const begun = resets.filter((at) => at <= sitting.end).length
    const claims = sitting.facts.filter(({ pagesRead }) => pagesRead !== null)
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
      sitting.pages = (sitting.pages ?? 0) + counted
    }
    isFinished ||= sitting.facts.some(({ finishes }) => finishes)
  }
}

/** It returns the pages read up to its end; undefined where nobody can say which. */
const pagesOf = ({ pagesRead, page, book }: HouseFact): number[] | undefined => {
  if (page === null || book.pageCount === 0 || !pagesRead) return undefined
  const count = Math.min(pagesRead, book.pageCount)
  const first = Math.max(1, Math.min(page, book.pageCount) - count + 1)
  return Array.from({ length: count }, (_, index) => first + index)
}

const isInFirstHalf = (claim: HouseFact): boolean => {
  const [first] = pagesOf(claim) ?? []
  return first === undefined ? (claim.pagesRead ?? 0) > 0 : first <= claim.book.pageCount / 2
}
