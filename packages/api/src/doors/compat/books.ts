import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { byCompatId, compatPaging } from './page.ts'
import {
  CompatBook,
  compatBookFilters,
  compatLibraryFilters,
  CompatSearch,
  compatSearch,
  exampleCompatBook,
  exampleCompatPage,
  singleParameter,
} from './records.ts'
import { compat } from './shared.ts'
import { CompatBookPage } from './series.ts'

const access = 'books:read'
const page = {
  ...compat,
  access,
  reply: CompatBookPage,
  example: { reply: exampleCompatPage(exampleCompatBook) },
} as const

export const listCompatBooks = endpoint('GET /{prefix}/api/v1/books', {
  ...page,
  summary: 'List books',
  query: Type.Object({
    ...compatSearch,
    ...compatLibraryFilters,
    ...compatBookFilters,
    released_after: singleParameter('A date, as `2026-11-21`.'),
    ...compatPaging,
  }),
})

export const searchCompatBooks = endpoint('POST /{prefix}/api/v1/books/list', {
  ...page,
  summary: 'List books that fulfil a condition',
  query: Type.Object(compatPaging),
  body: CompatSearch,
  nullIsAbsent: true,
  bodyOptional: true,
  example: {
    ...page.example,
    body: { condition: { mediaProfile: { operator: 'is', value: 'EPUB' } }, fullTextSearch: '' },
  },
})

export const listCompatBooksOnDeck = endpoint('GET /{prefix}/api/v1/books/ondeck', {
  ...page,
  summary: 'List the next unread book of each series that is being read',
  query: Type.Object({ ...compatLibraryFilters, ...compatPaging }),
})

export const listLatestCompatBooks = endpoint('GET /{prefix}/api/v1/books/latest', {
  ...page,
  summary: 'List books, those that have changed last first',
  query: Type.Object({ ...compatLibraryFilters, ...compatPaging }),
})

export const listDuplicateCompatBooks = endpoint('GET /{prefix}/api/v1/books/duplicates', {
  ...page,
  summary: 'List books whose files are the same as those of others',
  query: Type.Object(compatPaging),
})

const one = {
  ...compat,
  access,
  params: byCompatId,
  errors: ['not_found'],
  reply: CompatBook,
  example: { reply: exampleCompatBook },
} as const

export const readCompatBook = endpoint('GET /{prefix}/api/v1/books/{id}', { ...one, summary: 'Read a book' })
export const readNextCompatBook = endpoint('GET /{prefix}/api/v1/books/{id}/next', {
  ...one,
  summary: 'Read the book after one in its series; 404 behind the last',
})
export const readPreviousCompatBook = endpoint('GET /{prefix}/api/v1/books/{id}/previous', {
  ...one,
  summary: 'Read the book before one in its series; 404 before the first',
})
