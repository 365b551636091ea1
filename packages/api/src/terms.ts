import { type Static, Type } from 'typebox'
import { coversOfName } from './covers-of-name.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { Count, Id, record, Timestamp } from './schema.ts'

const fields = {
  id: Id,
  name: Type.String(),
  seriesCount: { ...Count, description: 'Series you see that carry it.' },
  bookCount: { ...Count, description: 'Books you see that carry it.' },
  covers: coversOfName,
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

export const workedWithMax = 12
export const PersonDetail = record(
  {
    id: Id,
    name: Type.String(),
    seriesCount: Count,
    bookCount: Count,
    roles: Type.Array(
      record({
        role: Type.String({ description: 'As in metadata: `writer`, `cover_artist`. Empty: nobody says which.' }),
        seriesCount: Count,
        bookCount: Count,
      }),
      { description: 'What they did, most often first, counted over what you may see.' },
    ),
    workedWith: Type.Array(record({ name: Type.String(), seriesCount: Count }), {
      maxItems: workedWithMax,
      description: 'Who made the same series, most often first.',
    }),
  },
  { title: 'Person' },
)
export type PersonDetail = Static<typeof PersonDetail>

export const readPerson = endpoint('GET /api/v1/people/by-name', {
  tag: list.tag,
  access: 'series:read',
  summary: 'Read what there is by somebody',
  description: 'Whoever made nothing that you may see does not exist. Case and accents aside.',
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 500 }) }),
  reply: PersonDetail,
  errors: ['not_found'],
  example: {
    reply: {
      id: '019aa3b2-6c7e-7000-8000-000000000050',
      name: 'Kiyohiko Azuma',
      seriesCount: 2,
      bookCount: 19,
      roles: [{ role: 'author', seriesCount: 2, bookCount: 19 }],
      workedWith: [],
    },
  },
})
