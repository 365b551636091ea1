import type { CollectionDto } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { announce } from '../../events/outbox.ts'
import { notFound } from '../../platform/errors.ts'
import { type ListSights, newsOfList, sightsIn } from '../../catalogue/visibility/visibility.ts'
import { countAutomaticOnes } from './automatic.ts'
import {
  type CollectionRow,
  type CountedCollection,
  membersOf,
  type Onlooker,
  selectCollection,
  toCollection,
} from './queries.ts'

/** One that exists for this onlooker, with the number of series they see in it. */
export const requireCollection = async (db: ReadDb, onlooker: Onlooker, id: string): Promise<CountedCollection> => {
  const row = await selectCollection(db, onlooker, id)
  const [counted] = row ? await countAutomaticOnes(db, onlooker, [row]) : []
  if (!counted || (counted.condition !== null && counted.series_count === 0 && !onlooker.mayChange))
    throw notFound('collection')
  return counted
}

/** The same inside of a transaction, where nothing is looked through: what fulfils a condition is not counted. */
export const requireKept = async (db: ReadDb, onlooker: Onlooker, id: string): Promise<CountedCollection> => {
  const row = await selectCollection(db, onlooker, id)
  if (!row) throw notFound('collection')
  return row
}

export const readCollection = async (db: ReadDb, onlooker: Onlooker, id: string): Promise<CollectionDto> =>
  toCollection(await requireCollection(db, onlooker, id), onlooker)

/** It announces that another cover stands for the collection. */
export const announceOtherPicture = async (db: WriteDb, onlooker: Onlooker, id: string, now: Date): Promise<void> => {
  const sights = await sightsOf(db, await requireKept(db, onlooker, id))
  await announceCollection(db, id, { before: sights, after: sights }, now)
}

/**
 * It returns who sees something in a collection as it is now. For an automatic one that is unknown without checking
 * each user.
 */
export const sightsOf = async (
  db: WriteDb,
  { id, condition }: Pick<CollectionRow, 'id' | 'condition'>,
): Promise<ListSights> => (condition === null ? sightsIn(db, 'series', membersOf(id)) : { shown: [], all: [] })

/** It holds the collection before and after; undefined where it does not exist. */
interface Change {
  readonly before: ListSights | undefined
  readonly after: ListSights | undefined
}

/** Changes of an automatic collection are announced only to those who may change it: they see it whatever is in it. */
export const announceCollection = (
  db: WriteDb,
  collectionId: string,
  { before, after }: Change,
  now: Date,
): Promise<void> => {
  const facts = {
    created: { type: 'collection_created', collectionId },
    updated: { type: 'collection_updated', collectionId },
    deleted: { type: 'collection_deleted', collectionId },
  } as const
  return announce(
    db,
    newsOfList({ facts, before, after, mayRead: 'collections:read', mayChange: 'collections:write' }),
    now,
  )
}
