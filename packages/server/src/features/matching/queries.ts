import type { MatchState } from '@carrel/api'
import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import type { Paging } from '../../platform/paging.ts'
import type { Entity } from '../../catalogue/metadata/metadata.ts'
import { listedTo, shownOfOneSeries, type Viewer } from '../../catalogue/visibility/visibility.ts'
import type { MatchingTables } from './table.ts'

export type MatchRow = Selectable<MatchingTables['plugin_match']>
export type JobRow = Selectable<MatchingTables['library_job']>
export type RefusalRow = Selectable<MatchingTables['match_refusal']>

/** By the entity. */
export const selectMatches = async (
  db: ReadDb,
  pluginId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, MatchRow>> => {
  if (entityIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('plugin_match')
    .selectAll()
    .where('plugin_id', '=', pluginId)
    .where('entity_id', 'in', entityIds)
    .execute()
  return new Map(rows.map((row) => [row.entity_id, row]))
}

/** One of each entity for each plugin. */
export const saveMatches = (db: WriteDb, rows: readonly MatchRow[]): Promise<void> =>
  insertMany(db, 'plugin_match', rows, {
    keys: ['plugin_id', 'entity_id'],
    sets: [
      'library_id',
      'state',
      'external_id',
      'confidence',
      'candidates',
      'asked_title',
      'cover_url',
      'wanted_cover_url',
      'refreshed_at',
      'at',
      'by_user_id',
    ],
  })

export interface CoverToFetch {
  readonly id: string
  readonly entity: Entity
  readonly entityId: string
  readonly pluginName: string
  readonly url: string
}

export const selectCoversToFetch = async (db: ReadDb, limit: number): Promise<CoverToFetch[]> => {
  const rows = await db
    .selectFrom('plugin_match')
    .innerJoin('plugin', 'plugin.id', 'plugin_match.plugin_id')
    .select(['plugin_match.id', 'plugin_match.entity', 'plugin_match.entity_id', 'plugin_match.wanted_cover_url'])
    .select('plugin.name')
    .where('plugin_match.wanted_cover_url', 'is not', null)
    .orderBy('plugin_match.id')
    .limit(limit)
    .execute()
  return rows.map(({ id, entity, entity_id, wanted_cover_url, name }) => ({
    id,
    entity,
    entityId: entity_id,
    pluginName: name,
    url: wanted_cover_url ?? '',
  }))
}

/** `coverUrl` null: it could not be had. False: it was not wanted any more. */
export const setCoverFetched = async (
  db: WriteDb,
  { id, url }: Pick<CoverToFetch, 'id' | 'url'>,
  coverUrl: string | null,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('plugin_match')
    .set({ wanted_cover_url: null, ...(coverUrl !== null && { cover_url: coverUrl }) })
    .where('id', '=', id)
    .where('wanted_cover_url', '=', url)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** By the entity, the ids that were refused. */
export const selectRefusals = async (
  db: ReadDb,
  pluginId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  if (entityIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('match_refusal')
    .select(['entity_id', 'external_id'])
    .where('plugin_id', '=', pluginId)
    .where('entity_id', 'in', entityIds)
    .execute()
  const grouped = Map.groupBy(rows, ({ entity_id }) => entity_id)
  return new Map([...grouped].map(([id, each]) => [id, new Set(each.map(({ external_id }) => external_id))]))
}

export const insertRefusals = (db: WriteDb, rows: readonly RefusalRow[]): Promise<void> =>
  insertMany(db, 'match_refusal', rows, 'is left as it is')

export const deleteRefusal = async (
  db: WriteDb,
  pluginId: string,
  entityId: string,
  externalId: string,
): Promise<void> => {
  await db
    .deleteFrom('match_refusal')
    .where('plugin_id', '=', pluginId)
    .where('entity_id', '=', entityId)
    .where('external_id', '=', externalId)
    .execute()
}

export type CoverChangeRow = MatchingTables['match_cover']

export const insertCoverChanges = (db: WriteDb, rows: readonly CoverChangeRow[]): Promise<void> =>
  insertMany(db, 'match_cover', rows)

export const selectCoverChange = (db: ReadDb, historyId: string): Promise<CoverChangeRow | undefined> =>
  db.selectFrom('match_cover').selectAll().where('history_id', '=', historyId).executeTakeFirst()

// The queue

export interface MatchFilter {
  readonly entity: Entity
  readonly state: MatchState
  readonly libraryId?: string | undefined
  readonly pluginId?: string | undefined
}

const visibleMatches = (db: ReadDb, viewer: Viewer, entity: Entity) =>
  db
    .selectFrom('plugin_match')
    .innerJoin('plugin', 'plugin.id', 'plugin_match.plugin_id')
    .leftJoin('series', 'series.id', 'plugin_match.series_id')
    .leftJoin('book', 'book.id', 'plugin_match.book_id')
    .selectAll('plugin_match')
    .select('plugin.name as plugin_name')
    .select(sql<string>`coalesce(${shownOfOneSeries(viewer, 'title')}, book.title)`.as('title'))
    .where('plugin_match.entity', '=', entity)
    .where(listedTo(viewer, entity))

const filtered = (db: ReadDb, viewer: Viewer, { entity, state, libraryId, pluginId }: MatchFilter) =>
  visibleMatches(db, viewer, entity)
    .where('plugin_match.state', '=', state)
    .$if(libraryId !== undefined, (query) => query.where('plugin_match.library_id', '=', libraryId ?? ''))
    .$if(pluginId !== undefined, (query) => query.where('plugin_match.plugin_id', '=', pluginId ?? ''))

export type ShownMatchRow = MatchRow & { readonly title: string; readonly plugin_name: string }

export const selectQueue = (
  db: ReadDb,
  viewer: Viewer,
  filter: MatchFilter,
  { limit, offset }: Paging,
): Promise<ShownMatchRow[]> =>
  filtered(db, viewer, filter)
    .orderBy('plugin_match.at', 'desc')
    .orderBy('plugin_match.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const countQueue = async (db: ReadDb, viewer: Viewer, filter: MatchFilter): Promise<number> => {
  const { count } = await db
    .selectFrom(filtered(db, viewer, filter).as('queue'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** One that this viewer may see. */
export const selectMatch = async (db: ReadDb, viewer: Viewer, id: string): Promise<ShownMatchRow | undefined> => {
  for (const entity of ['series', 'book'] as const) {
    const row = await visibleMatches(db, viewer, entity).where('plugin_match.id', '=', id).executeTakeFirst()
    if (row) return row
  }
  return undefined
}

// What has not been asked about

export interface Unmatched {
  readonly id: string
  readonly title: string
  readonly metadata: string
  readonly locks: string
  /** Only series have one. */
  readonly book_count?: number
}

interface OfLibrary {
  readonly entity: Entity
  readonly libraryId: string
  readonly pluginId: string
  /** Also those that nothing was found for. */
  readonly again: boolean
  /** Only these, and of them also those that wait for somebody to look. */
  readonly ids?: readonly string[] | undefined
}

const unmatched = (db: ReadDb, { entity, libraryId, pluginId, again, ids }: OfLibrary) =>
  db
    .selectFrom(entity)
    .where(`${entity}.library_id`, '=', libraryId)
    .where(entity === 'series' ? sql<boolean>`series.book_count > 0` : sql<boolean>`book.state = 'present'`)
    // Always so, and what leads to the index in the order of ids.
    .where(sql<boolean>`${sql.ref(`${entity}.id`)} > ''`)
    .$if(ids !== undefined, (query) => query.where(`${entity}.id`, 'in', ids ?? []))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('plugin_match')
            .select(sql.lit(1).as('one'))
            .whereRef('plugin_match.entity_id', '=', `${entity}.id`)
            .where('plugin_match.plugin_id', '=', pluginId)
            .where(isSettled(entity, again, ids !== undefined)),
        ),
      ),
    )

/** What nothing was found for is asked about again when it is called otherwise by now. */
const isSettled = (entity: Entity, again: boolean, isRequested: boolean) => {
  if (isRequested) return sql<boolean>`plugin_match.state not in ('nothing', 'uncertain')`
  if (again) return sql<boolean>`plugin_match.state <> 'nothing'`
  const title = sql.ref(`${entity}.title`)
  return sql<boolean>`(plugin_match.state <> 'nothing' or coalesce(plugin_match.asked_title, ${title}) = ${title})`
}

/** In the order of their ids: what comes back after a halt goes on where it was. */
export const selectUnmatched = async (
  db: ReadDb,
  of: OfLibrary,
  after: string,
  limit: number,
): Promise<Unmatched[]> => {
  const { entity } = of
  const rows = await unmatched(db, of)
    .select([`${entity}.id`, `${entity}.title`, `${entity}.metadata`, `${entity}.locks`])
    .$if(entity === 'series', (query) => query.select('series.book_count'))
    .where(`${entity}.id`, '>', after)
    .orderBy(`${entity}.id`)
    .limit(limit)
    .execute()
  return rows
}

export const countUnmatched = async (db: ReadDb, of: OfLibrary, after: string): Promise<number> => {
  const { count } = await unmatched(db, of)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(`${of.entity}.id`, '>', after)
    .executeTakeFirstOrThrow()
  return count
}

// Jobs of libraries

export const selectJobs = (db: ReadDb, libraryId: string, limit: number): Promise<JobRow[]> =>
  db
    .selectFrom('library_job')
    .selectAll()
    .where('library_id', '=', libraryId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()

export const selectJob = (db: ReadDb, id: string): Promise<JobRow | undefined> =>
  db.selectFrom('library_job').selectAll().where('id', '=', id).executeTakeFirst()

/** Jobs of a library that is being deleted are left out. */
export const selectSchedules = (db: ReadDb, limit: number): Promise<Pick<JobRow, 'id' | 'cron' | 'time_zone'>[]> =>
  db
    .selectFrom('library_job')
    .innerJoin('library', 'library.id', 'library_job.library_id')
    .select(['library_job.id', 'library_job.cron', 'library_job.time_zone'])
    .where('library_job.enabled', '=', 1)
    .where('library.deleted_at', 'is', null)
    .limit(limit)
    .execute()

export const insertJob = async (db: WriteDb, row: JobRow): Promise<void> => {
  await db.insertInto('library_job').values(row).execute()
}

export const updateJob = async (db: WriteDb, id: string, changes: Partial<JobRow>): Promise<void> => {
  await db.updateTable('library_job').set(changes).where('id', '=', id).execute()
}

export const deleteJob = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('library_job').where('id', '=', id).execute()
}

interface Due {
  readonly libraryId: string
  readonly pluginId: string
  readonly entity: Entity
  /** Asked about before. */
  readonly before: string
}

/** Matches that are to be asked about again, in the order of their ids. */
export const selectDue = (db: ReadDb, due: Due, after: string, limit: number): Promise<MatchRow[]> =>
  db
    .selectFrom('plugin_match')
    .selectAll()
    .where('plugin_id', '=', due.pluginId)
    .where('library_id', '=', due.libraryId)
    .where('entity', '=', due.entity)
    .where('state', '=', 'matched')
    .where('external_id', 'is not', null)
    .where((eb) => eb.or([eb('refreshed_at', 'is', null), eb('refreshed_at', '<', due.before)]))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const setRefreshed = async (db: WriteDb, ids: readonly string[], at: string): Promise<void> => {
  if (ids.length > 0) await db.updateTable('plugin_match').set({ refreshed_at: at }).where('id', 'in', ids).execute()
}

// What a job would do

const entitiesIn = (db: ReadDb, viewer: Viewer, { libraryId, entity }: Due) =>
  db.selectFrom(entity).where(`${entity}.library_id`, '=', libraryId).where(listedTo(viewer, entity))

const matchedBy = (db: ReadDb, viewer: Viewer, due: Due) =>
  entitiesIn(db, viewer, due)
    .innerJoin('plugin_match', 'plugin_match.entity_id', `${due.entity}.id`)
    .where('plugin_match.plugin_id', '=', due.pluginId)
    .where('plugin_match.state', '=', 'matched')
    .where('plugin_match.external_id', 'is not', null)

/** It counts what this viewer sees: what is due, what was asked about not long ago, and all there is. */
export const countForJob = async (
  db: ReadDb,
  viewer: Viewer,
  due: Due,
): Promise<{ eligible: number; recent: number; all: number }> => {
  const isRecent = sql<boolean>`plugin_match.refreshed_at >= ${due.before}`
  const { matched, recent } = await matchedBy(db, viewer, due)
    .select(({ fn }) => [
      fn.countAll<number>().as('matched'),
      sql<number>`coalesce(sum(case when ${isRecent} then 1 else 0 end), 0)`.as('recent'),
    ])
    .executeTakeFirstOrThrow()
  const { all } = await entitiesIn(db, viewer, due)
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow()
  return { eligible: matched - recent, recent, all }
}

export interface SampledMatch {
  readonly entity_id: string
  readonly external_id: string | null
  readonly cover_url: string | null
  readonly title: string
}

export const selectSample = async (db: ReadDb, viewer: Viewer, due: Due, limit: number): Promise<SampledMatch[]> => {
  if (limit <= 0) return []
  return matchedBy(db, viewer, due)
    .select(['plugin_match.entity_id', 'plugin_match.external_id', 'plugin_match.cover_url', `${due.entity}.title`])
    .where((eb) => eb.or([eb('refreshed_at', 'is', null), eb('refreshed_at', '<', due.before)]))
    .orderBy('plugin_match.id')
    .limit(limit)
    .execute()
}

/** Series that this viewer does not see name no library. */
export const selectLibrariesOf = async (
  db: ReadDb,
  viewer: Viewer,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('series')
    .select(['series.id', 'series.library_id'])
    .where('series.id', 'in', seriesIds)
    .where(listedTo(viewer, 'series'))
    .execute()
  return new Map(rows.map(({ id, library_id }) => [id, library_id]))
}
