import {
  automaticCollectionsMax,
  type CollectionDto,
  type CollectionPatch,
  type ListAnswer,
  type NewCollection,
} from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cleanName } from '../../platform/names.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { nameKey, sortKey } from '../../platform/sort-key.ts'
import { indexDocuments } from '../../catalogue/search-index/search-index.ts'
import { requireSeries } from '../../catalogue/entries/entries.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { countAutomaticOnes, fulfilledBySeries, fulfilledFor, requireOwnCondition } from './automatic.ts'
import {
  type CollectionOrder,
  type CollectionRow,
  countAutomatic,
  countCollections,
  countMembers,
  deleteCollection,
  insertCollection,
  lockCollection,
  nameIsTaken,
  type Onlooker,
  selectCollections,
  toCollection,
  updateCollection,
  type CollectionFilter,
} from './queries.ts'
import { announceCollection, readCollection, requireCollection, requireKept, sightsOf } from './one-collection.ts'

export { collectionsBehind } from './automatic.ts'
export {
  firstMember as firstSeriesOfCollection,
  listMembers as listSeriesOfCollection,
  replaceMembers as replaceInCollection,
} from './members.ts'
export { announceOtherPicture, readCollection } from './one-collection.ts'
export { memberRule } from './merge-rules.ts'

/** It starts with an empty cache: the counts of automatic collections are computed when they are needed. */
export const onlookerFor = (viewer: Viewer, mayChange: boolean): Onlooker => ({
  viewer,
  mayChange,
  known: { counts: new Map() },
})

export const listCollections = async (
  db: ReadDb,
  onlooker: Onlooker,
  sort: Sort<CollectionOrder['field']> | undefined,
  { search, ...paging }: Paging & { readonly search?: string | undefined },
): Promise<ListAnswer<CollectionDto>> => {
  const fulfilled = onlooker.mayChange ? [] : await fulfilledFor(db, onlooker)
  return pageOf(db, onlooker, { fulfilled, search }, { order: orderOf(sort, 'name'), paging })
}

export const listCollectionsOf = async (
  db: ReadDb,
  onlooker: Onlooker,
  seriesId: string,
  paging: Paging,
): Promise<ListAnswer<CollectionDto>> => {
  await requireSeries(db, onlooker.viewer, seriesId)
  const automaticIds = await fulfilledBySeries(db, onlooker.viewer, seriesId)
  const wanted = { fulfilled: automaticIds, of: { seriesId, automaticIds } }
  return pageOf(db, onlooker, wanted, { order: orderOf(undefined, 'name'), paging })
}

const pageOf = async (
  db: ReadDb,
  onlooker: Onlooker,
  wanted: CollectionFilter,
  { order, paging }: { order: CollectionOrder; paging: Paging },
): Promise<ListAnswer<CollectionDto>> => {
  const total = await countCollections(db, onlooker, wanted)
  if (paging.offset >= total) return { total, data: [] }
  const rows = await selectCollections(db, onlooker, wanted, { order, paging })
  const counted = await countAutomaticOnes(db, onlooker, rows)
  return { total, data: counted.map((row) => toCollection(row, onlooker)) }
}

export const createCollection = async (
  db: Database,
  onlooker: Onlooker,
  { name: spelled, summary = null, ordered = false, condition: wanted = null }: NewCollection,
  now: Date,
): Promise<CollectionDto> => {
  const name = cleanName(spelled, '/name')
  const condition = wanted === null ? null : requireOwnCondition(wanted)
  requireNoOrder(ordered, condition)
  const at = now.toISOString()
  const row: CollectionRow = {
    id: newId(now.getTime()),
    ...nameColumns(name),
    summary,
    ordered: flag(ordered),
    condition,
    created_at: at,
    updated_at: at,
  }
  await db.write(async (db) => {
    if (!(await insertCollection(db, row))) throw nameTaken(name)
    await indexDocuments(db, 'collection', [row.id])
    if (condition !== null) await requireRoom(db)
    await announceCollection(db, row.id, { before: undefined, after: await sightsOf(db, row) }, now)
  })
  return readCollection(db.readSlowly, onlooker, row.id)
}

export const changeCollection = async (
  db: Database,
  onlooker: Onlooker,
  id: string,
  { patch, now, expectMatch }: { patch: CollectionPatch; now: Date; expectMatch: (current: CollectionDto) => void },
): Promise<CollectionDto> => {
  const name = patch.name === undefined ? undefined : cleanName(patch.name, '/name')
  const wanted = patch.condition && requireOwnCondition(patch.condition)
  const { series_count } = await requireCollection(db.readSlowly, onlooker, id)
  await db.write(async (db) => {
    await lockCollection(db, id)
    const row = await requireKept(db, onlooker, id)
    expectMatch(toCollection(row.condition === null ? row : { ...row, series_count }, onlooker))
    const condition = wanted === undefined ? row.condition : wanted
    const ordered = patch.ordered ?? row.ordered === 1
    requireNoOrder(ordered, condition)
    if (name !== undefined && (await nameIsTaken(db, name, id))) throw nameTaken(name)
    if (condition !== null && row.condition === null && (await countMembers(db, id)) > 0)
      throw new AppError('conflict', 'This collection has series that were put in by hand. Take them out first.')
    await updateCollection(db, id, {
      ...(name !== undefined && nameColumns(name)),
      ...(patch.summary !== undefined && { summary: patch.summary }),
      ordered: flag(ordered),
      condition,
      updated_at: now.toISOString(),
    })
    await indexDocuments(db, 'collection', [id])
    if (condition !== null && row.condition === null) await requireRoom(db)
    const after = await sightsOf(db, { id, condition })
    await announceCollection(db, id, { before: await sightsOf(db, row), after }, now)
  })
  return readCollection(db.readSlowly, onlooker, id)
}

export const removeCollection = async (
  db: Database,
  onlooker: Onlooker,
  id: string,
  { now, expectMatch }: { now: Date; expectMatch: (current: CollectionDto) => void },
): Promise<undefined> => {
  const { series_count } = await requireCollection(db.readSlowly, onlooker, id)
  return db.write(async (db) => {
    await lockCollection(db, id)
    const row = await requireKept(db, onlooker, id)
    expectMatch(toCollection(row.condition === null ? row : { ...row, series_count }, onlooker))
    await announceCollection(db, id, { before: await sightsOf(db, row), after: undefined }, now)
    await deleteCollection(db, id)
    return undefined
  })
}

const nameColumns = (name: string) => ({ name, name_key: nameKey(name), sort_key: sortKey(name) })

const nameTaken = (name: string) => new AppError('already_exists', `There is already a collection named "${name}".`)

const requireNoOrder = (ordered: boolean, condition: string | null): void => {
  if (ordered && condition !== null)
    throw invalid('/ordered', 'An automatic collection has no order of its own: leave out ordered or the condition.')
}

/** Every one of them is looked through whenever somebody lists collections. */
const requireRoom = async (db: ReadDb): Promise<void> => {
  if ((await countAutomatic(db)) > automaticCollectionsMax)
    throw new AppError('conflict', `There are ${automaticCollectionsMax} automatic collections already.`)
}
