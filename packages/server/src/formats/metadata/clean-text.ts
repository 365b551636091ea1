import { cutText } from '../../platform/text/cut-text.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { nameKey } from '../../platform/text/sort-key.ts'
import { textLimits } from '../limits.ts'
import { plainText } from './plain-text.ts'

/**
 * These functions make text of a stranger's file fit to store and to show: nothing that moves a cursor, turns the
 * direction of what follows or breaks a database, and nothing longer than allowed. All of them give undefined for text
 * that says nothing.
 */
type Text = string | undefined

/** One line. */
export const cleanLine = (text: Text, lengthMax: number = textLimits.title): string | undefined => {
  if (text === undefined) return undefined
  if (text.length <= lengthMax && clean.test(text)) return text
  // U+0085 ends a line, but is no white space to JavaScript.
  return composed(visible(text, lengthMax).replace(/[\s\u0085]+/g, ' '), lengthMax)
}

/** Most lines are clean already, and it takes less to see that than to clean them. */
const clean = /^[!-~]+(?: [!-~]+)*$/

export const cleanName = (text: Text): string | undefined => cleanLine(text, textLimits.name)

/** Paragraphs, of plain text or HTML. */
export const cleanSummary = (text: Text): string | undefined => {
  if (text === undefined) return undefined
  const words = visible(plainText(text.slice(0, roomFor(textLimits.summary))), textLimits.summary)
  const paragraphs = words
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
  return composed(paragraphs, textLimits.summary)
}

/** Names of people, genres, tags: each once, whatever its case. */
export const cleanList = (values: readonly Text[], lengthMax: number = textLimits.name): readonly string[] => {
  const byKey = new Map<string, string>()
  for (const value of values) {
    if (byKey.size >= textLimits.listLength) break
    const clean = cleanLine(value, lengthMax)
    if (clean !== undefined && !byKey.has(nameKey(clean))) byKey.set(nameKey(clean), clean)
  }
  return [...byKey.values()]
}

/** It splits one text that names several values. `Robert Downey, Jr.` is one. */
export const splitList = (text: Text): readonly string[] => {
  const parts: string[] = []
  for (const part of (text ?? '').split(/[,;，、；]/, 10 * textLimits.listLength)) {
    const last = parts.at(-1)
    if (last !== undefined && belongsToNameBefore.test(part))
      parts[parts.length - 1] = `${last.trimEnd()}, ${part.trim()}`
    else parts.push(part)
  }
  return parts.filter((part) => part.trim() !== '')
}

const belongsToNameBefore = /^\s*(?:jr|sr|ii|iii|iv|ph\.?d|m\.?d)\.?\s*$/i

export interface NumberRange {
  readonly min: number
  readonly max: number
}

/** A number outside the range is not clamped but ignored. */
export const cleanNumber = (text: Text, { min, max }: NumberRange): number | undefined => {
  const written = text?.trim() ?? ''
  if (!/^[+-]?\d{1,12}(?:[.,]\d{1,12})?$/.test(written)) return undefined
  const value = Number(written.replace(',', '.'))
  return value >= min && value <= max ? value : undefined
}

export const cleanInteger = (text: Text, range: NumberRange): number | undefined => {
  const value = cleanNumber(text, range)
  return Number.isInteger(value) ? value : undefined
}

export interface CleanDate {
  readonly year?: number
  readonly month?: number
  readonly day?: number
}

/** Earlier years come only from programs that write `0101-01-01` for "unknown". */
const years = { min: 1000, max: 2200 }

/**
 * It keeps as much of a date as is possible: no day without its month, no month without its year, no 30th of February.
 */
export const cleanDate = (date: { year?: Text; month?: Text; day?: Text }): CleanDate => {
  const year = cleanInteger(date.year, years)
  if (year === undefined) return {}
  const month = cleanInteger(date.month, { min: 1, max: 12 })
  if (month === undefined) return { year }
  const day = cleanInteger(date.day, { min: 1, max: new Date(Date.UTC(year, month, 0)).getUTCDate() })
  return day === undefined ? { year, month } : { year, month, day }
}

/** A date in one text: as of ISO 8601, or any text with one year in it. */
export const cleanDateText = (text: Text): CleanDate => {
  const written = (text ?? '').trim().slice(0, 100)
  const [, year, month, day] = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)/.exec(written) ?? []
  if (year !== undefined) return cleanDate({ year, month, day })
  return cleanDate({ year: /(?<!\d)(?:1\d|20|21)\d{2}(?!\d)/.exec(written)?.[0] })
}

