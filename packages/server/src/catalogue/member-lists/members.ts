import { type ListAnswer, membersMax } from '@carrel/api'
import type { RawBuilder } from 'kysely'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { AppError, full, invalid, notFound } from '../../platform/errors.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { visibleBookIds, visibleSeriesIds } from '../entries/entries.ts'
import { conditionOf, isAutomatic } from './automatic.ts'
import { stopFollowing } from './from-files/edited.ts'
import type { CountedList, ListViewer } from './kind.ts'
import { announceList, readList, requireCountedList, requireList, readAudiences } from './one-list.ts'
import {
  countMembers,
  deleteMember,
  deleteOtherMembers,
  idsBehind,
  insertMembers,
  lockLists,
  type MemberOrder,
  moveMember,
  orderMembers,
  selectIds,
  selectNeighbours,
  someFulfilling,
  someMembers,
  these,
} from './queries.ts'

export const visibleIds = { book: visibleBookIds, series: visibleSeriesIds } as const

export const listMembers = async <Member>(
  db: ReadDb,
  listViewer: ListViewer<unknown, Member>,
  id: string,
  { sort, paging }: { sort: Sort<MemberOrder['field']> | undefined; paging: Paging },
): Promise<ListAnswer<Member>> => {
  const row = await requireList(db, listViewer, id)
  const order = sort === undefined ? usualOrder(row) : orderOf(sort, 'title')
  const total = row.member_count
  if (paging.offset >= total) return { total, data: [] }
  const members = membersIn(listViewer, row, { order, paging })
  return { total, data: await listViewer.kind.show(db, listViewer.viewer, members) }
}

const membersIn = (
  listViewer: ListViewer,
  { id, condition = null }: CountedList,
  page: {
    readonly order: MemberOrder
    readonly paging: Pick<Paging, 'limit' | 'offset'>
    readonly where?: RawBuilder<boolean>
  },
) => {
  if (condition === null) return someMembers(listViewer, id, page)
  if (page.order.field === 'manual')
    throw invalid('sort', `An automatic ${listViewer.kind.name} has no order of its own: sort by title.`)
  return someFulfilling(listViewer, conditionOf(listViewer, condition), page)
}

const usualOrder = ({ ordered }: CountedList): MemberOrder => orderOf(undefined, ordered === 1 ? 'manual' : 'title')

/** The ids of all members that this viewer sees, as a part of another statement. */
export const shownMembers = async (db: ReadDb, listViewer: ListViewer, id: string): Promise<RawBuilder<unknown>> => {
  const row = await requireList(db, listViewer, id)
  const page = { order: usualOrder(row), paging: { limit: membersMax, offset: 0 } }
  return idsBehind(listViewer.kind, membersIn(listViewer, row, page))
}

/** The first in the order the list is shown in of which this holds, or else the first; undefined: it is empty. */
export const firstWhere = async (
  db: ReadDb,
  listViewer: ListViewer,
  id: string,
  where: RawBuilder<boolean>,
): Promise<string | undefined> => {
  const row = await requireList(db, listViewer, id)
  const page = { order: usualOrder(row), paging: { limit: 1, offset: 0 } }
  const [memberId] = await selectIds(db, listViewer.kind, membersIn(listViewer, row, { ...page, where }))
  return memberId ?? (await selectIds(db, listViewer.kind, membersIn(listViewer, row, page)))[0]
}

/** The member whose cover stands for a list. */
export const firstMember = async (db: ReadDb, listViewer: ListViewer, id: string): Promise<string> => {
  const row = await requireList(db, listViewer, id)
  const order = { field: isAutomatic(row) ? 'title' : 'manual', direction: 'asc' } as const
  const [first] = await selectIds(
    db,
    listViewer.kind,
    membersIn(listViewer, row, { order, paging: { limit: 1, offset: 0 } }),
  )
  if (first === undefined) throw notFound('cover')
  return first
}

/** Null: it is the first, or the last. */
export const readNeighbours = async <Member extends { readonly id: string }>(
  db: ReadDb,
  listViewer: ListViewer<unknown, Member>,
  id: string,
  itemId: string,
): Promise<{ prev: Member | null; next: Member | null }> => {
  const { kind, viewer } = listViewer
  const neighbours = await selectNeighbours(db, listViewer, await requireList(db, listViewer, id), itemId)
  if (!neighbours) throw notInList(listViewer)
  const { prev, next } = neighbours
  const ids = [prev, next].flatMap((each) => each ?? [])
  const shown = await kind.show(db, viewer, these(kind, ids))
  const shownAs = (id: string | undefined) => shown.find((each) => each.id === id) ?? null
  return { prev: shownAs(prev), next: shownAs(next) }
}

