import { coversOfListMax, type ListAnswer, type MemberCover } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { cleanName } from '../../platform/text/names.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { indexDocuments } from '../search-index/search-index.ts'
import { countAutomaticOnes, fulfilledBy, fulfilledFor, isAutomatic, requireOwnCondition } from './automatic.ts'
import { changesAnything, declineList, followAgain, stopFollowing, restoreList } from './from-files/edited.ts'
import { noteListNamed } from './from-files/note-lists.ts'
import { glanceAt, type ListAtAGlance, type ReadDrawn } from './glance/glance.ts'
import type { CountedList, ListPatch, ListRow, NewList, ListViewer } from './kind.ts'
import { replaceMembers, requireByHand, visibleIds } from './members.ts'
import { insertNewList, nameColumns, nameTaken, requireNoOrder, requireRoom } from './new-list.ts'
import { announceList, readList, requireCountedList, requireList, readAudiences } from './one-list.ts'
import {
  countLists,
  countMembers,
  deleteList,
  isNameTaken,
  type ListFilter,
  type ListOrder,
  lockLists,
  selectLists,
  updateList,
} from './queries.ts'

export { conditionsBehind } from './automatic.ts'
export { bringList, bringMembers, takeListBack } from './brought.ts'
export { type AutomaticCounts, type ListKind, type ListViewer, listViewerFor, type ReadListAhead } from './kind.ts'
export {
  addMembers,
  changeMembers,
  firstMember,
  firstWhere,
  type ListChange,
  listMembers,
  moveTo,
  putInOrder,
  readNeighbours,
  removeMember,
  shownMembers,
} from './members.ts'
export type { ListAtAGlance } from './glance/glance.ts'
export { selectListClaims } from './from-files/queries.ts'
export { followFiles } from './from-files/tasks.ts'
export { noteLists, noteListsOfLibrary, type ListClaim, storeListClaims } from './from-files/note-lists.ts'
export { insertNewList } from './new-list.ts'
export { announceList, announceOtherPicture, announceSame, readList, requireList, readAudiences } from './one-list.ts'
export { isNameTaken, lockLists, recordChanges, updateList } from './queries.ts'

export const listLists = async <List>(
  db: ReadDb,
  listViewer: ListViewer<List>,
  sort: Sort<ListOrder['field']> | undefined,
  { search, ...paging }: Paging & { readonly search?: string | undefined },
): Promise<ListAnswer<List>> => {
  const { total, data } = await pageOfLists(db, listViewer, sort, { search, ...paging })
  return { total, data: data.map((row) => listViewer.kind.toList(row, listViewer)) }
}

interface ListsAtAGlance<List, Drawn, Entry> {
  readonly sort: Sort<ListOrder['field']> | undefined
  readonly paging: Paging
  readonly readDrawn: ReadDrawn<Drawn>
  readonly toEntry: (list: List, glance: ListAtAGlance<Drawn>) => Entry
}

/** The same, each with what it is drawn by. */
export const listListsAtAGlance = async <List, Drawn extends MemberCover, Entry>(
  db: ReadDb,
  listViewer: ListViewer<List>,
  { sort, paging, readDrawn, toEntry }: ListsAtAGlance<List, Drawn, Entry>,
): Promise<ListAnswer<Entry>> => {
  const lists = await pageOfLists(db, listViewer, sort, { ...paging, firstMax: coversOfListMax })
  const { total, data } = await glanceAt(db, listViewer, lists, readDrawn)
  return { total, data: data.map(({ row, glance }) => toEntry(listViewer.kind.toList(row, listViewer), glance)) }
}

const pageOfLists = async (
  db: ReadDb,
  listViewer: ListViewer,
  sort: Sort<ListOrder['field']> | undefined,
  { search, firstMax, ...paging }: Paging & { readonly search?: string | undefined; readonly firstMax?: number },
): Promise<ListAnswer<CountedList>> => {
  const fulfilled = listViewer.mayChange ? [] : await fulfilledFor(db, listViewer)
  return pageOf(db, listViewer, { fulfilled, search }, { order: orderOf(sort, 'name'), paging, firstMax })
}

export const listListsOf = async <List>(
  db: ReadDb,
  listViewer: ListViewer<List>,
  itemId: string,
  paging: Paging,
): Promise<ListAnswer<List>> => {
  const { kind, viewer } = listViewer
  if (!(await visibleIds[kind.content](db, viewer, [itemId])).has(itemId)) throw notFound(kind.content)
  const automaticIds = await fulfilledBy(db, listViewer, itemId)
  const filter = { fulfilled: automaticIds, holding: { itemId, automaticIds } }
  const { total, data } = await pageOf(db, listViewer, filter, { order: orderOf(undefined, 'name'), paging })
  return { total, data: data.map((row) => kind.toList(row, listViewer)) }
}

