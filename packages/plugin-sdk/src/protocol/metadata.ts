import { type Static, Type } from 'typebox'
import { onPlugin } from './method.ts'
import { Maybe, Texts, Word, message } from './schema.ts'

export const seriesStatuses = ['ongoing', 'ended', 'hiatus', 'abandoned', 'unknown'] as const
export const readingDirections = ['ltr', 'rtl', 'ttb', 'webtoon'] as const
export const linkTypes = ['provider', 'official', 'social', 'purchase', 'read', 'other'] as const
export const authorRoles = [
  'author',
  'co_author',
  'editor',
  'translator',
  'illustrator',
  'contributor',
  'writer',
  'penciller',
  'inker',
  'colorist',
  'letterer',
  'cover_artist',
] as const

export const SearchResult = message({
  externalId: Type.String({ minLength: 1 }),
  title: Type.String(),
  alternateTitles: Maybe(Texts),
  year: Maybe(Type.Integer()),
  coverUrl: Maybe(Type.String()),
  relevanceScore: Maybe(Type.Number({ description: '0 to 1. Absent: the order of the results says it.' })),
  preview: Maybe(
    message({
      status: Maybe(Type.String()),
      genres: Maybe(Texts),
      rating: Maybe(Type.Number({ description: '0 to 10.' })),
      description: Maybe(Type.String()),
      bookCount: Maybe(Type.Integer()),
      authors: Maybe(Texts),
      format: Maybe(Type.String({ description: 'manga, comic, novel, light_novel, webtoon, …' })),
    }),
  ),
})
export type SearchResult = Static<typeof SearchResult>

export const SearchReply = message({ results: Type.Array(SearchResult), nextCursor: Maybe(Type.String()) })
export type SearchReply = Static<typeof SearchReply>

export const MatchReply = message({
  /** Null, or absent: nothing it could stand for. */
  match: Maybe(SearchResult),
  confidence: Type.Number({ description: '0 to 1.' }),
  alternatives: Maybe(Type.Array(SearchResult)),
})
export type MatchReply = Static<typeof MatchReply>

export const GetParams = message({ externalId: Type.String({ minLength: 1 }) })
export type GetParams = Static<typeof GetParams>

export const AlternateTitle = message({
  title: Type.String(),
  language: Maybe(Type.String({ description: 'BCP 47.' })),
  titleType: Maybe(Type.String({ description: 'native, romaji, english, …' })),
})

export const PersonOfBook = message({
  name: Type.String({ minLength: 1 }),
  /** Absent: author. */
  role: Maybe(Word(authorRoles)),
  sortName: Maybe(Type.String()),
})
export type PersonOfBook = Static<typeof PersonOfBook>

/** A name alone is an author. */
const People = Type.Array(Type.Union([PersonOfBook, Type.String()]))

export const ExternalRating = message({
  score: Type.Number({ description: '0 to 100.' }),
  voteCount: Maybe(Type.Integer()),
  source: Type.String(),
})

export const ExternalLink = message({ url: Type.String(), label: Type.String(), linkType: Maybe(Word(linkTypes)) })

/** `api:` and the service, as in `api:anilist`. */
export const ExternalId = message({ source: Type.String({ minLength: 1 }), externalId: Type.String({ minLength: 1 }) })

const whatBothHave = {
  externalId: Type.String({ minLength: 1 }),
  externalUrl: Maybe(Type.String()),
  title: Maybe(Type.String()),
  alternateTitles: Maybe(Type.Array(AlternateTitle)),
  summary: Maybe(Type.String()),
  year: Maybe(Type.Integer()),
  language: Maybe(Type.String({ description: 'BCP 47.' })),
  genres: Maybe(Texts),
  tags: Maybe(Texts),
  authors: Maybe(People),
  artists: Maybe(Texts),
  publisher: Maybe(Type.String()),
  coverUrl: Maybe(Type.String()),
  rating: Maybe(ExternalRating),
  externalRatings: Maybe(Type.Array(ExternalRating)),
  externalLinks: Maybe(Type.Array(ExternalLink)),
  externalIds: Maybe(Type.Array(ExternalId)),
}

