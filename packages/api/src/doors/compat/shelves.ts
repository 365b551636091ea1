import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { membersAtOnceMax, membersBytesMax } from '../../member-lists.ts'
import { importBytesMax, importEntriesMax } from '../../read-lists.ts'
import { Nullable, OneOf, record } from '../../schema.ts'
import { byCompatId, CompatId, compatPageOf, compatPaging, CompatTime } from './page.ts'
import {
  CompatBook,
  compatBookFilters,
  compatLibraryFilters,
  compatSearch,
  compatSeriesFilters,
  exampleCompatBook,
  exampleCompatPage,
  exampleCompatSeries,
} from './records.ts'
import { compat } from './shared.ts'
import { CompatBookPage, CompatSeriesPage } from './series.ts'

const times = { createdDate: CompatTime, lastModifiedDate: CompatTime }
const Filtered = Type.Boolean({ description: 'Always false: what somebody may not see does not exist for them.' })

export const CompatCollection = record(
  {
    id: CompatId,
    name: Type.String(),
    ordered: Type.Boolean(),
    seriesIds: Type.Array(CompatId, {
      description: 'Those you may see; the first thousand of a collection that fills itself.',
    }),
    ...times,
    filtered: Filtered,
  },
  { title: 'CompatCollection' },
)
export type CompatCollection = Static<typeof CompatCollection>

export const CompatReadList = record(
  {
    id: CompatId,
    name: Type.String(),
    summary: Type.String(),
    ordered: Type.Boolean(),
    bookIds: Type.Array(CompatId, { description: 'Those you may see.' }),
    ...times,
    filtered: Filtered,
  },
  { title: 'CompatReadList' },
)
export type CompatReadList = Static<typeof CompatReadList>

const at = '2026-11-21T10:00:00Z'
const exampleCollection: CompatCollection = {
  id: '019aa3b2-6c7e-7000-8000-000000000080',
  name: 'For a rainy day',
  ordered: false,
  seriesIds: [exampleCompatSeries.id],
  createdDate: at,
  lastModifiedDate: at,
  filtered: false,
}
const exampleReadList: CompatReadList = {
  id: '019aa3b2-6c7e-7000-8000-000000000090',
  name: 'Crisis on two shelves',
  summary: '',
  ordered: true,
  bookIds: [exampleCompatBook.id],
  createdDate: at,
  lastModifiedDate: at,
  filtered: false,
}

const Name = Type.String({ minLength: 1, maxLength: 200 })
const Summary = Type.String({ maxLength: 10_000 })
const Ids = Type.Array(CompatId, { maxItems: membersAtOnceMax })
const body = { bodyBytesMax: membersBytesMax }

// Collections

const collections = { ...compat, access: 'collections:read' } as const
const exampleNewCollection = { name: 'For a rainy day', ordered: false, seriesIds: [exampleCompatSeries.id] }

export const listCompatCollections = endpoint('GET /{prefix}/api/v1/collections', {
  ...collections,
  summary: 'List collections',
  query: Type.Object({ ...compatSearch, ...compatLibraryFilters, ...compatPaging }),
  reply: compatPageOf(CompatCollection, 'CompatCollectionPage'),
  example: { reply: exampleCompatPage(exampleCollection) },
})
export const createCompatCollection = endpoint('POST /{prefix}/api/v1/collections', {
  ...collections,
  ...body,
  access: 'collections:write',
  summary: 'Create a collection',
  body: Type.Object({ name: Name, ordered: Type.Optional(Type.Boolean()), seriesIds: Ids }),
  errors: ['already_exists', 'conflict'],
  reply: CompatCollection,
  example: { body: exampleNewCollection, reply: exampleCollection },
})
export const readCompatCollection = endpoint('GET /{prefix}/api/v1/collections/{id}', {
  ...collections,
  summary: 'Read a collection',
  params: byCompatId,
  errors: ['not_found'],
  reply: CompatCollection,
  example: { reply: exampleCollection },
})
export const changeCompatCollection = endpoint('PATCH /{prefix}/api/v1/collections/{id}', {
  ...collections,
  ...body,
  access: 'collections:write',
  summary: 'Change a collection',
  params: byCompatId,
  body: Type.Object({
    name: Type.Optional(Name),
    ordered: Type.Optional(Type.Boolean()),
    seriesIds: Type.Optional(Ids),
  }),
  errors: ['not_found', 'already_exists', 'conflict'],
  example: { body: exampleNewCollection },
})
export const deleteCompatCollection = endpoint('DELETE /{prefix}/api/v1/collections/{id}', {
  ...collections,
  access: 'collections:delete',
  summary: 'Delete a collection',
  params: byCompatId,
  errors: ['not_found'],
})
export const listSeriesOfCompatCollection = endpoint('GET /{prefix}/api/v1/collections/{id}/series', {
  ...collections,
  summary: 'List the series of a collection, in its order',
  params: byCompatId,
  query: Type.Object({ ...compatSeriesFilters, ...compatPaging }),
  errors: ['not_found'],
  reply: CompatSeriesPage,
  example: { reply: exampleCompatPage(exampleCompatSeries) },
})
export const listCollectionsOfCompatSeries = endpoint('GET /{prefix}/api/v1/series/{id}/collections', {
  ...collections,
  summary: 'List the collections a series is in',
  params: byCompatId,
  errors: ['not_found'],
  reply: Type.Array(CompatCollection),
  example: { reply: [exampleCollection] },
})