const knownLanguages = new BoundedMap<string | false>(1000)

/** The result is BCP 47, in its shortest form: `eng` and `English` are `en`, `pt_BR` is `pt-BR`. */
export const cleanLanguage = (text: Text): string | undefined => {
  const written = text?.trim() ?? ''
  if (written.length < 2 || written.length > 35) return undefined
  const code = knownLanguages.get(written) ?? languageOf(written) ?? false
  knownLanguages.set(written, code)
  return code || undefined
}

const languageOf = (written: string): string | undefined => {
  const named = languagesByName().get(written.toLowerCase())
  if (named !== undefined) return named
  const tag = written.replace(/[.@].*$/, '').replaceAll('_', '-')
  // Longer ones are reserved, and what stands there is a word.
  if (!/^[a-z]{2,3}(?:-|$)/i.test(tag) || /^(?:und|zxx|mul|mis)\b/i.test(tag)) return undefined
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag)
    return isLanguage(canonical.split('-')[0] ?? '') ? canonical : undefined
  } catch {
    return undefined
  }
}

/** Node takes 20 ms to have them, which no process spends before it reads of a language. */
let languageNames: Intl.DisplayNames | undefined

const isLanguage = (code: string): boolean => {
  languageNames ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  return languageNames.of(code) !== undefined
}

let byName: ReadonlyMap<string, string> | undefined

const languagesByName = (): ReadonlyMap<string, string> => {
  byName ??= new Map(
    `ar bg ca cs da de el en es et eu fa fi fr gl he hi hr hu id is it ja ko lt lv ms nb nl no pl pt ro ru sk sl sr sv
      th tr uk vi zh`
      .split(/\s+/)
      .flatMap((code) => [
        [nameIn('en', code), code],
        [nameIn(code, code), code],
      ]),
  )
  return byName
}

const nameIn = (language: string, code: string): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(code)?.toLowerCase() ?? code

/** ISBN-13, without hyphens; undefined when its check digit is wrong. */
export const cleanIsbn = (text: Text): string | undefined => {
  const written = (text ?? '')
    .slice(0, 60)
    .replace(/^\s*(?:urn:)?(?:e?isbn)?(?:-?1[03])?\s*[:=]?/i, '')
    .replace(/[\s\u2010-\u2015-]/g, '')
    .toUpperCase()
  if (/^97[89]\d{10}$/.test(written)) return checkDigit13(written) === written.at(-1) ? written : undefined
  if (!/^\d{9}[\dX]$/.test(written) || checkSum10(written) % 11 !== 0) return undefined
  const body = `978${written.slice(0, 9)}`
  return body + checkDigit13(body)
}

const checkDigit13 = (digits: string): string => {
  const sum = Array.from(digits.slice(0, 12)).reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
  return String((10 - (sum % 10)) % 10)
}

const checkSum10 = (digits: string): number =>
  Array.from(digits).reduce((total, digit, index) => total + (digit === 'X' ? 10 : Number(digit)) * (10 - index), 0)

/** An address of the web a person may follow; others, and those with a password in them, are none. */
export const cleanUrl = (text: Text): string | undefined => {
  const written = text?.trim() ?? ''
  if (written.length > 2048 || !/^https?:\/\//i.test(written)) return undefined
  const url = URL.parse(written)
  return url === null || url.username !== '' || url.password !== '' ? undefined : url.href
}

/** Only this much of a text is read: enough for what is cut away before it is measured. */
const roomFor = (lengthMax: number): number => 4 * lengthMax + 1024

// oxlint-disable-next-line no-control-regex -- These are what must not be in it.
const terminalCodes = /\x1B(?:\[[\d;?]{0,32}[A-Za-z]|\][^\x07\x1B]{0,256}(?:\x07|\x1B\\))/g
/** Controls, lone surrogates, what overrides the direction of text, what is not seen at all, what is no character. */
const unseen =
  /(?![\t\n\r\x85])\p{Cc}|\p{Cs}|[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]/gu

const visible = (text: string, lengthMax: number): string =>
  text.slice(0, roomFor(lengthMax)).replace(terminalCodes, '').replace(unseen, '')

const composed = (text: string, lengthMax: number): string | undefined => {
  return cutText(text.normalize('NFC').trim(), lengthMax).trimEnd() || undefined
}
