import { type Static, Type } from 'typebox'
import type { SeriesCondition } from './conditions.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import {
  coversOfList,
  listFields,
  listPatchFields,
  listShapes,
  listTimes,
  MemberIds,
  newListFields,
} from './member-lists.ts'
import { Count, Id, Nullable, record } from './schema.ts'
import { SeriesDto } from './series.ts'

/** The condition has a grammar of its own, whose errors say where it is wrong. */
const Condition = Type.Unsafe<SeriesCondition>({
  type: 'object',
  additionalProperties: true,
  description: 'Over series, as in `POST /api/v1/series/list`; `inCollection` is not for collections.',
})

export const CollectionDto = record(
  {
    ...listFields,
    automatic: Type.Boolean({ description: 'Its series are those that fulfil its condition, for whoever looks.' }),
    condition: Type.Optional({
      ...Nullable(Condition),
      description: 'Null: not automatic. Only for those who may change collections.',
    }),
    seriesCount: { ...Count, description: 'Series you may see.' },
    ...listTimes,
  },
  { title: 'Collection' },
)
export type CollectionDto = Static<typeof CollectionDto>

export const ListedCollection = record(
  { ...CollectionDto.properties, covers: coversOfList('series') },
  { title: 'ListedCollection' },
)
export type ListedCollection = Static<typeof ListedCollection>

const condition = Type.Optional(Nullable(Condition))
const NewCollection = record({ ...newListFields(false), condition }, { title: 'NewCollection' })
export type NewCollection = Static<typeof NewCollection>

const CollectionPatch = record({ ...listPatchFields, condition }, { title: 'CollectionPatch' })
export type CollectionPatch = Static<typeof CollectionPatch>

const exampleCollection: CollectionDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000080',
  name: 'For a rainy day',
  summary: null,
  ordered: false,
  fromFiles: false,
  followsFiles: false,
  automatic: false,
  condition: null,
  seriesCount: 12,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}

/**
 * One permission is needed for every change; a collection in which the caller sees no series is visible only with it.
 */
const shapes = listShapes({
  tag: 'Collections',
  words: { list: 'collection', lists: 'collections', member: 'series', members: 'series' },
  access: { read: 'collections:read', write: 'collections:write', delete: 'collections:delete' },
  list: {
    schema: CollectionDto,
    editable: Type.Omit(CollectionDto, ['seriesCount']),
    page: 'CollectionPage',
    example: exampleCollection,
  },
  entry: { schema: ListedCollection, page: 'ListedCollectionPage' },
  member: { schema: SeriesDto, page: 'SeriesPage', orders: ['manual', 'title', 'added', 'year'] },
  added: record({ seriesIds: MemberIds }, { title: 'SeriesToAdd' }),
  ordered: record({ seriesIds: MemberIds }, { title: 'SeriesInOrder' }),
  exampleIds: { seriesIds: ['019aa3b2-6c7e-7000-8000-000000000030'] },
  memberParams: Type.Object({ id: Id, seriesId: Id }),
  refusals: ['not_found', 'conflict'],
})
const bodyBytesMax = 256 * 1024

export const listCollections = listEndpoint('GET /api/v1/collections', {
  ...shapes.all,
  description: 'Those with a series that you may see, and empty ones if you may change them.',
})
export const listCollectionsOfSeries = listEndpoint('GET /api/v1/series/{id}/collections', {
  ...shapes.holding,
  description: 'By name; automatic ones too.',
})
export const createCollection = endpoint('POST /api/v1/collections', {
  ...shapes.create,
  description: 'With a condition it is automatic: nothing is added to it by hand, and it has no order of its own.',
  body: NewCollection,
  bodyBytesMax,
  errors: ['already_exists', 'conflict'],
  example: { body: { name: 'For a rainy day' }, reply: { ...exampleCollection, seriesCount: 0 } },
})
export const readCollection = endpoint('GET /api/v1/collections/{id}', shapes.read)
export const updateCollection = endpoint('PATCH /api/v1/collections/{id}', {
  ...shapes.update,
  description: 'A condition makes one without series automatic; without it again, an automatic one is empty.',
  body: CollectionPatch,
  bodyBytesMax,
  errors: ['not_found', 'already_exists', 'conflict'],
  example: { body: { name: 'For a rainy day' }, reply: exampleCollection },
})
export const deleteCollection = endpoint('DELETE /api/v1/collections/{id}', shapes.delete)
export const listSeriesOfCollection = listEndpoint('GET /api/v1/collections/{id}/series', shapes.members)
export const addToCollection = endpoint('POST /api/v1/collections/{id}/series', shapes.add)
export const orderCollection = endpoint('PUT /api/v1/collections/{id}/series', shapes.order)
export const moveInCollection = endpoint('POST /api/v1/collections/{id}/series/{seriesId}/move', shapes.move)
export const removeFromCollection = endpoint('DELETE /api/v1/collections/{id}/series/{seriesId}', shapes.remove)
export const readCollectionThumbnail = endpoint('GET /api/v1/collections/{id}/thumbnail', shapes.thumbnail)
