import {
  addToCollection,
  type CollectionDto,
  type ListedCollection,
  createCollection,
  deleteCollection,
  listCollections,
  listSeriesOfCollection,
  moveInCollection,
  readCollection,
  removeFromCollection,
  type SeriesDto,
  updateCollection,
} from '@carrel/api'
import type { ListKind } from '../../lists/named/kind.ts'
import { paths } from '../../navigation/paths.ts'

interface Types {
  readonly list: CollectionDto
  readonly entry: ListedCollection
  readonly member: SeriesDto
  readonly ids: { readonly seriesIds: string[] }
  readonly memberParams: { readonly id: string; readonly seriesId: string }
}

export const collections: ListKind<Types> = {
  key: 'collections',
  icon: 'collection',
  content: 'series',
  isOrdered: false,
  mayWrite: 'collections:write',
  mayDelete: 'collections:delete',
  pathOfAll: paths.collections,
  pathOf: paths.collection,
  countOf: ({ seriesCount }) => seriesCount,
  idsOf: (ids) => ({ seriesIds: [...ids] }),
  memberParamsOf: (id, seriesId) => ({ id, seriesId }),
  restOf: ({ condition = null }) => ({ condition }),
  endpoints: {
    all: listCollections,
    create: createCollection,
    read: readCollection,
    update: updateCollection,
    delete: deleteCollection,
    members: listSeriesOfCollection,
    add: addToCollection,
    move: moveInCollection,
    remove: removeFromCollection,
  },
}
