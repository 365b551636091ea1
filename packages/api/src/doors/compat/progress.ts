import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Count, Nullable, record } from '../../schema.ts'
import { byCompatId } from './page.ts'
import { compat } from './shared.ts'

const write = { ...compat, access: 'progress:write', params: byCompatId, errors: ['not_found'] } as const
const read = { ...write, access: 'progress:read' } as const

export const saveCompatProgress = endpoint('PATCH /{prefix}/api/v1/books/{id}/read-progress', {
  ...write,
  summary: 'Say on which page you are, or that you have read the book',
  body: Type.Object(
    {
      page: Type.Optional(Nullable(Type.Integer({ maximum: 10_000_000 }))),
      completed: Type.Optional(Nullable(Type.Boolean())),
    },
    { title: 'CompatReadProgressUpdate' },
  ),
  example: { body: { page: 12, completed: false } },
})
export const deleteCompatProgress = endpoint('DELETE /{prefix}/api/v1/books/{id}/read-progress', {
  ...write,
  summary: 'Mark a book as unread',
})
export const markCompatSeriesRead = endpoint('POST /{prefix}/api/v1/series/{id}/read-progress', {
  ...write,
  summary: 'Mark all books of a series as read',
})
export const markCompatSeriesUnread = endpoint('DELETE /{prefix}/api/v1/series/{id}/read-progress', {
  ...write,
  summary: 'Mark all books of a series as unread',
})

const counts = {
  booksCount: Count,
  booksReadCount: Count,
  booksUnreadCount: Count,
  booksInProgressCount: Count,
}
export const CompatSeriesTracking = record(
  { ...counts, lastReadContinuousNumberSort: Type.Number(), maxNumberSort: Type.Number() },
  { title: 'CompatSeriesTracking' },
)
export type CompatSeriesTracking = Static<typeof CompatSeriesTracking>
export const CompatReadListTracking = record(
  { ...counts, lastReadContinuousIndex: Count },
  { title: 'CompatReadListTracking' },
)
export type CompatReadListTracking = Static<typeof CompatReadListTracking>
const exampleCounts = { booksCount: 12, booksReadCount: 5, booksUnreadCount: 7, booksInProgressCount: 0 }

export const readCompatSeriesTracking = endpoint('GET /{prefix}/api/v2/series/{id}/read-progress/tachiyomi', {
  ...read,
  summary: 'How far you have read a series, for trackers',
  reply: CompatSeriesTracking,
  example: { reply: { ...exampleCounts, lastReadContinuousNumberSort: 5, maxNumberSort: 12 } },
})
export const saveCompatSeriesTracking = endpoint('PUT /{prefix}/api/v2/series/{id}/read-progress/tachiyomi', {
  ...write,
  summary: 'Mark the books of a series up to a number as read',
  body: Type.Object({ lastBookNumberSortRead: Type.Number() }, { title: 'CompatSeriesTrackingUpdate' }),
  example: { body: { lastBookNumberSortRead: 5 } },
})
export const readCompatReadListTracking = endpoint('GET /{prefix}/api/v1/readlists/{id}/read-progress/tachiyomi', {
  ...read,
  summary: 'How far you have read a read list, for trackers',
  reply: CompatReadListTracking,
  example: { reply: { ...exampleCounts, lastReadContinuousIndex: 5 } },
})
export const saveCompatReadListTracking = endpoint('PUT /{prefix}/api/v1/readlists/{id}/read-progress/tachiyomi', {
  ...write,
  summary: 'Mark the first books of a read list as read',
  body: Type.Object(
    { lastBookRead: Type.Integer({ minimum: 0, maximum: 1_000_000 }) },
    { title: 'CompatReadListTrackingUpdate' },
  ),
  example: { body: { lastBookRead: 5 } },
})
