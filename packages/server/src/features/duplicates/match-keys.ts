import { hash } from 'node:crypto'
import { fold } from '../../platform/sort-key.ts'

const articles = 'the|an?|les?|la|der|die|das|el|l[ao]s|il|lo|gli|het'
const leading = new RegExp(`^(?:(?:${articles}) |l )(?=.)`)
const trailing = new RegExp(`,\\s*(?:${articles}|l['’]?)\\s*$`, 'iu')

/** Longer keys are not what people call anything, and no index holds them. */
const keyMax = 200

/**
 * What two titles have in common that are the same title: case, accents, width, kana, spaces, punctuation and an article
 * at either end put away. Empty when nothing is left of it.
 */
export const titleKey = (title: string): string => {
  const words = fold(title.normalize('NFKC').replace(trailing, '').replaceAll('×', 'x')).replace(leading, '')
  // Some are called by signs alone.
  const key = words.replaceAll(' ', '') || title.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
  return bounded(key)
}

/** `anilist` and `plugin:anilist` are one source. */
export const externalIdKey = (source: string, id: string): string =>
  bounded(`${source.startsWith('plugin:') ? '' : 'plugin:'}${source}:${id}`)

const bounded = (key: string): string =>
  key.length <= keyMax ? key : `${key.slice(0, keyMax - 33).toWellFormed()}~${hash('sha256', key).slice(0, 32)}`
