import type { GroupingAdvice } from '@carrel/api'
import { policyOf } from '../grouping.ts'
import { candidatesFor } from './candidates.ts'
import { evidenceOf } from './evidence.ts'
import { type Group, weigh } from './weigh.ts'

/** To read a name takes some twenty microseconds: so many books give advice within a second. */
const weighedMax = 10_000
/** Books that lie beside each other are weighed together. */
const inOneStretch = 250

/** What each way to group would make of these paths below a root, the best first. It knows nothing but their names. */
export const advise = (paths: readonly string[]): GroupingAdvice[] => {
  const sample = sampleOf(paths)
  const books = sample.paths.map(evidenceOf)
  const candidates = candidatesFor(books).map((candidate) => ({
    candidate,
    made: policyOf(candidate),
    groups: new Map<string, Group>(),
  }))
  // All are asked about a book before the next one: they ask the same of its name and its folders.
  for (const book of books)
    for (const { made, groups } of candidates) {
      const place = made.seriesOf(book.path)
      const group = groups.get(place.key) ?? { place, books: [], parts: [], isCut: false }
      groups.set(place.key, group)
      group.books.push(book)
      group.parts.push(place.said?.isSpecial ? 'special' : String(place.volumeHint ?? ''))
    }
  const all = paths.length / Math.max(1, books.length)
  const weighed = candidates.map(({ candidate: { reason, policy, config }, made, groups }) => {
    for (const path of sample.before) {
      const cut = groups.get(made.seriesOf(path).key)
      if (cut) cut.isCut = true
    }
    const { cost, series, oneShots, warnings } = weigh([...groups.values()])
    const counts = { series: Math.round(series * all), oneShots: Math.round(oneShots * all) }
    return { cost, advice: { policy, config, reason, ...counts, warnings } }
  })
  return weighed.toSorted((one, other) => one.cost - other.cost).map(({ advice }) => advice)
}

/** Of very many, stretches at even distances, in which series stay whole, with what comes before each. */
const sampleOf = (paths: readonly string[]): { readonly paths: readonly string[]; readonly before: readonly string[] } => {
  if (paths.length <= weighedMax) return { paths, before: [] }
  const sorted = paths.toSorted()
  const stretches = weighedMax / inOneStretch
  const starts = Array.from({ length: stretches }, (_, at) =>
    Math.floor((at * (sorted.length - inOneStretch)) / (stretches - 1)),
  )
  return {
    paths: starts.flatMap((start) => sorted.slice(start, start + inOneStretch)),
    before: starts.flatMap((start) => sorted[start - 1] ?? []),
  }
}
