import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, OneOf, record, sortBy, Timestamp } from './schema.ts'

const tag = 'Ratings'

const Rating = Type.Integer({ minimum: 1, maximum: 100 })
const fields = {
  id: Id,
  rating: Rating,
  notes: Nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const SeriesRating = record({ seriesId: Id, ...fields }, { title: 'SeriesRating' })
export type SeriesRating = Static<typeof SeriesRating>
export const BookRating = record({ bookId: Id, ...fields }, { title: 'BookRating' })
export type BookRating = Static<typeof BookRating>

export const NewRating = record(
  { rating: Rating, notes: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))) },
  { title: 'NewRating' },
)
export type NewRating = Static<typeof NewRating>

const example = {
  id: '019aa3b2-6c7e-7000-8000-000000000060',
  rating: 85,
  notes: 'The rain chapter.',
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}
const exampleOfSeries: SeriesRating = { seriesId: '019aa3b2-6c7e-7000-8000-000000000030', ...example }
const exampleOfBook: BookRating = { bookId: '019aa3b2-6c7e-7000-8000-000000000040', ...example }
const exampleBody: NewRating = { rating: 85, notes: 'The rain chapter.' }

const one = { tag, params: byId, errors: ['not_found'] } as const
const read = { ...one, access: 'progress:read' } as const
const change = { ...one, access: 'progress:write' } as const

export const readSeriesRating = endpoint('GET /api/v1/series/{id}/rating', {
  ...read,
  summary: 'Your rating of a series',
  description: '204 when you have not rated it.',
  reply: SeriesRating,
  mayBeEmpty: true,
  example: { reply: exampleOfSeries },
})

export const saveSeriesRating = endpoint('PUT /api/v1/series/{id}/rating', {
  ...change,
  summary: 'Rate a series',
  description: 'From 1 to 100, in place of your earlier rating. Notes are for you alone.',
  body: NewRating,
  reply: SeriesRating,
  example: { body: exampleBody, reply: exampleOfSeries },
})

export const deleteSeriesRating = endpoint('DELETE /api/v1/series/{id}/rating', {
  ...change,
  summary: 'Take back your rating of a series',
})

export const readBookRating = endpoint('GET /api/v1/books/{id}/rating', {
  ...read,
  summary: 'Your rating of a book',
  description: '204 when you have not rated it.',
  reply: BookRating,
  mayBeEmpty: true,
  example: { reply: exampleOfBook },
})

export const saveBookRating = endpoint('PUT /api/v1/books/{id}/rating', {
  ...change,
  summary: 'Rate a book',
  description: 'From 1 to 100, in place of your earlier rating. Notes are for you alone.',
  body: NewRating,
  reply: BookRating,
  example: { body: exampleBody, reply: exampleOfBook },
})

export const deleteBookRating = endpoint('DELETE /api/v1/books/{id}/rating', {
  ...change,
  summary: 'Take back your rating of a book',
})

export const readAverageRating = endpoint('GET /api/v1/series/{id}/ratings/average', {
  ...one,
  access: 'series:read',
  summary: 'What everybody gives a series, on average',
  reply: record(
    { average: Nullable(Type.Number({ description: 'Null when nobody has rated it.' })), count: Count },
    { title: 'AverageRating' },
  ),
  example: { reply: { average: 78.5, count: 2 } },
})

const itemTypes = ['series', 'book'] as const

export const UserRating = record(
  { itemType: OneOf(itemTypes), seriesId: Nullable(Id), bookId: Nullable(Id), title: Type.String(), ...fields },
  { title: 'UserRating' },
)
export type UserRating = Static<typeof UserRating>

export const listRatings = listEndpoint('GET /api/v1/user/ratings', {
  summary: 'All your ratings',
  description: 'Of series and books you may see. Sort `updatedAt,desc` for the newest first.',
  tag,
  access: 'progress:read',
  query: Type.Object({ itemType: Type.Optional(OneOf(itemTypes)), sort: sortBy(['title', 'rating', 'updatedAt']) }),
  item: UserRating,
  title: 'UserRatingPage',
})
