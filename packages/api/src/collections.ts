import { type Static, Type } from 'typebox'
import type { SeriesCondition } from './conditions.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, OneOf, record, sortBy, Timestamp } from './schema.ts'
import { SeriesDto } from './series.ts'

const tag = 'Collections'

/** The limit holds for one request. */
export const membersAtOnceMax = 10_000
/** The limit holds for one collection or read list. */
export const membersMax = 50_000
export const automaticCollectionsMax = 200

/** Ten thousand ids, and room. */
export const membersBytesMax = 1024 * 1024

export const ListName = Type.String({ minLength: 1, maxLength: 200 })
export const ListSummary = Nullable(Type.String({ maxLength: 10_000 }))

/** The condition has a grammar of its own, whose errors say where it is wrong. */
const Condition = Type.Unsafe<SeriesCondition>({
  type: 'object',
  additionalProperties: true,
  description: 'Over series, as in `POST /api/v1/series/list`; `inCollection` is not for collections.',
})

export const CollectionDto = record(
  {
    id: Id,
    name: Type.String(),
    summary: Nullable(Type.String()),
    ordered: Type.Boolean({ description: 'Shown in an order of its own, unless another is asked for.' }),
    automatic: Type.Boolean({ description: 'Its series are those that fulfil its condition, for whoever looks.' }),
    condition: Type.Optional({
      ...Nullable(Condition),
      description: 'Null: not automatic. Only for those who may change collections.',
    }),
    seriesCount: { ...Count, description: 'Series you may see.' },
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Collection' },
)
export type CollectionDto = Static<typeof CollectionDto>

const NewCollection = record(
  {
    name: ListName,
    summary: Type.Optional(ListSummary),
    ordered: Type.Optional(Type.Boolean({ default: false })),
    condition: Type.Optional(Nullable(Condition)),
  },
  { title: 'NewCollection' },
)
export type NewCollection = Static<typeof NewCollection>

const CollectionPatch = record(
  {
    name: Type.Optional(ListName),
    summary: Type.Optional(ListSummary),
    ordered: Type.Optional(Type.Boolean()),
    condition: Type.Optional(Nullable(Condition)),
  },
  { title: 'CollectionPatch' },
)
export type CollectionPatch = Static<typeof CollectionPatch>

const exampleCollection: CollectionDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000080',
  name: 'For a rainy day',
  summary: null,
  ordered: false,
  automatic: false,
  condition: null,
  seriesCount: 12,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}
const exampleSeriesIds = ['019aa3b2-6c7e-7000-8000-000000000030']

const list = { tag, access: 'collections:read', item: CollectionDto, title: 'CollectionPage' } as const
const oneOf = { tag, params: byId } as const
/**
 * This permission is needed for every change; a collection in which the caller sees no series is visible only with it.
 */
const write = 'collections:write'
const bodyBytesMax = 256 * 1024

export const listCollections = listEndpoint('GET /api/v1/collections', {
  ...list,
  summary: 'List collections',
  description: 'Those with a series that you may see, and empty ones if you may change them.',
  query: Type.Object({ sort: sortBy(['name', 'createdAt', 'updatedAt']) }),
})

export const listCollectionsOfSeries = listEndpoint('GET /api/v1/series/{id}/collections', {
  ...list,
  params: byId,
  summary: 'List the collections a series is in',
  description: 'By name; automatic ones too.',
  query: Type.Object({}),
  errors: ['not_found'],
})

export const createCollection = endpoint('POST /api/v1/collections', {
  summary: 'Create a collection',
  description: 'With a condition it is automatic: nothing is added to it by hand, and it has no order of its own.',
  tag,
  access: write,
  body: NewCollection,
  bodyBytesMax,
  reply: CollectionDto,
  status: 201,
  errors: ['already_exists', 'conflict'],
  example: { body: { name: 'For a rainy day' }, reply: { ...exampleCollection, seriesCount: 0 } },
})

