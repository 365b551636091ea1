import { type Static, Type } from 'typebox'
import { coverFields } from './cover-fields.ts'
import { exampleTone } from './cover-tone.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { ExternalIdDto, ExternalLinkDto, ExternalRatingDto } from './fields/rows.ts'
import { exampleSeriesMetadata, SeriesMetadata } from './metadata.ts'
import { Facets, Letters, SeriesFacetsQuery, seriesSorting, SeriesListQuery, termFilters } from './lists.ts'
import { byId, Count, Id, Nullable, OneOf, pagingParameters, record, Timestamp } from './schema.ts'

const tag = 'Series'

/** A user sets it for their own reading of a series. */
export const readingStatuses = ['reading', 'paused', 'dropped', 'planned', 'finished'] as const
export const ReadingStatus = OneOf(readingStatuses)
export type ReadingStatus = Static<typeof ReadingStatus>

const fields = {
  id: Id,
  libraryId: Id,
  libraryName: Type.String(),
  title: Type.String(),
  titleSort: Nullable(Type.String()),
  summary: Nullable(Type.String()),
  publisher: Nullable(Type.String()),
  year: Nullable(Type.Integer()),
  path: Type.Optional(Nullable(Type.String({ description: 'On the server. Only for those who manage libraries.' }))),
  bookCount: { ...Count, description: 'Books you may see.' },
  unreadCount: { ...Count, description: 'Those of them that you have not finished.' },
  localMaxVolume: Nullable(Type.Integer()),
  localMaxChapter: Nullable(Type.Number()),
  volumesOwned: Count,
  oneShot: Type.Boolean({
    description:
      'The only book of it that you may see is said to be a one-shot, is called like it and has no number, or is the one for which the grouping has made it: it is all there is.',
  }),
  oneShotBookId: Nullable({ ...Id, description: 'The book that a one-shot is: who looks for it is led there.' }),
  authors: Type.Array(Type.String(), { description: 'Who has written it.' }),
  hasCustomCover: Type.Boolean({ description: 'Somebody has uploaded one.' }),
  selectedCoverSource: Nullable(Type.String({ description: 'Null: the cover of its first book.' })),
  wantToRead: Type.Boolean({ description: 'You have put it on your list.' }),
  readingStatus: { ...Nullable(ReadingStatus), description: 'What you say of your reading of it.' },
  following: Type.Boolean({ description: 'You are told when something new arrives in it.' }),
  ...coverFields,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const SeriesDto = record(fields, { title: 'Series' })
export type SeriesDto = Static<typeof SeriesDto>

export const SeriesDetail = record(
  {
    ...fields,
    metadata: SeriesMetadata,
    externalIds: Type.Array(ExternalIdDto),
    externalLinks: Type.Array(ExternalLinkDto),
    externalRatings: Type.Array(ExternalRatingDto),
    firstYear: Nullable(Type.Integer({ description: 'In which the first of its books that you may see appeared.' })),
    lastYear: Nullable(Type.Integer({ description: 'In which the latest did.' })),
    readCount: Type.Integer({ minimum: 0, description: 'How often you have read all of its books.' }),
    lastCompletedAt: Nullable(Timestamp),
  },
  { title: 'SeriesDetail' },
)
export type SeriesDetail = Static<typeof SeriesDetail>

const exampleSeries: SeriesDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000030',
  libraryId: '019aa3b2-6c7e-7000-8000-000000000020',
  libraryName: 'Manga',
  title: 'Yotsuba&!',
  titleSort: null,
  summary: null,
  publisher: 'ASCII Media Works',
  year: 2003,
  bookCount: 15,
  unreadCount: 3,
  localMaxVolume: 15,
  localMaxChapter: null,
  volumesOwned: 15,
  oneShot: false,
  oneShotBookId: null,
  authors: [],
  hasCustomCover: false,
  selectedCoverSource: null,
  wantToRead: false,
  readingStatus: 'reading',
  following: true,
  coverVersion: '0-1-90ab12cd',
  placeholder: null,
  tone: exampleTone,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}
export const exampleSeriesDetail: SeriesDetail = {
  ...exampleSeries,
  metadata: exampleSeriesMetadata,
  externalIds: [{ source: 'anilist', id: '30104', url: 'https://anilist.co/manga/30104' }],
  externalLinks: exampleSeriesMetadata.externalLinks,
  externalRatings: [],
  firstYear: 2003,
  lastYear: 2021,
  readCount: 0,
  lastCompletedAt: null,
}

const list = {
  tag,
  access: 'series:read',
  item: SeriesDto,
  title: 'SeriesPage',
} as const

export const listSeries = listEndpoint('GET /api/v1/series', {
  ...list,
  summary: 'List series',
  query: Type.Object({ libraryId: Type.Optional(Id), ...termFilters, ...seriesSorting }),
})

export const listSeriesOfLibrary = listEndpoint('GET /api/v1/libraries/{id}/series', {
  ...list,
  summary: 'List the series of a library',
  params: byId,
  query: Type.Object({ ...termFilters, ...seriesSorting }),
  errors: ['not_found'],
})

const exampleQuery: SeriesListQuery = {
  condition: {
    allOf: [
      { genre: { operator: 'is', value: 'Comedy' } },
      { year: { operator: 'between', min: 2000, max: 2010 } },
      { not: { readStatus: { operator: 'is', value: 'read' } } },
    ],
  },
}

