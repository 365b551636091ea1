import { endpoint, type Shape } from '../../endpoint.ts'
import { byId } from '../../schema.ts'
import {
  byLetter,
  opdsBookQuery,
  opdsBooksOfSeriesQuery,
  opdsDoor,
  opdsPagingQuery,
  opdsRecentQuery,
  opdsSearchQuery,
  opdsSeriesQuery,
  opdsShelfQuery,
} from './feed-parameters.ts'
import { exampleOpdsFeed, OpdsFeed } from './documents.ts'
import { opdsTypes } from './media-types.ts'

export const opds1 = { ...opdsDoor, tag: 'OPDS 1.2', isTagged: true } as const
export const opds2 = { ...opdsDoor, tag: 'OPDS 2.0' } as const
export const opds2Feed = {
  ...opds2,
  mediaType: opdsTypes.feed,
  reply: OpdsFeed,
  example: { reply: exampleOpdsFeed },
} as const

type ShelfShape = Pick<Shape, 'summary' | 'access' | 'needs' | 'params' | 'query' | 'errors'>

/** One shelf of the catalogue, which each version shows in its own words. It leads to other shelves, or to books. */
const shelf = <const S extends ShelfShape>(path: string, leadsTo: 'navigation' | 'acquisition', shape: S) => ({
  one: endpoint(`GET /opds/v1${path}`, { ...opds1, mediaType: opdsTypes[leadsTo], ...shape }),
  two: endpoint(`GET /opds/v2${path}`, { ...opds2Feed, ...shape }),
})

const ofSeries = { access: 'series:read', needs: ['books:read'] } as const
const pagesOfOne = { params: byId, query: opdsPagingQuery, errors: ['not_found'] } as const

export const opdsShelves = {
  keepReading: shelf('/keep-reading', 'acquisition', {
    summary: 'Books you have begun',
    access: 'books:read',
    needs: ['progress:read'],
    query: opdsShelfQuery,
  }),
  onDeck: shelf('/on-deck', 'acquisition', {
    summary: 'The next books of series you are reading',
    access: 'books:read',
    needs: ['progress:read'],
    query: opdsShelfQuery,
  }),
  recent: shelf('/recent', 'acquisition', {
    summary: 'Books, the newest first',
    access: 'books:read',
    query: opdsRecentQuery,
  }),
  books: shelf('/books', 'acquisition', {
    summary: 'Books by title, or narrowed',
    access: 'books:read',
    query: opdsBookQuery,
  }),
  series: shelf('/series', 'navigation', {
    summary: 'Series by title, or narrowed',
    ...ofSeries,
    query: opdsSeriesQuery,
  }),
  booksOfSeries: shelf('/series/{id}', 'acquisition', {
    summary: 'The books of a series',
    access: 'books:read',
    params: byId,
    query: opdsBooksOfSeriesQuery,
    errors: ['not_found'],
  }),
  letters: shelf('/letters', 'navigation', {
    summary: 'The letters series begin with',
    ...ofSeries,
  }),
  seriesByLetter: shelf('/letters/{letter}', 'navigation', {
    summary: 'The series that begin with a letter',
    ...ofSeries,
    params: byLetter,
    query: opdsPagingQuery,
  }),
  libraries: shelf('/libraries', 'navigation', {
    summary: 'Libraries',
    access: 'libraries:read',
    needs: ['series:read', 'books:read'],
    query: opdsPagingQuery,
  }),
  library: shelf('/libraries/{id}', 'navigation', {
    summary: 'The shelves of a library',
    access: 'libraries:read',
    needs: ['series:read', 'books:read'],
    params: byId,
    errors: ['not_found'],
  }),
  collections: shelf('/collections', 'navigation', {
    summary: 'Collections',
    access: 'collections:read',
    needs: ['series:read', 'books:read'],
    query: opdsPagingQuery,
  }),
  collection: shelf('/collections/{id}', 'navigation', {
    summary: 'The series of a collection',
    access: 'collections:read',
    needs: ['series:read', 'books:read'],
    ...pagesOfOne,
  }),
  readLists: shelf('/readlists', 'navigation', {
    summary: 'Read lists',
    access: 'readlists:read',
    needs: ['books:read'],
    query: opdsPagingQuery,
  }),
  readList: shelf('/readlists/{id}', 'acquisition', {
    summary: 'The books of a read list',
    access: 'readlists:read',
    needs: ['books:read'],
    ...pagesOfOne,
  }),
  genres: shelf('/genres', 'navigation', {
    summary: 'Genres',
    ...ofSeries,
    query: opdsPagingQuery,
  }),
  tags: shelf('/tags', 'navigation', {
    summary: 'Tags',
    ...ofSeries,
    query: opdsPagingQuery,
  }),
  people: shelf('/people', 'navigation', {
    summary: 'People who made books',
    ...ofSeries,
    query: opdsPagingQuery,
  }),
  publishers: shelf('/publishers', 'navigation', {
    summary: 'Publishers',
    ...ofSeries,
  }),
  languages: shelf('/languages', 'navigation', {
    summary: 'Languages',
    ...ofSeries,
  }),
  wanted: shelf('/want-to-read', 'acquisition', {
    summary: 'Books you want to read',
    access: 'books:read',
    needs: ['progress:read'],
    query: opdsPagingQuery,
  }),
  wantedSeries: shelf('/want-to-read/series', 'navigation', {
    summary: 'Series you want to read',
    access: 'series:read',
    needs: ['books:read', 'progress:read'],
    query: opdsPagingQuery,
  }),
  // A filter may go by how far somebody has read: to show what it finds is to tell that.
  presets: shelf('/presets', 'navigation', {
    summary: 'Your saved filters',
    access: 'series:read',
    needs: ['books:read', 'progress:read'],
  }),
  seriesOfPreset: shelf('/presets/{id}/series', 'navigation', {
    summary: 'The series a saved filter finds',
    access: 'series:read',
    needs: ['books:read', 'progress:read'],
    ...pagesOfOne,
  }),
  booksOfPreset: shelf('/presets/{id}/books', 'acquisition', {
    summary: 'The books a saved filter finds',
    access: 'books:read',
    needs: ['progress:read'],
    ...pagesOfOne,
  }),
  searchSeries: shelf('/search/series', 'navigation', {
    summary: 'Series that a search finds',
    ...ofSeries,
    query: opdsSearchQuery,
  }),
} as const
