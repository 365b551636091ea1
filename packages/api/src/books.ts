import { type Static, Type } from 'typebox'
import { bookNumbers } from './book-numbers.ts'
import { coverFields } from './cover-fields.ts'
import { exampleTone } from './cover-tone.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { fileFormats } from './file-formats.ts'
import { ReadingDirection } from './libraries.ts'
import { ExternalIdDto, ExternalLinkDto, ExternalRatingDto } from './fields/rows.ts'
import { BookMetadata, exampleBookMetadata } from './metadata.ts'
import { BookFacetsQuery, bookSorting, BookListQuery, Facets, includeDeleted, Letters, termFilters } from './lists.ts'
import { byId, Count, Id, Nullable, OneOf, pagingParameters, record, Timestamp } from './schema.ts'
import { seriesOfBook } from './series-of-book.ts'

const tag = 'Books'

const fields = {
  id: Id,
  libraryId: Id,
  libraryName: Type.String(),
  ...seriesOfBook,
  title: Type.String(),
  titleSort: Nullable(Type.String()),
  ...bookNumbers,
  oneShot: Type.Boolean({ description: 'Its series is a one-shot: it is all there is of it.' }),
  authors: Type.Array(Type.String(), { description: 'Who has written it.' }),
  path: Type.Optional(Type.String({ description: 'On the server. Only for those who manage libraries.' })),
  fileFormat: OneOf(fileFormats),
  fileSize: Count,
  fileHash: Nullable(Type.String()),
  koreaderHash: Nullable(Type.String()),
  pageCount: Count,
  analyzed: Type.Boolean({ description: 'Its inside has been looked at: the number of pages is known.' }),
  analysisError: Nullable(Type.String({ description: 'Why it cannot be read, or not all of it.' })),
  deleted: Type.Boolean({ description: 'Its file is missing.' }),
  readingDirection: { ...ReadingDirection, description: "The book's own, the series' or the library's." },
  summary: Nullable(Type.String()),
  readProgress: Nullable(
    record({
      id: Id,
      userId: Id,
      bookId: Id,
      currentPage: Count,
      progressPercentage: Nullable(Type.Number()),
      completed: Type.Boolean(),
      startedAt: Timestamp,
      updatedAt: Timestamp,
      completedAt: Nullable(Timestamp),
      heldBack: Type.Boolean(),
    }),
  ),
  wantToRead: Type.Boolean({ description: 'You have put it on your list.' }),
  ...coverFields,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const BookDto = record(fields, { title: 'Book' })
export type BookDto = Static<typeof BookDto>

export const BookFile = record(
  {
    id: Id,
    format: OneOf(fileFormats),
    size: Count,
    chosen: Type.Boolean({
      description: 'It is the one that is read; `fileFormat` and all else of the book are of it.',
    }),
  },
  { title: 'BookFile' },
)
export type BookFile = Static<typeof BookFile>

export const BookDetail = record(
  {
    ...fields,
    files: Type.Array(BookFile, {
      description: 'The files of the book that are there, each another format of it; the chosen one first.',
    }),
    metadata: BookMetadata,
    externalIds: Type.Array(ExternalIdDto),
    externalLinks: Type.Array(ExternalLinkDto),
    externalRatings: Type.Array(ExternalRatingDto),
    readCount: Count,
    lastCompletedAt: Nullable(Timestamp),
  },
  { title: 'BookDetail' },
)
export type BookDetail = Static<typeof BookDetail>

const exampleBook: BookDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000040',
  libraryId: '019aa3b2-6c7e-7000-8000-000000000020',
  libraryName: 'Manga',
  seriesId: '019aa3b2-6c7e-7000-8000-000000000030',
  seriesName: 'Yotsuba&!',
  title: 'Yotsuba&! 1',
  titleSort: null,
  number: 1,
  volume: 1,
  chapter: null,
  oneShot: false,
  authors: [],
  fileFormat: 'cbz',
  fileSize: 104_857_600,
  fileHash: '3f786850e387550fdab836ed7e6dc881',
  koreaderHash: null,
  pageCount: 224,
  analyzed: true,
  analysisError: null,
  deleted: false,
  readingDirection: 'rtl',
  summary: null,
  readProgress: null,
  wantToRead: false,
  coverVersion: '1',
  placeholder: null,
  tone: exampleTone,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}
