import { hash } from 'node:crypto'
import { fold } from './sort-key.ts'

const articles = 'the|an?|les?|la|der|die|das|el|l[ao]s|il|lo|gli|het'
const leading = new RegExp(`^(?:(?:${articles}) |l )(?=.)`)
const trailing = new RegExp(`,\\s*(?:${articles}|l['’]?)\\s*$`, 'iu')

/**
 * Two spellings of the same title have this key in common: case, accents, width, kana, spaces, punctuation and an
 * article at either end are removed. It is empty when nothing is left.
 */
export const titleKey = (title: string): string => {
  const words = fold(title.normalize('NFKC').replace(trailing, '').replaceAll('×', 'x')).replace(leading, '')
  // Some are called by signs alone.
  const key = words.replaceAll(' ', '') || title.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
  return boundedKey(key)
}

/** Nobody uses longer names, and no index holds longer keys. */
const keyMax = 200

export const boundedKey = (key: string): string =>
  key.length <= keyMax ? key : `${key.slice(0, keyMax - 33).toWellFormed()}~${hash('sha256', key).slice(0, 32)}`

/** A year that tells series of one name apart: `Batman (2016)`. */
const yearBehind = /\s*\(\s*((?:19|20)\d\d)\s*\)\s*$/

export const yearInName = (name: string): number | null => {
  const [, year] = yearBehind.exec(name) ?? []
  return year === undefined ? null : Number(year)
}

/** It is the key of a series name, however it is written: a title, without the year behind it. */
export const seriesNameKey = (name: string): string => titleKey(name.replace(yearBehind, '')) || titleKey(name)

const namesMax = 50

export const seriesNameKeys = (names: readonly string[]): string[] => [
  ...new Set(names.slice(0, namesMax).map(seriesNameKey)),
]
