import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { byId, Id } from '../../schema.ts'
import { opdsDoor, opdsSearchQuery } from './feed-parameters.ts'
import { opdsTypes } from './media-types.ts'
import { opds1 } from './shelves.ts'

const start = {
  ...opds1,
  mediaType: opdsTypes.navigation,
  summary: 'Where an OPDS app begins',
  description: 'Every way to spell the beginning leads here: applications and people write it differently.',
  access: 'series:read',
} as const
export const readOpdsStart = endpoint('GET /opds', start)
export const readOpds1Start = endpoint('GET /opds/v1', start)
export const readOpdsCatalog = endpoint('GET /opds/v1/catalog', start)

export const searchOpds1 = endpoint('GET /opds/v1/search', {
  ...opds1,
  mediaType: opdsTypes.acquisition,
  summary: 'Books that a search finds',
  access: 'books:read',
  query: opdsSearchQuery,
})

export const readOpdsSearchDescription = endpoint('GET /opds/v1/opensearch.xml', {
  ...opds1,
  summary: 'How to search (OpenSearch description)',
  description:
    'It holds no secrets: some applications ask for it without signing in. A key is told of what it may search.',
  access: 'optional',
  mediaType: opdsTypes.openSearch,
})

export const readOpds1Book = endpoint('GET /opds/v1/books/{id}', {
  ...opds1,
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
  query: Type.Object({
    file: Type.Optional({ ...Id, description: 'The id of one of its files; else the chosen one.' }),
  }),
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