const exampleFiles: BookFile[] = [
  { id: '019aa3b2-6c7e-7000-8000-000000000041', format: 'cbz', size: 104_857_600, chosen: true },
]
export const exampleBookDetail: BookDetail = {
  ...exampleBook,
  files: exampleFiles,
  metadata: exampleBookMetadata,
  externalIds: [],
  externalLinks: [],
  externalRatings: [],
  readCount: 0,
  lastCompletedAt: null,
}

const list = { tag, access: 'books:read', item: BookDto, title: 'BookPage' } as const
const filters = { ...termFilters, includeDeleted: Type.Optional(includeDeleted), ...bookSorting }

export const listBooks = listEndpoint('GET /api/v1/books', {
  ...list,
  summary: 'List books',
  description: 'By name, or within a series by their place in it: that is what `number` means there.',
  query: Type.Object({ libraryId: Type.Optional(Id), seriesId: Type.Optional(Id), ...filters }),
})

const exampleQuery: BookListQuery = {
  condition: {
    anyOf: [
      { title: { operator: 'contains', value: 'omnibus' } },
      { allOf: [{ format: { operator: 'is', value: 'cbz' } }, { pageCount: { operator: 'gte', value: 400 } }] },
    ],
  },
}

export const listBooksByCondition = listEndpoint('POST /api/v1/books/list', {
  ...list,
  summary: 'List the books that fulfil a condition',
  query: Type.Object(bookSorting),
  body: BookListQuery,
  nullIsAbsent: true,
  bodyOptional: true,
  example: { body: exampleQuery },
})

export const readBookLetters = endpoint('POST /api/v1/books/list/letters', {
  summary: 'Where each letter begins in such a list by name',
  tag,
  access: 'books:read',
  query: Type.Object({ pageSize: pagingParameters.pageSize }),
  body: BookListQuery,
  nullIsAbsent: true,
  bodyOptional: true,
  reply: Letters,
  example: { body: {}, reply: { letters: [{ letter: 'A', count: 12, page: 1 }] } },
})

export const readBookFacets = endpoint('POST /api/v1/books/facets', {
  summary: 'Count what the books of such a list have in common',
  tag,
  access: 'books:read',
  body: BookFacetsQuery,
  nullIsAbsent: true,
  reply: Facets,
  example: { body: { facets: ['format'] }, reply: { facets: { format: [{ value: 'cbz', count: 812 }] } } },
})

export const listBooksOfLibrary = listEndpoint('GET /api/v1/libraries/{id}/books', {
  ...list,
  summary: 'List the books of a library',
  params: byId,
  query: Type.Object(filters),
  errors: ['not_found'],
})

export const listBooksOfSeries = listEndpoint('GET /api/v1/series/{id}/books', {
  ...list,
  summary: 'List the books of a series',
  params: byId,
  query: Type.Object(filters),
  errors: ['not_found'],
})

const one = {
  tag,
  access: 'books:read',
  params: byId,
  reply: BookDetail,
  errors: ['not_found'],
  example: { reply: exampleBookDetail },
} as const

export const readBook = endpoint('GET /api/v1/books/{id}', { ...one, summary: 'Read one book with its metadata' })

export const readFullBook = endpoint('GET /api/v1/books/{id}/full', {
  ...one,
  summary: 'The same (the older address)',
})

export const AdjacentBooks = record({ prev: Nullable(BookDto), next: Nullable(BookDto) }, { title: 'AdjacentBooks' })
export type AdjacentBooks = Static<typeof AdjacentBooks>

export const readAdjacentBooks = endpoint('GET /api/v1/books/{id}/adjacent', {
  summary: 'Read the books before and after one in its series',
  tag,
  access: 'books:read',
  params: byId,
  reply: AdjacentBooks,
  errors: ['not_found'],
  example: { reply: { prev: null, next: exampleBook } },
})

export const chooseBookFile = endpoint('PUT /api/v1/books/{id}/chosen-file', {
  summary: 'Choose which file of a book is read',
  description:
    'It stays so whatever a scan finds. With null the server chooses: what can be read, and of that EPUB before PDF before AZW3, FB2 and MOBI; comics before all of them. The file is read again, which takes a moment.',
  tag,
  access: 'books:write',
  params: byId,
  body: record({ fileId: Nullable(Id) }, { title: 'ChosenFile' }),
  errors: ['not_found'],
  example: { body: { fileId: '019aa3b2-6c7e-7000-8000-000000000041' } },
})
