import { type Static, Type } from 'typebox'
import { onPlugin } from './method.ts'
import { EntryMetadata } from './recommendations.ts'
import { Json, Maybe, Moment, Texts, Word, message } from './schema.ts'

export const SyncEntry = message({
  externalId: Type.String({ description: 'Of the other service; empty when it is not known.' }),
  status: Word(['reading', 'completed', 'on_hold', 'dropped', 'plan_to_read']),
  progress: Maybe(
    message({
      chapters: Maybe(Type.Number()),
      /** It is a number of volumes, not the number of the last one. */
      volumes: Maybe(Type.Integer()),
      pages: Maybe(Type.Integer()),
      totalChapters: Maybe(Type.Number()),
      totalVolumes: Maybe(Type.Integer()),
      maxVolume: Maybe(Type.Number()),
      maxChapter: Maybe(Type.Number()),
      /** Only plugins with `wantsDetailedProgress` get it. */
      readBooks: Maybe(
        Type.Array(
          message({
            volume: Maybe(Type.Number()),
            chapter: Maybe(Type.Number()),
            completed: Type.Boolean(),
            currentPage: Maybe(Type.Integer()),
            progressPercentage: Maybe(Type.Number()),
          }),
        ),
      ),
    }),
  ),
  /** The score uses the scale of the other service. */
  score: Maybe(Type.Number()),
  /** 0 to 100, where a side has it. */
  rating: Maybe(Type.Number()),
  startedAt: Maybe(Moment),
  lastReadAt: Maybe(Moment),
  completedAt: Maybe(Moment),
  latestUpdatedAt: Maybe(Moment),
  notes: Maybe(Type.String()),
  title: Maybe(Type.String()),
  libraryId: Maybe(Type.String()),
  libraryName: Maybe(Type.String()),
  genres: Maybe(Texts),
  tags: Maybe(Texts),
  metadata: Maybe(EntryMetadata),
  customMetadata: Maybe(Json),
})
export type SyncEntry = Static<typeof SyncEntry>

const PushedEntry = message({
  externalId: Type.String(),
  status: Maybe(Word(['created', 'updated', 'unchanged', 'failed'])),
  error: Maybe(Type.String()),
})

/** `success` and `failed` with entries, or `successes` with ids and `failures`: both are about. */
export const SyncPushReply = message({
  success: Maybe(Type.Array(PushedEntry)),
  failed: Maybe(Type.Array(PushedEntry)),
  successes: Maybe(Texts),
  failures: Maybe(Type.Array(message({ externalId: Type.String(), error: Maybe(Type.String()) }))),
})

const sync = { needs: 'read-sync' } as const

export const syncUserInfo = onPlugin('sync/getUserInfo', {
  ...sync,
  result: message({
    externalId: Type.String(),
    username: Type.String(),
    avatarUrl: Maybe(Type.String()),
    profileUrl: Maybe(Type.String()),
  }),
})
export const syncPush = onPlugin('sync/pushProgress', {
  ...sync,
  params: message({ entries: Type.Array(SyncEntry) }),
  result: SyncPushReply,
})
export const syncPull = onPlugin('sync/pullProgress', {
  ...sync,
  params: message({
    since: Maybe(Moment),
    updatedSince: Maybe(Moment),
    limit: Maybe(Type.Integer({ minimum: 1 })),
    cursor: Maybe(Type.String()),
    page: Maybe(Type.Integer({ minimum: 1 })),
  }),
  result: message({
    entries: Type.Array(SyncEntry),
    hasMore: Maybe(Type.Boolean()),
    nextCursor: Maybe(Type.String()),
    nextPage: Maybe(Type.Integer()),
  }),
})
export const syncStatus = onPlugin('sync/status', {
  ...sync,
  optional: true,
  result: message({
    lastSyncAt: Maybe(Moment),
    externalCount: Maybe(Type.Integer()),
    pendingPush: Maybe(Type.Integer()),
    pendingPull: Maybe(Type.Integer()),
    conflicts: Maybe(Type.Integer()),
  }),
})
