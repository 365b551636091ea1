import { type BookDto, type ListAnswer, membersMax, type MissingEntry, type ReadListDto } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { showBooks } from '../books/books.ts'
import { visibleBookIds } from '../../catalogue/entries/entries.ts'
import {
  countEntries,
  countMissing,
  deleteMember,
  deleteOtherMembers,
  deleteMissing,
  insertMembers,
  lockReadList,
  type MemberOrder,
  moveMember,
  type Onlooker,
  orderMembers,
  selectMembers,
  selectMissing,
  selectNeighbours,
  selectPositions,
  updateReadList,
} from './queries.ts'
import { announceReadList, sightsOf } from './news.ts'
import { readReadList, requireReadList } from './one-read-list.ts'

export const listMembers = async (
  db: ReadDb,
  onlooker: Onlooker,
  id: string,
  { sort, paging }: { sort: Sort<MemberOrder['field']> | undefined; paging: Paging },
): Promise<ListAnswer<BookDto>> => {
  const { viewer } = onlooker
  const { book_count: total, ordered } = await requireReadList(db, onlooker, id)
  if (paging.offset >= total) return { total, data: [] }
  const order = orderOf(sort, ordered === 1 ? 'manual' : 'title')
  return { total, data: await showBooks(db, viewer, await selectMembers(db, viewer, id, { order, paging })) }
}

/** The book whose cover stands for a list. */
export const firstMember = async (db: ReadDb, onlooker: Onlooker, id: string): Promise<string> => {
  await requireReadList(db, onlooker, id)
  const order = { field: 'manual', direction: 'asc' } as const
  const [first] = await selectMembers(db, onlooker.viewer, id, { order, paging: { limit: 1, offset: 0 } })
  if (!first) throw notFound('cover')
  return first.id
}

export const readNeighbours = async (
  db: ReadDb,
  onlooker: Onlooker,
  id: string,
  bookId: string,
): Promise<{ prev: BookDto | null; next: BookDto | null }> => {
  const { viewer } = onlooker
  const neighbours = await selectNeighbours(db, viewer, await requireReadList(db, onlooker, id), bookId)
  if (!neighbours) throw notFound('book in this read list')
  const { prev, next } = neighbours
  const books = await showBooks(
    db,
    viewer,
    [prev, next].flatMap((each) => each ?? []),
  )
  const shownAs = (row: { id: string } | null) => books.find((book) => book.id === row?.id) ?? null
  return { prev: shownAs(prev), next: shownAs(next) }
}

export const listMissing = async (
  db: ReadDb,
  onlooker: Onlooker,
  id: string,
  paging: Paging,
): Promise<ListAnswer<MissingEntry>> => {
  await requireReadList(db, onlooker, id)
  const total = await countMissing(db, id)
  return { total, data: paging.offset < total ? await selectMissing(db, id, paging) : [] }
}

interface Change {
  readonly db: Database
  readonly onlooker: Onlooker
  readonly now: Date
}

export const addMembers = (change: Change, id: string, bookIds: readonly string[]): Promise<ReadListDto> =>
  changeMembers(change, id, async (db) => {
    const visible = await visibleBookIds(db, change.onlooker.viewer, bookIds)
    const missing = bookIds.findIndex((each) => !visible.has(each))
    if (missing >= 0) throw invalid(`/bookIds/${missing}`, `There is no book ${bookIds[missing]}.`)
    await insertMembers(db, id, bookIds, change.now)
    if ((await countEntries(db, id)) > membersMax)
      throw new AppError('conflict', `A read list holds at most ${membersMax} books.`)
    return readReadList(db, change.onlooker, id)
  })

/** These and no others, in this order; what the one who says so does not see stays where it is. */
export const replaceMembers = (change: Change, id: string, bookIds: readonly string[]): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    const { viewer } = change.onlooker
    const visible = await visibleBookIds(db, viewer, bookIds)
    const missing = bookIds.findIndex((each) => !visible.has(each))
    if (missing >= 0) throw invalid(`/bookIds/${missing}`, `There is no book ${bookIds[missing]}.`)
    const at = change.now.toISOString()
    await deleteOtherMembers(db, viewer, id, { bookIds, at })
    await insertMembers(db, id, bookIds, change.now)
    if ((await countEntries(db, id)) > membersMax)
      throw new AppError('conflict', `A read list holds at most ${membersMax} books.`)
    await orderMembers(db, id, bookIds, at)
    return undefined
  })

export const putInOrder = (change: Change, id: string, bookIds: readonly string[]): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    const visible = await visibleBookIds(db, change.onlooker.viewer, bookIds)
    const stranger =
      bookIds.find((each) => !visible.has(each)) ?? (await orderMembers(db, id, bookIds, change.now.toISOString()))
    if (stranger !== undefined) throw notFound(`book ${stranger} in this read list`)
    return undefined
  })

export const moveTo = (
  change: Change,
  id: string,
  { bookId, place }: { bookId: string; place: number },
): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    const positions = await selectPositions(db, change.onlooker.viewer, id, { bookId, place })
    if (!positions) throw notFound('book in this read list')
    await moveMember(db, id, { bookId, ...positions }, change.now.toISOString())
    return undefined
  })

export const removeMember = (change: Change, id: string, bookId: string): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    const visible = await visibleBookIds(db, change.onlooker.viewer, [bookId])
    const isTheirs = visible.has(bookId) && (await deleteMember(db, id, bookId, change.now.toISOString()))
    if (!isTheirs) throw notFound('book in this read list')
    return undefined
  })

export const removeMissing = (change: Change, id: string, entryId: string): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    if (!(await deleteMissing(db, id, entryId))) throw notFound('missing entry of this read list')
    await updateReadList(db, id, { updated_at: change.now.toISOString() })
    return undefined
  })

/** One change after another. */
const changeMembers = <Result>(
  { db, onlooker, now }: Change,
  id: string,
  make: (db: WriteDb) => Promise<Result>,
): Promise<Result> =>
  db.write(async (db) => {
    await lockReadList(db, id)
    await requireReadList(db, onlooker, id)
    const before = await sightsOf(db, id)
    const result = await make(db)
    await announceReadList(db, id, { before, after: await sightsOf(db, id) }, now)
    return result
  })