export const readCollection = endpoint('GET /api/v1/collections/{id}', {
  ...oneOf,
  access: 'collections:read',
  summary: 'Read one collection',
  reply: CollectionDto,
  errors: ['not_found'],
  example: { reply: exampleCollection },
})

export const updateCollection = endpoint('PATCH /api/v1/collections/{id}', {
  ...oneOf,
  access: write,
  summary: 'Change a collection',
  description: 'A condition makes one without series automatic; without it again, an automatic one is empty.',
  body: CollectionPatch,
  bodyBytesMax,
  guards: CollectionDto,
  reply: CollectionDto,
  errors: ['not_found', 'already_exists', 'conflict'],
  example: { body: { name: 'For a rainy day' }, reply: exampleCollection },
})

export const deleteCollection = endpoint('DELETE /api/v1/collections/{id}', {
  ...oneOf,
  access: 'collections:delete',
  summary: 'Delete a collection',
  description: 'Its series stay.',
  guards: CollectionDto,
  errors: ['not_found'],
})

const memberOrders = ['manual', 'title', 'added', 'year'] as const
type MemberOrder = `${(typeof memberOrders)[number]},${'asc' | 'desc'}`

export const listSeriesOfCollection = listEndpoint('GET /api/v1/collections/{id}/series', {
  ...oneOf,
  access: 'collections:read',
  summary: 'List the series of a collection',
  description: 'Without `sort`: by hand where it is ordered, else by title.',
  query: Type.Object({
    // The contract sets no default: it depends on the collection.
    sort: Type.Optional(
      OneOf(
        memberOrders.flatMap((field): MemberOrder[] => [`${field},asc`, `${field},desc`]),
        { description: 'Field and direction.' },
      ),
    ),
  }),
  item: SeriesDto,
  title: 'SeriesPage',
  errors: ['not_found'],
})

const SeriesIds = Type.Array(Id, { maxItems: membersAtOnceMax, uniqueItems: true })
const members = { ...oneOf, access: write, bodyBytesMax: membersBytesMax } as const

export const addToCollection = endpoint('POST /api/v1/collections/{id}/series', {
  ...members,
  summary: 'Add series to a collection',
  description: 'Behind the others, in the order given. Those that are in it stay where they are.',
  body: record({ seriesIds: SeriesIds }, { title: 'SeriesToAdd' }),
  reply: CollectionDto,
  errors: ['not_found', 'conflict'],
  example: { body: { seriesIds: exampleSeriesIds }, reply: exampleCollection },
})

export const orderCollection = endpoint('PUT /api/v1/collections/{id}/series', {
  ...members,
  summary: 'Put series of a collection in order',
  description: 'They share the places that they have now, in this order; all others stay where they are.',
  body: record({ seriesIds: SeriesIds }, { title: 'SeriesInOrder' }),
  errors: ['not_found', 'conflict'],
  example: { body: { seriesIds: exampleSeriesIds } },
})

const member = { tag, access: write, params: Type.Object({ id: Id, seriesId: Id }) } as const
export const NewPlace = record(
  { position: Type.Integer({ minimum: 1, maximum: membersMax, description: 'Among what you may see, from 1.' }) },
  { title: 'NewPlace' },
)

export const moveInCollection = endpoint('POST /api/v1/collections/{id}/series/{seriesId}/move', {
  ...member,
  summary: 'Move a series to another place in a collection',
  description: 'What stands between the two places moves up. Beyond the end is the end.',
  body: NewPlace,
  errors: ['not_found', 'conflict'],
  example: { body: { position: 1 } },
})

export const removeFromCollection = endpoint('DELETE /api/v1/collections/{id}/series/{seriesId}', {
  ...member,
  summary: 'Take a series out of a collection',
  errors: ['not_found', 'conflict'],
})

export const readCollectionThumbnail = endpoint('GET /api/v1/collections/{id}/thumbnail', {
  ...oneOf,
  access: 'collections:read',
  summary: 'The cover of the first series of a collection',
  description: 'Leads on to the address of that cover.',
  status: 307,
  errors: ['not_found'],
})
