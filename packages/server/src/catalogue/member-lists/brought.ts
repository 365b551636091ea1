import { membersMax } from '@carrel/api'
import type { WriteDb } from '../../database/database.ts'
import { stopFollowing } from './from-files/edited.ts'
import type { ListViewer } from './kind.ts'
import { replaceMembers, visibleIds } from './members.ts'
import { insertNewList } from './new-list.ts'
import { announceList, readAudiences } from './one-list.ts'
import {
  countMembers,
  deleteList,
  deleteMember,
  insertMembers,
  isNameTaken,
  lockLists,
  selectList,
  selectMembersAmong,
} from './queries.ts'

/** Lists of another server: all in the transaction of whoever brings them, who sees everything. */
interface BroughtList {
  readonly name: string
  readonly summary: string | null
  readonly isOrdered: boolean
  readonly itemIds: readonly string[]
}

const numbersMax = 100

/** It gets another name where its own is taken. It returns the id, and the name it has got. */
export const bringList = async (
  db: WriteDb,
  listViewer: ListViewer,
  { name, summary, isOrdered, itemIds }: BroughtList,
  { suffix, now }: { readonly suffix: string; readonly now: Date },
): Promise<{ readonly id: string; readonly name: string }> => {
  const { kind } = listViewer
  const free = await freeName(db, listViewer, name, suffix)
  const row = await insertNewList(db, kind, { name: free, summary, ordered: isOrdered }, now)
  const visible = await visibleIds[kind.content](db, listViewer.viewer, itemIds)
  const shown = itemIds.filter((id) => visible.has(id)).slice(0, membersMax)
  if (shown.length > 0) await replaceMembers(db, listViewer, row.id, { itemIds: shown, now })
  await announceList(db, kind, row.id, { before: undefined, after: await readAudiences(db, kind, row), now })
  return { id: row.id, name: free }
}

const freeName = async (db: WriteDb, { kind }: ListViewer, name: string, suffix: string): Promise<string> => {
  const names = [name, `${name} (${suffix})`]
  for (let number = 2; number < numbersMax; number += 1) names.push(`${name} (${suffix} ${number})`)
  for (const each of names) if (!(await isNameTaken(db, kind, each, ''))) return each
  return `${name} (${suffix} ${numbersMax})`
}

/** Members that are in the list already, or that it has no room for, are left out. It returns the new ones; undefined: the list is gone. */
export const bringMembers = async (
  db: WriteDb,
  listViewer: ListViewer,
  id: string,
  { itemIds, now }: { readonly itemIds: readonly string[]; readonly now: Date },
): Promise<readonly string[] | undefined> => {
  const { kind, viewer } = listViewer
  await lockLists(db, kind, [id])
  const row = await selectList(db, listViewer, id)
  if (!row || (row.condition ?? null) !== null) return undefined
  const before = await readAudiences(db, kind, row)
  const visible = await visibleIds[kind.content](db, viewer, itemIds)
  const present = await selectMembersAmong(db, kind, id, itemIds)
  const room = membersMax - (await countMembers(db, kind, id))
  const added = itemIds.filter((each) => visible.has(each) && !present.has(each)).slice(0, Math.max(0, room))
  if (added.length === 0) return []
  await insertMembers(db, kind, id, { itemIds: added, now })
  await stopFollowing(db, kind, row)
  await announceList(db, kind, id, { before, after: await readAudiences(db, kind, row), now })
  return added
}

/** A list that people have changed since stays, without the members that were brought. */
export const takeListBack = async (
  db: WriteDb,
  listViewer: ListViewer,
  { id, itemIds, isOwn }: { readonly id: string; readonly itemIds: readonly string[]; readonly isOwn: boolean },
  now: Date,
): Promise<void> => {
  const { kind } = listViewer
  await lockLists(db, kind, [id])
  const row = await selectList(db, listViewer, id)
  if (!row) return
  const before = await readAudiences(db, kind, row)
  const isUnchanged = isOwn && row.updated_at === row.created_at && (await holdsOnly(db, listViewer, id, itemIds))
  if (isUnchanged) {
    await announceList(db, kind, id, { before, after: undefined, now })
    await deleteList(db, kind, id)
    return
  }
  for (const itemId of itemIds) await deleteMember(db, kind, id, { itemId, at: now.toISOString() })
  await announceList(db, kind, id, { before, after: await readAudiences(db, kind, row), now })
}

const holdsOnly = async (db: WriteDb, { kind }: ListViewer, id: string, itemIds: readonly string[]): Promise<boolean> =>
  (await countMembers(db, kind, id)) === (await selectMembersAmong(db, kind, id, itemIds)).size