// The rest of this file describes read lists.

const readLists = { ...compat, access: 'readlists:read' } as const
const exampleNewReadList = {
  name: 'Crisis on two shelves',
  summary: '',
  ordered: true,
  bookIds: [exampleCompatBook.id],
}

export const listCompatReadLists = endpoint('GET /{prefix}/api/v1/readlists', {
  ...readLists,
  summary: 'List read lists',
  query: Type.Object({ ...compatSearch, ...compatLibraryFilters, ...compatPaging }),
  reply: compatPageOf(CompatReadList, 'CompatReadListPage'),
  example: { reply: exampleCompatPage(exampleReadList) },
})
export const createCompatReadList = endpoint('POST /{prefix}/api/v1/readlists', {
  ...readLists,
  ...body,
  access: 'readlists:write',
  summary: 'Create a read list',
  body: Type.Object({
    name: Name,
    summary: Type.Optional(Summary),
    ordered: Type.Optional(Type.Boolean()),
    bookIds: Ids,
  }),
  errors: ['already_exists', 'conflict'],
  reply: CompatReadList,
  example: { body: exampleNewReadList, reply: exampleReadList },
})

const CompatListMatch = record(
  {
    readListMatch: record({
      name: Type.String(),
      errorCode: OneOf(['', 'ERR_1009'], { description: 'ERR_1009: there is a list of this name.' }),
    }),
    requests: Type.Array(
      record({
        request: record({ series: Type.Array(Type.String()), number: Type.String() }),
        matches: Type.Array(
          record({
            series: record({ seriesId: CompatId, title: Type.String(), releaseDate: Nullable(Type.String()) }),
            books: Type.Array(record({ bookId: CompatId, number: Type.String(), title: Type.String() })),
          }),
        ),
      }),
    ),
    errorCode: Type.String(),
  },
  { title: 'CompatReadListMatch' },
)
export type CompatListMatch = Static<typeof CompatListMatch>

export const matchCompatReadList = endpoint('POST /{prefix}/api/v1/readlists/match/comicrack', {
  ...readLists,
  access: 'readlists:write',
  summary: 'Find the books of a `.cbl` file; nothing is created',
  upload: { description: `The file of a form in parts, or the body itself: up to ${importEntriesMax} entries.` },
  bodyBytesMax: importBytesMax + 16 * 1024,
  errors: ['validation_failed'],
  reply: CompatListMatch,
  example: {
    reply: {
      readListMatch: { name: 'Civil War', errorCode: '' },
      requests: [
        {
          request: { series: ['Wolverine (2003)', 'Wolverine'], number: '42' },
          matches: [
            {
              series: { seriesId: exampleCompatSeries.id, title: 'Wolverine', releaseDate: '2003-01-01' },
              books: [{ bookId: exampleCompatBook.id, number: '42', title: 'Justice' }],
            },
          ],
        },
      ],
      errorCode: '',
    },
  },
})
export const readCompatReadList = endpoint('GET /{prefix}/api/v1/readlists/{id}', {
  ...readLists,
  summary: 'Read a read list',
  params: byCompatId,
  errors: ['not_found'],
  reply: CompatReadList,
  example: { reply: exampleReadList },
})
export const changeCompatReadList = endpoint('PATCH /{prefix}/api/v1/readlists/{id}', {
  ...readLists,
  ...body,
  access: 'readlists:write',
  summary: 'Change a read list',
  params: byCompatId,
  body: Type.Object({
    name: Type.Optional(Name),
    summary: Type.Optional(Summary),
    ordered: Type.Optional(Type.Boolean()),
    bookIds: Type.Optional(Ids),
  }),
  errors: ['not_found', 'already_exists', 'conflict'],
  example: { body: exampleNewReadList },
})
export const deleteCompatReadList = endpoint('DELETE /{prefix}/api/v1/readlists/{id}', {
  ...readLists,
  access: 'readlists:delete',
  summary: 'Delete a read list',
  params: byCompatId,
  errors: ['not_found'],
})
export const listBooksOfCompatReadList = endpoint('GET /{prefix}/api/v1/readlists/{id}/books', {
  ...readLists,
  summary: 'List the books of a read list, in its order',
  params: byCompatId,
  query: Type.Object({ ...compatLibraryFilters, ...compatBookFilters, ...compatPaging }),
  errors: ['not_found'],
  reply: CompatBookPage,
  example: { reply: exampleCompatPage(exampleCompatBook) },
})
const beside = {
  ...readLists,
  params: Type.Object({ id: CompatId, bookId: CompatId }),
  errors: ['not_found'],
  reply: CompatBook,
  example: { reply: exampleCompatBook },
} as const
export const readNextInCompatReadList = endpoint('GET /{prefix}/api/v1/readlists/{id}/books/{bookId}/next', {
  ...beside,
  summary: 'Read the book after one in a read list; 404 behind the last',
})
export const readPreviousInCompatReadList = endpoint('GET /{prefix}/api/v1/readlists/{id}/books/{bookId}/previous', {
  ...beside,
  summary: 'Read the book before one in a read list; 404 before the first',
})
export const listReadListsOfCompatBook = endpoint('GET /{prefix}/api/v1/books/{id}/readlists', {
  ...readLists,
  summary: 'List the read lists a book is in',
  params: byCompatId,
  errors: ['not_found'],
  reply: Type.Array(CompatReadList),
  example: { reply: [exampleReadList] },
})
