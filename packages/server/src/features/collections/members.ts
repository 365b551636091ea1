import { type CollectionDto, type ListAnswer, membersMax, type SeriesDto } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { showSeries } from '../series/series.ts'
import { visibleSeriesIds } from '../../catalogue/entries/entries.ts'
import { conditionOf } from './automatic.ts'
import { announceCollection, readCollection, requireCollection, requireKept, sightsOf } from './one-collection.ts'
import {
  type CountedCollection,
  countMembers,
  deleteMember,
  deleteOtherMembers,
  insertMembers,
  lockCollection,
  type MemberOrder,
  moveMember,
  type Onlooker,
  orderMembers,
  selectFulfilling,
  selectMembers,
  selectPositions,
} from './queries.ts'

export const listMembers = async (
  db: ReadDb,
  onlooker: Onlooker,
  id: string,
  { sort, paging }: { sort: Sort<MemberOrder['field']> | undefined; paging: Paging },
): Promise<ListAnswer<SeriesDto>> => {
  const { viewer } = onlooker
  const row = await requireCollection(db, onlooker, id)
  const order = orderOf(sort, row.ordered === 1 ? 'manual' : 'title')
  const total = row.series_count
  if (paging.offset >= total) return { total, data: [] }
  return { total, data: await showSeries(db, viewer, await membersIn(db, onlooker, row, { order, paging })) }
}

const membersIn = (
  db: ReadDb,
  { viewer }: Onlooker,
  { id, condition }: CountedCollection,
  { order, paging }: { order: MemberOrder; paging: Paging },
) => {
  if (condition === null) return selectMembers(db, viewer, id, { order, paging })
  const { field, direction } = order
  if (field === 'manual') throw invalid('sort', 'An automatic collection has no order of its own: sort by title.')
  return selectFulfilling(db, viewer, conditionOf(condition, viewer), { order: { field, direction }, paging })
}

/** The series whose cover stands for a collection. */
export const firstMember = async (db: ReadDb, onlooker: Onlooker, id: string): Promise<string> => {
  const row = await requireCollection(db, onlooker, id)
  const field = row.condition === null ? 'manual' : 'title'
  const paging = { page: 1, pageSize: 1, limit: 1, offset: 0 }
  const [first] = await membersIn(db, onlooker, row, { order: { field, direction: 'asc' }, paging })
  if (!first) throw notFound('cover')
  return first.id
}

interface Change {
  readonly db: Database
  readonly onlooker: Onlooker
  readonly now: Date
}

export const addMembers = (change: Change, id: string, seriesIds: readonly string[]): Promise<CollectionDto> =>
  changeMembers(change, id, async (db) => {
    const visible = await visibleSeriesIds(db, change.onlooker.viewer, seriesIds)
    const missing = seriesIds.findIndex((each) => !visible.has(each))
    if (missing >= 0) throw invalid(`/seriesIds/${missing}`, `There is no series ${seriesIds[missing]}.`)
    await insertMembers(db, id, seriesIds, change.now.toISOString())
    if ((await countMembers(db, id)) > membersMax)
      throw new AppError('conflict', `A collection holds at most ${membersMax} series.`)
    return readCollection(db, change.onlooker, id)
  })

/** These and no others, in this order; what the one who says so does not see stays where it is. */
export const replaceMembers = (change: Change, id: string, seriesIds: readonly string[]): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    const { viewer } = change.onlooker
    const visible = await visibleSeriesIds(db, viewer, seriesIds)
    const missing = seriesIds.findIndex((each) => !visible.has(each))
    if (missing >= 0) throw invalid(`/seriesIds/${missing}`, `There is no series ${seriesIds[missing]}.`)
    const at = change.now.toISOString()
    await deleteOtherMembers(db, viewer, id, { seriesIds, at })
    await insertMembers(db, id, seriesIds, at)
    if ((await countMembers(db, id)) > membersMax)
      throw new AppError('conflict', `A collection holds at most ${membersMax} series.`)
    await orderMembers(db, id, seriesIds, at)
    return undefined
  })

export const putInOrder = (change: Change, id: string, seriesIds: readonly string[]): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    const visible = await visibleSeriesIds(db, change.onlooker.viewer, seriesIds)
    const stranger =
      seriesIds.find((each) => !visible.has(each)) ?? (await orderMembers(db, id, seriesIds, change.now.toISOString()))
    if (stranger !== undefined) throw notFound(`series ${stranger} in this collection`)
    return undefined
  })

export const moveTo = (
  change: Change,
  id: string,
  { seriesId, place }: { seriesId: string; place: number },
): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    const positions = await selectPositions(db, change.onlooker.viewer, id, { seriesId, place })
    if (!positions) throw notFound('series in this collection')
    await moveMember(db, id, { seriesId, ...positions }, change.now.toISOString())
    return undefined
  })

export const removeMember = (change: Change, id: string, seriesId: string): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    const visible = await visibleSeriesIds(db, change.onlooker.viewer, [seriesId])
    const isTheirs = visible.has(seriesId) && (await deleteMember(db, id, seriesId, change.now.toISOString()))
    if (!isTheirs) throw notFound('series in this collection')
    return undefined
  })

/** One change after another. */
const changeMembers = <Result>(
  { db, onlooker, now }: Change,
  id: string,
  make: (db: WriteDb) => Promise<Result>,
): Promise<Result> =>
  db.write(async (db) => {
    await lockCollection(db, id)
    const row = await requireKept(db, onlooker, id)
    if (row.condition !== null)
      throw new AppError('conflict', 'What is in an automatic collection follows from its condition. Change that.')
    const before = await sightsOf(db, row)
    const result = await make(db)
    await announceCollection(db, id, { before, after: await sightsOf(db, row) }, now)
    return result
  })
