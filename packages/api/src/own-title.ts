/** A title may repeat these. */
export interface NumberedTitle {
  readonly title: string
  readonly seriesName: string
  readonly number?: number | null
  readonly volume?: number | null
  readonly chapter?: number | null
}

interface OwnTitle {
  /** Null: it says no more than the series and the number, or it is a mere file name of these. */
  readonly title: string | null
  /** It begins with the name of the series, as in "Harry Potter and …", which nothing can be taken from. */
  readonly saysSeries: boolean
}

/**
 * It returns the part of a book's title beyond its series and its number: for "Salt v07 - The Storm" it is "The Storm".
 */
export const titleOfItsOwn = (book: NumberedTitle): OwnTitle => {
  const names = seriesNames(book.seriesName)
  const numbers = new Set([book.number, book.volume, book.chapter].filter((number) => number != null))
  const isFile = extension.test(book.title)
  const fullTitle = isFile ? fromFileName(book.title) : book.title.normalize('NFC').trim()
  if (fullTitle === book.seriesName.normalize('NFC').trim()) return { title: null, saysSeries: false }

  const unbracketed = withoutSeriesBehind(fullTitle, names, numbers)
  const tokens = tokensOf(unbracketed)
  const title = restOf(unbracketed, tokens, beginningOf(unbracketed, tokens, { names, numbers }))
  if (title === null) return { title, saysSeries: false }
  const own = tokensOf(title)
  return { title, saysSeries: names.some((name) => beginsWith(own, name)) }
}

const extension = /\.(?:kepub\.epub|fb2\.zip|cb[zr7t]|zip|rar|epub|kepub|pdf|mobi|azw3?|fb2)$/i

const fromFileName = (title: string): string =>
  title
    .normalize('NFC')
    .replace(extension, '')
    .replaceAll('_', ' ')
    .replace(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

interface Token {
  /** Folded: of letters, digits or neither. */
  readonly text: string
  /** Digits have a value; other tokens have none. */
  readonly value: number | null
  readonly start: number
  readonly end: number
}

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(/\p{Nd}+(?:[.,]\p{Nd}+)?|[\p{L}\p{M}]+|[\p{No}\p{Nl}]/gu)].map(({ 0: matched, index }) => {
    const folded = fold(matched)
    const value = /^\d+(?:[.,]\d+)?$/.test(folded) ? Number(folded.replace(',', '.')) : null
    return { text: folded, value, start: index, end: index + matched.length }
  })

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

const wordsOf = (text: string): string[] => tokensOf(text).map((token) => token.text)

const articles = new Set(['the', 'a', 'an', 'der', 'die', 'das', 'le', 'la', 'les', 'el', 'los', 'las', 'il', 'lo'])

/** The name of a series in the words that titles have for it: with and without its year and its article. */
const seriesNames = (seriesName: string): readonly (readonly string[])[] => {
  const full = seriesName.normalize('NFC')
  const names = [full, full.replace(/\((?:19|20)\d\d\)\s*$/, '')].map(wordsOf)
  const [first = '', ...others] = names.at(-1) ?? []
  const moved = articles.has(first) && others.length > 0 ? [[...others, first], others] : []
  return [...names, ...moved].filter((words) => words.length > 0)
}

const beginsWith = (tokens: readonly Token[], words: readonly string[]): boolean =>
  words.length <= tokens.length && words.every((word, at) => tokens[at]?.text === word)

type WordLists = readonly (readonly string[])[]
type Numbers = ReadonlySet<number>

/** "The Storm (Salt, Book 7)": ebooks name their series behind their title. */
const withoutSeriesBehind = (text: string, names: WordLists, numbers: Numbers): string => {
  const closed = text.trimEnd()
  const start = closed.endsWith(')') ? closed.lastIndexOf('(') : closed.endsWith(']') ? closed.lastIndexOf('[') : -1
  const before = closed.slice(0, Math.max(0, start)).trim()
  if (before === '') return closed
  const inside = closed.slice(start + 1, -1)
  const tokens = tokensOf(inside)
  const isOfSeries = names.some((name) => beginsWith(tokens, name))
  const isNumber = tokens.length > 1 || inside.startsWith('#')
  const read = beginningOf(inside, tokens, { names, numbers })
  return (isOfSeries || isNumber) && read === tokens.length ? withoutSeriesBehind(before, names, numbers) : closed
}

interface NamesAndNumbers {
  readonly names: WordLists
  readonly numbers: Numbers
}

/** It counts the tokens at the beginning that repeat the series and the number, and are to be left out. */
const beginningOf = (text: string, tokens: readonly Token[], { names, numbers }: NamesAndNumbers): number => {
  for (const name of names) {
    if (!beginsWith(tokens, name)) continue
    const behindYear = name.length + yearAt(text, tokens, name.length)
    const end = behindNumbers(text, tokens, { from: behindYear, numbers, isBehindSeries: true })
    if (end > behindYear || isParted(text, tokens, name.length)) return end + yearAt(text, tokens, end)
  }
  return behindNumbers(text, tokens, { from: 0, numbers, isBehindSeries: false })
}

/** 1 when a year in brackets stands there, as in "Salt (2019) 7" and "Salt 7 (2019) - The Storm". */
const yearAt = (text: string, tokens: readonly Token[], at: number): number => {
  const token = tokens[at]
  const isYear = token !== undefined && /^\((?:19|20)\d\d\)/.test(text.slice(token.start - 1, token.end + 1))
  return isYear ? 1 : 0
}

