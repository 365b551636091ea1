/** It is as one types it: without case, accents and width. A letter may become several, or none. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').replaceAll('ø', 'o')

/** The words of a search, as `isFound` and `markHits` take them. */
export const wordsIn = (text: string): readonly string[] => {
  const needle = folded(text).trim()
  const words = needle.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return words.length > 0 || needle === '' ? words : [needle]
}

/** Where no spaces are written, a word may stand anywhere. */
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const startsAt = (text: string, word: string, isAnywhere: boolean): number => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isAnywhere || at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) || withoutSpaces.test(word)) return at
  }
  return -1
}

/** Every word begins a word of it. */
export const isFound = (text: string, words: readonly string[]): boolean => {
  const within = folded(text)
  return words.every((word) => startsAt(within, word, false) >= 0)
}

/** Every word is somewhere in it. */
export const isWithin = (text: string, words: readonly string[]): boolean => {
  const within = folded(text)
  return words.every((word) => within.includes(word))
}

export const beginsWith = (text: string, beginning: string): boolean =>
  folded(text).startsWith(folded(beginning).trim())

export interface MarkedPart {
  readonly text: string
  readonly isHit: boolean
}

/** It says which parts of a text were searched for, each word where it begins one, else where it is. */
export const markHits = (text: string, words: readonly string[]): readonly MarkedPart[] => {
  const letters = [...text]
  const indexes = letters.flatMap((letter, index) => Array.from({ length: folded(letter).length }, () => index))
  const within = letters.map(folded).join('')
  const isHit = letters.map(() => false)
  for (const word of words) {
    const begun = startsAt(within, word, false)
    const at = begun >= 0 ? begun : startsAt(within, word, true)
    if (at < 0 || word === '') continue
    for (let each = at; each < at + word.length; each += 1) isHit[indexes[each] ?? -1] = true
  }
  const parts: { text: string; isHit: boolean }[] = []
  for (const [index, letter] of letters.entries()) {
    const last = parts.at(-1)
    if (last && last.isHit === (isHit[index] ?? false)) last.text += letter
    else parts.push({ text: letter, isHit: isHit[index] ?? false })
  }
  return parts
}
