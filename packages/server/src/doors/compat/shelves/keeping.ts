import { isDeepStrictEqual } from 'node:util'
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

/** A text that is no id is the id of nothing, and refused as such. */
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
  const standing = await readCompatCollection(db.readSlowly, keeper, id)
  const { name, ordered } = differing(patch, standing) ?? {}
  const said = { ...(name !== undefined && { name }), ...(ordered !== undefined && { ordered }) }
  const members = seriesIds && oursOf(seriesIds)
  const isRefilled = members !== undefined && !isDeepStrictEqual(members, oursOf(standing.seriesIds))
  if (Object.keys(said).length > 0 || !isRefilled)
    await changeCollection(db, keeper, id, { patch: said, now, ...anyState })
  if (isRefilled) await replaceInCollection({ db, onlooker: keeper, now }, id, members)
  return undefined
}

/** It returns only the fields that differ: applications send all fields, and every write is announced to everybody. */
const differing = <Said extends object>(said: Said, standing: object): Said | undefined => {
  const known = new Map<string, unknown>(Object.entries(standing))
  const others = Object.entries(said).filter(([name, value]) => value !== undefined && value !== known.get(name))
  // The remaining fields have the types they had.
  return others.length === 0 ? undefined : (Object.fromEntries(others) as Said)
}

export const deleteCompatCollection = ({ db, keeper, now }: Change, id: string): Promise<undefined> =>
  removeCollection(db, keeper, id, { now, ...anyState })

interface ReadListSaid {
  readonly name?: string | undefined
  readonly summary?: string | undefined
  readonly ordered?: boolean | undefined
  readonly bookIds?: readonly string[] | undefined
}

/** The applications always send a summary: an empty one means none. */
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
  const standing = await readCompatReadList(db.readSlowly, keeper, id)
  const { name: newName, ...others } = differing({ name, ...said }, standing) ?? {}
  const patch = { ...(newName !== undefined && { name: newName }), ...saidOf(others) }
  const members = bookIds && oursOf(bookIds)
  const isRefilled = members !== undefined && !isDeepStrictEqual(members, oursOf(standing.bookIds))
  if (Object.keys(patch).length > 0 || !isRefilled) await changeReadList(db, keeper, id, { patch, now, ...anyState })
  if (isRefilled) await replaceInReadList({ db, onlooker: keeper, now }, id, members)
  return undefined
}

export const deleteCompatReadList = ({ db, keeper, now }: Change, id: string): Promise<undefined> =>
  removeReadList(db, keeper, id, { now, ...anyState })
