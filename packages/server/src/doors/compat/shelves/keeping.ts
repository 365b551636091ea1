import type { CompatCollection, CompatReadList } from '@carrel/api/doors'
import type { Database } from '../../../database/database.ts'
import {
  changeCollection,
  createCollection,
  removeCollection,
  replaceInCollection,
} from '../../../features/collections/collections.ts'
import {
  changeReadList,
  createReadList,
  removeReadList,
  replaceInReadList,
} from '../../../features/read-lists/read-lists.ts'
import { inId } from '../spelling.ts'
import { type Keeper, readCompatCollection, readCompatReadList } from './shelves.ts'

export interface Change {
  readonly db: Database
  readonly keeper: Keeper
  readonly now: Date
}

/** What is no id is the id of nothing, and refused as such. */
const oursOf = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => inId(id) ?? id.slice(0, 64)))]

const anyState = { expectMatch: () => undefined }

export const createCompatCollection = async (
  { db, keeper, now }: Change,
  { name, ordered, seriesIds }: { name: string; ordered?: boolean | undefined; seriesIds: readonly string[] },
): Promise<CompatCollection> => {
  const { id } = await createCollection(db, keeper, { name, ...(ordered !== undefined && { ordered }) }, now)
  try {
    await replaceInCollection({ db, onlooker: keeper, now }, id, oursOf(seriesIds))
  } catch (error) {
    await removeCollection(db, keeper, id, { now, ...anyState })
    throw error
  }
  return readCompatCollection(db.readSlowly, keeper, id)
}

export const changeCompatCollection = async (
  { db, keeper, now }: Change,
  id: string,
  {
    seriesIds,
    ...patch
  }: {
    name?: string | undefined
    ordered?: boolean | undefined
    seriesIds?: readonly string[] | undefined
  },
): Promise<undefined> => {
  const { name, ordered } = patch
  await changeCollection(db, keeper, id, {
    patch: { ...(name !== undefined && { name }), ...(ordered !== undefined && { ordered }) },
    now,
    ...anyState,
  })
  if (seriesIds) await replaceInCollection({ db, onlooker: keeper, now }, id, oursOf(seriesIds))
  return undefined
}

export const deleteCompatCollection = ({ db, keeper, now }: Change, id: string): Promise<undefined> =>
  removeCollection(db, keeper, id, { now, ...anyState })

interface ReadListSaid {
  readonly name?: string | undefined
  readonly summary?: string | undefined
  readonly ordered?: boolean | undefined
  readonly bookIds?: readonly string[] | undefined
}

/** Theirs is never absent: an empty summary is none. */
const saidOf = ({ summary, ordered }: ReadListSaid) => ({
  ...(summary !== undefined && { summary: summary === '' ? null : summary }),
  ...(ordered !== undefined && { ordered }),
})

export const createCompatReadList = async (
  { db, keeper, now }: Change,
  { name, bookIds = [], ...said }: ReadListSaid & { readonly name: string },
): Promise<CompatReadList> => {
  const { id } = await createReadList(db, keeper, { name, ...saidOf(said) }, now)
  try {
    await replaceInReadList({ db, onlooker: keeper, now }, id, oursOf(bookIds))
  } catch (error) {
    await removeReadList(db, keeper, id, { now, ...anyState })
    throw error
  }
  return readCompatReadList(db.readSlowly, keeper, id)
}

export const changeCompatReadList = async (
  { db, keeper, now }: Change,
  id: string,
  { bookIds, name, ...said }: ReadListSaid,
): Promise<undefined> => {
  const patch = { ...(name !== undefined && { name }), ...saidOf(said) }
  await changeReadList(db, keeper, id, { patch, now, ...anyState })
  if (bookIds) await replaceInReadList({ db, onlooker: keeper, now }, id, oursOf(bookIds))
  return undefined
}

export const deleteCompatReadList = ({ db, keeper, now }: Change, id: string): Promise<undefined> =>
  removeReadList(db, keeper, id, { now, ...anyState })
