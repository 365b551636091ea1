import type { BookMetadataPatch, SeriesMetadataPatch } from '@carrel/api'
import type { CompatBookPatch, CompatSeriesPatch } from '@carrel/api/doors'
import { invalid } from '../../../platform/errors.ts'
import { isDay } from '../../../platform/text/spelled-values.ts'

// This part turns what these applications send about series and books into our own patches.

type OptionalFields<Patch> = { [Name in keyof Patch]?: Patch[Name] | undefined }

/** An absent field stays absent. */
const present = <Patch extends object>(patch: OptionalFields<Patch>): Patch =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Patch

/** An empty text is how they write that there is none. */
const words = (text: string | null | undefined): string | null | undefined =>
  typeof text === 'string' && text.trim() === '' ? null : text

/** A name that is sent is one: an empty one would be lost without a word. */
const name = (path: string, text: string | null | undefined): string | null | undefined => {
  if (typeof text === 'string' && text.trim() === '') throw invalid(path, `${path.slice(1)} must not be empty.`)
  return text
}

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

/** What has no lock here cannot be locked; a lock that comes with its value is content with what people have written staying. */
const refuseLone = (path: string, lock: boolean | null | undefined, value: unknown): void => {
  if (lock === true && value === undefined) throw invalid(path, `${path.slice(1)} cannot be set: it has no lock here.`)
}

export const seriesPatch = (patch: CompatSeriesPatch): SeriesMetadataPatch => {
  refuseLone('/linksLock', patch.linksLock, patch.links)
  refuseLone('/alternateTitlesLock', patch.alternateTitlesLock, patch.alternateTitles)
  return present<SeriesMetadataPatch>({
    status: oneOf('/status', statuses, patch.status),
    statusLock: patch.statusLock,
    title: name('/title', patch.title),
    titleLock: patch.titleLock,
    titleSort: name('/titleSort', patch.titleSort),
    titleSortLock: patch.titleSortLock,
    summary: words(patch.summary),
    summaryLock: patch.summaryLock,
    readingDirection: oneOf('/readingDirection', directions, patch.readingDirection),
    readingDirectionLock: patch.readingDirectionLock,
    publisher: words(patch.publisher),
    publisherLock: patch.publisherLock,
    ageRating: patch.ageRating,
    ageRatingLock: patch.ageRatingLock,
    language: words(patch.language),
    languageLock: patch.languageLock,
    genres: patch.genres,
    genresLock: patch.genresLock,
    tags: patch.tags,
    tagsLock: patch.tagsLock,
    totalVolumeCount: patch.totalBookCount,
    totalVolumeCountLock: patch.totalBookCountLock,
    externalLinks: linksOf(patch.links),
    alternateTitles: patch.alternateTitles,
  })
}

const dayIn = (text: string | null | undefined) => {
  const day = words(text)
  if (day === undefined) return {}
  if (day === null) return { year: null, month: null, day: null }
  if (!isDay(day)) throw invalid('/releaseDate', 'releaseDate must be a date such as 2003-08-27.')
  const [year, month, ofMonth] = day.split('-').map(Number)
  return { year, month, day: ofMonth }
}

export const bookPatch = (patch: CompatBookPatch): BookMetadataPatch => {
  refuseLone('/linksLock', patch.linksLock, patch.links)
  return present<BookMetadataPatch>({
    title: name('/title', patch.title),
    titleLock: patch.titleLock,
    summary: words(patch.summary),
    summaryLock: patch.summaryLock,
    number: name('/number', patch.number),
    numberLock: patch.numberLock,
    numberSort: patch.numberSort,
    numberSortLock: patch.numberSortLock,
    ...dayIn(patch.releaseDate),
    yearLock: patch.releaseDateLock,
    monthLock: patch.releaseDateLock,
    dayLock: patch.releaseDateLock,
    authors:
      patch.authors?.map(({ name, role }) => ({ name, role: role.trim().toLowerCase() || null })) ?? patch.authors,
    authorsJsonLock: patch.authorsLock,
    tags: patch.tags,
    tagsLock: patch.tagsLock,
    isbns: patch.isbn === undefined ? undefined : patch.isbn ? [patch.isbn] : null,
    isbnsLock: patch.isbnLock,
    externalLinks: linksOf(patch.links),
  })
}
