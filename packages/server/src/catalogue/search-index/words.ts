import { fold, nameKey } from '../../platform/text/sort-key.ts'
import { isbnsIn, withPlainIsbns } from './isbn.ts'
import { isSign, signWords, soughtSigns } from './signs.ts'

const wordLengthMax = 64
const wordsOfTextMax = 400
/** From so many letters on a word may have been written with one mistake. */
const forgivenFrom = 5

/** Scripts that put no spaces between their words: any two neighbours are looked up, so that any part is found. */
const runPattern = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+`
const run = new RegExp(runPattern, 'u')
const runsApart = new RegExp(`(${runPattern})`, 'u')
const leadingZeros = /(?<![\d.])0+(?=\d)/g

/** What is compared: folded, and with numbers as they are said (`007` is `7`). */
export const searchText = (text: string): string => {
  const folded = fold(text.toWellFormed()).normalize('NFC').replace(leadingZeros, '')
  return folded === '' ? signsOf(text) : folded
}

/** It returns the words of a text of nothing but signs; signs of ASCII in their wide form, which no tokeniser takes for a gap. */
const signsOf = (text: string): string =>
  nameKey(text.toWellFormed())
    // What joins emoji into one, or makes a flag of one, belongs to them.
    .replace(/(?:\s|(?![\u200D\u{E0020}-\u{E007F}])\p{C})+/gu, ' ')
    .replace(/[\uFE0E\uFE0F\p{EMod}]/gu, '')
    .trim()
    .replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))

/** Words of a text that has been prepared, and its runs without spaces as they stand. */
const partsOf = (prepared: string): string[] => {
  const words = prepared.split(' ')
  const parts = run.test(prepared) ? words.flatMap((word) => word.split(runsApart)) : words
  return parts.includes('') ? parts.filter((part) => part !== '') : parts
}

/** Everything a text is found by. */
export const indexedWords = (texts: Iterable<string>): ReadonlySet<string> => {
  const words = new Set<string>()
  for (const text of texts) {
    for (const part of partsOf(searchText(text))) {
      addPart(words, part)
      if (words.size >= wordsOfTextMax) return words
    }
    for (const word of signWords(text)) words.add(cut(word))
    for (const word of isbnsIn(text)) words.add(cut(word))
  }
  return words
}

const addPart = (words: Set<string>, part: string): void => {
  if (!run.test(part)) words.add(cut(part))
  else for (const word of singlesAndPairs(part)) words.add(word)
}

/** `Spider-Man` is also `spiderman`, `S.H.I.E.L.D.` also `shield`. */
export const joinedWords = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter((chunk) => /[\p{L}\p{N}][^\p{L}\p{N}\p{M}]+[\p{L}\p{N}]/u.test(chunk))
    .map((chunk) => searchText(chunk).replaceAll(' ', ''))
    .filter((word) => word.length <= wordLengthMax / 2 && !run.test(word))

const singlesAndPairs = (part: string): string[] => {
  const characters = Array.from(part)
  return characters.flatMap((character, index) => {
    const next = characters[index + 1]
    return next === undefined ? [character] : [character, character + next]
  })
}

const cut = (word: string): string =>
  word.length <= wordLengthMax ? word : word.slice(0, wordLengthMax).toWellFormed()

/** What somebody looks for, one part after the other; all of them must be there. */
export type Sought =
  /** The last one may still be typed. */
  | { readonly kind: 'word'; readonly word: string; readonly mayGoOn: boolean }
  | { readonly kind: 'run'; readonly run: string; readonly words: readonly string[] }

const soughtMax = 20

export const soughtIn = (typed: string): readonly Sought[] => {
  const text = withPlainIsbns(typed)
  const parts = [...new Set(soughtParts(text))].slice(0, soughtMax)
  return parts.map((part, index): Sought => {
    if (!run.test(part)) return { kind: 'word', word: cut(part), mayGoOn: index === parts.length - 1 }
    const all = singlesAndPairs(part)
    const pairs = all.filter((word) => Array.from(word).length === 2)
    return { kind: 'run', run: part, words: pairs.length > 0 ? pairs : all }
  })
}

/** Emoji first: the last word may still be typed. */
const soughtParts = (text: string): string[] => {
  const signs = signWords(text)
  const isAllSigns = fold(text.toWellFormed()) === '' && signs.length > 0
  return isAllSigns ? signs : [...soughtSigns(text), ...partsOf(searchText(text))]
}

/** It returns how a wanted title may begin: beside words, no title has emoji (`searchText`), and none that begins so is meant. */
export const soughtTitle = (text: string): string => {
  const title = searchText(text)
  return fold(text.toWellFormed()) === '' ? title : [title, ...soughtSigns(text)].join(' ')
}

/** The word with each one of its letters left out. Two words with one mistake between them have one of these in common. */
export const withoutOneLetter = (word: string): string[] => {
  const letters = Array.from(word)
  return [...new Set(letters.map((_, index) => [...letters.slice(0, index), ...letters.slice(index + 1)].join('')))]
}

export const isForgiven = (word: string): boolean => hasLetters(word, forgivenFrom)

/** So many that one of them may be a mistake; numbers and pictures are never mistaken. */
export const hasLetters = (word: string, count: number): boolean =>
  Array.from(word).length >= count && !/\d/.test(word) && !isSign(word)

/** One letter more, less or other, or two neighbours the wrong way round. */
export const isOneMistakeAway = (one: string, other: string): boolean => {
  const [short, long] = [Array.from(one), Array.from(other)].sort((a, b) => a.length - b.length)
  if (!short || !long || long.length - short.length > 1) return false
  let position = 0
  while (position < short.length && short[position] === long[position]) position += 1
  if (position === long.length) return false
  const rest = (letters: readonly string[], from: number) => letters.slice(from).join('\0')
  if (long.length > short.length) return rest(short, position) === rest(long, position + 1)
  if (rest(short, position + 1) === rest(long, position + 1)) return true
  return (
    short[position] === long[position + 1] &&
    short[position + 1] === long[position] &&
    rest(short, position + 2) === rest(long, position + 2)
  )
}
