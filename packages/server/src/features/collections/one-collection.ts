import type { CollectionDto, Fact } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { announce } from '../../events/outbox.ts'
import { notFound } from '../../platform/errors.ts'
import { audiencesOf } from '../visibility/visibility.ts'
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

/** To those who see something in it; that one without series has changed, to those who can fill it. */
export const announceCollection = async (
  db: WriteDb,
  fact: Fact,
  { id, condition }: Pick<CollectionRow, 'id' | 'condition'>,
  now: Date,
): Promise<void> => {
  const permission = 'collections:read'
  const sights = condition === null ? await audiencesOf(db, 'series', membersOf(id)) : [{}]
  const audiences = sights.map((each) => ({ fact, to: { ...each, permission } as const }))
  await announce(db, audiences.length > 0 ? audiences : [{ fact, to: { permission: 'collections:write' } }], now)
}