export const listSeriesByCondition = listEndpoint('POST /api/v1/series/list', {
  ...list,
  summary: 'List the series that fulfil a condition',
  query: Type.Object(seriesSorting),
  body: SeriesListQuery,
  nullIsAbsent: true,
  bodyOptional: true,
  example: { body: exampleQuery },
})

export const readSeriesLetters = endpoint('POST /api/v1/series/list/letters', {
  summary: 'Where each letter begins in such a list by name',
  tag,
  access: 'series:read',
  query: Type.Object({ pageSize: pagingParameters.pageSize }),
  body: SeriesListQuery,
  nullIsAbsent: true,
  bodyOptional: true,
  reply: Letters,
  example: { body: {}, reply: { letters: [{ letter: 'A', count: 12, page: 1 }] } },
})

export const readSeriesFacets = endpoint('POST /api/v1/series/facets', {
  summary: 'Count what the series of such a list have in common',
  tag,
  access: 'series:read',
  body: SeriesFacetsQuery,
  nullIsAbsent: true,
  reply: Facets,
  example: { body: { facets: ['genre'] }, reply: { facets: { genre: [{ value: 'Comedy', count: 31 }] } } },
})

const one = {
  tag,
  access: 'series:read',
  params: byId,
  reply: SeriesDetail,
  errors: ['not_found'],
  example: { reply: exampleSeriesDetail },
} as const

export const readSeries = endpoint('GET /api/v1/series/{id}', {
  ...one,
  summary: 'Read one series with its metadata',
})

export const readFullSeries = endpoint('GET /api/v1/series/{id}/full', {
  ...one,
  summary: 'The same (the older address)',
})

export const SeriesSharingTags = record(
  {
    tagIds: Type.Array(Id),
    sharingTags: Type.Array(record({ id: Id, name: Type.String() })),
  },
  { title: 'SeriesSharingTags' },
)
export type SeriesSharingTags = Static<typeof SeriesSharingTags>

const exampleTags: SeriesSharingTags = {
  tagIds: ['019aa3b2-6c7e-7000-8000-000000000003'],
  sharingTags: [{ id: '019aa3b2-6c7e-7000-8000-000000000003', name: 'Grown-ups' }],
}

export const readSeriesSharingTags = endpoint('GET /api/v1/series/{id}/sharing-tags', {
  summary: 'Read the sharing tags of a series',
  tag,
  access: 'series:write',
  params: byId,
  reply: SeriesSharingTags,
  errors: ['not_found'],
  example: { reply: exampleTags },
})

export const saveSeriesSharingTags = endpoint('PUT /api/v1/series/{id}/sharing-tags', {
  summary: 'Set the sharing tags of a series',
  description: 'They decide who sees the series and its books, from the next request on.',
  tag,
  access: 'series:write',
  params: byId,
  body: record({ tagIds: Type.Array(Id, { maxItems: 100, uniqueItems: true }) }, { title: 'NewSeriesSharingTags' }),
  guards: SeriesSharingTags,
  reply: SeriesSharingTags,
  errors: ['not_found'],
  example: { body: { tagIds: exampleTags.tagIds }, reply: exampleTags },
})

const NumberRange = record({
  from: Type.Integer({ minimum: 1 }),
  to: Type.Integer({ minimum: 1 }),
  at: Type.Optional({ ...Count, description: 'How many books of the series stand before the gap, in its order.' }),
})

const Gaps = record({
  owned: { ...Count, description: 'How many different whole numbers there are.' },
  of: {
    ...Count,
    description: 'How many there should be: up to the total that somebody says, or between those there are.',
  },
  missing: Type.Array(NumberRange, { description: 'Those that are not there, in order, `from` and `to` among them.' }),
})
export type Gaps = Static<typeof Gaps>

const SeriesGaps = record(
  { numbers: Nullable(Gaps), volumes: Nullable(Gaps) },
  {
    title: 'SeriesGaps',
    description:
      'Of issues or chapters, and of whole volumes; null where no book has such a number. Specials and fractions do not count, and a book that you may not see is one that is not there.',
  },
)
export type SeriesGaps = Static<typeof SeriesGaps>

export const readSeriesGaps = endpoint('GET /api/v1/series/{id}/gaps', {
  summary: 'Read which numbers of a series are not there',
  tag,
  access: 'series:read',
  params: byId,
  reply: SeriesGaps,
  errors: ['not_found'],
  example: {
    reply: {
      numbers: null,
      volumes: {
        owned: 13,
        of: 15,
        missing: [
          { from: 7, to: 7, at: 6 },
          { from: 12, to: 12, at: 10 },
        ],
      },
    },
  },
})

export const relatedMax = 12
const related = (description: string) => Type.Array(SeriesDto, { maxItems: relatedMax, description })
export const RelatedSeries = record(
  {
    byPeople: related('By people who made this one too; with the most of them first.'),
    alike: related('With the most genres and tags in common first; with one alone only where it has no more.'),
  },
  { title: 'RelatedSeries' },
)
export type RelatedSeries = Static<typeof RelatedSeries>

export const readRelatedSeries = endpoint('GET /api/v1/series/{id}/related', {
  summary: 'Read what else there is like a series',
  tag,
  access: 'series:read',
  params: byId,
  reply: RelatedSeries,
  errors: ['not_found'],
  example: { reply: { byPeople: [exampleSeries], alike: [] } },
})