/** It separates two parts of a title, unlike signs that join two words. */
const parting = /\s[-–—|~/·•]+(?=\s|$)|[:;](?=\s|$)|-(?=\s)|[：–—([]/u

const isParted = (text: string, tokens: readonly Token[], at: number): boolean => {
  const next = tokens[at]
  return next === undefined || parting.test(text.slice(tokens[at - 1]?.end ?? 0, next.start))
}

interface Walk {
  readonly from: number
  readonly numbers: Numbers
  readonly isBehindSeries: boolean
}

const behindNumbers = (text: string, tokens: readonly Token[], { from, numbers, isBehindSeries }: Walk): number => {
  let at = from
  for (;;) {
    const isSure = isBehindSeries || at > from
    const end = behindNumber(text, tokens, { at, numbers, isSure })
    if (end === at) return at
    at = behindCount(text, tokens, end)
  }
}

interface Step {
  readonly at: number
  readonly numbers: Numbers
  /** The text before leaves no doubt that a number is no part of a title. */
  readonly isSure: boolean
}

/**
 * It skips a marker and number such as `7`, `v07`, `Vol. 7`, `第7巻`; the position stays when no number of the book
 * stands there.
 */
const behindNumber = (text: string, tokens: readonly Token[], { at, numbers, isSure }: Step): number => {
  const [first, second] = [tokens[at], tokens[at + 1]]
  if (first === undefined) return at
  const isMarked = second !== undefined && isMarker(text, first, second)
  const token = isMarked ? second : first
  const next = at + (isMarked ? 2 : 1)
  if (!isNumberOfBook(token, numbers, isMarked || isSure) || isRange(text, tokens, next)) return at
  const isCounted = counters.has(tokens[next]?.text ?? '') && tokens[next]?.start === token.end
  if (isMarked || isSure || isCounted || standsAlone(text, tokens, at)) return isCounted ? next + 1 : next
  return at
}

const markers = new Set(
  'vol vols volume volumen volumes band bd tome tomo tom том book bk buch livre libro chapter chap ch chapitre kapitel kap capitulo capitolo cap глава episode ep folge issue heft ausgabe no nr num number numero nummer 第'.split(
    ' ',
  ),
)
/** These count only where they are joined to the digits. */
const letters = new Set(['v', 'c', 't', 'n'])
const counters = new Set(['巻', '卷', '册', '冊', '話', '话', '章', '回', '권', '화', 'º', '°'])

const isMarker = (text: string, word: Token, number: Token): boolean => {
  const between = text.slice(word.end, number.start)
  return letters.has(word.text)
    ? between === '' || between === '.'
    : markers.has(word.text) && /^[\s.#]*$/.test(between)
}

const isNumberOfBook = ({ text, value }: Token, numbers: Numbers, mayBeRoman: boolean): boolean =>
  value === null ? mayBeRoman && numbers.has(romanValue(text)) : numbers.has(value)

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

/** NaN when it is none. */
const romanValue = (text: string): number => {
  if (!/^(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/.test(text)) return Number.NaN
  const digits = [...text].map((letter) => romanDigits[letter] ?? 0)
  return digits.reduce((sum, digit, at) => sum + (digit < (digits[at + 1] ?? 0) ? -digit : digit), 0)
}

/** "v01-03" is more than its first. */
const isRange = (text: string, tokens: readonly Token[], at: number): boolean => {
  const [last, next] = [tokens[at - 1], tokens[at]]
  return next?.value != null && /^\s*[-–—+&]\s*$/.test(text.slice(last?.end ?? 0, next.start))
}

/** "7 Samurai" is a title; "07 Samurai", "7. Samurai" and "#7 Samurai" are one with a number before it. */
const standsAlone = (text: string, tokens: readonly Token[], at: number): boolean => {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token === undefined || token.value === null) return false
  const behind = text.slice(token.end, next?.start)
  return (
    next === undefined ||
    (token.text.startsWith('0') && token.text.length > 1) ||
    text.charAt(token.start - 1) === '#' ||
    parting.test(behind) ||
    /^[.)]\s/.test(behind)
  )
}

/** It skips "7 of 12" and "7/12"; `at` is behind the 7. */
const behindCount = (text: string, tokens: readonly Token[], at: number): number => {
  const [number, word, count] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  if (['of', 'von', 'de', 'sur'].includes(word?.text ?? '') && count?.value != null) return at + 2
  const isSlashed = word?.value != null && text.slice(number?.end, word.start).trim() === '/'
  return isSlashed ? at + 1 : at
}

/** It returns the rest of a title after this many tokens, without the separator between them. */
const restOf = (text: string, tokens: readonly Token[], read: number): string | null => {
  const last = tokens[read - 1]
  if (last === undefined) return saysSomething(text) ? text : null
  const rest = text
    .slice(last.end)
    .replace(/^[\s\-–—:：;,.|/~#·•)\]}!?&]+/u, '')
    .trim()
  return bareOf(rest)
}

/** A title all in brackets has none; a year and what stands in square brackets is no title. */
const bareOf = (rest: string): string | null => {
  if (!/^(?:\([^()]*\)|\[[^[\]]*\]|\s)*$/.test(rest)) return saysSomething(rest) ? rest : null
  const groups = [...rest.matchAll(/\(([^()]*)\)/g)].map(([, inside = '']) => inside.trim())
  const meaningful = groups.filter((inside) => saysSomething(inside) && !/^\d{4}$/.test(inside))
  return meaningful.length === 0 ? null : meaningful.join(', ')
}

const saysSomething = (text: string): boolean => /[\p{L}\p{N}\p{So}]/u.test(text)
