import type { LibraryEntry, Recommendation } from '@carrel/plugin-sdk'
import { breather } from './breathe.ts'
import { type Feature, type FeatureSpace, featureSpaceOf, inCommon } from './features.ts'
import { type Ranked, rank } from './rank.ts'
import { type Language, reasonFor } from './reasons.ts'
import { isBegun, tasteOf } from './taste.ts'
import { withVariety } from './variety.ts'

export interface RecommendRequest {
  readonly library: readonly LibraryEntry[]
  readonly limit: number
  /** These are never recommended. */
  readonly exclude: ReadonlySet<string>
  /** These are not recommended either, and what is like them is recommended less. */
  readonly disliked: ReadonlySet<string>
  readonly language: Language
  readonly signal: AbortSignal
}

/** It returns what the user could read next, and why. The same question has the same answer. */
export const recommend = async (options: RecommendRequest): Promise<Recommendation[]> => {
  // The order in which a host sends the library says nothing.
  const library = options.library.toSorted((a, b) => (a.seriesId < b.seriesId ? -1 : 1))
  const taste = tasteOf(library, options.disliked)
  const candidates = [...library.keys()].filter((index) => mayBeRecommended(library[index], options))
  const breathe = breather(options.signal)
  const space = await featureSpaceOf(library, breathe)
  const ranked = await rank(space, taste, candidates, breathe)
  return withVariety(ranked, space, options.limit).flatMap((one) => inWords(one, library, space, options.language))
}

/** Series they already plan to read need no recommendation. */
const mayBeRecommended = (entry: LibraryEntry | undefined, { exclude, disliked }: RecommendRequest): boolean =>
  entry !== undefined &&
  !isBegun(entry) &&
  entry.readingStatus !== 'plan_to_read' &&
  !exclude.has(entry.seriesId) &&
  !disliked.has(entry.seriesId)

const inWords = (
  { index, score, because }: Ranked,
  library: readonly LibraryEntry[],
  space: FeatureSpace,
  language: Language,
): Recommendation[] => {
  const entry = library[index]
  if (!entry) return []
  // These say nearly as much as the first.
  const telling = because.filter(({ pull }) => pull > (because[0]?.pull ?? 0) / 2).slice(0, 3)
  const entries = telling.flatMap(({ index: other }) => library[other] ?? [])
  const [first, second] = telling.map(({ index: other }) => commonOf(index, other, space))
  const both = (first ?? []).filter((feature) => second?.includes(feature))
  return [
    {
      externalId: entry.seriesId,
      codexSeriesId: entry.seriesId,
      inLibrary: true,
      title: entry.title,
      score: Math.round((1 - Math.exp(-score)) * 1_000) / 1_000,
      reason: reasonFor(entries, { first: first ?? [], both }, language),
      basedOn: entries.map(({ title }) => title),
      genres: entry.genres ?? [],
      ...(entry.year != null && { startYear: entry.year }),
      ...(entry.status != null && { status: entry.status }),
    },
  ]
}

const commonOf = (index: number, other: number | undefined, { vectors, features }: FeatureSpace): Feature[] => {
  const [one, its] = [vectors[index], vectors[other ?? -1]]
  if (!one || !its) return []
  return inCommon(one, its)
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => b.share - a.share || a.feature - b.feature)
    .flatMap(({ feature }) => features[feature] ?? [])
}
