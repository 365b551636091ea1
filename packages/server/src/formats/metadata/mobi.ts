import type { Author, BookFields, MetadataLayer, SeriesFields } from '../book-format.ts'
import { textLimits } from '../limits.ts'
import { authorsOfSeries } from './authors-of-series.ts'
import { cleanDateText, cleanLanguage, cleanLine, cleanList, cleanName, cleanSummary } from './clean-text.ts'
import { identifiersOf } from './identifiers.ts'
import { withoutMissing } from './layer.ts'
import { namesIn } from './people.ts'
import { languageOfLocale } from './windows-languages.ts'

/** It gives the metadata of a book for Kindles, by the numbers of its EXTH records. */
export interface MobiSource {
  /** The title of the header, which may be shortened. */
  readonly title: string
  readonly locale: number
  texts(kind: number): readonly string[]
}

const kinds = {
  author: 100,
  publisher: 101,
  description: 103,
  isbn: 104,
  subject: 105,
  published: 106,
  contributor: 108,
  source: 112,
  asin: 113,
  title: 503,
  otherAsin: 504,
  language: 524,
  writingMode: 525,
  pageProgression: 527,
} as const

export const mobiLayer = (source: MobiSource): MetadataLayer => {
  const first = (kind: number): string | undefined => source.texts(kind).find((each) => each.trim() !== '')
  const authors = authorsOf(source)
  const identifiers = identifiersOf(writtenIdentifiers(source))
  const shared = {
    publisher: cleanName(first(kinds.publisher)),
    language: cleanLanguage(first(kinds.language)) ?? languageOfLocale(source.locale),
    readingDirection: directionOf(first(kinds.pageProgression), first(kinds.writingMode)),
  }
  return {
    source: 'file:mobi',
    book: withoutMissing<BookFields>({
      ...shared,
      ...cleanDateText(first(kinds.published)),
      title: cleanLine(first(kinds.title)) ?? cleanLine(source.title),
      summary: cleanSummary(first(kinds.description)),
      authors,
      tags: cleanList(source.texts(kinds.subject).flatMap((each) => each.split(/[;,]/, 2 * textLimits.listLength))),
      ...identifiers.book,
    }),
    series: withoutMissing<SeriesFields>({ ...shared, ...identifiers.series, authors: authorsOfSeries(authors) }),
  }
}

/** The format does not say what contributors did; the program that made the file is left out. */
const authorsOf = (source: MobiSource): Author[] => {
  const people = (kind: number): readonly string[] => cleanList(source.texts(kind).flatMap(namesIn))
  const authors = people(kinds.author).map((name): Author => ({ name, role: 'author', sortName: null }))
  const contributors = people(kinds.contributor)
    .filter((name) => !/^calibre\b|^kindle|https?:/i.test(name))
    .map((name): Author => ({ name, role: 'contributor', sortName: null }))
  return [...authors, ...contributors].slice(0, textLimits.listLength)
}

const asin = /^[A-Z\d]{10}$/

const writtenIdentifiers = (source: MobiSource) => [
  ...source.texts(kinds.isbn).map((text) => ({ text, scheme: 'isbn' })),
  // Programs write something of their own where no shop has given a number.
  ...[...source.texts(kinds.asin), ...source.texts(kinds.otherAsin)]
    .filter((text) => asin.test(text.trim()))
    .map((text) => ({ text, scheme: 'mobi-asin' })),
  ...source.texts(kinds.source).map((text) => ({ text })),
]

const directionOf = (progression: string | undefined, mode: string | undefined): BookFields['readingDirection'] => {
  const stated = progression?.trim().toLowerCase()
  if (stated === 'rtl' || stated === 'ltr') return stated
  return /-rl$/i.test(mode?.trim() ?? '') ? 'rtl' : undefined
}
