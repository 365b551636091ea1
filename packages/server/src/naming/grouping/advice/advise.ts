import type { GroupingAdvice } from '@carrel/api'
import { groupByPath, type PathInRoot } from '../grouping.ts'
import type { GroupedSeries } from '../grouping-policy.ts'
import { candidatesFor } from './candidates.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { type Group, weigh } from './weigh.ts'

/** To read a name takes some twenty microseconds: so many books give advice within a second. */
const weighedMax = 10_000
/** Books that lie beside each other are weighed together. */
const inOneStretch = 250

/** Fewer than two in a hundred books that are not where they seem to belong decide nothing. */
const steps = 50

/** What each way to group would make of these paths, the best first. It knows nothing but their names. */
export const advise = (paths: readonly PathInRoot[]): GroupingAdvice[] => {
  const sample = stretchesOf(paths).map(({ before, paths: beside }) => ({ before, books: beside.map(evidenceOf) }))
  const books = sample.flatMap((stretch) => stretch.books)
  const candidates = candidatesFor(books).map((candidate) => ({
    candidate,
    groups: new Map<string, Group>(),
  }))
  // All are asked about a book before the next one: they ask the same of its name and its folders.
  for (const { before, books } of sample) {
    const cut = candidates.map(({ candidate }) =>
      before === undefined ? undefined : groupByPath(candidate, before).key,
    )
    for (const book of books)
      for (const [index, { candidate, groups }] of candidates.entries())
        addTo(groups, groupByPath(candidate, book), book, cut[index])
  }
  const all = paths.length / Math.max(1, books.length)
  const weighed = candidates.map(({ candidate, groups }) => {
    const { reason, policy, config } = candidate
    const { cost, series, oneShots, warnings } = weigh([...groups.values()])
    const counts = { series: Math.round(series * all), oneShots: Math.round(oneShots * all) }
    return {
      cost: Math.floor((cost / Math.max(1, books.length)) * steps),
      advice: { policy, config, reason, ...counts, warnings },
    }
  })
  return weighed.toSorted((one, other) => one.cost - other.cost).map(({ advice }) => advice)
}

const addTo = (groups: Map<string, Group>, series: GroupedSeries, book: Evidence, cutKey: string | undefined): void => {
  const group = groups.get(series.key) ?? { series, books: [], parts: [], isCut: series.key === cutKey }
  groups.set(series.key, group)
  group.books.push(book)
  group.parts.push(series.claims?.isSpecial ? 'special' : String(series.volumeHint ?? ''))
}

interface Stretch {
  /** The path in front of it, when that one is not looked at: its series has begun before. */
  readonly before: PathInRoot | undefined
  readonly paths: readonly PathInRoot[]
}

/** All of them, or of very many stretches at even distances; series stay whole in them. */
const stretchesOf = (paths: readonly PathInRoot[]): readonly Stretch[] => {
  const isWhole = paths.length <= weighedMax
  const sorted = isWhole ? paths : paths.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const count = Math.ceil(Math.min(paths.length, weighedMax) / inOneStretch)
  return Array.from({ length: count }, (_, index) => {
    const start = isWhole ? index * inOneStretch : Math.floor((index * (sorted.length - inOneStretch)) / (count - 1))
    return { before: isWhole ? undefined : sorted[start - 1], paths: sorted.slice(start, start + inOneStretch) }
  })
}
