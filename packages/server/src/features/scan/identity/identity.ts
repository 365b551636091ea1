import { posix } from 'node:path'

/** A file whose content has been read, and which is not yet known to be any book. */
export interface Arrival {
  readonly path: string
  /** The library it lies in. */
  readonly libraryId: string
  readonly content: string | null
  readonly pages: string | null
  /** The book that had this very path until now, when its content was another. */
  readonly replaces: string | undefined
}

/** A book that has no file, or whose file holds something else now. */
export interface Candidate {
  readonly bookId: string
  readonly libraryId: string
  readonly path: string
  /** Its path is gone. Otherwise it holds other content now. */
  readonly isGone: boolean
  /** It was missing before. */
  readonly isLost: boolean
  /** What it holds, or held when it was last seen. */
  readonly current: string | null
  readonly contents: ReadonlySet<string>
  readonly pageSets: ReadonlySet<string>
}

type How = 'moved' | 're-zipped'

export interface Match {
  readonly bookId: string
  readonly isLost: boolean
  readonly how: How
}

/**
 * Which arrival is which book (C11, rungs 2 and 3): the id goes with the content, wherever it lies, and with the pages
 * where only what stands beside them has changed. In the same library first. A book is matched once.
 */
export const matchArrivals = (
  arrivals: readonly Arrival[],
  candidates: readonly Candidate[],
): ReadonlyMap<Arrival, Match> => {
  const matches = new Map<Arrival, Match>()
  const taken = new Set<string>()
  const byContent = index(candidates, ({ contents }) => contents)
  const byPages = index(
    candidates.filter(({ isGone }) => isGone),
    ({ pageSets }) => pageSets,
  )
  const rungs = [
    { how: 'moved', of: byContent, hashOf: ({ content }: Arrival) => content },
    { how: 're-zipped', of: byPages, hashOf: ({ pages }: Arrival) => pages },
  ] as const
  const match = (arrival: Arrival, { how, of, hashOf }: (typeof rungs)[number], isNear: boolean): void => {
    const hash = hashOf(arrival)
    if (matches.has(arrival) || hash === null) return
    const mayBe = ({ bookId, libraryId }: Candidate): boolean =>
      !taken.has(bookId) && isNear === (libraryId === arrival.libraryId)
    const book = best(arrival, hash, of.get(hash) ?? [], mayBe)
    if (!book) return
    taken.add(book.bookId)
    matches.set(arrival, { bookId: book.bookId, isLost: book.isLost, how })
  }
  for (const rung of rungs)
    for (const isNear of [true, false]) for (const arrival of arrivals) match(arrival, rung, isNear)
  return matches
}

const index = (
  candidates: readonly Candidate[],
  hashesOf: (candidate: Candidate) => ReadonlySet<string>,
): ReadonlyMap<string, readonly Candidate[]> => {
  const byKey = new Map<string, Candidate[]>()
  for (const candidate of candidates)
    for (const hash of hashesOf(candidate)) {
      const others = byKey.get(hash)
      if (others) others.push(candidate)
      else byKey.set(hash, [candidate])
    }
  return byKey
}

/** Several books may have this content: it picks the one that was here, held it last, had this name; else the oldest. */
const best = (
  { path }: Arrival,
  hash: string,
  candidates: readonly Candidate[],
  mayBe: (candidate: Candidate) => boolean,
): Candidate | undefined => {
  const name = posix.basename(path)
  const rank = (each: Candidate): number =>
    (each.path === path ? 4 : 0) + (each.current === hash ? 2 : 0) + (posix.basename(each.path) === name ? 1 : 0)
  let match: Candidate | undefined
  for (const each of candidates) {
    if (!mayBe(each)) continue
    if (!match || rank(each) > rank(match) || (rank(each) === rank(match) && each.bookId < match.bookId)) match = each
  }
  return match
}
