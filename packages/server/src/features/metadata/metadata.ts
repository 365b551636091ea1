import {
  type BookMetadata,
  bookLockable,
  type ExternalIdDto,
  type ExternalLinkDto,
  lockOf,
  type SeriesMetadata,
  seriesLockable,
} from '@carrel/api'
import type { Author, BookFields, ExternalId, SeriesFields } from '../../formats/book-format.ts'

export { carryMetadataOver, readShown } from './carry-over/carry-over.ts'
export { deleteLayersOf, forgetFileLayers, forgetLayers } from './queries.ts'
export { type Layer, readLayers, saveLayers, shownFields } from './layers.ts'

/** As a book or a series keeps it: what is shown of the layers, and the names of locked fields. */
interface Kept {
  readonly metadata: string
  readonly locks: string
}

/** All that is shown of a series; what no source says is null or empty. */
export const metadataOfSeries = ({ metadata, locks }: Kept): SeriesMetadata => {
  const fields = JSON.parse(metadata) as SeriesFields
  return {
    ...lockedFields(seriesLockable, locks),
    title: fields.title ?? null,
    titleSort: fields.titleSort ?? null,
    summary: fields.summary ?? null,
    publisher: fields.publisher ?? null,
    imprint: fields.imprint ?? null,
    status: fields.status ?? null,
    readingDirection: fields.readingDirection ?? null,
    language: fields.language ?? null,
    ageRating: fields.ageRating ?? null,
    year: fields.year ?? null,
    totalVolumeCount: fields.totalVolumeCount ?? null,
    totalChapterCount: fields.totalChapterCount ?? null,
    genres: [...(fields.genres ?? [])],
    tags: [...(fields.tags ?? [])],
    authors: authorsOf(fields.authors),
    alternateTitles: (fields.alternateTitles ?? []).map(({ label, title }) => ({ label, title })),
    externalLinks: linksOf(fields.links),
    externalRatings: [],
  }
}

export const metadataOfBook = ({ metadata, locks }: Kept): BookMetadata => {
  const fields = JSON.parse(metadata) as BookFields
  return {
    ...lockedFields(bookLockable, locks),
    ...wordsOf(fields),
    volume: fields.volume ?? null,
    chapter: fields.chapter ?? null,
    isSpecial: fields.isSpecial ?? null,
    count: fields.count ?? null,
    ageRating: fields.ageRating ?? null,
    year: fields.year ?? null,
    month: fields.month ?? null,
    day: fields.day ?? null,
    genres: [...(fields.genres ?? [])],
    tags: [...(fields.tags ?? [])],
    authors: authorsOf(fields.authors),
    isbns: [...(fields.isbns ?? [])],
    characters: [...(fields.characters ?? [])],
    blackAndWhite: fields.blackAndWhite ?? null,
    manga: fields.manga ?? null,
    readingDirection: fields.readingDirection ?? null,
    communityRating: fields.communityRating ?? null,
    externalLinks: linksOf(fields.links),
  }
}

const wordsOf = (fields: BookFields) => ({
  title: fields.title ?? null,
  titleSort: fields.titleSort ?? null,
  subtitle: fields.subtitle ?? null,
  summary: fields.summary ?? null,
  number: fields.number ?? null,
  part: fields.part ?? null,
  publisher: fields.publisher ?? null,
  imprint: fields.imprint ?? null,
  languageIso: fields.language ?? null,
  storyArc: fields.storyArc ?? null,
  edition: fields.edition ?? null,
  formatDetail: fields.formatDetail ?? null,
})

export const externalIdsIn = (metadata: string): ExternalIdDto[] => {
  const { externalIds = [] } = JSON.parse(metadata) as { readonly externalIds?: readonly ExternalId[] }
  return externalIds.map(({ source, id, url = null }) => ({ source, id, url }))
}

const lockedFields = <const Field extends string>(lockable: readonly Field[], locks: string) => {
  const locked = new Set(JSON.parse(locks) as string[])
  return Object.fromEntries(lockable.map((field) => [lockOf(field), locked.has(field)])) as Record<
    Field extends 'authors' ? 'authorsJsonLock' : `${Field}Lock`,
    boolean
  >
}

const authorsOf = (authors: readonly Author[] = []) =>
  authors.map(({ name, role, sortName }) => ({ name, role, sortName }))

const linksOf = (links: readonly string[] = []): ExternalLinkDto[] =>
  links.filter((url) => URL.canParse(url)).map((url) => ({ source: new URL(url).hostname.replace(/^www\./, ''), url }))
