import { type FieldGroup, type MatchedField, matchedBookFields, matchedSeriesFields } from '@carrel/api'
import type { Entity } from '../../catalogue/metadata/metadata.ts'

export const fieldsOf = (entity: Entity): readonly MatchedField[] =>
  entity === 'series' ? matchedSeriesFields : matchedBookFields

/** What plugins are granted, as the world of plugins calls it. */
const permissionOf: Readonly<Record<MatchedField, string>> = {
  title: 'title',
  alternateTitles: 'title',
  summary: 'summary',
  publisher: 'publisher',
  year: 'year',
  month: 'year',
  day: 'year',
  genres: 'genres',
  tags: 'tags',
  authors: 'authors',
  externalLinks: 'links',
  externalIds: 'external_ids',
  externalRatings: 'ratings',
  communityRating: 'ratings',
  cover: 'covers',
  status: 'status',
  language: 'language',
  languageIso: 'language',
  ageRating: 'age_rating',
  readingDirection: 'reading_direction',
  totalVolumeCount: 'total_volume_count',
  totalChapterCount: 'total_chapter_count',
  subtitle: 'subtitle',
  volume: 'volume',
  chapter: 'chapter',
  isbns: 'isbn',
  bookType: 'book_type',
  edition: 'edition',
  originalTitle: 'original_title',
  originalYear: 'original_year',
  translator: 'translator',
  seriesPosition: 'series_position',
  seriesTotal: 'series_position',
  subjects: 'subjects',
  awards: 'awards',
}

/** `metadata:write:<what>`; `metadata:write:*` and `metadata:*` are all of them. */
export const mayWrite = (permissions: ReadonlySet<string>, field: MatchedField): boolean =>
  ['metadata:*', 'metadata:write', 'metadata:write:*', `metadata:write:${permissionOf[field]}`].some((each) =>
    permissions.has(each),
  )

export const groups: Readonly<
  Record<FieldGroup, { readonly label: string; readonly fields: readonly MatchedField[] }>
> = {
  identifiers: { label: 'Identifiers', fields: ['externalIds', 'isbns'] },
  descriptive: {
    label: 'Descriptive',
    fields: [
      ...(['title', 'alternateTitles', 'subtitle', 'originalTitle', 'originalYear', 'summary', 'year'] as const),
      ...(['month', 'day', 'authors', 'translator', 'edition', 'awards'] as const),
    ],
  },
  status: { label: 'Status', fields: ['status'] },
  counts: {
    label: 'Counts',
    fields: ['totalVolumeCount', 'totalChapterCount', 'volume', 'chapter', 'seriesPosition', 'seriesTotal'],
  },
  ratings: { label: 'Ratings', fields: ['externalRatings', 'communityRating'] },
  cover: { label: 'Cover', fields: ['cover'] },
  tags: { label: 'Tags', fields: ['tags', 'subjects'] },
  genres: { label: 'Genres', fields: ['genres'] },
  age_rating: { label: 'Age rating', fields: ['ageRating'] },
  classification: {
    label: 'Classification',
    fields: ['language', 'languageIso', 'readingDirection', 'bookType'],
  },
  publisher: { label: 'Publisher', fields: ['publisher'] },
  external_refs: { label: 'External links', fields: ['externalLinks'] },
}
