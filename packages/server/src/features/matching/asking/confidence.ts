import type { SearchResult } from '@carrel/plugin-sdk/protocol'
import { seriesNameKey } from '../../../platform/text/name-keys.ts'

interface TitleAndYear {
  readonly title: string
  readonly year: number | null
}

const sameTitle = 0.9
const sameYear = 0.1
const otherYear = 0.4
/** Titles that are only alike are never certain. */
const alikeMax = 0.7

/** From 0 to 1: how sure one may be that a result of a search is what was looked for. What the plugin says of it counts. */
export const confidenceOf = ({ title, year }: TitleAndYear, result: SearchResult): number => {
  const titles = [result.title, ...(result.alternateTitles ?? [])].slice(0, 20)
  const key = seriesNameKey(title)
  const isSame = titles.some((each) => seriesNameKey(each) === key)
  const alike = isSame ? sameTitle : alikeMax * Math.max(0, ...titles.map((each) => likeness(key, seriesNameKey(each))))
  const score = alike + yearsSay(year, result.year ?? null)
  const relevance = result.relevanceScore ?? 1
  return Math.min(1, Math.max(0, Math.min(score, relevance)))
}

const yearsSay = (one: number | null, other: number | null): number => {
  if (one === null || other === null) return 0
  if (one === other) return sameYear
  return Math.abs(one - other) === 1 ? 0 : -otherYear
}

/** The share of pairs of letters that two texts have in common. */
const likeness = (one: string, other: string): number => {
  const [pairs, others] = [pairsOf(one), pairsOf(other)]
  if (pairs.length + others.length === 0) return 0
  const left = new Map<string, number>()
  for (const pair of pairs) left.set(pair, (left.get(pair) ?? 0) + 1)
  let shared = 0
  for (const pair of others) {
    const count = left.get(pair) ?? 0
    if (count > 0) shared += 1
    left.set(pair, count - 1)
  }
  return (2 * shared) / (pairs.length + others.length)
}

const pairsOf = (text: string): string[] => {
  const letters = [...text]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}
