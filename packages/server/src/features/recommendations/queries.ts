import type { DismissReason } from '@carrel/api'
import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import type { TaskTables } from '../../tasks/table.ts'
import { listedTo, type Viewer } from '../../catalogue/visibility/visibility.ts'
import type { RecommendationTables } from './table.ts'

export type BatchRow = Selectable<RecommendationTables['recommendation_batch']>
export type ItemRow = Selectable<RecommendationTables['recommendation']>

export const selectBatches = (db: ReadDb, userId: string): Promise<BatchRow[]> =>
  db.selectFrom('recommendation_batch').selectAll().where('user_id', '=', userId).execute()

/** It reads the recommendations of these plugins, without dismissed ones, each plugin's in its order. */
export const selectItems = (
  db: ReadDb,
  userId: string,
  pluginIds: readonly string[],
  externalId?: string,
): Promise<(ItemRow & Pick<BatchRow, 'source'>)[]> => {
  let query = db
    .selectFrom('recommendation')
    .innerJoin('recommendation_batch', (join) =>
      join
        .onRef('recommendation_batch.user_id', '=', 'recommendation.user_id')
        .onRef('recommendation_batch.plugin_id', '=', 'recommendation.plugin_id'),
    )
    .selectAll('recommendation')
    .select('recommendation_batch.source')
    .where('recommendation.user_id', '=', userId)
    .where('recommendation.plugin_id', 'in', pluginIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('recommendation_dismissal')
            .select('recommendation_dismissal.external_id')
            .whereRef('recommendation_dismissal.user_id', '=', 'recommendation.user_id')
            .whereRef('recommendation_dismissal.source', '=', 'recommendation_batch.source')
            .whereRef('recommendation_dismissal.external_id', '=', 'recommendation.external_id'),
        ),
      ),
    )
    .orderBy('recommendation.plugin_id')
    .orderBy('recommendation.place')
  if (externalId !== undefined) query = query.where('recommendation.external_id', '=', externalId)
  return query.execute()
}

export interface VisibleSeries {
  readonly id: string
  /** Null: it was asked for by its own id. */
  readonly source: string | null
  readonly external_id: string | null
}

interface SoughtSeries {
  readonly ids: readonly string[]
  readonly sources: readonly string[]
  readonly externalIds: readonly string[]
}

/** It returns those of these series, given by our ids or by those of other services, that this viewer sees. */
export const selectVisibleSeries = async (
  db: ReadDb,
  viewer: Viewer,
  { ids, sources, externalIds }: SoughtSeries,
): Promise<VisibleSeries[]> => {
  const none = sql<boolean>`false`
  const isRequested = ids.length === 0 ? none : sql<boolean>`series.id in (${sql.join(ids)})`
  const isKnown =
    sources.length === 0 || externalIds.length === 0
      ? none
      : sql<boolean>`external_id.entity = 'series' and external_id.source in (${sql.join(sources)})
        and external_id.external_id in (${sql.join(externalIds)})`
  const { rows } = await sql<VisibleSeries>`
    select series.id as id, null as source, null as external_id from series
      where ${isRequested} and ${listedTo(viewer, 'series')}
    union all
    select series.id, external_id.source, external_id.external_id from external_id
      inner join series on series.id = external_id.entity_id
      where ${isKnown} and ${listedTo(viewer, 'series')}
    order by id`.execute(db)
  return rows
}

export type LiveTask = Pick<Selectable<TaskTables['task']>, 'id' | 'key' | 'status' | 'last_error'>

export const selectLiveTasks = (db: ReadDb, keys: readonly string[]): Promise<LiveTask[]> =>
  db
    .selectFrom('task')
    .select(['id', 'key', 'status', 'last_error'])
    .where('key', 'in', keys)
    .where('status', 'in', ['pending', 'processing'])
    .execute()

export const markBatchesRequested = (
  db: WriteDb,
  batches: readonly Pick<BatchRow, 'user_id' | 'plugin_id' | 'source'>[],
  at: string,
): Promise<void> =>
  insertMany(
    db,
    'recommendation_batch',
    batches.map((batch) => ({ ...batch, asked_at: at, generated_at: null })),
    { keys: ['user_id', 'plugin_id'], sets: ['asked_at'] },
  )

/** The batch replaces what this plugin has recommended to this user before. */
export const replaceBatch = async (
  db: WriteDb,
  batch: Pick<BatchRow, 'user_id' | 'plugin_id' | 'source' | 'generated_at'>,
  items: readonly ItemRow[],
): Promise<void> => {
  await insertMany(db, 'recommendation_batch', [{ ...batch, asked_at: null }], {
    keys: ['user_id', 'plugin_id'],
    sets: ['source', 'generated_at'],
  })
  await db
    .deleteFrom('recommendation')
    .where('user_id', '=', batch.user_id)
    .where('plugin_id', '=', batch.plugin_id)
    .execute()
  await insertMany(db, 'recommendation', items)
}

/** It deletes all recommendations of the batch. */
export const deleteRecommendationBatch = async (
  db: WriteDb,
  { userId, pluginId }: { readonly userId: string; readonly pluginId: string },
): Promise<void> => {
  await db.deleteFrom('recommendation_batch').where('user_id', '=', userId).where('plugin_id', '=', pluginId).execute()
}

type DismissalRow = Selectable<RecommendationTables['recommendation_dismissal']>

export const saveDismissals = (db: WriteDb, rows: readonly DismissalRow[]): Promise<void> =>
  insertMany(db, 'recommendation_dismissal', rows, {
    keys: ['user_id', 'source', 'external_id'],
    sets: ['reason', 'dismissed_at'],
  })

export const countDismissals = async (db: ReadDb, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('recommendation_dismissal')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export const isDismissed = async (db: ReadDb, userId: string, externalId: string): Promise<boolean> =>
  (await db
    .selectFrom('recommendation_dismissal')
    .select('external_id')
    .where('user_id', '=', userId)
    .where('external_id', '=', externalId)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** It returns whether there were any. */
export const deleteDismissals = async (db: WriteDb, userId: string, externalId: string): Promise<boolean> => {
  const rows = await db
    .deleteFrom('recommendation_dismissal')
    .where('user_id', '=', userId)
    .where('external_id', '=', externalId)
    .returning('source')
    .execute()
  return rows.length > 0
}

export const selectDismissal = (
  db: ReadDb,
  { userId, source, externalId }: { readonly userId: string; readonly source: string; readonly externalId: string },
): Promise<{ reason: DismissReason | null } | undefined> =>
  db
    .selectFrom('recommendation_dismissal')
    .select('reason')
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .executeTakeFirst()

/** The latest dismissal comes first. */
export const selectDismissedIds = async (
  db: ReadDb,
  userId: string,
  source: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('recommendation_dismissal')
    .select('external_id')
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .orderBy('dismissed_at', 'desc')
    .orderBy('external_id')
    .limit(limit)
    .execute()
  return rows.map(({ external_id }) => external_id)
}

/** In which a user reads; null where that is for the browser to say. */
export const selectLanguage = async (db: ReadDb, userId: string): Promise<string | null> => {
  const row = await db.selectFrom('user').select('language').where('id', '=', userId).executeTakeFirst()
  return row?.language ?? null
}
