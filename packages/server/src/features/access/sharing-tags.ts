import type { ListAnswer, NewSharingTag, SharingTagDto, SharingTagPatch } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { raiseRevision } from '../../database/revisions.ts'
import { invalid, nameTaken, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cleanName } from '../../platform/text/names.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { nameKey } from '../../platform/text/sort-key.ts'
import {
  countSharingTags,
  deleteSharingTag,
  insertSharingTag,
  nameIsTaken,
  selectSharingTag,
  selectSharingTags,
  selectTagsByName,
  selectUsedTags,
  updateSharingTag,
} from './queries.ts'

type Expect = (current: SharingTagDto) => void

export const listSharingTags = async (
  db: ReadDb,
  sort: Sort<'name' | 'createdAt'> | undefined,
  paging: Paging,
): Promise<ListAnswer<SharingTagDto>> => {
  const total = await countSharingTags(db)
  return { total, data: paging.offset < total ? await selectSharingTags(db, orderOf(sort, 'name'), paging) : [] }
}

export const readSharingTag = async (db: ReadDb, id: string): Promise<SharingTagDto> => {
  const tag = await selectSharingTag(db, id)
  if (!tag) throw notFound('sharing tag')
  return tag
}

export const createSharingTag = (
  db: Database,
  { name: spelled, description = null }: NewSharingTag,
  now: Date,
): Promise<SharingTagDto> =>
  db.write(async (db) => {
    const id = newId(now.getTime())
    const name = cleanName(spelled, '/name')
    const created = await insertSharingTag(db, { id, name, description, at: now.toISOString() })
    if (!created) throw taken(name)
    return readSharingTag(db, id)
  })

export const changeSharingTag = (
  db: Database,
  id: string,
  patch: SharingTagPatch,
  { now, expectMatch }: { now: Date; expectMatch: Expect },
): Promise<SharingTagDto> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    expectMatch(await readSharingTag(db, id))
    const name = patch.name === undefined ? undefined : cleanName(patch.name, '/name')
    if (name !== undefined && (await nameIsTaken(db, 'sharing_tag', name, id))) throw taken(name)
    await updateSharingTag(db, id, { name, description: patch.description }, now.toISOString())
    return readSharingTag(db, id)
  })

export const removeSharingTag = (db: Database, id: string, expectMatch: Expect): Promise<undefined> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    expectMatch(await readSharingTag(db, id))
    await deleteSharingTag(db, id)
    return undefined
  })

/** The ids of the tags with these names, for applications that know no ids. Those there are not yet are made. */
export const sharingTagsNamed = (
  db: Database,
  spelled: readonly string[],
  { mayCreate, now, path }: { readonly mayCreate: boolean; readonly now: Date; readonly path: string },
): Promise<string[]> => {
  const names = new Map(spelled.map((each) => cleanName(each, path)).map((name) => [nameKey(name), name]))
  return db.write(async (db) => {
    const ids = new Map(await selectTagsByName(db, [...names.values()]))
    for (const [key, name] of names) {
      if (ids.has(key)) continue
      if (!mayCreate) throw invalid(path, `There is no sharing tag "${name}", and only administrators make new ones.`)
      ids.set(key, (await requireTag(db, name, now)).id)
    }
    return [...names.keys()].flatMap((key) => ids.get(key) ?? [])
  })
}

/** In the transaction of whoever needs them: the ids of the tags with these names, by the name, and which were made. */
export const requireTagsNamed = async (
  db: WriteDb,
  names: readonly string[],
  now: Date,
): Promise<{ readonly ids: ReadonlyMap<string, string>; readonly made: readonly string[] }> => {
  const byKey = new Map(names.map((name) => [nameKey(cleanName(name, '/name')), cleanName(name, '/name')]))
  const tagIds = new Map(await selectTagsByName(db, [...byKey.values()]))
  const made: string[] = []
  for (const [key, name] of byKey) {
    if (tagIds.has(key)) continue
    const { id, isNew } = await requireTag(db, name, now)
    tagIds.set(key, id)
    if (isNew) made.push(id)
  }
  return { ids: new Map(names.flatMap((name) => mapped(name, tagIds.get(nameKey(cleanName(name, '/name')))))), made }
}

/** Somebody else may have made it at this moment. */
const requireTag = async (db: WriteDb, name: string, now: Date): Promise<{ id: string; isNew: boolean }> => {
  const id = newId(now.getTime())
  if (await insertSharingTag(db, { id, name, description: null, at: now.toISOString() })) return { id, isNew: true }
  const made = (await selectTagsByName(db, [name])).get(nameKey(name))
  if (made === undefined) throw taken(name)
  return { id: made, isNew: false }
}

const mapped = (name: string, id: string | undefined): [string, string][] => (id === undefined ? [] : [[name, id]])

/** It deletes tags that nobody and nothing has, in the transaction of whoever takes an import back. */
export const dropUnusedTags = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await raiseRevision(db, 'access')
  const used = await selectUsedTags(db, ids)
  for (const id of ids) if (!used.has(id)) await deleteSharingTag(db, id)
}

const taken = (name: string) => nameTaken(name, `There is already a sharing tag named "${name}".`)
