import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { byId, Id, Nullable, record } from './schema.ts'

/** The limit is the number of entries that can be chosen in a list at once. */
export const bulkMarksMax = 2000

const BooksToMark = record(
  { bookIds: Type.Array(Id, { minItems: 1, maxItems: bulkMarksMax, uniqueItems: true }) },
  { title: 'BooksToMark' },
)

const StandingBefore = record(
  {
    bookId: Id,
    historyId: Nullable({ ...Id, description: 'The point of its history where you stood; null: not begun.' }),
  },
  { title: 'StandingBefore' },
)
export type StandingBefore = Static<typeof StandingBefore>

export const BooksMarked = record(
  {
    count: Type.Integer({ minimum: 0, description: 'Books that changed.' }),
    before: Type.Array(StandingBefore, { description: 'Of each that changed: what takes the mark back.' }),
  },
  { title: 'BooksMarked' },
)
export type BooksMarked = Static<typeof BooksMarked>

const exampleId = '019aa3b2-6c7e-7000-8000-000000000030'
const exampleBefore: StandingBefore = { bookId: exampleId, historyId: null }

const bulk = { tag: 'Reading', access: 'progress:write' } as const
const mark = {
  ...bulk,
  body: BooksToMark,
  reply: BooksMarked,
  example: { body: { bookIds: [exampleId] }, reply: { count: 1, before: [exampleBefore] } },
} as const
const asTheyAre = 'Those that are it already, and those that you do not see, stay as they are.'

export const markBooksRead = endpoint('POST /api/v1/books/bulk/read', {
  ...mark,
  summary: 'Mark many books as read',
  description: asTheyAre,
})

export const markBooksUnread = endpoint('POST /api/v1/books/bulk/unread', {
  ...mark,
  summary: 'Mark many books as unread',
  description: asTheyAre,
})

export const markReadUpTo = endpoint('POST /api/v1/books/{id}/read-up-to', {
  ...bulk,
  summary: 'Mark a book and all before it in its series as read',
  description: `In the order of their numbers. ${asTheyAre}`,
  params: byId,
  reply: BooksMarked,
  errors: ['not_found'],
  example: { reply: { count: 1, before: [exampleBefore] } },
})

export const restoreBooks = endpoint('POST /api/v1/books/bulk/restore', {
  ...bulk,
  summary: 'Go back to earlier points of the histories of many books',
  description:
    'What a mark has answered with, given back, takes the mark back. Points that are not there are left out.',
  body: record(
    { points: Type.Array(StandingBefore, { minItems: 1, maxItems: bulkMarksMax }) },
    { title: 'BooksToRestore' },
  ),
  example: { body: { points: [exampleBefore] } },
})
