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
import { opdsTypes } from './media-types.ts'

const shared = { ...opdsDoor, tag: 'OPDS 1.2', isTagged: true } as const
const navigation = { ...shared, mediaType: opdsTypes.navigation } as const
const acquisition = { ...shared, mediaType: opdsTypes.acquisition } as const

const start = {
  ...navigation,
  summary: 'Where an OPDS app begins',
  description: 'Every way to spell the beginning leads here: applications and people write it differently.',
  access: 'series:read',
} as const
export const readOpdsStart = endpoint('GET /opds', start)
export const readOpds1Start = endpoint('GET /opds/v1', start)
export const readOpdsCatalog = endpoint('GET /opds/v1/catalog', start)

export const readOpds1KeepReading = endpoint('GET /opds/v1/keep-reading', {
  ...acquisition,
  summary: 'Books you have begun',
  access: 'books:read',
  needs: ['progress:read'],
  query: opdsShelfQuery,
})

export const readOpds1OnDeck = endpoint('GET /opds/v1/on-deck', {
  ...acquisition,
  summary: 'The next books of series you are reading',
  access: 'books:read',
  needs: ['progress:read'],
  query: opdsShelfQuery,
})

export const readOpds1Recent = endpoint('GET /opds/v1/recent', {
  ...acquisition,
  summary: 'Books, the newest first',
  access: 'books:read',
  query: opdsRecentQuery,
})

export const readOpds1Books = endpoint('GET /opds/v1/books', {
  ...acquisition,
  summary: 'Books by title, or narrowed',
  access: 'books:read',
  query: opdsBookQuery,
})

export const readOpds1Series = endpoint('GET /opds/v1/series', {
  ...navigation,
  summary: 'Series by title, or narrowed',
  access: 'series:read',
  needs: ['books:read'],
  query: opdsSeriesQuery,
})

export const readOpds1BooksOfSeries = endpoint('GET /opds/v1/series/{id}', {
  ...acquisition,
  summary: 'The books of a series',
  access: 'books:read',
  params: byId,
  query: opdsBooksOfSeriesQuery,
  errors: ['not_found'],
})

export const readOpds1Letters = endpoint('GET /opds/v1/letters', {
  ...navigation,
  summary: 'The letters series begin with',
  access: 'series:read',
  needs: ['books:read'],
})

export const readOpds1SeriesByLetter = endpoint('GET /opds/v1/letters/{letter}', {
  ...navigation,
  summary: 'The series that begin with a letter',
  access: 'series:read',
  needs: ['books:read'],
  params: byLetter,
  query: opdsPagingQuery,
})

export const readOpds1Libraries = endpoint('GET /opds/v1/libraries', {
  ...navigation,
  summary: 'Libraries',
  access: 'libraries:read',
  needs: ['series:read', 'books:read'],
  query: opdsPagingQuery,
})

export const readOpds1Library = endpoint('GET /opds/v1/libraries/{id}', {
  ...navigation,
  summary: 'The shelves of a library',
  access: 'libraries:read',
  needs: ['series:read', 'books:read'],
  params: byId,
  errors: ['not_found'],
})

export const readOpds1Collections = endpoint('GET /opds/v1/collections', {
  ...navigation,
  summary: 'Collections',
  access: 'collections:read',
  needs: ['series:read', 'books:read'],
  query: opdsPagingQuery,
})

export const readOpds1Collection = endpoint('GET /opds/v1/collections/{id}', {
  ...navigation,
  summary: 'The series of a collection',
  access: 'collections:read',
  needs: ['series:read', 'books:read'],
  params: byId,
  query: opdsPagingQuery,
  errors: ['not_found'],
})

export const readOpds1ReadLists = endpoint('GET /opds/v1/readlists', {
  ...navigation,
  summary: 'Read lists',
  access: 'readlists:read',
  needs: ['books:read'],
  query: opdsPagingQuery,
})

export const readOpds1ReadList = endpoint('GET /opds/v1/readlists/{id}', {
  ...acquisition,
  summary: 'The books of a read list',
  access: 'readlists:read',
  needs: ['books:read'],
  params: byId,
  query: opdsPagingQuery,
  errors: ['not_found'],
})

export const readOpds1Genres = endpoint('GET /opds/v1/genres', {
  ...navigation,
  summary: 'Genres',
  access: 'series:read',
  needs: ['books:read'],
  query: opdsPagingQuery,
})

export const readOpds1Tags = endpoint('GET /opds/v1/tags', {
  ...navigation,
  summary: 'Tags',
  access: 'series:read',
  needs: ['books:read'],
  query: opdsPagingQuery,
})

export const readOpds1People = endpoint('GET /opds/v1/people', {
  ...navigation,
  summary: 'People who made books',
  access: 'series:read',
  needs: ['books:read'],
  query: opdsPagingQuery,
})

export const readOpds1Publishers = endpoint('GET /opds/v1/publishers', {
  ...navigation,
  summary: 'Publishers',
  access: 'series:read',
  needs: ['books:read'],
})

export const readOpds1Languages = endpoint('GET /opds/v1/languages', {
  ...navigation,
  summary: 'Languages',
  access: 'series:read',
  needs: ['books:read'],
})

export const readOpds1Wanted = endpoint('GET /opds/v1/want-to-read', {
  ...acquisition,
  summary: 'Books you want to read',
  access: 'books:read',
  needs: ['progress:read'],
  query: opdsPagingQuery,
})

export const readOpds1WantedSeries = endpoint('GET /opds/v1/want-to-read/series', {
  ...navigation,
  summary: 'Series you want to read',
  access: 'series:read',
  needs: ['books:read', 'progress:read'],
  query: opdsPagingQuery,
})

