import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { byId, Id } from '../../schema.ts'
import {
  byLetter,
  opdsSearchQuery,
  opdsBookQuery,
  opdsBooksOfSeriesQuery,
  opdsDoor,
  opdsPagingQuery,
  opdsRecentQuery,
  opdsSeriesQuery,
  opdsShelfQuery,
} from './asked.ts'
import {
  exampleOpdsAuthentication,
  exampleOpdsFeed,
  exampleOpdsManifest,
  exampleOpdsPosition,
  exampleOpdsProgression,
  exampleOpdsPublication,
  OpdsAuthentication,
  OpdsFeed,
  OpdsManifest,
  OpdsPosition,
  OpdsPositionUpdate,
  OpdsProgression,
  OpdsProgressionUpdate,
  OpdsPublication,
} from './documents.ts'
import { opdsTypes } from './media-types.ts'

const shared = { ...opdsDoor, tag: 'OPDS 2.0' } as const
const feed = { ...shared, mediaType: opdsTypes.feed, reply: OpdsFeed, example: { reply: exampleOpdsFeed } } as const

export const readOpds2 = endpoint('GET /opds/v2', {
  ...feed,
  summary: 'Where an OPDS 2 app begins',
  access: 'series:read',
})

export const readOpds2KeepReading = endpoint('GET /opds/v2/keep-reading', {
  ...feed,
  summary: 'Books you have begun',
  access: 'books:read',
  needs: ['progress:read'],
  query: opdsShelfQuery,
})

export const readOpds2OnDeck = endpoint('GET /opds/v2/on-deck', {
  ...feed,
  summary: 'The next books of series you are reading',
  access: 'books:read',
  needs: ['progress:read'],
  query: opdsShelfQuery,
})

export const readOpds2Recent = endpoint('GET /opds/v2/recent', {
  ...feed,
  summary: 'Books, the newest first',
  access: 'books:read',
  query: opdsRecentQuery,
})

export const readOpds2Books = endpoint('GET /opds/v2/books', {
  ...feed,
  summary: 'Books by title, or narrowed',
  access: 'books:read',
  query: opdsBookQuery,
})

export const readOpds2Series = endpoint('GET /opds/v2/series', {
  ...feed,
  summary: 'Series by title, or narrowed',
  access: 'series:read',
  needs: ['books:read'],
  query: opdsSeriesQuery,
})

export const readOpds2BooksOfSeries = endpoint('GET /opds/v2/series/{id}', {
  ...feed,
  summary: 'The books of a series',
  access: 'books:read',
  params: byId,
  query: opdsBooksOfSeriesQuery,
  errors: ['not_found'],
})

export const readOpds2Letters = endpoint('GET /opds/v2/letters', {
  ...feed,
  summary: 'The letters series begin with',
  access: 'series:read',
  needs: ['books:read'],
})

export const readOpds2SeriesByLetter = endpoint('GET /opds/v2/letters/{letter}', {
  ...feed,
  summary: 'The series that begin with a letter',
  access: 'series:read',
  needs: ['books:read'],
  params: byLetter,
  query: opdsPagingQuery,
})

export const readOpds2Libraries = endpoint('GET /opds/v2/libraries', {
  ...feed,
  summary: 'Libraries',
  access: 'libraries:read',
  needs: ['series:read', 'books:read'],
  query: opdsPagingQuery,
})

export const readOpds2Library = endpoint('GET /opds/v2/libraries/{id}', {
  ...feed,
  summary: 'The shelves of a library',
  access: 'libraries:read',
  needs: ['series:read', 'books:read'],
  params: byId,
  errors: ['not_found'],
})

export const readOpds2Collections = endpoint('GET /opds/v2/collections', {
  ...feed,
  summary: 'Collections',
  access: 'collections:read',
  needs: ['series:read', 'books:read'],
  query: opdsPagingQuery,
})

export const readOpds2Collection = endpoint('GET /opds/v2/collections/{id}', {
  ...feed,
  summary: 'The series of a collection',
  access: 'collections:read',
  needs: ['series:read', 'books:read'],
  params: byId,
  query: opdsPagingQuery,
  errors: ['not_found'],
})

export const readOpds2ReadLists = endpoint('GET /opds/v2/readlists', {
  ...feed,
  summary: 'Read lists',
  access: 'readlists:read',
  needs: ['books:read'],
  query: opdsPagingQuery,
})

export const readOpds2ReadList = endpoint('GET /opds/v2/readlists/{id}', {
  ...feed,
  summary: 'The books of a read list',
  access: 'readlists:read',
  needs: ['books:read'],
  params: byId,
  query: opdsPagingQuery,
  errors: ['not_found'],
})

export const readOpds2Genres = endpoint('GET /opds/v2/genres', {
  ...feed,
  summary: 'Genres',
  access: 'series:read',
  needs: ['books:read'],
  query: opdsPagingQuery,
})

export const readOpds2Tags = endpoint('GET /opds/v2/tags', {
  ...feed,
  summary: 'Tags',
  access: 'series:read',
  needs: ['books:read'],
  query: opdsPagingQuery,
})

export const readOpds2People = endpoint('GET /opds/v2/people', {
  ...feed,
  summary: 'People who made books',
  access: 'series:read',
  needs: ['books:read'],
  query: opdsPagingQuery,
})

export const readOpds2Publishers = endpoint('GET /opds/v2/publishers', {
  ...feed,
  summary: 'Publishers',
  access: 'series:read',
  needs: ['books:read'],
})

export const readOpds2Languages = endpoint('GET /opds/v2/languages', {
  ...feed,
  summary: 'Languages',
  access: 'series:read',
  needs: ['books:read'],
})

