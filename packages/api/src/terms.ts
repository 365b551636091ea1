import { type Static, Type } from 'typebox'
import { listEndpoint } from './endpoint.ts'
import { Count, Id, record, Timestamp } from './schema.ts'

const fields = {
  id: Id,
  name: Type.String(),
  seriesCount: { ...Count, description: 'Series you see that carry it.' },
  bookCount: { ...Count, description: 'Books you see that carry it.' },
  createdAt: Timestamp,
}
export const TermDto = record(fields, { title: 'Term' })
export type TermDto = Static<typeof TermDto>

const list = {
  tag: 'Genres, tags and people',
  access: 'series:read',
  item: TermDto,
  query: Type.Object({
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The beginning of the name; case and accents aside.' }),
    ),
  }),
} as const
const description = 'By name. Only what stands on series or books that you see.'

export const listGenres = listEndpoint('GET /api/v1/genres', {
  ...list,
  summary: 'List the genres',
  description,
  title: 'GenrePage',
})
export const listTags = listEndpoint('GET /api/v1/tags', {
  ...list,
  summary: 'List the tags',
  description,
  title: 'TagPage',
})
export const listPeople = listEndpoint('GET /api/v1/people', {
  ...list,
  summary: 'List the people who made series and books',
  description,
  title: 'PersonPage',
})
