import { BoundedMap } from '../platform/memory/bounded-map.ts'
import { people, splitAuthor } from './authors.ts'
import { readBareNumber } from './bare-number.ts'
import { readBrackets } from './brackets.ts'
import { type Findings, type Marker, type Reading, startReading } from './findings.ts'
import { withoutEditions, withoutTail } from './loose-words.ts'
import { applyMarkerRules } from './marker-rules.ts'
import { isSeparator, plainName, type PlainName, trimTitle, yearMark } from './plain-text.ts'
import { parseSeriesName } from './series-name.ts'

/** It is what the name of a file says of the book in it. Null means that it does not say. */
export interface BookName {
  /** The book's own title, not the series'. */
  readonly title: string | null
  readonly seriesTitle: string | null
  /** A year that stands with the series, before the number. */
  readonly seriesYear: number | null
  readonly year: number | null
  readonly volume: number | null
  readonly volumeEnd: number | null
  readonly chapter: number | null
  readonly chapterEnd: number | null
  /** The number is as written: `7`, `012.5`, `1A`, `½`. */
  readonly number: string | null
  readonly numberEnd: string | null
  /** It says of how many the book is one. */
  readonly count: number | null
  /** Volumes and chapters are counted within the season. */
  readonly season: number | null
  /** `2`, `上`, `a`. */
  readonly part: string | null
  /** The book stands beside the order of its series: an extra, an annual, a one-shot. */
  readonly isSpecial: boolean
  readonly edition: string | null
  /** ISO 639-1. */
  readonly language: string | null
  readonly authors: readonly string[]
  /** These stood in brackets and say none of this: who scanned or released it, mostly. */
  readonly groups: readonly string[]
}

/** These are known of a book besides its name. Digits in the title of its series are not taken for its number. */
export interface NameContext {
  readonly folder?: string | undefined
  readonly seriesName?: string | undefined
}

export const parseBookName = (name: string, context: NameContext = {}): BookName => {
  const { plain, text, findings: read } = withoutTags(name)
  if (text === undefined) return bookName({ groups: [], years: [] }, { title: plain.stem })

  const findings = { ...read, groups: [...read.groups], years: [...read.years] }
  const reading = startReading(text, findings, knownLength(text, context))
  applyMarkerRules(reading)
  readBareNumber(reading)
  readSeasonFromPart(reading)
  const titles = readTitles(reading)
  return bookName(findings, plain.isEbook ? withAuthors(titles, reading) : titles)
}

interface WithoutTags {
  readonly plain: PlainName
  /** What is in brackets and at the end is taken away, but nothing else. */
  readonly head: string
  /** Undefined: nothing is left. */
  readonly text: string | undefined
  readonly findings: Findings
}

/** What is read first is the same wherever the book lies. */
const withoutTags = (name: string): WithoutTags => {
  const cached = lately.get(name)
  if (cached) return cached
  const plain = plainName(name)
  const findings: Findings = { groups: [], years: [] }
  const unbracketed = readBrackets(plain.text, findings, plain.isEbook)
  const head = withoutTail(unbracketed, findings, plain.isDotted)
  const text = isSeparator(unbracketed) ? undefined : withoutEditions(head, findings)
  const read = { plain, head, text, findings }
  lately.set(name, read)
  return read
}

/** A scan groups some hundred books, and then names them. */
const lately = new BoundedMap<WithoutTags>(1000)

/**
 * It is the title of a book as long as nothing better is known: its file name without tags. It is never empty. `parsed`
 * is what `parseBookName` says of the same name.
 */
export const bookTitle = (name: string, { authors, title }: BookName = parseBookName(name)): string => {
  if (authors.length > 0 && title !== null) return title
  const { plain, head } = withoutTags(name)
  const text = plain.isEbook ? headOfTitle(plain) : head
  return trimTitle(text.replace(/(?<=\d) of \d{1,4}(?=\s|$)/, '')) || plain.stem || name.trim() || '?'
}

/** What stands in brackets in the name of an ebook may say less of its title than of its series. */
const headOfTitle = ({ text, isDotted }: PlainName): string => {
  const findings: Findings = { groups: [], years: [] }
  return withoutTail(readBrackets(text, findings, false), findings, isDotted)
}

interface Titles {
  readonly title: string
  readonly seriesTitle?: string
  readonly authors?: readonly string[]
}

const readTitles = (reading: Reading): Titles => {
  const { text, findings } = reading
  const cuts = cutsOf(reading)
  const [first] = cuts
  readYears(reading, first)
  if (first === undefined) return { title: trimTitle(text) || (findings.specialWord ?? '') }
  const title = titleBehind(reading, cuts) || (findings.specialWord ?? '')
  const seriesTitle = trimTitle(text.slice(0, first.start))
  if (findings.seriesTitle !== undefined) return { title: seriesTitle || title }
  // `0012 [Vol. 3 Ch. 12]`: the number a downloader counts by.
  if (/^0\d{1,4}$/.test(seriesTitle) && findings.number === undefined) {
    findings.number = seriesTitle
    return { title }
  }
  return { title, seriesTitle: seriesTitle.replace(/^\d{1,3}\.\s(?=\p{L})/u, '') }
}

