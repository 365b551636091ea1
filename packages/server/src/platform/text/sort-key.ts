import { spellOut } from './letters.ts'

/**
 * The key by which names are put in order and compared, the same on every database (pins W10): case, accents, width
 * and kana folded, letters such as `ø` and `ß` spelled out, punctuation as one space, runs of digits by their value. Compared byte by byte.
 */
export const sortKey = (name: string): string => `${fold(name).replace(digits, numberKey)}\u0001${name}`

/** The same folding without the digits' length bytes: what search and uniqueness compare. */
export const fold = (name: string): string => (plain.test(name) ? foldPlain(name) : spellOut(foldAny(name)))

/**
 * The same but that letters of their own stay what they are (`ß` is not `ss`). What was identified by it once must be for
 * ever: a series that is called by the names of its files would be another one.
 */
export const foldWithoutSpelling = (name: string): string => (plain.test(name) ? foldPlain(name) : foldAny(name))

/** Most names are of these letters only, for which the short way gives the same. */
const plain = /^[ -~]*$/

const foldPlain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/(?:(?!(?<=[0-9])\.(?=[0-9]))[^a-z0-9])+/g, ' ')
    .trim()

const foldAny = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[\u30a1-\u30f6]/g, (katakana) => String.fromCharCode(katakana.charCodeAt(0) - 0x60))
    // A dot between digits is a fraction and stays.
    .replace(/(?:(?!(?<=\p{Nd})\.(?=\p{Nd}))[\p{P}\p{S}\p{Z}\p{C}])+/gu, ' ')
    .trim()

const digits = /\d+(\.\d+)?/g

const numberKey = (number: string): string => {
  const [integer = '', fraction] = number.split('.')
  const significant = integer.replace(/^0+(?=\d)/, '')
  // The length goes before the digits, so that 9 comes before 10; 0x30 keeps it printable and below every letter.
  const length = String.fromCharCode(0x30 + Math.min(significant.length, 0x30))
  return fraction === undefined ? length + significant : `${length}${significant}.${fraction}`
}

/** Two names are the same name when these are: case and width do not tell users, tags or groups apart, accents do. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase()

/**
 * Conditions compare this form: text without case, accents and width. Unlike a folded name it keeps its punctuation, so
 * that `100%` is not `100` and a path is a path. A part of a text becomes a part of the result.
 */
export const plainText = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : spellOut(
        text
          .normalize('NFKD')
          .replace(/\p{M}+/gu, '')
          .toLowerCase(),
      )