export interface ListChange<List = unknown> {
  readonly db: Database
  readonly listViewer: ListViewer<List>
  readonly now: Date
}

export const addMembers = <List>(change: ListChange<List>, id: string, itemIds: readonly string[]): Promise<List> =>
  changeMembers(change, id, async (db) => {
    const { listViewer, now } = change
    await requireVisible(db, listViewer, itemIds)
    await insertMembers(db, listViewer.kind, id, { itemIds, now })
    await requireRoom(db, listViewer, id)
    return readList(db, listViewer, id)
  })

/** These and no others, in this order; what the one who says so does not see stays where it is. */
export const replaceMembers = async (
  db: WriteDb,
  listViewer: ListViewer,
  id: string,
  { itemIds, now }: { readonly itemIds: readonly string[]; readonly now: Date },
): Promise<void> => {
  const at = now.toISOString()
  await requireVisible(db, listViewer, itemIds)
  await deleteOtherMembers(db, listViewer, id, { itemIds, at })
  await insertMembers(db, listViewer.kind, id, { itemIds, now })
  await requireRoom(db, listViewer, id)
  await orderMembers(db, listViewer.kind, id, { itemIds, at })
}

const requireVisible = async (db: ReadDb, { kind: { content }, viewer }: ListViewer, itemIds: readonly string[]) => {
  const visible = await visibleIds[content](db, viewer, itemIds)
  const missing = itemIds.findIndex((each) => !visible.has(each))
  if (missing >= 0)
    throw invalid(`/${content}Ids/${missing}`, `There is no ${content} ${itemIds[missing]}.`, { reason: 'gone_by_now' })
}

const requireRoom = async (db: ReadDb, { kind }: ListViewer, id: string): Promise<void> => {
  const items = kind.content === 'book' ? 'books' : 'series'
  if ((await countMembers(db, kind, id)) > membersMax)
    throw full(membersMax, `A ${kind.name} holds at most ${membersMax} ${items}.`)
}

const notInList = ({ kind: { content, name } }: ListViewer, itemId = '') =>
  notFound([content, itemId, 'in this', name].filter((word) => word !== '').join(' '))

export const putInOrder = ({ listViewer, ...change }: ListChange, id: string, itemIds: readonly string[]) =>
  changeMembers({ listViewer, ...change }, id, async (db) => {
    const { kind, viewer } = listViewer
    const visible = await visibleIds[kind.content](db, viewer, itemIds)
    const stranger =
      itemIds.find((each) => !visible.has(each)) ??
      (await orderMembers(db, kind, id, { itemIds, at: change.now.toISOString() }))
    if (stranger !== undefined) throw notInList(listViewer, stranger)
    return undefined
  })

export const moveTo = (change: ListChange, id: string, { itemId, rank }: { itemId: string; rank: number }) =>
  changeMembers(change, id, async (db) => {
    const { listViewer, now } = change
    if (!(await moveMember(db, listViewer, id, { itemId, rank, at: now.toISOString() }))) throw notInList(listViewer)
    return undefined
  })

export const removeMember = (change: ListChange, id: string, itemId: string): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    const { kind, viewer } = change.listViewer
    const visible = await visibleIds[kind.content](db, viewer, [itemId])
    const isTheirs = visible.has(itemId) && (await deleteMember(db, kind, id, { itemId, at: change.now.toISOString() }))
    if (!isTheirs) throw notInList(change.listViewer)
    return undefined
  })

/** One change after another. */
export const changeMembers = <Result>(
  { db, listViewer, now }: ListChange,
  id: string,
  make: (db: WriteDb) => Promise<Result>,
): Promise<Result> =>
  db.write(async (db) => {
    const { kind } = listViewer
    await lockLists(db, kind, [id])
    const row = await requireCountedList(db, listViewer, id)
    requireByHand(listViewer, row)
    const before = await readAudiences(db, kind, row)
    const result = await make(db)
    await stopFollowing(db, kind, row)
    await announceList(db, kind, id, { before, after: await readAudiences(db, kind, row), now })
    return result
  })

export const requireByHand = ({ kind: { name } }: ListViewer, row: Pick<CountedList, 'condition'>): void => {
  if (isAutomatic(row))
    throw new AppError('conflict', `What is in an automatic ${name} follows from its condition. Change that.`)
}
