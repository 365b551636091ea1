import { isDeepStrictEqual } from 'node:util'
import type { CompatCollection, CompatReadList } from '@carrel/api/doors'
import { changeList, createList, removeList } from '../../../catalogue/member-lists/member-lists.ts'
import type { Database } from '../../../database/database.ts'
import { inId } from '../spelling.ts'
import {
  type CollectionKeeper,
  type Keeper,
  readCompatCollection,
  readCompatReadList,
  type ReadListKeeper,
} from './shelves.ts'

export interface Change<Who = Keeper<unknown>> {
  readonly db: Database
  readonly keeper: Who
  readonly now: Date
}

/** A text that is no id is the id of nothing, and refused as such. */
const oursOf = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => inId(id) ?? id.slice(0, 64)))]

const anyState = { expectMatch: () => undefined }

interface SentListFields {
  readonly name?: string | undefined
  readonly summary?: string | undefined
  readonly ordered?: boolean | undefined
}

/** The applications always send a summary: an empty one means none. */
const patchOf = ({ name, summary, ordered }: SentListFields) => ({
  ...(name !== undefined && { name }),
  ...(summary !== undefined && { summary: summary === '' ? null : summary }),
  ...(ordered !== undefined && { ordered }),
})

const changeStanding = async (
  { db, keeper, now }: Change,
  standing: { readonly id: string; readonly memberIds: readonly string[] },
  fields: SentListFields,
  memberIds: readonly string[] | undefined,
): Promise<undefined> => {
  const patch = patchOf(differing(fields, standing))
  const itemIds = memberIds && oursOf(memberIds)
  const isRefilled = itemIds !== undefined && !isDeepStrictEqual(itemIds, oursOf(standing.memberIds))
  await changeList(db, keeper, standing.id, { patch, ...(isRefilled && { itemIds }), now, ...anyState })
  return undefined
}

/** It returns only the fields that differ: applications send all fields, and every write is announced to everybody. */
const differing = (fields: SentListFields, standing: object): SentListFields => {
  const existing = new Map<string, unknown>(Object.entries(standing))
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== undefined && value !== existing.get(name)),
  )
}

export const deleteCompatList = ({ db, keeper, now }: Change, id: string): Promise<undefined> =>
  removeList(db, keeper, id, { now, ...anyState })

export const createCompatCollection = async (
  { db, keeper, now }: Change<CollectionKeeper>,
  { seriesIds, ...fields }: { name: string; ordered?: boolean | undefined; seriesIds: readonly string[] },
): Promise<CompatCollection> => {
  const newList = { ...patchOf(fields), name: fields.name, itemIds: oursOf(seriesIds) }
  const { id } = await createList(db, keeper, newList, now)
  return readCompatCollection(db.readSlowly, keeper, id)
}

export const changeCompatCollection = async (
  change: Change<CollectionKeeper>,
  id: string,
  { seriesIds, ...fields }: Omit<SentListFields, 'summary'> & { readonly seriesIds?: readonly string[] | undefined },
): Promise<undefined> => {
  const standing = await readCompatCollection(change.db.readSlowly, change.keeper, id)
  return changeStanding(change, { ...standing, id, memberIds: standing.seriesIds }, fields, seriesIds)
}

export const createCompatReadList = async (
  { db, keeper, now }: Change<ReadListKeeper>,
  {
    bookIds = [],
    ...fields
  }: SentListFields & { readonly name: string; readonly bookIds?: readonly string[] | undefined },
): Promise<CompatReadList> => {
  const newList = { ...patchOf(fields), name: fields.name, itemIds: oursOf(bookIds) }
  const { id } = await createList(db, keeper, newList, now)
  return readCompatReadList(db.readSlowly, keeper, id)
}

export const changeCompatReadList = async (
  change: Change<ReadListKeeper>,
  id: string,
  { bookIds, ...fields }: SentListFields & { readonly bookIds?: readonly string[] | undefined },
): Promise<undefined> => {
  const standing = await readCompatReadList(change.db.readSlowly, change.keeper, id)
  return changeStanding(change, { ...standing, id, memberIds: standing.bookIds }, fields, bookIds)
}