// A filter may go by how far somebody has read: to show what it finds is to tell that.

export const readOpds1Presets = endpoint('GET /opds/v1/presets', {
  ...navigation,
  summary: 'Your saved filters',
  access: 'series:read',
  needs: ['books:read', 'progress:read'],
})

export const readOpds1SeriesOfPreset = endpoint('GET /opds/v1/presets/{id}/series', {
  ...navigation,
  summary: 'The series a saved filter finds',
  access: 'series:read',
  needs: ['books:read', 'progress:read'],
  params: byId,
  query: opdsPagingQuery,
  errors: ['not_found'],
})

export const readOpds1BooksOfPreset = endpoint('GET /opds/v1/presets/{id}/books', {
  ...acquisition,
  summary: 'The books a saved filter finds',
  access: 'books:read',
  needs: ['progress:read'],
  params: byId,
  query: opdsPagingQuery,
  errors: ['not_found'],
})

export const searchOpds1Series = endpoint('GET /opds/v1/search/series', {
  ...navigation,
  summary: 'Series that a search finds',
  access: 'series:read',
  needs: ['books:read'],
  query: opdsSearchQuery,
})

export const searchOpds1 = endpoint('GET /opds/v1/search', {
  ...acquisition,
  summary: 'Books that a search finds',
  access: 'books:read',
  query: opdsSearchQuery,
})

export const readOpdsSearchDescription = endpoint('GET /opds/v1/opensearch.xml', {
  ...shared,
  summary: 'How to search (OpenSearch description)',
  description:
    'It holds no secrets: some applications ask for it without signing in. A key is told of what it may search.',
  access: 'optional',
  mediaType: opdsTypes.openSearch,
})

export const readOpds1Book = endpoint('GET /opds/v1/books/{id}', {
  ...shared,
  summary: 'The complete entry of a book',
  access: 'books:read',
  params: byId,
  mediaType: opdsTypes.entry,
  errors: ['not_found'],
})

// Entries of both versions lead to these.

const media = { ...opdsDoor, tag: 'OPDS files' } as const
const picture = {
  ...media,
  params: byId,
  query: Type.Object({
    v: Type.Optional(Type.String({ maxLength: 200, description: 'With it the reply may be kept for ever.' })),
  }),
  mediaType: 'image/jpeg',
  errors: ['not_found'],
} as const

export const readOpdsCover = endpoint('GET /opds/v1/books/{id}/cover', {
  ...picture,
  summary: 'The cover of a book',
  access: 'books:read',
})
export const readOpdsThumbnail = endpoint('GET /opds/v1/books/{id}/thumbnail', {
  ...picture,
  summary: 'The cover of a book, small',
  access: 'books:read',
})
export const readOpdsSeriesCover = endpoint('GET /opds/v1/series/{id}/cover', {
  ...picture,
  summary: 'The cover of a series',
  access: 'series:read',
})
export const readOpdsSeriesThumbnail = endpoint('GET /opds/v1/series/{id}/thumbnail', {
  ...picture,
  summary: 'The cover of a series, small',
  access: 'series:read',
})

export const readOpdsLibraryCover = endpoint('GET /opds/v1/libraries/{id}/cover', {
  ...picture,
  summary: 'The newest cover in a library',
  access: 'libraries:read',
  needs: ['series:read'],
})
export const readOpdsLibraryThumbnail = endpoint('GET /opds/v1/libraries/{id}/thumbnail', {
  ...picture,
  summary: 'The newest cover in a library, small',
  access: 'libraries:read',
  needs: ['series:read'],
})
export const readOpdsCollectionCover = endpoint('GET /opds/v1/collections/{id}/cover', {
  ...picture,
  summary: 'The cover of the first series of a collection',
  access: 'collections:read',
  needs: ['series:read'],
})
export const readOpdsCollectionThumbnail = endpoint('GET /opds/v1/collections/{id}/thumbnail', {
  ...picture,
  summary: 'The cover of the first series of a collection, small',
  access: 'collections:read',
  needs: ['series:read'],
})
export const readOpdsReadListCover = endpoint('GET /opds/v1/readlists/{id}/cover', {
  ...picture,
  summary: 'The cover of the first book of a read list',
  access: 'readlists:read',
  needs: ['books:read'],
})
export const readOpdsReadListThumbnail = endpoint('GET /opds/v1/readlists/{id}/thumbnail', {
  ...picture,
  summary: 'The cover of the first book of a read list, small',
  access: 'readlists:read',
  needs: ['books:read'],
})

export const downloadOpdsBook = endpoint('GET /opds/v1/books/{id}/file/{name}', {
  ...media,
  summary: 'The file of a book',
  description: 'Whatever name the address ends in: it is there for applications that save files under it.',
  access: 'files:download',
  params: Type.Object({ id: Id, name: Type.String({ maxLength: 1000 }) }),
  mediaType: 'application/octet-stream',
  errors: ['not_found', 'range_not_satisfiable', 'library_unavailable'],
})

export const readOpdsPage = endpoint('GET /opds/v1/books/{id}/pages/{index}', {
  ...media,
  summary: 'One page as a JPEG (page streaming)',
  access: 'pages:read',
  params: Type.Object({ id: Id, index: Type.Integer({ minimum: 0, description: 'Counted from 0.' }) }),
  query: Type.Object({
    width: Type.Optional(
      Type.String({ maxLength: 20, description: 'At most this wide. What is no number is passed over.' }),
    ),
  }),
  mediaType: 'image/jpeg',
  errors: ['not_found', 'damaged_file', 'library_unavailable'],
})
