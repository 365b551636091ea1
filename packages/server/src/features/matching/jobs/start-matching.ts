import type { Context } from '../../../context.ts'
import type { WriteDb } from '../../../database/database.ts'
import { type Enqueued, enqueue } from '../../../tasks/queue.ts'
import { notFound } from '../../../platform/errors.ts'
import { requireLibrary } from '../../../catalogue/entries/entries.ts'
import type { Entity } from '../../../catalogue/metadata/metadata.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { autoMatch } from './auto-match.ts'
import { requireProvider, selectAbleEntities, selectProviders } from '../asking/providers.ts'
import { selectLibrariesOf } from '../queries.ts'

interface MatchingJobRequest {
  readonly pluginId: string
  readonly again?: boolean | undefined
  /** Undefined: all that the plugin knows. */
  readonly entity?: Entity | undefined
}

export const startAutoMatch = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  viewer: Viewer,
  libraryId: string,
  { pluginId, again = false, entity }: MatchingJobRequest,
): Promise<Enqueued> => {
  await requireLibrary(db.read, viewer, libraryId)
  const entities = entity ? [entity] : await selectAbleEntities(db.read, pluginId, libraryId)
  const [first = 'series'] = entities
  // Refuses, where it knows neither.
  await requireProvider(db.read, pluginId, first, libraryId)
  const payload = { libraryId, pluginId, again, entities: [...entities] }
  return db.write((db) => enqueue(db, autoMatch, payload, { now: clock() }))
}

/** Some that somebody has chosen: a task for each of their libraries. */
export const startManyMatches = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  viewer: Viewer,
  { pluginId, seriesIds }: { readonly pluginId: string; readonly seriesIds: readonly string[] },
) => {
  const libraryOf = await selectLibrariesOf(db.read, viewer, seriesIds)
  if (libraryOf.size < seriesIds.length) throw notFound('series')
  const byLibrary = Map.groupBy([...seriesIds].sort(), (id) => libraryOf.get(id) ?? '')
  for (const libraryId of byLibrary.keys()) await requireProvider(db.read, pluginId, 'series', libraryId)
  const by = viewer.userId
  const taskIds = await db.write(async (db) => {
    const started: string[] = []
    for (const [libraryId, ids] of byLibrary) {
      const payload = { libraryId, pluginId, again: true, entities: ['series' as const], ids, by }
      started.push((await enqueue(db, autoMatch, payload, { now: clock() })).taskId)
    }
    return started
  })
  return {
    success: true,
    message: `${seriesIds.length} series will be asked about.`,
    tasksEnqueued: taskIds.length,
    taskIds,
  }
}

/** After a scan, when the administrator wants that. */
export const startMatchingAfterScan = async (
  db: WriteDb,
  { settings }: Pick<Context, 'settings'>,
  libraryId: string,
  now: Date,
): Promise<void> => {
  if (!settings.get('plugins.post_scan_auto_match_enabled')) return
  const entitiesOf = new Map<string, Entity[]>()
  for (const entity of ['series', 'book'] as const)
    for (const { id } of await selectProviders(db, entity, libraryId))
      entitiesOf.set(id, [...(entitiesOf.get(id) ?? []), entity])
  for (const [pluginId, entities] of entitiesOf)
    await enqueue(db, autoMatch, { libraryId, pluginId, again: false, entities }, { now })
}