/** The title stands behind the last marker, or else between two: `v09 - Battle for Power Part 1`. */
const titleBehind = ({ unread, findings }: Reading, cuts: readonly Marker[]): string => {
  for (const [index, { end }] of [...cuts.entries()].toReversed()) {
    const title = trimTitle(unread.slice(end, cuts[index + 1]?.start))
    if (title !== '' && !saysNothing(title, findings.number)) return title
  }
  return ''
}

/** `完` and the number once more. */
const saysNothing = (title: string, number: string | undefined): boolean =>
  /^(?:完|完结|完結|완|완결)$/.test(title) || title === `#${number}` || title === number

/** The markers before which the title of the series ends and after which the title of the book begins. */
const cutsOf = ({ markers, unread }: Reading): readonly Marker[] => {
  const sorted = markers.filter(({ cuts }) => cuts !== 'never').toSorted((a, b) => a.start - b.start)
  return sorted.filter((marker, index) => {
    const next = sorted[index + 1]
    return marker.cuts === 'always' || next === undefined || isSeparator(unread.slice(marker.end, next.start))
  })
}

/** `Part 2 Volume 3`: volumes are counted within the part, as chapters are within a season; not so `Volume 3 Part 2`. */
const readSeasonFromPart = ({ markers, findings }: Reading): void => {
  const startOf = (axis: Marker['axis']): number | undefined => markers.find((marker) => marker.axis === axis)?.start
  const [part, volume] = [startOf('part'), startOf('volume')]
  const isBefore = part !== undefined && volume !== undefined && part < volume
  if (isBefore && /^\d+$/.test(findings.part ?? '')) findings.season ??= Number(findings.part)
}

const readYears = ({ text, findings }: Reading, first: Marker | undefined): void => {
  let position = text.indexOf(yearMark)
  for (const year of findings.years) {
    const isOfSeries =
      first !== undefined && position >= 0 && position < first.start && !isSeparator(text.slice(0, position))
    if (isOfSeries) findings.seriesYear ??= year
    else findings.year ??= year
    position = text.indexOf(yearMark, position + 1)
  }
}

const withAuthors = (titles: Titles, { text, knownUntil, findings }: Reading): Titles => {
  const { title, seriesTitle } = titles
  // calibre writes `Title - Author` into a folder that is called `Title (123)`.
  const behind =
    knownUntil > 0 && text.startsWith(' - ', knownUntil) ? people(trimTitle(text.slice(knownUntil + 3))) : undefined
  if (behind && !seriesTitle) return { title: trimTitle(text.slice(0, knownUntil)), authors: behind }
  if (seriesTitle === undefined || seriesTitle === '') return { ...titles, ...splitAuthor(title) }
  // Publishers of light novels do not name their files by author, and their series often look like two names.
  const split = findings.edition === 'Light Novel' ? undefined : splitAuthor(seriesTitle)
  return split && seriesTitle.endsWith(split.title)
    ? { title, seriesTitle: split.title, authors: split.authors }
    : titles
}

/** It returns how far the text is the name of the series, whatever stands between its words. */
const knownLength = (text: string, { seriesName, folder }: NameContext): number => {
  const seriesTitle = seriesName ?? (folder === undefined ? '' : parseSeriesName(folder).title)
  const [letters, knownLetters] = [text.toLowerCase(), seriesTitle.toLowerCase()]
  let position = 0
  for (const character of knownLetters) {
    if (!wordCharacter.test(character)) continue
    while (position < letters.length && !wordCharacter.test(letters.charAt(position))) position += 1
    if (!letters.startsWith(character, position)) return 0
    position += character.length
  }
  return wordCharacter.test(letters.charAt(position)) ? 0 : Math.min(position, text.length)
}

const wordCharacter = /[\p{L}\p{N}]/u

const bookName = (findings: Findings, titles: Titles): BookName => ({
  title: titles.title === '' ? null : titles.title,
  seriesTitle: findings.seriesTitle ?? (titles.seriesTitle === '' ? null : (titles.seriesTitle ?? null)),
  seriesYear: findings.seriesYear ?? null,
  year: findings.year ?? null,
  volume: findings.volume ?? null,
  volumeEnd: findings.volumeEnd ?? null,
  chapter: findings.chapter ?? null,
  chapterEnd: findings.chapterEnd ?? null,
  number: findings.number ?? null,
  numberEnd: findings.numberEnd ?? null,
  count: findings.count ?? null,
  season: findings.season ?? null,
  part: findings.part ?? null,
  isSpecial: findings.isSpecial ?? false,
  edition: findings.edition ?? null,
  language: findings.language ?? null,
  authors: titles.authors ?? [],
  groups: findings.groups,
})