export const SeriesMetadata = message({
  ...whatBothHave,
  status: Maybe(Word(seriesStatuses)),
  totalVolumeCount: Maybe(Type.Integer()),
  totalChapterCount: Maybe(Type.Number({ description: 'May have a fraction.' })),
  /** Older plugins send this in place of the two counts. */
  totalBookCount: Maybe(Type.Integer()),
  ageRating: Maybe(Type.Integer()),
  readingDirection: Maybe(Word(readingDirections)),
  bannerUrl: Maybe(Type.String()),
})
export type SeriesMetadata = Static<typeof SeriesMetadata>

export const BookMetadata = message({
  ...whatBothHave,
  subtitle: Maybe(Type.String()),
  bookType: Maybe(Type.String()),
  volume: Maybe(Type.Number()),
  chapter: Maybe(Type.Number()),
  pageCount: Maybe(Type.Integer()),
  releaseDate: Maybe(Type.String()),
  isbn: Maybe(Type.String()),
  isbns: Maybe(Texts),
  edition: Maybe(Type.String()),
  originalTitle: Maybe(Type.String()),
  originalYear: Maybe(Type.Integer()),
  translator: Maybe(Type.String()),
  seriesPosition: Maybe(Type.Number()),
  seriesTotal: Maybe(Type.Integer()),
  subjects: Maybe(Texts),
  covers: Maybe(
    Type.Array(
      message({
        url: Type.String(),
        width: Maybe(Type.Integer()),
        height: Maybe(Type.Integer()),
        size: Maybe(Word(['small', 'medium', 'large'])),
      }),
    ),
  ),
  awards: Maybe(
    Type.Array(
      message({
        name: Type.String(),
        year: Maybe(Type.Integer()),
        category: Maybe(Type.String()),
        won: Maybe(Type.Boolean()),
      }),
    ),
  ),
})
export type BookMetadata = Static<typeof BookMetadata>

const howMany = { limit: Maybe(Type.Integer({ minimum: 1 })), cursor: Maybe(Type.String()) }

export const SeriesSearchParams = message({ query: Type.String({ minLength: 1 }), ...howMany })
export type SeriesSearchParams = Static<typeof SeriesSearchParams>

export const SeriesMatchParams = message({
  title: Type.String({ minLength: 1 }),
  year: Maybe(Type.Integer()),
  author: Maybe(Type.String()),
})
export type SeriesMatchParams = Static<typeof SeriesMatchParams>

/** `isbn` or `query`, or both: then the query counts when the number is not known. */
export const BookSearchParams = message({
  isbn: Maybe(Type.String()),
  query: Maybe(Type.String()),
  author: Maybe(Type.String()),
  year: Maybe(Type.Integer()),
  ...howMany,
})
export type BookSearchParams = Static<typeof BookSearchParams>

export const BookMatchParams = message({
  title: Type.String({ minLength: 1 }),
  authors: Maybe(Texts),
  isbn: Maybe(Type.String()),
  year: Maybe(Type.Integer()),
  publisher: Maybe(Type.String()),
})
export type BookMatchParams = Static<typeof BookMatchParams>

const series = { needs: 'series-metadata' } as const
const book = { needs: 'book-metadata' } as const

export const searchSeries = onPlugin('metadata/series/search', {
  ...series,
  params: SeriesSearchParams,
  result: SearchReply,
})
export const getSeries = onPlugin('metadata/series/get', { ...series, params: GetParams, result: SeriesMetadata })
/** A plugin need not offer it: then the first result of a search is the match. */
export const matchSeries = onPlugin('metadata/series/match', {
  ...series,
  optional: true,
  params: SeriesMatchParams,
  result: MatchReply,
})

export const searchBooks = onPlugin('metadata/book/search', { ...book, params: BookSearchParams, result: SearchReply })
export const getBook = onPlugin('metadata/book/get', { ...book, params: GetParams, result: BookMetadata })
export const matchBook = onPlugin('metadata/book/match', {
  ...book,
  optional: true,
  params: BookMatchParams,
  result: MatchReply,
})
