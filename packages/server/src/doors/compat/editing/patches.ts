import type { BookMetadataPatch, SeriesMetadataPatch } from '@carrel/api'
import type { CompatBookPatch, CompatSeriesPatch } from '@carrel/api/doors'
import { invalid } from '../../../platform/errors.ts'

// What they say of series and books, as we say it

type Said<Patch> = { [Name in keyof Patch]?: Patch[Name] | undefined }

/** What is left out stays left out. */
const present = <Patch extends object>(patch: Said<Patch>): Patch =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Patch

/** Nothing at all is how they write that there is nothing. */
const words = (text: string | null | undefined): string | null | undefined =>
  typeof text === 'string' && text.trim() === '' ? null : text

const statuses: Readonly<Record<string, SeriesMetadataPatch['status']>> = {
  ENDED: 'ended',
  ONGOING: 'ongoing',
  ABANDONED: 'abandoned',
  HIATUS: 'hiatus',
}
const directions: Readonly<Record<string, SeriesMetadataPatch['readingDirection']>> = {
  LEFT_TO_RIGHT: 'ltr',
  RIGHT_TO_LEFT: 'rtl',
  VERTICAL: 'ttb',
  WEBTOON: 'webtoon',
}

const oneOf = <Value>(
  path: string,
  values: Readonly<Record<string, Value>>,
  word: string | null | undefined,
): Value | null | undefined => {
  const text = words(word)
  if (text === null || text === undefined) return text
  const value = values[text.toUpperCase()]
  if (value === undefined) throw invalid(path, `${path.slice(1)} must be one of ${Object.keys(values).join(', ')}.`)
  return value
}

const linksOf = (links: CompatSeriesPatch['links']) =>
  links ? links.map(({ label, url }) => ({ source: label, url })) : links

export const seriesPatch = (said: CompatSeriesPatch): SeriesMetadataPatch =>
  present<SeriesMetadataPatch>({
    status: oneOf('/status', statuses, said.status),
    statusLock: said.statusLock,
    title: words(said.title),
    titleLock: said.titleLock,
    titleSort: words(said.titleSort),
    titleSortLock: said.titleSortLock,
    summary: words(said.summary),
    summaryLock: said.summaryLock,
    readingDirection: oneOf('/readingDirection', directions, said.readingDirection),
    readingDirectionLock: said.readingDirectionLock,
    publisher: words(said.publisher),
    publisherLock: said.publisherLock,
    ageRating: said.ageRating,
    ageRatingLock: said.ageRatingLock,
    language: words(said.language),
    languageLock: said.languageLock,
    genres: said.genres,
    genresLock: said.genresLock,
    tags: said.tags,
    tagsLock: said.tagsLock,
    totalVolumeCount: said.totalBookCount,
    totalVolumeCountLock: said.totalBookCountLock,
    externalLinks: linksOf(said.links),
    alternateTitles: said.alternateTitles,
  })

/** The number that books are in order by is the number of the book here. */
const numberIn = ({ number, numberSort }: CompatBookPatch): string | null | undefined =>
  number !== undefined ? words(number) : numberSort == null ? numberSort : String(numberSort)

const dayIn = (text: string | null | undefined) => {
  const day = words(text)
  if (day === undefined) return {}
  if (day === null) return { year: null, month: null, day: null }
  const [whole, year, month, ofMonth] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (whole === undefined || Number.isNaN(Date.parse(day)))
    throw invalid('/releaseDate', 'releaseDate must be a date such as 2003-08-27.')
  return { year: Number(year), month: Number(month), day: Number(ofMonth) }
}

export const bookPatch = (said: CompatBookPatch): BookMetadataPatch =>
  present<BookMetadataPatch>({
    title: words(said.title),
    titleLock: said.titleLock,
    summary: words(said.summary),
    summaryLock: said.summaryLock,
    number: numberIn(said),
    numberLock: said.numberLock ?? said.numberSortLock,
    ...dayIn(said.releaseDate),
    yearLock: said.releaseDateLock,
    monthLock: said.releaseDateLock,
    dayLock: said.releaseDateLock,
    authors: said.authors?.map(({ name, role }) => ({ name, role: role.trim().toLowerCase() || null })) ?? said.authors,
    authorsJsonLock: said.authorsLock,
    tags: said.tags,
    tagsLock: said.tagsLock,
    isbns: said.isbn === undefined ? undefined : said.isbn ? [said.isbn] : null,
    isbnsLock: said.isbnLock,
    externalLinks: linksOf(said.links),
  })
