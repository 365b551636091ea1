import { fold, nameKey } from './sort-key.ts'

/** A year that tells series of one name apart: `Batman (2016)`. */
const yearBehind = /\s*\(\s*((?:19|20)\d\d)\s*\)\s*$/

export const yearInName = (name: string): number | null => {
  const [, year] = yearBehind.exec(name) ?? []
  return year === undefined ? null : Number(year)
}

/**
 * What somebody means by the name of a series, however they write it: without case, accents, punctuation, spaces, an
 * article and the year behind it.
 */
export const seriesNameKey = (name: string): string => {
  const folded = fold(name.replace(yearBehind, ''))
  const bare = folded.replace(/^(?:the|an?) (?=.)/, '').replace(/(?<=.) the$/, '')
  return bare.replaceAll(' ', '') || nameKey(name.trim())
}

const namesMax = 50

export const seriesNameKeys = (names: readonly string[]): string[] => [
  ...new Set(names.slice(0, namesMax).map(seriesNameKey)),
]
