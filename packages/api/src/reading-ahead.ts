import type { Static } from 'typebox'
import { BookDto } from './books.ts'
import { endpoint } from './endpoint.ts'
import { byId, Count, Nullable, record, Timestamp } from './schema.ts'

export const ReadingAhead = record(
  {
    read: { ...Count, description: 'Books that you have finished, of those you may see.' },
    of: { ...Count, description: 'Books you may see.' },
    next: Nullable(BookDto),
    timeLeftMs: Nullable({
      ...Count,
      description: 'What you have not read yet, at your own pace. Null: too little is known to say.',
    }),
    lastReadAt: Nullable({ ...Timestamp, description: 'When you were last in any of it.' }),
  },
  {
    title: 'ReadingAhead',
    description: '`next` is where you go on: the book you are in, else the first you have not read, else the first.',
  },
)
export type ReadingAhead = Static<typeof ReadingAhead>

const of = (what: string, access: 'books:read' | 'readlists:read' | 'collections:read', order: string) =>
  ({
    tag: 'Reading',
    summary: `How far you are in a ${what}, and where you go on`,
    description: order,
    access,
    params: byId,
    reply: ReadingAhead,
    errors: ['not_found'],
    example: { reply: { read: 2, of: 34, next: null, timeLeftMs: 40_800_000, lastReadAt: '2026-11-21T10:00:00.000Z' } },
  }) as const

export const readSeriesAhead = endpoint(
  'GET /api/v1/series/{id}/ahead',
  of('series', 'books:read', 'In the order of the series.'),
)
export const readReadListAhead = endpoint('GET /api/v1/readlists/{id}/ahead', {
  ...of('read list', 'readlists:read', 'In the order the list is shown in; the first book that is not finished.'),
  needs: ['books:read'],
})
export const readCollectionAhead = endpoint('GET /api/v1/collections/{id}/ahead', {
  ...of('collection', 'collections:read', 'Of the first series, in the order it is shown in, that is not finished.'),
  needs: ['books:read'],
})
