import { hash } from 'node:crypto'
import { fold } from './sort-key.ts'

const articles = 'the|an?|les?|la|der|die|das|el|l[ao]s|il|lo|gli|het'
const leading = new RegExp(`^(?:(?:${articles}) |l )(?=.)`)
const trailing = new RegExp(`,\\s*(?:${articles}|l['’]?)\\s*$`, 'iu')

/**
 * What two titles have in common that are the same title: case, accents, width, kana, spaces, punctuation and an article
 * at either end put away. Empty when nothing is left of it.
 */
export const titleKey = (title: string): string => {
  const words = fold(title.normalize('NFKC').replace(trailing, '').replaceAll('×', 'x')).replace(leading, '')
  // Some are called by signs alone.
  const key = words.replaceAll(' ', '') || title.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
  return boundedKey(key)
}

/** Longer keys are not what people call anything, and no index holds them. */
const keyMax = 200

export const boundedKey = (key: string): string =>
  key.length <= keyMax ? key : `${key.slice(0, keyMax - 33).toWellFormed()}~${hash('sha256', key).slice(0, 32)}`

/** A year that tells series of one name apart: `Batman (2016)`. */
const yearBehind = /\s*\(\s*((?:19|20)\d\d)\s*\)\s*$/

export const yearInName = (name: string): number | null => {
  const [, year] = yearBehind.exec(name) ?? []
  return year === undefined ? null : Number(year)
}

/** What somebody means by the name of a series, however they write it: a title, without the year behind it. */
export const seriesNameKey = (name: string): string => titleKey(name.replace(yearBehind, '')) || titleKey(name)

const namesMax = 50

export const seriesNameKeys = (names: readonly string[]): string[] => [
  ...new Set(names.slice(0, namesMax).map(seriesNameKey)),
]
