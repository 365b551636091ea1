/** Leave one out: each of what somebody has read and liked is hidden once; is it among the ten that are recommended? */
import { recommend } from '../src/recommend.ts'
import { type Household, type Reader, libraryOf, makeHousehold } from './household.ts'

const limit = 10

export interface Figures {
  readonly cases: number
  readonly hitRate: number
  /** The mean of one divided by the place it was found at. */
  readonly reciprocalRank: number
}

type Recommender = (household: Household, reader: Reader, hidden: number) => Promise<readonly string[]>

export const ours: Recommender = async (household, reader, hidden) =>
  (
    await recommend({
      library: libraryOf(household, reader, hidden),
      limit,
      exclude: new Set(),
      disliked: new Set(),
      language: 'en',
      signal: new AbortController().signal,
    })
  ).map(({ externalId }) => externalId)

/** It recommends what most of the others have read and liked, of what this reader has not read. */
export const popularity: Recommender = async ({ series, readers }, reader, hidden) => {
  const own = new Set(reader.reads.map((read) => read.series))
  own.delete(hidden)
  const likes = new Map<number, number>()
  for (const { reads } of readers.filter((other) => other !== reader)) {
    for (const read of reads.filter(({ isLiked }) => isLiked)) likes.set(read.series, (likes.get(read.series) ?? 0) + 1)
  }
  return [...series.keys()]
    .filter((place) => !own.has(place))
    .toSorted((a, b) => (likes.get(b) ?? 0) - (likes.get(a) ?? 0) || a - b)
    .slice(0, limit)
    .map((place) => series[place]?.seriesId ?? '')
}

export const measure = async (household: Household, recommender: Recommender, hiddenEach: number): Promise<Figures> => {
  let cases = 0
  let hits = 0
  let ranks = 0
  for (const reader of household.readers) {
    for (const { series } of everyFew(
      reader.reads.filter(({ isLiked }) => isLiked),
      hiddenEach,
    )) {
      const found = await recommender(household, reader, series)
      const at = found.indexOf(household.series[series]?.seriesId ?? '')
      cases += 1
      if (at !== -1) hits += 1
      if (at !== -1) ranks += 1 / (at + 1)
    }
  }
  return { cases, hitRate: hits / cases, reciprocalRank: ranks / cases }
}

/** Spread over all, not the first ones: those were wanted most. */
const everyFew = <Item>(items: readonly Item[], count: number): Item[] =>
  items.filter((_, place) => place % Math.ceil(items.length / count) === 0)

if (import.meta.main) {
  for (const seed of [1, 2, 3]) {
    const household = makeHousehold(seed)
    const [mine, popular] = [await measure(household, ours, 6), await measure(household, popularity, 6)]
    const line = ({ cases, hitRate, reciprocalRank }: Figures): string =>
      `hit rate ${(hitRate * 100).toFixed(1)} %, reciprocal rank ${reciprocalRank.toFixed(3)} (${cases} cases)`
    process.stdout.write(`seed ${seed}\n  ours        ${line(mine)}\n  popularity  ${line(popular)}\n`)
  }
}
