import { collectionIds, readListIds } from '../shelves.ts'
import type { Inputs } from '../visible-inputs.ts'
import { comics, idOf, manga, world } from '../visible-world.ts'

// These find something in the world.

const compact = manga.replaceAll('-', '')
const everySeriesSort = [
  'metadata.titleSort,desc',
  'booksMetadata.releaseDate,desc',
  'readDate,desc',
  'booksCount,desc',
].map((sort) => `sort=${sort}`)
const ofLibraries = ['', `library_id=${comics},${compact}`, 'size=2&page=1']
const seriesQueries = [
  ...ofLibraries,
  ...everySeriesSort,
  'search=series',
  'genre=genre1&genre=genre4',
  'tag=tag1,tag2',
  'author=Person%201,writer',
  'publisher=Odd',
  'read_status=READ',
  'read_status=UNREAD,IN_PROGRESS',
  'complete=true',
  'oneshot=true',
  'age_rating=6,None',
  'release_year=2001',
  'search_regex=%5Eser,TITLE',
]
const bookQueries = [
  ...ofLibraries,
  'search=series',
  'read_status=READ',
  'read_status=UNREAD,IN_PROGRESS',
  'media_status=READY',
  'tag=tag1',
  'sort=series,asc',
  'sort=metadata.numberSort,desc',
  'sort=readProgress.readDate,desc',
]
const is = (value: unknown, operator = 'is') => ({ operator, value })
const seriesBodies = [
  {},
  { fullTextSearch: 'series' },
  { condition: { allOf: [{ deleted: { operator: 'isFalse' } }, { readStatus: is('READ') }] } },
  { condition: { complete: { operator: 'isTrue' } } },
  { condition: { tag: is('tag1', 'isNot') } },
  { condition: { tag: { operator: 'isNull' } } },
  { condition: { releaseDate: { operator: 'isNull' } } },
  { condition: { oneShot: { operator: 'isTrue' } } },
  { condition: { sharingLabel: { operator: 'isNotNull' } } },
  { condition: { ageRating: is(6, 'greaterThan') } },
  ...[collectionIds.slice(0, 3), collectionIds.slice(-2)].map((ids) => ({
    condition: { anyOf: ids.map((id) => ({ collectionId: is(id) })) },
  })),
]
const bookBodies = [
  {},
  { fullTextSearch: 'series 4' },
  { condition: { numberSort: is(2, 'lessThan') } },
  { condition: { seriesId: is(idOf('series', 0)) } },
  { condition: { anyOf: world.map((_, number) => ({ seriesId: is(idOf('series', number)) })) } },
  { condition: { readStatus: is('UNREAD', 'isNot') } },
  { condition: { oneShot: { operator: 'isFalse' } } },
  { condition: { author: is({ name: 'Person 1' }) } },
  { condition: { mediaProfile: is('DIVINA') } },
  { condition: { readListId: is(readListIds[1]) } },
]
const terms: Inputs = { queries: [`library_id=${manga}`, `collection_id=${collectionIds.slice(1, 3).join(',')}`] }
const pagedTerms: Inputs = { queries: ['search=1&size=2', 'unpaged=true'] }

