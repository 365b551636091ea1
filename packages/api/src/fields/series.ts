import { readingDirections } from '../libraries.ts'
import { choice, decimal, line, type MetadataFields, rows, wholeNumber } from './field.ts'
import { shared } from './shared.ts'

export const seriesStatuses = ['ongoing', 'ended', 'hiatus', 'abandoned', 'unknown'] as const

/**
 * The metadata of a series: a line is a field. Schemas, locks, columns, conditions, facets, orders, exports, what plugins
 * may fill in, the form and the page follow from it (decision 050).
 */
export const fieldsOfSeries = {
  title: shared.title,
  titleSort: shared.titleSort,
  summary: shared.summary,
  publisher: line(300, {
    section: 'publication',
    isShort: true,
    match: 'publisher',
    column: true,
    condition: true,
    facet: true,
    export: 'Publisher',
  }),
  imprint: shared.imprint,
  originalTitle: line(500, {
    section: 'basics',
    column: true,
    condition: true,
    export: 'Original title',
    detail: true,
  }),
  status: choice(seriesStatuses, {
    section: 'basics',
    match: 'status',
    column: true,
    condition: true,
    facet: true,
    export: 'Status',
  }),
  readingDirection: choice(readingDirections, {
    section: 'basics',
    match: 'classification',
    column: true,
    export: 'Reading direction',
  }),
  language: line(35, {
    reply: { description: 'BCP 47' },
    section: 'publication',
    isShort: true,
    match: 'classification',
    column: true,
    condition: true,
    facet: true,
    export: 'Language',
  }),
  ageRating: wholeNumber(0, 100, { section: 'publication', match: 'age_rating', export: 'Age rating' }),
  year: wholeNumber(1, 9999, {
    section: 'publication',
    match: 'descriptive',
    column: true,
    condition: true,
    facet: true,
    order: ['release_date', 'year'],
    export: 'Year',
  }),
  totalVolumeCount: wholeNumber(0, 100_000, {
    section: 'numbering',
    match: 'counts',
    column: true,
    export: 'Books there should be',
    exportKey: 'expected_book_count',
  }),
  totalChapterCount: decimal(0, 1_000_000, {
    reply: { format: 'float' },
    section: 'numbering',
    match: 'counts',
    export: 'Chapters there should be',
    exportKey: 'expected_chapter_count',
  }),
  genres: shared.genres,
  tags: shared.tags,
  authors: shared.authors,
  cover: shared.cover,
  customMetadata: shared.customMetadata,
  alternateTitles: rows('alternateTitles', 100, {
    lock: false,
    section: 'elsewhere',
    match: 'descriptive',
    permission: 'title',
    export: 'Other titles',
  }),
  externalLinks: shared.externalLinks,
  externalIds: shared.externalIds,
  externalRatings: rows('externalRatings', 50, {
    lock: false,
    section: 'elsewhere',
    match: 'ratings',
    permission: 'ratings',
    export: 'Ratings elsewhere',
  }),
} as const satisfies MetadataFields
