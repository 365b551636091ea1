import {
  type BookMetadata,
  bookLockable,
  type EditableBookMetadata,
  type EditableSeriesMetadata,
  type ExternalIdDto,
  type ExternalLinkDto,
  lockOf,
  type LockOf,
  type SeriesMetadata,
  seriesLockable,
} from '@carrel/api'
import type { BookShown, Entity, Person, SeriesShown } from './fields.ts'

/** The row of a book or a series holds what is shown of the layers, and the names of locked fields. */
export interface MetadataRow {
  readonly metadata: string
  readonly locks: string
}

/** All that is shown of a series; what no source says is null or empty. */
export const metadataOfSeries = ({ metadata, locks }: MetadataRow): SeriesMetadata => {
  const fields = JSON.parse(metadata) as SeriesShown
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
    externalRatings: [...(fields.externalRatings ?? [])],
  }
}

export const metadataOfBook = ({ metadata, locks }: MetadataRow): BookMetadata => {
  const fields = JSON.parse(metadata) as BookShown
  return {
    ...lockedFields(bookLockable, locks),
    ...wordsOf(fields),
    numberSort: fields.numberSort ?? null,
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
    bookType: fields.bookType ?? null,
    originalYear: fields.originalYear ?? null,
    seriesPosition: fields.seriesPosition ?? null,
    seriesTotal: fields.seriesTotal ?? null,
    subjects: [...(fields.subjects ?? [])],
    awards: [...(fields.awards ?? [])],
    externalLinks: linksOf(fields.links),
  }
}

const wordsOf = (fields: BookShown) => ({
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
  originalTitle: fields.originalTitle ?? null,
  translator: fields.translator ?? null,
})

/** With what is not shown beside it but can be edited with it. */
const editableSeries = (kept: MetadataRow): EditableSeriesMetadata => ({
  ...metadataOfSeries(kept),
  ...editableBeside(kept),
})
const editableBook = (kept: MetadataRow): EditableBookMetadata => ({ ...metadataOfBook(kept), ...editableBeside(kept) })

export const recordOf = (entity: Entity, kept: MetadataRow): EditableSeriesMetadata | EditableBookMetadata =>
  entity === 'series' ? editableSeries(kept) : editableBook(kept)

const editableBeside = ({ metadata }: MetadataRow) => ({
  customMetadata: customMetadataIn(metadata),
  externalIds: externalIdsIn(metadata),
})

export const customMetadataIn = (metadata: string): Record<string, unknown> | null => {
  const { customMetadata } = JSON.parse(metadata) as SeriesShown
  return customMetadata === undefined ? null : { ...customMetadata }
}

export const externalIdsIn = (metadata: string): ExternalIdDto[] => {
  const { externalIds = [] } = JSON.parse(metadata) as SeriesShown
  return externalIds.map(({ source, id, url = null }) => ({ source, id, url }))
}

export const externalRatingsIn = (metadata: string): SeriesMetadata['externalRatings'] => {
  const { externalRatings = [] } = JSON.parse(metadata) as SeriesShown
  return [...externalRatings]
}

const lockedFields = <const Field extends string>(lockable: readonly Field[], locks: string) => {
  const locked = new Set(JSON.parse(locks) as string[])
  return Object.fromEntries(lockable.map((field) => [lockOf(field), locked.has(field)])) as Record<
    LockOf<Field>,
    boolean
  >
}

const authorsOf = (authors: readonly Person[] = []) =>
  authors.map(({ name, role = null, sortName = null }) => ({ name, role, sortName }))

const linksOf = (links: SeriesShown['links'] = []): ExternalLinkDto[] =>
  links
    .filter((link) => typeof link !== 'string' || URL.canParse(link))
    .map((link) =>
      typeof link === 'string' ? { source: new URL(link).hostname.replace(/^www\./, ''), url: link } : link,
    )