const inputsByEndpoint: Readonly<Record<string, Inputs>> = {
  'GET /{prefix}/api/v1/series': { queries: seriesQueries },
  'POST /{prefix}/api/v1/series/list': { bodies: seriesBodies },
  'GET /{prefix}/api/v1/series/alphabetical-groups': { queries: ['', `library_id=${manga}`] },
  'POST /{prefix}/api/v1/series/list/alphabetical-groups': { bodies: seriesBodies.slice(0, 4) },
  'GET /{prefix}/api/v1/series/new': { queries: [''] },
  'GET /{prefix}/api/v1/series/updated': { queries: ofLibraries },
  'GET /{prefix}/api/v1/series/latest': { queries: ['unpaged=true'] },
  'GET /{prefix}/api/v1/series/{id}': { of: 'series' },
  'GET /{prefix}/api/v1/series/{id}/books': { of: 'series', queries: ['unpaged=true&media_status=READY'] },
  'GET /{prefix}/api/v1/series/{id}/collections': { of: 'series', few: true },
  'GET /{prefix}/api/v1/books': { queries: bookQueries },
  'POST /{prefix}/api/v1/books/list': { bodies: bookBodies },
  'GET /{prefix}/api/v1/books/ondeck': { queries: ofLibraries },
  'GET /{prefix}/api/v1/books/latest': { queries: ofLibraries },
  'GET /{prefix}/api/v1/books/duplicates': { queries: [''] },
  'GET /{prefix}/api/v1/books/{id}': { of: 'book' },
  // Nothing follows at the end of a series: the answer depends on more than the id.
  'GET /{prefix}/api/v1/books/{id}/next': { of: 'book', mayBeNothing: true },
  'GET /{prefix}/api/v1/books/{id}/previous': { of: 'book', mayBeNothing: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/readlists': { of: 'book', few: true },
  'GET /{prefix}/api/v1/collections': { queries: [...ofLibraries, 'search=shelf', 'search=2'] },
  'GET /{prefix}/api/v1/collections/{id}': { of: 'collection' },
  'GET /{prefix}/api/v1/collections/{id}/series': { of: 'collection', queries: ['', 'read_status=UNREAD'] },
  'GET /{prefix}/api/v1/readlists': { queries: [...ofLibraries, 'search=list'] },
  'GET /{prefix}/api/v1/readlists/{id}': { of: 'readList' },
  'GET /{prefix}/api/v1/readlists/{id}/books': { of: 'readList' },
  'GET /{prefix}/api/v1/readlists/{id}/books/{bookId}/next': { of: 'readList' },
  'GET /{prefix}/api/v1/readlists/{id}/books/{bookId}/previous': { of: 'readList', few: true },
  ...Object.fromEntries(
    [
      'genres',
      'tags',
      'tags/series',
      'tags/book',
      'publishers',
      'languages',
      'age-ratings',
      'series/release-dates',
      'sharing-labels',
      'authors',
      'authors/names',
      'authors/roles',
    ].map((path) => [`GET /{prefix}/api/v1/${path}`, terms]),
  ),
  ...Object.fromEntries(
    [
      'authors',
      'authors/names',
      'authors/roles',
      'genres',
      'tags',
      'publishers',
      'languages',
      'sharing-labels',
      'age-ratings',
      'series/release-years',
    ].map((path) => [`GET /{prefix}/api/v2/${path}`, pagedTerms]),
  ),
}

/** These endpoints are for signing in, opening and reading. */
const openingAndReading: Readonly<Record<string, Inputs | 'shows no content'>> = {
  'GET /{prefix}/api/v1/libraries': { queries: [''] },
  'GET /{prefix}/api/v1/libraries/{id}': { of: 'library' },
  'GET /{prefix}/api/v1/books/{id}/pages': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/pages/{number}': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/pages/{number}/thumbnail': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/pages/{number}/raw': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/file': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/file/{path}': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/thumbnail': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/manifest': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/manifest/epub': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/manifest/pdf': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/manifest/divina': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/positions': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/resource/{path}': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/progression': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/thumbnails': { of: 'book', few: true },
  'GET /{prefix}/api/v1/books/{id}/thumbnails/{coverId}': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/series/{id}/thumbnails': { of: 'series' },
  'GET /{prefix}/api/v1/series/{id}/thumbnails/{coverId}': { of: 'series', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/series/{id}/file': { of: 'series', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/series/{id}/thumbnail': { of: 'series', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/collections/{id}/thumbnail': { of: 'collection', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/readlists/{id}/thumbnail': { of: 'readList', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/collections/{id}/thumbnails': { of: 'collection', few: true },
  'GET /{prefix}/api/v1/collections/{id}/thumbnails/{coverId}': { of: 'collection', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/readlists/{id}/thumbnails': { of: 'readList', few: true },
  'GET /{prefix}/api/v1/readlists/{id}/thumbnails/{coverId}': { of: 'readList', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/readlists/{id}/file': { of: 'readList', readsFiles: true, few: true },
  'GET /{prefix}/api/v2/series/{id}/read-progress/tachiyomi': { of: 'series' },
  'GET /{prefix}/api/v1/readlists/{id}/read-progress/tachiyomi': { of: 'readList' },
}

/** The differential test requests this door's content like this. */
export const compatInputs: Readonly<Record<string, Inputs | 'shows no content'>> = {
  ...inputsByEndpoint,
  ...openingAndReading,
}
