import { type Findings, startReading } from './findings.ts'
import { applyMarkerRules } from './marker-rules.ts'
import { isSeparator, yearMark } from './plain-text.ts'
import { editions, languages, releaseWords, specialEditions, specialWords } from './words.ts'

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '【': '】' }

const closers = Object.values(closing)

/** A bracket is judged by what stands around it. */
interface BracketContext {
  /** It is the name up to here, without brackets. */
  readonly textBefore: string
  readonly opening: string
  readonly isEbook: boolean
}

/** A rule replaces a bracket by other text, or by nothing. */
type BracketRule = (inside: string, findings: Findings, context: BracketContext) => string | undefined

const month = String.raw`(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,7}[.,]?\s)?`
const bracketYear = new RegExp(
  String.raw`^${month}((?:18|19|20)\d\d)(?:[-–.](?:\d{1,4}(?:[-.]\d\d)?|present|ongoing)?)?$`,
  'i',
)
const seriesAndNumber = /^(.{2,}?),?\s(?:#|(?:book|vol\.?|volume|bd\.?|band|tome)\s?#?)(\d{1,4}(?:\.\d)?)$/i
const seriesInEbook = /^(.{2,}?)\s#?(\d{1,3}(?:\.\d)?)$/

/** `(2016)`, `(2011-)`, `(June 2016)`: where it stood says whether it is the book's or the series'. */
const year: BracketRule = (inside, { years }) => {
  const match = bracketYear.exec(inside)
  if (!match) return undefined
  years.push(Number(match[1]))
  return yearMark
}

/** `[FR]`, `(English)`. */
const language: BracketRule = (inside, findings) => {
  const code = languages.get(inside.toLowerCase())
  if (code === undefined) return undefined
  findings.language ??= code
  return ''
}

/** `(TPB)`, `[Oneshot]`, `(light novel)`. */
const edition: BracketRule = (inside, findings) => {
  const canonical = editions.get(inside.toLowerCase())
  if (canonical === undefined) return undefined
  findings.edition ??= canonical
  if (specialEditions.has(canonical)) findings.isSpecial = true
  return ''
}

/** `(digital)`, `(c2c)`, `(2 covers)`, `(1920px)`. */
const release: BracketRule = (inside) =>
  releaseWords.has(inside.toLowerCase()) || /^(?:\d{1,4}\s?(?:covers?|pages|px|dpi|p)|v\d\.\d)$/i.test(inside)
    ? ''
    : undefined

/** `(digital-Empire)`: who made it stands behind how. */
const releaseAndGroup: BracketRule = (inside, findings) => {
  const match = /^(?:digital|webrip|web|c2c)-(.+)$/i.exec(inside)
  if (!match) return undefined
  findings.groups.push(match[1] ?? inside)
  return ''
}

/** `Chapter 236 (v2)`: made a second time. Before a number it is a volume. */
const revision: BracketRule = (inside, _, { textBefore }) =>
  /^v\d$/i.test(inside) && /\d\s?$/.test(textBefore.slice(-2)) ? '' : undefined

/** `(The Kingkiller Chronicle #2)` behind the title of a book. */
const seriesOfBook: BracketRule = (inside, findings, { textBefore, isEbook }) => {
  const match = seriesAndNumber.exec(inside)
  if (!isEbook || !match || textBefore.trim() === '' || findings.seriesTitle !== undefined) return undefined
  findings.seriesTitle = match[1] ?? ''
  if (/#\d/.test(inside)) findings.number = match[2] ?? ''
  else findings.volume = Number(match[2])
  return ''
}

/** `Author - [Series 03] - Title`. */
const seriesBetweenDashes: BracketRule = (inside, findings, { textBefore, opening, isEbook }) => {
  const match = seriesInEbook.exec(inside)
  const stands = isEbook && opening === '[' && /^$|-\s?$/.test(textBefore.slice(-2))
  if (!stands || !match || findings.seriesTitle !== undefined) return undefined
  findings.seriesTitle = match[1] ?? ''
  findings.number = match[2] ?? ''
  return ''
}

/** `(C99) [Circle] Title`: the Comiket at which it was sold, and no chapter. */
const convention: BracketRule = (inside, findings, { opening, textBefore }) => {
  if (opening !== '(' || textBefore.trim() !== '' || !/^C\d{2,3}$/.test(inside)) return undefined
  findings.groups.push(inside)
  return ''
}

/** `[Ch. 514]`, `(v12)`, `(of 06)`, `(上)`, `[Vol. 3 Ch. 12 - Title]`: as if it stood there without brackets. */
const marker: BracketRule = (inside, findings, { isEbook }) => {
  if (/^(?:\d{1,4}\s)?of\s\d{1,4}$/i.test(inside)) return inside
  const reading = startReading(inside, { groups: [], years: [] })
  applyMarkerRules(reading)
  const first = reading.markers.find(({ start }) => start === 0)
  if (first === undefined) return undefined
  if (isSeparator(reading.unread)) return inside
  const isTitled = first.axis === 'volume' || first.axis === 'chapter'
  return isTitled && /^\s?(?:[-–—:]\s|\uE001)/.test(reading.unread.slice(first.end))
    ? readBrackets(inside, findings, isEbook)
    : undefined
}

/** `(Special)`. */
const special: BracketRule = (inside, findings) => {
  if (!specialWords.some((word) => word === inside.toLowerCase())) return undefined
  findings.isSpecial = true
  return ''
}

/** `[01]`, `（２７）`: a number, but for the `(1)` of a copy and the `(123)` of calibre. */
const bareNumber: BracketRule = (inside, _, { opening, textBefore }) => {
  if (!/^\d{1,4}$/.test(inside)) return undefined
  const isMeant =
    opening === '[' ||
    inside.startsWith('0') ||
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー]\s?$/u.test(textBefore.slice(-2))
  return isMeant ? inside : ''
}

/** Any other bracket mostly names who scanned, released or published it. */
const group: BracketRule = (inside, findings) => {
  if (inside !== '') findings.groups.push(inside)
  return ''
}

/** The rules run in this order; the first that knows a bracket decides. */
const rules: readonly BracketRule[] = [
  year,
  language,
  edition,
  release,
  releaseAndGroup,
  revision,
  convention,
  special,
  seriesOfBook,
  seriesBetweenDashes,
  marker,
  bareNumber,
  group,
]

/** The text without its brackets, but for what in them belongs to the name. A bracket that does not close stays. */
export const readBrackets = (text: string, findings: Findings, isEbook: boolean): string => {
  let read = ''
  let position = 0
  for (const { start, end } of outerBrackets(text)) {
    read += text.slice(position, start)
    const inside = text.slice(start + 1, end).trim()
    const context = { textBefore: read, opening: text.charAt(start), isEbook }
    const instead = firstAnswer(inside, findings, context)
    read += ` ${instead} `
    position = end + 1
  }
  return (read + text.slice(position))
    .replace(/[《》]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const firstAnswer = (inside: string, findings: Findings, context: BracketContext): string => {
  for (const rule of rules) {
    const answer = rule(inside, findings, context)
    if (answer !== undefined) return answer
  }
  return ''
}

/** Brackets that no other bracket holds. */
const outerBrackets = (text: string): readonly { readonly start: number; readonly end: number }[] => {
  const brackets: { start: number; end: number }[] = []
  const open: { readonly closes: string; readonly start: number }[] = []
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    const closes = closing[character]
    if (closes !== undefined) open.push({ closes, start: index })
    if (!closers.includes(character)) continue
    const matching = open.findLastIndex((each) => each.closes === character)
    if (matching < 0) continue
    const start = open[matching]?.start ?? index
    open.length = matching
    while (brackets.length > 0 && (brackets.at(-1)?.start ?? -1) > start) brackets.pop()
    brackets.push({ start, end: index })
  }
  return brackets
}