export const readOpds2Wanted = endpoint('GET /opds/v2/want-to-read', {
  ...feed,
  summary: 'Books you want to read',
  access: 'books:read',
  needs: ['progress:read'],
  query: opdsPagingQuery,
})

export const readOpds2WantedSeries = endpoint('GET /opds/v2/want-to-read/series', {
  ...feed,
  summary: 'Series you want to read',
  access: 'series:read',
  needs: ['books:read', 'progress:read'],
  query: opdsPagingQuery,
})

// A filter may go by how far somebody has read: to show what it finds is to tell that.

export const readOpds2Presets = endpoint('GET /opds/v2/presets', {
  ...feed,
  summary: 'Your saved filters',
  access: 'series:read',
  needs: ['books:read', 'progress:read'],
})

export const readOpds2SeriesOfPreset = endpoint('GET /opds/v2/presets/{id}/series', {
  ...feed,
  summary: 'The series a saved filter finds',
  access: 'series:read',
  needs: ['books:read', 'progress:read'],
  params: byId,
  query: opdsPagingQuery,
  errors: ['not_found'],
})

export const readOpds2BooksOfPreset = endpoint('GET /opds/v2/presets/{id}/books', {
  ...feed,
  summary: 'The books a saved filter finds',
  access: 'books:read',
  needs: ['progress:read'],
  params: byId,
  query: opdsPagingQuery,
  errors: ['not_found'],
})

export const searchOpds2Series = endpoint('GET /opds/v2/search/series', {
  ...feed,
  summary: 'Series that a search finds',
  access: 'series:read',
  needs: ['books:read'],
  query: opdsSearchQuery,
})

export const searchOpds2 = endpoint('GET /opds/v2/search', {
  ...feed,
  summary: 'Books and series that a search finds',
  access: 'books:read',
  query: opdsSearchQuery,
})

export const readOpdsAuthentication = endpoint('GET /opds/v2/auth', {
  ...shared,
  summary: 'How to sign in (OPDS authentication document)',
  access: 'open',
  mediaType: opdsTypes.authentication,
  reply: OpdsAuthentication,
  example: { reply: exampleOpdsAuthentication },
})

export const readOpds2Book = endpoint('GET /opds/v2/books/{id}', {
  ...shared,
  summary: 'One publication',
  access: 'books:read',
  params: byId,
  mediaType: opdsTypes.publication,
  reply: OpdsPublication,
  errors: ['not_found'],
  example: { reply: exampleOpdsPublication },
})

const manifest = {
  ...shared,
  access: 'pages:read',
  params: byId,
  reply: OpdsManifest,
  errors: ['not_found', 'damaged_file', 'library_unavailable'],
  example: { reply: exampleOpdsManifest },
} as const

export const readOpdsManifest = endpoint('GET /opds/v2/books/{id}/manifest', {
  ...manifest,
  summary: 'What is in a book (Readium Web Publication Manifest)',
  mediaType: opdsTypes.webPublication,
})

export const readOpdsDivina = endpoint('GET /opds/v2/books/{id}/manifest/divina', {
  ...manifest,
  summary: 'The pages of a book as pictures (DIVINA)',
  description: 'A book whose text flows has none: 404.',
  mediaType: opdsTypes.divina,
})

export const readOpds2Page = endpoint('GET /opds/v2/books/{id}/pages/{number}', {
  ...shared,
  summary: 'One page as the manifest says it',
  access: 'pages:read',
  params: Type.Object({ id: Id, number: Type.Integer({ minimum: 1, description: 'Counted from 1.' }) }),
  mediaType: 'image/*',
  errors: ['not_found', 'damaged_file', 'library_unavailable'],
})

export const readOpdsResource = endpoint('GET /opds/v2/books/{id}/resources/{path}', {
  ...shared,
  summary: 'A file inside of a book',
  access: 'pages:read',
  params: Type.Object({ id: Id, path: Type.String({ minLength: 1, maxLength: 2000 }) }),
  mediaType: 'application/octet-stream',
  errors: ['not_found', 'damaged_file', 'library_unavailable'],
})

export const readOpdsProgression = endpoint('GET /opds/v2/books/{id}/progression', {
  ...shared,
  summary: 'Where you are in a book (OPDS Progression)',
  description: '204 when you have not begun it.',
  access: 'progress:read',
  params: byId,
  mediaType: opdsTypes.progression,
  reply: OpdsProgression,
  mayBeEmpty: true,
  errors: ['not_found'],
  example: { reply: exampleOpdsProgression },
})

export const saveOpdsProgression = endpoint('PUT /opds/v2/books/{id}/progression', {
  ...shared,
  summary: 'Say where you are in a book (OPDS Progression)',
  description: '409 when a later point is known already.',
  access: 'progress:write',
  params: byId,
  mediaType: opdsTypes.progression,
  body: OpdsProgressionUpdate,
  reply: OpdsProgression,
  errors: ['not_found', 'conflict'],
  example: { body: exampleOpdsProgression, reply: exampleOpdsProgression },
})

export const readOpdsPosition = endpoint('GET /opds/v2/books/{id}/position', {
  ...shared,
  summary: 'Where you are in a book (Readium progression)',
  description: '204 when you have not begun it.',
  access: 'progress:read',
  params: byId,
  mediaType: opdsTypes.readiumProgression,
  reply: OpdsPosition,
  mayBeEmpty: true,
  errors: ['not_found'],
  example: { reply: exampleOpdsPosition },
})

export const saveOpdsPosition = endpoint('PUT /opds/v2/books/{id}/position', {
  ...shared,
  summary: 'Say where you are in a book (Readium progression)',
  description: '409 when a later position is known already.',
  access: 'progress:write',
  params: byId,
  body: OpdsPositionUpdate,
  errors: ['not_found', 'conflict'],
  example: { body: exampleOpdsPosition },
})
