import type { CollectionDto } from '@carrel/api'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { contains, escapedLike } from '../../database/dialects/dialect.ts'
import { insertMany } from '../../database/many.ts'
import { moveItem, nextPosition, type Places, rearrange } from '../../database/places.ts'
import { isOneOf as isAmong } from '../../filtering/filtering.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import { nameKey } from '../../platform/sort-key.ts'
import { seriesColumns, type ListedSeries } from '../../catalogue/lists/lists.ts'
import { listedTo, type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'
import type { CollectionTables } from './table.ts'

export type CollectionRow = Selectable<CollectionTables['collection']>
/** The counts are those of one viewer. */
export type CountedCollection = CollectionRow & {
  readonly series_count: number
  /** When something was last said of it, or a member that they see came, left or was moved. */
  readonly changed_at: string
}

/** It is a viewer of collections. A viewer who may change them sees empty ones too. */
export interface Onlooker {
  readonly viewer: Viewer
  readonly mayChange: boolean
  readonly known: AutomaticCounts
}

/**
 * It caches what was worked out about automatic collections for somebody, and is valid as long as nobody commits
 * anything.
 */
export interface AutomaticCounts {
  /** The key is a condition, the value the number of series that fulfil it. */
  readonly counts: Map<string, number>
  /** The collections that some series is in. */
  fulfilled?: readonly string[]
}

export type CollectionOrder = Order<'name' | 'createdAt' | 'updatedAt'>
export type MemberOrder = Order<'manual' | 'title' | 'added' | 'year'>

const columnOf = {
  name: 'collection.sort_key',
  createdAt: 'collection.created_at',
  updatedAt: 'changed_at',
} as const

const members = sql`from collection_series inner join series on series.id = collection_series.series_id
  where collection_series.collection_id = collection.id`

/**
 * One with nothing to see does not exist (pins W9), unless it is empty and the onlooker may fill it. For them what is
 * missing for a while counts too: they must be able to clear away what nothing stands in any more.
 */
const holdsSomething = ({ viewer, mayChange }: Onlooker): RawBuilder<boolean> =>
  mayChange
    ? sql<boolean>`(exists (select 1 ${members} and ${visibleTo(viewer, 'series')})
        or not exists (select 1 from collection_series where collection_series.collection_id = collection.id))`
    : sql<boolean>`exists (select 1 ${members} and ${listedTo(viewer, 'series')})`

const isOneOf = (ids: readonly string[]): RawBuilder<boolean> =>
  ids.length === 0 ? sql<boolean>`false` : sql<boolean>`collection.id in (${sql.join(ids)})`

/** `fulfilled`: automatic collections for which there is a series that this onlooker sees; all, for who may change them. */
const existsFor = (onlooker: Onlooker, fulfilled: readonly string[]): RawBuilder<boolean> => {
  const automatic = onlooker.mayChange ? sql<boolean>`true` : isOneOf(fulfilled)
  return sql<boolean>`(case when collection.condition is null then ${holdsSomething(onlooker)} else ${automatic} end)`
}

export interface CollectionFilter {
  readonly fulfilled: readonly string[]
  /** A part of its name. */
  readonly search?: string | undefined
  /** Only collections that hold this series count, by hand or because it fulfils their condition. */
  readonly of?: { readonly seriesId: string; readonly automaticIds: readonly string[] }
}

const collections = (db: ReadDb, onlooker: Onlooker, { fulfilled, of, search }: CollectionFilter) =>
  db
    .selectFrom('collection')
    .where(existsFor(onlooker, fulfilled))
    .$if(search !== undefined, (query) =>
      query.where(escapedLike(sql`collection.name_key`, contains(nameKey(search ?? '')))),
    )
    .$if(of !== undefined, (query) =>
      query.where(
        sql<boolean>`(${isOneOf(of?.automaticIds ?? [])} or exists (select 1 from collection_series
          where collection_series.collection_id = collection.id and collection_series.series_id = ${of?.seriesId}))`,
      ),
    )

const counted = (viewer: Viewer) =>
  sql<number>`(select count(*) ${members} and ${listedTo(viewer, 'series')})`.as('series_count')

/** Changes of hidden members do not count (HTTP-3). */
const changed = (viewer: Viewer) =>
  sql<string>`coalesce((select collection_series_change.changed_at
    from collection_series_change inner join series on series.id = collection_series_change.series_id
    where collection_series_change.collection_id = collection.id and collection_series_change.changed_at > collection.updated_at
      and ${listedTo(viewer, 'series')}
    order by collection_series_change.changed_at desc limit 1), collection.updated_at)`.as('changed_at')

export const countCollections = async (db: ReadDb, onlooker: Onlooker, wanted: CollectionFilter): Promise<number> => {
  const { count } = await collections(db, onlooker, wanted)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** It counts the members added by hand; those that fulfil a condition are counted by `countFulfilling`. */
export const selectCollections = (
  db: ReadDb,
  onlooker: Onlooker,
  wanted: CollectionFilter,
  { order: { field, direction }, paging: { limit, offset } }: { order: CollectionOrder; paging: Paging },
): Promise<CountedCollection[]> =>
  collections(db, onlooker, wanted)
    .selectAll('collection')
    .select([counted(onlooker.viewer), changed(onlooker.viewer)])
    .orderBy(columnOf[field], direction)
    .orderBy('collection.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()

/** One that may turn out not to exist: an automatic one for which there is no series. */
export const selectCollection = (db: ReadDb, onlooker: Onlooker, id: string): Promise<CountedCollection | undefined> =>
  collections(db, onlooker, { fulfilled: [id] })
    .selectAll('collection')
    .select([counted(onlooker.viewer), changed(onlooker.viewer)])
    .where('collection.id', '=', id)
    .executeTakeFirst()

/** It reads the conditions of all automatic collections, or of those among these. */
export const selectConditions = async (
  db: ReadDb,
  ids?: readonly string[],
): Promise<Pick<CollectionRow, 'id' | 'condition'>[]> =>
  db
    .selectFrom('collection')
    .select(['id', 'condition'])
    .where('condition', 'is not', null)
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .orderBy('id')
    .execute()

export const countAutomatic = async (db: ReadDb): Promise<number> => {
  const { count } = await db
    .selectFrom('collection')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('condition', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

export const nameIsTaken = async (db: ReadDb, name: string, exceptId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('collection')
    .select('id')
    .where('name_key', '=', nameKey(name))
    .where('id', '<>', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

/** False when the name is taken. */
export const insertCollection = async (db: WriteDb, row: CollectionRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('collection')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** It makes transactions that change one collection follow one another, where the database would let them overlap. */
export const lockCollection = async (db: WriteDb, id: string): Promise<void> => {
  await db
    .updateTable('collection')
    .set(({ ref }) => ({ id: ref('id') }))
    .where('id', '=', id)
    .execute()
}

export const updateCollection = async (
  db: WriteDb,
  id: string,
  changes: Partial<Omit<CollectionRow, 'id' | 'created_at'>>,
): Promise<void> => {
  await db.updateTable('collection').set(changes).where('id', '=', id).execute()
}

export const deleteCollection = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('collection').where('id', '=', id).execute()
}

// The rest of this file is about series that fulfil a condition.

export interface Fulfilling {
  readonly id: string
  /** The condition refers to the table `series`. */
  readonly holds: RawBuilder<boolean>
}

/** One statement for all of these. */
export const countFulfilling = async (
  db: ReadDb,
  viewer: Viewer,
  conditions: readonly Fulfilling[],
): Promise<ReadonlyMap<string, number>> => {
  const counts = conditions.map(
    ({ id, holds }) => sql`select cast(${id} as text) as id, count(*) as count from series
      where ${listedTo(viewer, 'series')} and ${holds}`,
  )
  const { rows } = await sql<{ id: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** It returns the conditions that some series fulfils, or this series. */
export const selectFulfilled = async (
  db: ReadDb,
  viewer: Viewer,
  conditions: readonly Fulfilling[],
  seriesId?: string,
): Promise<string[]> => {
  const isThis = seriesId === undefined ? sql`true` : sql`series.id = ${seriesId}`
  const found = conditions.map(
    ({ id, holds }) => sql`select cast(${id} as text) as id where exists (select 1 from series
      where ${isThis} and ${listedTo(viewer, 'series')} and ${holds})`,
  )
  const { rows } = await sql<{ id: string }>`${sql.join(found, sql` union all `)}`.execute(db)
  return rows.map(({ id }) => id)
}

// Members

const memberColumn = {
  manual: 'collection_series.position',
  added: 'collection_series.added_at',
  title: 'series.sort_key',
  year: 'series.year',
} as const

export const selectMembers = (
  db: ReadDb,
  viewer: Viewer,
  collectionId: string,
  { order: { field, direction }, paging: { limit, offset } }: { order: MemberOrder; paging: Paging },
): Promise<ListedSeries[]> =>
  db
    .selectFrom('collection_series')
    .innerJoin('series', 'series.id', 'collection_series.series_id')
    .select(seriesColumns)
    .where('collection_series.collection_id', '=', collectionId)
    .where(listedTo(viewer, 'series'))
    .orderBy(memberColumn[field], (order) => (direction === 'asc' ? order.asc().nullsLast() : order.desc().nullsLast()))
    .orderBy('series.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()

const fulfillingColumn = { added: 'series.created_at', title: 'series.sort_key', year: 'series.year' } as const

export const selectFulfilling = (
  db: ReadDb,
  viewer: Viewer,
  holds: RawBuilder<boolean>,
  {
    order: { field, direction },
    paging: { limit, offset },
  }: { order: Order<keyof typeof fulfillingColumn>; paging: Pick<Paging, 'limit' | 'offset'> },
): Promise<ListedSeries[]> =>
  db
    .selectFrom('series')
    .select(seriesColumns)
    .where(listedTo(viewer, 'series'))
    .where(holds)
    .orderBy(fulfillingColumn[field], (order) =>
      direction === 'asc' ? order.asc().nullsLast() : order.desc().nullsLast(),
    )
    .orderBy('series.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()

const places = { table: 'collection_series', list: 'collection_id', item: 'series_id' } as const satisfies Places

export const countMembers = async (db: ReadDb, collectionId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('collection_series')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('collection_id', '=', collectionId)
    .executeTakeFirstOrThrow()
  return count
}

export const insertMembers = async (
  db: WriteDb,
  collectionId: string,
  seriesIds: readonly string[],
  at: string,
): Promise<void> => {
  const first = await nextPosition(db, places, collectionId)
  const rows = seriesIds.map((series_id, index) => ({
    collection_id: collectionId,
    series_id,
    position: first + index,
    added_at: at,
  }))
  await insertMany(db, 'collection_series', rows, 'is left as it is')
  await noteJoined(db, collectionId, at)
}

/** It records the series that were added at this time. */
const noteJoined = async (db: WriteDb, id: string, at: string): Promise<void> => {
  await sql`insert into collection_series_change (collection_id, series_id, changed_at)
    select collection_id, series_id, added_at from collection_series
    where collection_id = ${id} and added_at = ${at}
    on conflict (collection_id, series_id) do update set changed_at = excluded.changed_at`.execute(db)
}

/** It records the series that were moved or removed. */
const noteChanged = (db: WriteDb, id: string, seriesIds: readonly string[], at: string): Promise<void> =>
  insertMany(
    db,
    'collection_series_change',
    seriesIds.map((series_id) => ({ collection_id: id, series_id, changed_at: at })),
    { keys: ['collection_id', 'series_id'], sets: ['changed_at'] },
  )

/** It returns the first that is not in it. */
export const orderMembers = async (
  db: WriteDb,
  id: string,
  seriesIds: readonly string[],
  at: string,
): Promise<string | undefined> => {
  const { stranger, moved } = await rearrange(db, places, id, seriesIds)
  await noteChanged(db, id, moved, at)
  return stranger
}

/**
 * It reads the position of a series, and of the series that a viewer sees at some position; the last one, beyond the
 * end.
 */
export const selectPositions = async (
  db: ReadDb,
  viewer: Viewer,
  collectionId: string,
  { seriesId, place }: { seriesId: string; place: number },
): Promise<{ from: number; to: number } | undefined> => {
  const shown = db
    .selectFrom('collection_series')
    .innerJoin('series', 'series.id', 'collection_series.series_id')
    .select('collection_series.position')
    .where('collection_series.collection_id', '=', collectionId)
    .where(listedTo(viewer, 'series'))
  const moved = await shown.where('series.id', '=', seriesId).executeTakeFirst()
  if (!moved) return undefined
  const inPlace = await shown
    .orderBy('collection_series.position')
    .limit(1)
    .offset(place - 1)
    .executeTakeFirst()
  const last = inPlace ?? (await shown.orderBy('collection_series.position', 'desc').limit(1).executeTakeFirst())
  return { from: moved.position, to: last?.position ?? moved.position }
}

export const moveMember = async (
  db: WriteDb,
  id: string,
  { seriesId, from, to }: { seriesId: string; from: number; to: number },
  at: string,
): Promise<void> => {
  if (from === to) return
  await moveItem(db, places, id, { itemId: seriesId, from, to })
  await noteChanged(db, id, [seriesId], at)
}

export const deleteMember = async (db: WriteDb, id: string, seriesId: string, at: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('collection_series')
    .where('collection_id', '=', id)
    .where('series_id', '=', seriesId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await noteChanged(db, id, [seriesId], at)
  return true
}

/** It deletes all members this viewer sees except these. */
export const deleteOtherMembers = async (
  db: WriteDb,
  viewer: Viewer,
  collectionId: string,
  { seriesIds, at }: { readonly seriesIds: readonly string[]; readonly at: string },
): Promise<void> => {
  const left = await db
    .deleteFrom('collection_series')
    .where('collection_id', '=', collectionId)
    .where(sql<boolean>`not ${isAmong(sql`collection_series.series_id`, seriesIds)}`)
    .where('series_id', 'in', ({ selectFrom }) =>
      selectFrom('series').select('series.id').where(visibleTo(viewer, 'series')),
    )
    .returning('series_id')
    .execute()
  await noteChanged(
    db,
    collectionId,
    left.map((row) => row.series_id),
    at,
  )
}

/** The ids of all that is in it, as a part of another statement. */
export const membersOf = (id: string): RawBuilder<unknown> =>
  sql`select collection_series.series_id from collection_series where collection_series.collection_id = ${id}`

export const toCollection = (row: CountedCollection, { mayChange }: Onlooker): CollectionDto => ({
  id: row.id,
  name: row.name,
  summary: row.summary,
  ordered: row.ordered === 1,
  automatic: row.condition !== null,
  ...(mayChange && {
    condition: row.condition === null ? null : (JSON.parse(row.condition) as CollectionDto['condition'] & object),
  }),
  seriesCount: row.series_count,
  createdAt: row.created_at,
  updatedAt: row.changed_at,
})
