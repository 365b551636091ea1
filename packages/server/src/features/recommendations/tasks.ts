import { dismissalsMax } from '@carrel/api'
import {
  dismissRecommendation,
  getRecommendations,
  limits,
  type RecommendationsReply,
} from '@carrel/plugin-sdk/protocol'
import { Type } from 'typebox'
import { announce } from '../../events/outbox.ts'
import { PluginFault } from '../../plugins/fault.ts'
import { defineTask } from '../../tasks/define-task.ts'
import type { Plugins } from '../plugins/plugins.ts'
import { findRecommender } from '../user-plugins/user-plugins.ts'
import { amongLibraries } from '../../catalogue/visibility/visibility.ts'
import { readViewer } from '../viewers/viewers.ts'
import { gatherLibrary } from './library/library.ts'
import { type ItemRow, replaceBatch, selectDismissal, selectDismissedIds, selectLanguage } from './queries.ts'
import { type SoundItem, soundItems } from './sound.ts'

const minute = 60_000

interface RecommendationTaskContext {
  readonly plugins: Plugins
}

const refreshType = 'refresh_recommendations'
const refreshKey = ({ userId, pluginId }: { userId: string; pluginId: string }) => `${userId} ${pluginId}`

/** The task has this key in the queue while one plugin is asked for one user. */
export const liveKeyOf = (userId: string, pluginId: string): string =>
  `${refreshType} ${refreshKey({ userId, pluginId })}`

/** It asks one plugin what one user might read next. When that fails, the former recommendations stay. */
export const refreshOne = defineTask(Type.Object({ userId: Type.String(), pluginId: Type.String() }), {
  type: refreshType,
  priority: 130,
  endsWithinMs: 15 * minute,
  key: refreshKey,
  // Whoever waits for it hears whether it is retried.
  whenFailed: ({ userId }) => ({
    event: { type: 'recommendations_updated' },
    to: { userId, permission: 'progress:read' },
  }),
  run: async ({ userId, pluginId }, { db, signal, clock, finish }, { plugins }: RecommendationTaskContext) => {
    const recommender = await findRecommender(db.read, userId, pluginId)
    // It, or the user, has gone meanwhile, or it was switched off.
    if (!recommender) return { result: { recommendations: 0 } }
    const { manifest, source, libraryIds } = recommender
    const everywhere = await readViewer(db.read, userId, false)
    const viewer = libraryIds.length === 0 ? everywhere : amongLibraries(everywhere, libraryIds)
    const isFull = manifest.capabilities.wantsFullMetadata === true
    const library = await gatherLibrary(db.readSlowly, viewer, { isFull, signal })
    const excludeIds = await selectDismissedIds(db.readSlowly, userId, source, dismissalsMax)
    const language = await selectLanguage(db.read, userId)
    const reply = await plugins.call(
      { pluginId, userId },
      getRecommendations.name,
      { library, limit: limits.results, excludeIds, ...(language !== null && { language }) },
      { signal },
    )
    // The host hands on what fits the protocol.
    const items = soundItems(reply as RecommendationsReply, library)
    await finish(async (db) => {
      // The user's later choices count: nothing is stored of what they have dismissed or disconnected meanwhile.
      const after = await findRecommender(db, userId, pluginId)
      if (after?.changedAt !== recommender.changedAt) return { result: { recommendations: 0 } }
      const now = clock()
      const batch = { user_id: userId, plugin_id: pluginId, source, generated_at: now.toISOString() }
      await replaceBatch(db, batch, items.map(rowOf(userId, pluginId)))
      await announce(
        db,
        [{ event: { type: 'recommendations_updated' }, to: { userId, permission: 'progress:read' } }],
        now,
      )
      return { result: { recommendations: items.length }, items: items.length }
    })
    return undefined
  },
})

const rowOf =
  (userId: string, pluginId: string) =>
  ({ externalId, score, seriesId, basedOnIds, item }: SoundItem, index: number): ItemRow => ({
    user_id: userId,
    plugin_id: pluginId,
    external_id: externalId,
    place: index,
    score,
    series_id: seriesId,
    based_on_ids: JSON.stringify(basedOnIds),
    item: JSON.stringify(item),
  })

/** It reports a user's dismissal to one plugin. A dismissal taken back meanwhile is not reported. */
export const tellDismissal = defineTask(
  Type.Object({ userId: Type.String(), pluginId: Type.String(), externalId: Type.String() }),
  {
    type: 'dismiss_recommendation',
    priority: 150,
    endsWithinMs: 5 * minute,
    key: ({ userId, pluginId, externalId }) => `${userId} ${pluginId} ${externalId}`,
    quiet: true,
    run: async ({ userId, pluginId, externalId }, { db, signal }, { plugins }: RecommendationTaskContext) => {
      const recommender = await findRecommender(db.read, userId, pluginId)
      if (!recommender) return { result: { told: false } }
      const { source } = recommender
      const dismissal = await selectDismissal(db.read, { userId, source, externalId })
      if (!dismissal) return { result: { told: false } }
      const params = { externalId, ...(dismissal.reason !== null && { reason: dismissal.reason }) }
      try {
        await plugins.call({ pluginId, userId }, dismissRecommendation.name, params, { signal })
      } catch (error) {
        // It need not be able to, nor know it still: we remember it in any case.
        if (!(error instanceof PluginFault && (error.code === 'RPC_ERROR' || error.code === 'NOT_FOUND'))) throw error
        return { result: { told: false } }
      }
      return { result: { told: true } }
    },
  },
)
