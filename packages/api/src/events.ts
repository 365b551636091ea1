import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Count, Id, Nullable, OneOf, record } from './schema.ts'

const libraryId = Id
const seriesId = Id
const bookId = Id
const Fields = Type.Optional(Type.Array(Type.String(), { description: 'What changed, when that is known.' }))

const aboutLibrary = { libraryId }
const aboutSeries = { seriesId, libraryId }
/** Null for whoever does not see the series of a book that they see. */
const seriesOfBook = Nullable(seriesId)
const aboutBook = { bookId, seriesId: seriesOfBook, libraryId }
const aboutCollection = { collectionId: Id }
const aboutReadList = { readListId: Id }
const aboutPreset = { presetId: Id }
const aboutPlugin = { pluginId: Id }
const aboutUser = { userId: Id }

export const taskStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const
export const TaskProgress = record(
  { current: Count, total: Count, message: Nullable(Type.String()) },
  { title: 'TaskProgress' },
)

/** An event of each kind has these fields besides its type and its time. */
export const eventFields = {
  library_created: aboutLibrary,
  library_updated: aboutLibrary,
  library_deleted: aboutLibrary,
  library_unavailable: aboutLibrary,
  series_created: aboutSeries,
  series_updated: { ...aboutSeries, fields: Fields },
  series_deleted: aboutSeries,
  series_metadata_updated: { ...aboutSeries, fields: Fields },
  series_merged: { ...aboutSeries, mergedIds: Type.Array(Id) },
  book_created: aboutBook,
  book_updated: { ...aboutBook, fields: Fields },
  book_deleted: aboutBook,
  book_restored: aboutBook,
  cover_updated: {
    entityType: OneOf(['library', 'series', 'book']),
    entityId: Id,
    libraryId: Type.Optional(libraryId),
    seriesId: Type.Optional(seriesOfBook),
  },
  collection_created: aboutCollection,
  collection_updated: aboutCollection,
  collection_deleted: aboutCollection,
  read_list_created: aboutReadList,
  read_list_updated: aboutReadList,
  read_list_deleted: aboutReadList,
  progress_updated: {
    ...aboutBook,
    isUnread: Type.Optional(Type.Boolean({ description: 'There is no progress any more.' })),
    marksSeries: Type.Optional(
      Type.Boolean({ description: 'The whole series was marked, and this is the last of its books that has changed.' }),
    ),
  },
  preset_created: aboutPreset,
  preset_updated: aboutPreset,
  preset_deleted: aboutPreset,
  task_progress: {
    taskId: Id,
    taskType: Type.String(),
    status: OneOf(taskStatuses),
    progress: TaskProgress,
    libraryId: Type.Optional(libraryId),
    seriesId: Type.Optional(seriesId),
    bookId: Type.Optional(bookId),
    error: Type.Optional(Type.String()),
  },
  scan_progress: {
    libraryId,
    scanId: Id,
    phase: OneOf(['walking', 'applying', 'analysing', 'covers']),
    filesTotal: Count,
    filesProcessed: Count,
    errorCount: Count,
    ratePerSecond: Type.Number({ minimum: 0 }),
    secondsLeft: Nullable(Count),
  },
  scan_held: { libraryId, scanId: Id, heldId: Id },
  duplicates_updated: {},
  plugin_created: aboutPlugin,
  plugin_updated: aboutPlugin,
  plugin_enabled: aboutPlugin,
  plugin_disabled: aboutPlugin,
  plugin_deleted: aboutPlugin,
  recommendations_updated: {},
  setting_updated: { key: Type.String() },
  user_created: aboutUser,
  user_updated: aboutUser,
  user_deleted: aboutUser,
  release_announced: { releaseId: Id, seriesId, seriesTitle: Type.String() },
  notification: { notificationId: Id },
} as const satisfies Record<string, TProperties>

export type EventType = keyof typeof eventFields
export const eventTypes = Object.keys(eventFields) as EventType[]

/** It is an announced event without its time. */
export type ServerEvent = {
  [Type in EventType]: { readonly type: Type } & Static<TObject<(typeof eventFields)[Type]>>
}[EventType]

/** These belong to the stream itself: they tell a client its position. */
export const streamEventFields = {
  connected: { lastEventId: Nullable(Type.String({ description: 'Where the stream begins.' })) },
  resync: { reason: OneOf(['too_old', 'slow', 'access_changed']) },
} as const
export type ResyncReason = 'too_old' | 'slow' | 'access_changed'

const tag = 'Events'
const openStream = {
  tag,
  access: 'signed-in',
  unlimited: true,
  query: Type.Object({
    since: Type.Optional(
      Type.String({
        pattern: '^\\d{1,15}$',
        description: 'The id of the last event you have; for clients that cannot send Last-Event-ID.',
      }),
    ),
    types: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'Only these kinds, separated by commas; `book_*` names all that begin so.',
      }),
    ),
  }),
  mediaType: 'text/event-stream',
  errors: ['rate_limit_exceeded'],
} as const

export const streamEvents = endpoint('GET /api/v1/events', {
  ...openStream,
  summary: 'What happens, as it happens',
  description: [
    'A stream of server-sent events, each with `id`, `event` and one line of JSON in `data`: type, timestamp and ids.',
    '`Last-Event-ID` or `since` brings what was missed, or `resync` when that is too much: read again what you show.',
    'You get what you may see, at most 20 streams at a time.',
  ].join(' '),
})

export const streamUnnamedEvents = endpoint('GET /api/v1/events/stream', {
  ...openStream,
  summary: 'The same without `event:` lines (the older spelling)',
})
