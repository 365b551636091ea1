import { type Static, Type } from 'typebox'
import { bookNumbers } from './book-numbers.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { Count, Id, OneOf, record, Timestamp } from './schema.ts'
import { seriesOfBook } from './series-of-book.ts'

const tag = 'Book errors'

/** The code says why a book cannot be read, or no cover can be made of it. */
export const bookErrorCodes = [
  'unknown_format',
  'damaged',
  'encrypted',
  'empty',
  'limit',
  'unsupported',
  'unreadable',
  'timeout',
  'crashed',
] as const
const Code = OneOf(bookErrorCodes)

export const BookError = record(
  {
    bookId: Id,
    libraryId: Id,
    title: Type.String(),
    ...seriesOfBook,
    ...bookNumbers,
    path: Type.Optional(Type.String({ description: 'On the server. Only for those who manage libraries.' })),
    kind: OneOf(['file', 'thumbnail'], { description: 'The book itself, or only the picture of its cover.' }),
    code: Code,
    message: Type.String({
      description: 'What the reader of this format said, in English: for reports. The code is for people.',
    }),
    isQuarantined: Type.Boolean({ description: 'It has ended three processes and is left alone until it is retried.' }),
    at: Timestamp,
  },
  { title: 'BookError' },
)
export type BookError = Static<typeof BookError>

const filters = { libraryId: Type.Optional(Id), code: Type.Optional(Code) }

export const listBookErrors = listEndpoint('GET /api/v1/book-errors', {
  summary: 'Books that cannot be read, or not all of them, and why',
  description: 'The newest first.',
  tag,
  access: 'books:write',
  query: Type.Object(filters),
  item: BookError,
  title: 'BookErrorPage',
})

const KindCount = record({ code: Code, count: Count }, { title: 'BookErrorKind' })
export type BookErrorKind = Static<typeof KindCount>

export const countBookErrors = endpoint('GET /api/v1/book-errors/kinds', {
  summary: 'How many books have errors, kind by kind',
  description: 'The most frequent first; a kind that no book has is left out.',
  tag,
  access: 'books:write',
  query: Type.Object({ libraryId: filters.libraryId }),
  reply: record({ kinds: Type.Array(KindCount, { maxItems: bookErrorCodes.length }) }, { title: 'BookErrorKinds' }),
  example: { reply: { kinds: [{ code: 'damaged', count: 12 }] } },
})

const Retried = record({ retried: Count }, { title: 'RetriedBooks' })

export const retryBookError = endpoint('POST /api/v1/book-errors/{bookId}/retry', {
  summary: 'Read a book again',
  tag,
  access: 'books:write',
  params: Type.Object({ bookId: Id }),
  reply: Retried,
  status: 202,
  errors: ['not_found'],
  example: { reply: { retried: 1 } },
})

export const retryBookErrors = endpoint('POST /api/v1/book-errors/retry', {
  summary: 'Read again all books with errors, or those of a library or of one kind',
  tag,
  access: 'books:write',
  body: record(filters, { title: 'BookErrorFilter' }),
  bodyOptional: true,
  reply: Retried,
  status: 202,
  example: { body: { code: 'timeout' }, reply: { retried: 12 } },
})
