import { type DismissReason, dismissalsMax, type RecommendationsResponse, type RecommendationDto } from '@carrel/api'
import type { Context } from '../../context.ts'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { announce } from '../../events/outbox.ts'
import { AppError, full, notFound } from '../../platform/errors.ts'
import { enqueue } from '../../tasks/queue.ts'
import { type Recommender, recommendersOf } from '../user-plugins/user-plugins.ts'
import { lockUser } from '../../database/lock-user.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { type Contributed, merge } from './merge.ts'
import {
  type BatchRow,
  countDismissals,
  deleteDismissals,
  isDismissed,
  type ItemRow,
  type LiveTask,
  markBatchesRequested,
  saveDismissals,
  selectBatches,
  selectItems,
  selectLiveTasks,
  selectVisibleSeries,
  type VisibleSeries,
} from './queries.ts'
import type { CheckedItem } from './sound.ts'
import { liveKeyOf, refreshOne, tellDismissal } from './tasks.ts'

export { deleteRecommendationBatch } from './queries.ts'

type RecommendationContext = Pick<Context, 'db' | 'settings' | 'clock'>

/** With the number that each may recommend, this is more than anybody looks through. */
const recommendersMax = 10
const hour = 60 * 60 * 1000
/** A failed request is not repeated at every look. */
const pauseMs = 15 * 60 * 1000

export const readRecommendations = async (
  context: RecommendationContext,
  viewer: Viewer,
): Promise<RecommendationsResponse> => {
  const { db } = context
  const { userId } = viewer
  const recommenders = await recommendersOf(db.read, userId, recommendersMax)
  if (recommenders.length === 0) return { recommendations: [], sources: [] }
  const before = await batchesOf(db.read, userId)
  const now = context.clock()
  const maxAgeMs = context.settings.get('recommendations.max_age_hours') * hour
  const stale = recommenders.filter((each) => isStale(each, before.get(each.pluginId), { now, maxAgeMs }))
  if (stale.length > 0) await db.write((db) => ask(db, userId, stale, now))
  const keys = recommenders.map(({ pluginId }) => liveKeyOf(userId, pluginId))
  const live = new Map((await selectLiveTasks(db.read, keys)).map((task) => [task.key, task]))
  // The batches are read after the tasks: when no task is left, its result is there.
  const batches = await batchesOf(db.read, userId)
  return {
    recommendations: await shownOf(db.readSlowly, viewer, recommenders),
    sources: recommenders.map((each) =>
      toSource(each, batches.get(each.pluginId), live.get(liveKeyOf(userId, each.pluginId))),
    ),
  }
}

const batchesOf = async (db: ReadDb, userId: string): Promise<ReadonlyMap<string, BatchRow>> =>
  new Map((await selectBatches(db, userId)).map((batch) => [batch.plugin_id, batch]))

interface Age {
  readonly now: Date
  readonly maxAgeMs: number
}

const isStale = ({ changedAt }: Recommender, batch: BatchRow | undefined, { now, maxAgeMs }: Age): boolean => {
  const isAsOfBefore = (at: string | null | undefined): boolean => at == null || (changedAt !== null && at < changedAt)
  const olderThan = (at: string | null | undefined, ms: number): boolean =>
    isAsOfBefore(at) || now.getTime() - Date.parse(at ?? '') >= ms
  return olderThan(batch?.generated_at, maxAgeMs) && olderThan(batch?.asked_at, Math.min(pauseMs, maxAgeMs))
}

const toSource = (
  { pluginId, displayName, source }: Recommender,
  batch: BatchRow | undefined,
  task: LiveTask | undefined,
): RecommendationsResponse['sources'][number] => ({
  pluginId,
  pluginName: displayName,
  cached: batch?.generated_at != null,
  generatedAt: batch?.generated_at ?? null,
  source,
  taskId: task?.id ?? null,
  taskStatus: task ? statusOf(task) : hasFailed(batch) ? 'failed' : null,
})

const statusOf = ({ status, last_error }: LiveTask): 'pending' | 'running' | 'retrying' => {
  if (status === 'processing') return 'running'
  return last_error === null ? 'pending' : 'retrying'
}

/** It was asked after it had said something last, and nothing has come of it. */
const hasFailed = (batch: BatchRow | undefined): boolean => (batch?.asked_at ?? '') > (batch?.generated_at ?? '')

// This part builds what is shown.

const shownOf = async (
  db: ReadDb,
  viewer: Viewer,
  recommenders: readonly Recommender[],
): Promise<RecommendationDto[]> => {
  const { items, visible } = await visibleItems(db, viewer, recommenders)
  const merged = merge(
    recommenders.map(({ pluginId, displayName, source }) => ({
      source,
      pluginName: displayName,
      items: items.filter((item) => item.plugin_id === pluginId).map(toContributed),
    })),
  )
  return merged.map(({ sources, ...shown }) => {
    const serviceSeriesId = shown.serviceSeriesId ?? seriesKnownAs(visible, sources, shown.externalId)
    return { ...shown, serviceSeriesId, inService: serviceSeriesId !== null }
  })
}

type Item = Awaited<ReturnType<typeof selectItems>>[number]

/**
 * Recommendations about a series that this viewer does not see, or that may name one in their reason, are left out:
 * they were made when the viewer still saw it.
 */
