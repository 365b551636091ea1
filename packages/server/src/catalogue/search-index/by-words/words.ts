import type { IndexedText, SoughtText } from '../../../filtering/filtering.ts'

/** What conditions on books look through for a part of it, each with the sign that its words begin with in the index. */
const signs = { title: 't', path: 'p', summary: 's' } as const satisfies Record<IndexedText, string>
const texts = Object.keys(signs) as IndexedText[]
export const textSigns = Object.values(signs)

/** Shorter words are not looked up: most texts have them. */
const shortest = 3
/** An ending goes no further, so that it fits into an index. */
export const endingLength = 40
/** A longer word is several, of which each has the end of the one before: so any ending stands whole in one of them. */
const wordLength = 400

/** These put no spaces between their words: any two neighbours are looked up. Beyond the first plane everything is a gap. */
const unspaced =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]--[\u{10000}-\u{10ffff}]]/v
const spaced = String.raw`[[\p{L}\p{N}]--${unspaced.source}--[\u{10000}-\u{10ffff}]]`
const parts = new RegExp(`(${spaced}+)|${unspaced.source}+`, 'gv')
const plain = /^[ -~]*$/
const plainParts = /[a-z0-9]+/g
const plainWords = /[a-z0-9]{3,}/g

/**
 * A part of a text between gaps. Where it ends follows from its characters alone, so that the parts of some text are found
 * again in whatever holds it, but the first and the last, which may go on there.
 */
interface TextPart {
  readonly text: string
  readonly at: number
  readonly isSpaced: boolean
}

const partsOf = (text: string): TextPart[] =>
  plain.test(text)
    ? Array.from(text.matchAll(plainParts), ({ 0: part, index }) => ({ text: part, at: index, isSpaced: true }))
    : Array.from(text.matchAll(parts), ({ 0: part, 1: word, index }) => ({
        text: part,
        at: index,
        isSpaced: word !== undefined,
      }))

const pairsOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))

/** It returns what a text is found by, in the form in which conditions compare it. */
export const wordsOfText = (text: string): ReadonlySet<string> => {
  // Most texts are of these letters only, for which the short way gives the same.
  if (plain.test(text)) return new Set((text.match(plainWords) ?? []).flatMap(piecesOf))
  return new Set(
    partsOf(text).flatMap(({ text: part, isSpaced }) => {
      if (!isSpaced) return pairsOf(part)
      return part.length < shortest ? [] : piecesOf(part)
    }),
  )
}

const piecesOf = (word: string): string | string[] => {
  if (word.length <= wordLength) return word
  const step = wordLength - endingLength
  const count = Math.ceil((word.length - endingLength) / step)
  return Array.from({ length: count }, (_, index) => word.slice(index * step, index * step + wordLength))
}

/** It returns the words of all texts of a book, each with the sign of its text. */
export const wordsOfTexts = (of: Readonly<Record<IndexedText, string | null>>): string =>
  texts.flatMap((name) => [...wordsOfText(of[name] ?? '')].map((word) => signs[name] + word)).join(' ')

export const signedWord = (text: IndexedText, word: string): string => signs[text] + word

/** It returns the words in what was made of texts by `wordsOfTexts`, those of which any part may be looked for. */
export const spelledWordsIn = (words: string): string[] => {
  const all = words.split(' ')
  const spelled = plain.test(words) ? all : all.filter((word) => !unspaced.test(word))
  return spelled.map((word) => word.slice(1)).filter((word) => word !== '')
}

/** It returns a word from each of its letters on, as far as anybody looks. */
export const endingsOf = (word: string): string[] =>
  Array.from({ length: word.length - shortest + 1 }, (_, at) => word.slice(at, at + endingLength))

/** What a part of a text says of the words of the whole. */
export type WordTest =
  | { readonly kind: 'is'; readonly word: string }
  /** Some word begins with it, ends with it, or has it anywhere. */
  | { readonly kind: 'begins' | 'ends' | 'has'; readonly part: string }

export interface WordTests {
  /** A text that holds what is looked for passes all of them. */
  readonly tests: readonly WordTest[]
  /** A text that passes them holds it. */
  readonly isExact: boolean
}

/** It returns what can be asked of words about a part of a text; nothing where it says too little. */
export const wordTestsOf = ({ operator, part: sought }: Omit<SoughtText, 'text'>): WordTests => {
  const all = partsOf(sought)
  const tests = all.flatMap((part) => testsOfPart(part, { operator, sought }))
  const [only] = all
  const isWhole = all.length === 1 && only?.text === sought && sought.length <= endingLength
  return { tests, isExact: operator === 'contains' && isWhole && (only.isSpaced || sought.length === 2) }
}

const testsOfPart = (
  { text, at, isSpaced }: TextPart,
  { operator, sought }: { readonly operator: SoughtText['operator']; readonly sought: string },
): WordTest[] => {
  if (!isSpaced) return pairsOf(text).map((word) => ({ kind: 'is', word }))
  if (text.length < shortest) return []
  // A piece of a long word has any part of it that is no longer.
  if (text.length > endingLength) return [{ kind: 'has', part: text.slice(0, endingLength) }]
  const mayBeginBefore = at === 0 && operator !== 'beginsWith'
  const mayGoOn = at + text.length === sought.length && operator !== 'endsWith'
  if (mayBeginBefore) return [{ kind: mayGoOn ? 'has' : 'ends', part: text }]
  return mayGoOn ? [{ kind: 'begins', part: text }] : [{ kind: 'is', word: text }]
}