const pageOf = async (
  db: ReadDb,
  listViewer: ListViewer,
  filter: ListFilter,
  { order, paging, firstMax }: { order: ListOrder; paging: Paging; firstMax?: number | undefined },
): Promise<ListAnswer<CountedList>> => {
  const total = await countLists(db, listViewer, filter)
  if (paging.offset >= total) return { total, data: [] }
  const rows = await selectLists(db, listViewer, filter, { order, paging })
  return { total, data: await countAutomaticOnes(db, listViewer, rows, firstMax) }
}

/** A list and what is in it at once is one change, which is announced once. */
type WithMembers = { readonly itemIds?: readonly string[] | undefined }

export const createList = async <List>(
  db: Database,
  listViewer: ListViewer<List>,
  { itemIds, ...newList }: NewList & WithMembers,
  now: Date,
): Promise<List> => {
  const { kind } = listViewer
  const id = await db.write(async (db) => {
    const row = newList.followsFiles
      ? await restoreList(db, kind, { ...newList, itemIds }, now)
      : await insertNewList(db, kind, newList, now)
    if (itemIds) await replaceMembers(db, listViewer, row.id, { itemIds, now })
    await announceList(db, kind, row.id, { before: undefined, after: await readAudiences(db, kind, row), now })
    return row.id
  })
  return readList(db.readSlowly, listViewer, id)
}

interface Guarded<List> {
  readonly now: Date
  readonly expectMatch: (current: List) => void
}

export const changeList = async <List>(
  db: Database,
  listViewer: ListViewer<List>,
  id: string,
  { patch, itemIds, now, ...guard }: { readonly patch: ListPatch } & WithMembers & Guarded<List>,
): Promise<List> => {
  const { kind } = listViewer
  const name = patch.name === undefined ? undefined : cleanName(patch.name, '/name')
  const ownCondition = patch.condition && requireOwnCondition(kind, patch.condition)
  const { followsFiles, ...words } = patch
  const change = async (db: WriteDb, row: ListRow): Promise<void> => {
    const condition = ownCondition === undefined ? (row.condition ?? null) : ownCondition
    const ordered = patch.ordered ?? row.ordered === 1
    requireNoOrder(kind, ordered, condition)
    if (name !== undefined && (await isNameTaken(db, kind, name, id))) throw nameTaken(kind, name)
    const becomesAutomatic = condition !== null && !isAutomatic(row)
    if (becomesAutomatic && (await countMembers(db, kind, id)) > 0)
      throw new AppError('conflict', `This ${kind.name} has series that were put in by hand. Take them out first.`)
    const before = await readAudiences(db, kind, row)
    // Whoever sees none of the members that change must not see that anything has: the row stays as it is.
    if (itemIds === undefined || Object.keys(words).length > 0)
      await updateList(db, kind, id, {
        ...(name !== undefined && nameColumns(name)),
        ...(patch.summary !== undefined && { summary: patch.summary }),
        ordered: flag(ordered),
        ...(kind.isAutomatic && { condition }),
        updated_at: now.toISOString(),
      })
    await indexDocuments(db, kind.table, [id])
    if (becomesAutomatic) await requireRoom(db, kind)
    if (itemIds) {
      requireByHand(listViewer, { condition })
      await replaceMembers(db, listViewer, id, { itemIds, now })
    }
    if (itemIds || followsFiles === false || changesAnything(row, words)) await stopFollowing(db, kind, row)
    else if (followsFiles) await followAgain(db, kind, row, now)
    // Files may name a list that was not made, for this one had its name.
    if (name !== undefined) await noteListNamed(db, { list: kind.table, nameKey: row.name_key }, now)
    await announceList(db, kind, id, { before, after: await readAudiences(db, kind, { id, condition }), now })
  }
  if (followsFiles && (itemIds || Object.keys(words).length > 0))
    throw invalid('/followsFiles', `A ${kind.name} that follows files is what they say: ask for nothing else with it.`)
  await changeGuarded(db, listViewer, id, { ...guard, change })
  return readList(db.readSlowly, listViewer, id)
}

export const removeList = <List>(
  db: Database,
  listViewer: ListViewer<List>,
  id: string,
  { now, ...guard }: Guarded<List>,
): Promise<undefined> =>
  changeGuarded(db, listViewer, id, {
    ...guard,
    change: async (db, row) => {
      const { kind } = listViewer
      await announceList(db, kind, id, { before: await readAudiences(db, kind, row), after: undefined, now })
      await deleteList(db, kind, id)
      await declineList(db, kind, row, now)
    },
  })

/** What fulfils a condition is counted before the transaction, which looks through nothing. */
const changeGuarded = async <List>(
  db: Database,
  listViewer: ListViewer<List>,
  id: string,
  {
    expectMatch,
    change,
  }: Pick<Guarded<List>, 'expectMatch'> & { readonly change: (db: WriteDb, row: ListRow) => Promise<void> },
): Promise<undefined> => {
  const { kind } = listViewer
  const { member_count } = await requireList(db.readSlowly, listViewer, id)
  return db.write(async (db) => {
    await lockLists(db, kind, [id])
    const row = await requireCountedList(db, listViewer, id)
    expectMatch(kind.toList(isAutomatic(row) ? { ...row, member_count } : row, listViewer))
    await change(db, row)
    return undefined
  })
}