const visibleItems = async (
  db: ReadDb,
  viewer: Viewer,
  recommenders: readonly Recommender[],
  externalId?: string,
): Promise<{ readonly items: readonly Item[]; readonly visible: readonly VisibleSeries[] }> => {
  const pluginIds = recommenders.map(({ pluginId }) => pluginId)
  const items = pluginIds.length === 0 ? [] : await selectItems(db, viewer.userId, pluginIds, externalId)
  if (items.length === 0) return { items: [], visible: [] }
  const visible = await selectVisibleSeries(db, viewer, {
    ids: [...new Set(items.flatMap(seriesOf))],
    sources: [...new Set(items.flatMap(({ source }) => namesOf(source)))],
    externalIds: [...new Set(items.map(({ external_id }) => external_id))],
  })
  const seen = new Set(visible.filter(({ source }) => source === null).map(({ id }) => id))
  return { items: items.filter((item) => seriesOf(item).every((id) => seen.has(id))), visible }
}

const seriesOf = ({ series_id, based_on_ids }: Pick<ItemRow, 'series_id' | 'based_on_ids'>): string[] => [
  ...(series_id === null ? [] : [series_id]),
  ...(JSON.parse(based_on_ids) as string[]),
]

/** `anilist`, `api:anilist` and `plugin:anilist` are one. */
const namesOf = (source: string): string[] => {
  const bare = source.replace(/^(api|plugin):/, '')
  return [bare, `api:${bare}`, `plugin:${bare}`]
}

const seriesKnownAs = (
  visible: readonly VisibleSeries[],
  sources: readonly string[],
  externalId: string,
): string | null => {
  const names = new Set(sources.flatMap(namesOf))
  const match = visible.find(
    ({ source, external_id }) => source !== null && external_id === externalId && names.has(source),
  )
  return match?.id ?? null
}

const toContributed = ({ external_id, score, series_id, item }: ItemRow): Contributed => ({
  // The JSON was written by `rowOf`.
  ...(JSON.parse(item) as CheckedItem),
  externalId: external_id,
  score,
  serviceSeriesId: series_id,
})

// The rest of this file has recommendations made again.

export const refreshAll = async (
  { db, clock }: RecommendationContext,
  userId: string,
): Promise<{ message: string; taskIds: string[] }> => {
  const recommenders = await recommendersOf(db.read, userId, recommendersMax)
  if (recommenders.length === 0) return { message: 'There is nobody to ask for recommendations.', taskIds: [] }
  return db.write(async (db) => {
    const begun = await ask(db, userId, recommenders, clock())
    if (begun.length === 0)
      throw new AppError('conflict', 'Your recommendations are being made already.', { reason: 'running_already' })
    return { message: 'Your recommendations are being made.', taskIds: begun }
  })
}

/** The tasks that were not there yet. */
const ask = async (db: WriteDb, userId: string, recommenders: readonly Recommender[], now: Date): Promise<string[]> => {
  const batches = recommenders.map(({ pluginId, source }) => ({ user_id: userId, plugin_id: pluginId, source }))
  await markBatchesRequested(db, batches, now.toISOString())
  const begun: string[] = []
  for (const { pluginId } of recommenders) {
    const { taskId, alreadyRunning } = await enqueue(db, refreshOne, { userId, pluginId }, { now })
    if (!alreadyRunning) begun.push(taskId)
  }
  return begun
}

// The rest of this file is about dismissals.

/** Long enough to think better of it. */
const tellAfterMs = 30_000

interface Dismissed {
  readonly externalId: string
  readonly reason: DismissReason | null
}

export const dismiss = async (
  { db, clock }: RecommendationContext,
  viewer: Viewer,
  { externalId, reason }: Dismissed,
): Promise<{ dismissed: boolean }> => {
  const { userId } = viewer
  const recommenders = await recommendersOf(db.read, userId, recommendersMax)
  const { items } = await visibleItems(db.readSlowly, viewer, recommenders, externalId)
  if (items.length === 0) {
    if (await isDismissed(db.read, userId, externalId)) return { dismissed: true }
    throw notFound('recommendation')
  }
  const now = clock()
  await db.write(async (db) => {
    await lockUser(db, userId)
    const at = now.toISOString()
    const sources = [...new Set(items.map(({ source }) => source))]
    const row = { user_id: userId, external_id: externalId, reason, dismissed_at: at }
    await saveDismissals(
      db,
      sources.map((source) => ({ ...row, source })),
    )
    if ((await countDismissals(db, userId)) > dismissalsMax)
      throw full(dismissalsMax, `You have dismissed ${dismissalsMax} recommendations already.`)
    const notBefore = new Date(now.getTime() + tellAfterMs)
    for (const { plugin_id } of items)
      await enqueue(db, tellDismissal, { userId, pluginId: plugin_id, externalId }, { now, notBefore })
    await announce(
      db,
      [{ event: { type: 'recommendations_updated' }, to: { userId, permission: 'progress:read' } }],
      now,
    )
  })
  return { dismissed: true }
}

export const restore = ({ db, clock }: RecommendationContext, userId: string, externalId: string): Promise<undefined> =>
  db.write(async (db) => {
    if (await deleteDismissals(db, userId, externalId))
      await announce(
        db,
        [{ event: { type: 'recommendations_updated' }, to: { userId, permission: 'progress:read' } }],
        clock(),
      )
    return undefined
  })
