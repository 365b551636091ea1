import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Reading'
const reading = { tag, access: 'progress:read' } as const
const writing = { tag, access: 'progress:write' } as const

export const readingKinds = ['progress', 'completed', 'reset'] as const
export const readingSessionsMax = 500
export const locatorBytesMax = 16 * 1024

/** Every description of a write says how a client names its device. */
const sayDevice =
  'The device is `X-Device-Id` (up to 128 characters) and `X-Device-Name`, else the API key, else the application.'

const Page = Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Counted from 1.' })
const Fraction = Type.Number({ minimum: 0, maximum: 1 })

export const ReadProgress = record(
  {
    id: Id,
    userId: Id,
    bookId: Id,
    currentPage: Type.Integer({ minimum: 0, description: 'Counted from 1; 0 where only a percentage is known.' }),
    progressPercentage: Nullable(Type.Number({ minimum: 0, maximum: 1, description: '0 to 1.' })),
    completed: Type.Boolean({ description: 'Stays until a reset, also while the book is read again.' }),
    startedAt: Timestamp,
    updatedAt: Timestamp,
    completedAt: Nullable(Timestamp),
    heldBack: Type.Boolean({
      description:
        'This write may have been an accident: it is kept in the history, and the position stays where it was.',
    }),
  },
  { title: 'ReadProgress' },
)
export type ReadProgress = Static<typeof ReadProgress>

const exampleProgress: ReadProgress = {
  id: '3e2f4a60-92f7-8c51-9d0e-6a3b1c5d7e90',
  userId: '019aa3b2-6c7e-7000-8000-000000000001',
  bookId: '019aa3b2-6c7e-7000-8000-000000000021',
  currentPage: 42,
  progressPercentage: 0.21,
  completed: false,
  startedAt: '2026-11-20T19:02:11.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  completedAt: null,
  heldBack: false,
}

export const readProgress = endpoint('GET /api/v1/books/{id}/progress', {
  summary: 'Where you are in a book',
  description: '204 when you have not begun it.',
  ...reading,
  params: byId,
  reply: ReadProgress,
  mayBeEmpty: true,
  errors: ['not_found'],
  example: { reply: exampleProgress },
})

const ProgressUpdate = record(
  {
    currentPage: Page,
    progressPercentage: Type.Optional(
      Nullable(Type.Number({ minimum: 0, maximum: 1, description: '0 to 1. Absent: by the page.' })),
    ),
    completed: Type.Optional(
      Type.Boolean({
        description: 'Absent: by the position, the last page or 98 %. A completed book stays completed.',
      }),
    ),
    reset: Type.Optional(Type.Boolean({ description: 'Begin again: what was before no longer counts as a position.' })),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it was so, for what is sent later. Absent: now. The latest counts, whichever arrives last.',
      }),
    ),
  },
  { title: 'ProgressUpdate' },
)
export type ProgressUpdate = Static<typeof ProgressUpdate>

export const saveProgress = endpoint('PUT /api/v1/books/{id}/progress', {
  summary: 'Say where you are in a book',
  description: [
    'The answer is where you stand now. That is another place than you said when something later is known, or when this',
    'was the first page from another device while you are far into the book (`heldBack`). 204 when it was before a reset.',
    sayDevice,
  ].join(' '),
  ...writing,
  params: byId,
  body: ProgressUpdate,
  reply: ReadProgress,
  mayBeEmpty: true,
  errors: ['not_found'],
  example: { body: { currentPage: 42 }, reply: exampleProgress },
})

export const deleteProgress = endpoint('DELETE /api/v1/books/{id}/progress', {
  summary: 'Forget where you are in a book',
  description: 'The history stays, and any point of it can be restored.',
  ...writing,
  params: byId,
  errors: ['not_found'],
})

export const markBookRead = endpoint('POST /api/v1/books/{id}/read', {
  summary: 'Mark a book as read',
  ...writing,
  params: byId,
  reply: ReadProgress,
  errors: ['not_found'],
  example: {
    reply: {
      ...exampleProgress,
      currentPage: 200,
      progressPercentage: 1,
      completed: true,
      completedAt: '2026-11-21T10:00:00.000Z',
    },
  },
})

export const markBookUnread = endpoint('POST /api/v1/books/{id}/unread', {
  summary: 'Mark a book as unread',
  description: 'Reading it to its end after this counts as another time.',
  ...writing,
  params: byId,
  errors: ['not_found'],
})

export const MarkReadReply = record(
  { count: Type.Integer({ minimum: 0, description: 'Books that changed.' }), message: Type.String() },
  { title: 'MarkReadReply' },
)
export type MarkReadReply = Static<typeof MarkReadReply>

export const markSeriesRead = endpoint('POST /api/v1/series/{id}/read', {
  summary: 'Mark all books of a series as read',
  description: 'Those that you see.',
  ...writing,
  params: byId,
  reply: MarkReadReply,
  errors: ['not_found'],
  example: { reply: { count: 12, message: '12 books are marked as read.' } },
})

export const markSeriesUnread = endpoint('POST /api/v1/series/{id}/unread', {
  summary: 'Mark all books of a series as unread',
  description: 'Those that you see.',
  ...writing,
  params: byId,
  reply: MarkReadReply,
  errors: ['not_found'],
  example: { reply: { count: 12, message: '12 books are marked as unread.' } },
})

export const listProgress = listEndpoint('GET /api/v1/progress', {
  summary: 'All books you have begun or read, the latest first',
  ...reading,
  query: Type.Object({
    completed: Type.Optional(Type.Boolean({ description: 'Only those you have read, or only those you have not.' })),
  }),
  item: ReadProgress,
  title: 'ReadProgressPage',
})

const Device = record({ id: Type.String(), name: Nullable(Type.String()) }, { title: 'ReadingDevice' })

export const ProgressPoint = record(
  {
    id: Id,
    at: Timestamp,
    device: Device,
    kind: OneOf(readingKinds),
    currentPage: Nullable(Type.Integer({ minimum: 0 })),
    progressPercentage: Nullable(Fraction),
    heldBack: Type.Boolean(),
    current: Type.Boolean({ description: 'This is where you stand.' }),
  },
  { title: 'ProgressPoint' },
)
export type ProgressPoint = Static<typeof ProgressPoint>

export const listProgressHistory = listEndpoint('GET /api/v1/books/{id}/progress/history', {
  summary: 'All that was ever said about where you are in a book, the latest first',
  ...reading,
  params: byId,
  item: ProgressPoint,
  title: 'ProgressHistoryPage',
  errors: ['not_found'],
})

export const restoreProgress = endpoint('POST /api/v1/books/{id}/progress/restore', {
  summary: 'Go back to an earlier point of the history',
  description: `Position and completion become what that point said. ${sayDevice}`,
  ...writing,
  params: byId,
  body: record({ historyId: Id }, { title: 'ProgressRestore' }),
  reply: ReadProgress,
  mayBeEmpty: true,
  errors: ['not_found', 'conflict'],
  example: { body: { historyId: '019aa3b2-6c7e-7000-8000-000000000031' }, reply: exampleProgress },
})

/** The schema is open, as Readium's is: unknown fields are kept. */
const Locator = Type.Object(
  {
    href: Type.String({ maxLength: 2048 }),
    type: Type.String({ maxLength: 255 }),
    locations: Type.Optional(
      Type.Object(
        {
          position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
          progression: Type.Optional(Fraction),
          totalProgression: Type.Optional(Fraction),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { additionalProperties: true, title: 'ReadiumLocator' },
)
export const ReadiumLocator = Locator
export type ReadiumLocator = Static<typeof Locator>

export const Progression = record({ modified: Timestamp, device: Device, locator: Locator }, { title: 'Progression' })
export type Progression = Static<typeof Progression>

const exampleLocator = {
  href: 'OEBPS/chapter3.xhtml',
  type: 'application/xhtml+xml',
  title: 'Chapter 3',
  locations: { progression: 0.5, position: 42, totalProgression: 0.21 },
}

export const readProgression = endpoint('GET /api/v1/books/{id}/progression', {
  summary: 'Where you are in a book, as a Readium locator',
  description: [
    '204 when you have not begun it. Where the position was said in pages or percent only, `href` is empty: go by',
    '`position` and `totalProgression`.',
  ].join(' '),
  ...reading,
  params: byId,
  reply: Progression,
  mayBeEmpty: true,
  errors: ['not_found'],
  example: {
    reply: {
      modified: '2026-11-21T10:00:00.000Z',
      device: { id: 'tablet-1', name: 'Tablet' },
      locator: exampleLocator,
    },
  },
})

const ProgressionUpdate = record(
  {
    modified: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it was so. Absent: now. The latest counts.' }),
    ),
    device: Type.Optional(
      record({
        id: Type.String({ minLength: 1, maxLength: 128 }),
        name: Type.Optional(Nullable(Type.String({ maxLength: 128 }))),
      }),
    ),
    locator: Locator,
  },
  { title: 'ProgressionUpdate' },
)
export type ProgressionUpdate = Static<typeof ProgressionUpdate>

export const saveProgression = endpoint('PUT /api/v1/books/{id}/progression', {
  summary: 'Say where you are in a book, as a Readium locator',
  description: `It needs \`totalProgression\` or \`position\`, and takes up to 16 KiB. ${sayDevice}`,
  ...writing,
  params: byId,
  body: ProgressionUpdate,
  reply: ReadProgress,
  mayBeEmpty: true,
  errors: ['not_found'],
  example: {
    body: { device: { id: 'tablet-1', name: 'Tablet' }, locator: exampleLocator },
    reply: exampleProgress,
  },
})

export const ReadCompletion = record(
  { id: Id, startedAt: Timestamp, completedAt: Timestamp },
  { title: 'ReadCompletion' },
)
export type ReadCompletion = Static<typeof ReadCompletion>

export const ReadHistory = record(
  {
    entries: Type.Array(ReadCompletion, { description: 'The latest first, at most 500.' }),
    lastCompletedAt: Nullable(Timestamp),
    readCount: Count,
  },
  { title: 'ReadHistory' },
)
export type ReadHistory = Static<typeof ReadHistory>

const exampleCompletion = {
  id: '019aa3b2-6c7e-7000-8000-000000000031',
  startedAt: '2026-11-20T19:02:11.000Z',
  completedAt: '2026-11-21T10:00:00.000Z',
}

export const readReadHistory = endpoint('GET /api/v1/books/{id}/read-history', {
  summary: 'Each time you have read a book to its end',
  ...reading,
  params: byId,
  reply: ReadHistory,
  errors: ['not_found'],
  example: { reply: { entries: [exampleCompletion], lastCompletedAt: exampleCompletion.completedAt, readCount: 1 } },
})

const SeriesReadThrough = record({ startedAt: Timestamp, completedAt: Timestamp }, { title: 'SeriesReadThrough' })

export const SeriesReadHistory = record(
  {
    entries: Type.Array(SeriesReadThrough, {
      description:
        'Each time you have read all of it, the latest first, at most 500: from the first book begun to the last finished.',
    }),
    lastCompletedAt: Nullable(Timestamp),
    readCount: { ...Count, description: 'As often as the book you have read least often.' },
    completions: { ...Count, description: 'Each time you have read any book of it.' },
  },
  { title: 'SeriesReadHistory' },
)
export type SeriesReadHistory = Static<typeof SeriesReadHistory>

const { id: _, ...exampleThrough } = exampleCompletion

export const readSeriesReadHistory = endpoint('GET /api/v1/series/{id}/read-history', {
  summary: 'Each time you have read a series to its end',
  description: 'Of the books that you see. Once there is a new one the series is not read to its end.',
  ...reading,
  params: byId,
  reply: SeriesReadHistory,
  errors: ['not_found'],
  example: {
    reply: { entries: [exampleThrough], lastCompletedAt: exampleThrough.completedAt, readCount: 1, completions: 14 },
  },
})

export const clearSeriesReadHistory = endpoint('DELETE /api/v1/series/{id}/read-history', {
  summary: 'Forget each time you have read a book of a series',
  description: 'Of the books that you see. Where you are in them stays as it is.',
  ...writing,
  params: byId,
  errors: ['not_found'],
})

const CompletionTime = Type.String({ format: 'date-time', maxLength: 40 })

export const addReadCompletion = endpoint('POST /api/v1/books/{id}/read-history', {
  summary: 'Say that you have read a book, and when',
  description: 'Elsewhere, or before it was here. Where you are in it stays as it is.',
  ...writing,
  params: byId,
  body: record(
    { completedAt: CompletionTime, startedAt: Type.Optional({ ...CompletionTime, description: 'Absent: the same.' }) },
    { title: 'NewReadCompletion' },
  ),
  reply: ReadCompletion,
  status: 201,
  errors: ['not_found', 'conflict'],
  example: { body: { completedAt: '2015-08-02T12:00:00.000Z' }, reply: exampleCompletion },
})

const ReadCompletionChange = record(
  { completedAt: Type.Optional(CompletionTime), startedAt: Type.Optional(CompletionTime) },
  { title: 'ReadCompletionChange' },
)
export type ReadCompletionChange = Static<typeof ReadCompletionChange>

export const changeReadCompletion = endpoint('PATCH /api/v1/books/{id}/read-history/{completionId}', {
  summary: 'Say when it really was that you have read a book',
  description: 'The entry gets another id. Where you are in the book stays as it is.',
  ...writing,
  params: Type.Object({ id: Id, completionId: Id }),
  body: ReadCompletionChange,
  reply: ReadCompletion,
  errors: ['not_found'],
  example: { body: { completedAt: '2015-08-02T12:00:00.000Z' }, reply: exampleCompletion },
})

export const clearReadHistory = endpoint('DELETE /api/v1/books/{id}/read-history', {
  summary: 'Forget each time you have read a book',
  description: 'Where you are in it stays as it is.',
  ...writing,
  params: byId,
  errors: ['not_found'],
})

export const deleteReadCompletion = endpoint('DELETE /api/v1/books/{id}/read-history/{completionId}', {
  summary: 'Forget one time you have read a book',
  description: 'Where you are in it stays as it is.',
  ...writing,
  params: Type.Object({ id: Id, completionId: Id }),
  errors: ['not_found'],
})

export const ReadingSession = record(
  {
    id: Type.String({ format: 'uuid', description: 'Chosen by you. The same id again changes nothing.' }),
    bookId: Id,
    kind: OneOf(readingKinds),
    clientStartedAt: Timestamp,
    clientEndedAt: Timestamp,
    deviceId: Type.Optional(Nullable(Type.String({ maxLength: 128, description: 'Absent: as in the header.' }))),
    deviceName: Type.Optional(Nullable(Type.String({ maxLength: 128 }))),
    activeDurationMs: Type.Optional(
      Nullable(Type.Number({ description: 'Time spent reading; no more than from start to end is counted.' })),
    ),
    pagesRead: Type.Optional(Nullable(Type.Number())),
    toPage: Type.Optional(Nullable(Type.Number({ description: 'Where it ended, counted from 1.' }))),
    toPercentage: Type.Optional(Nullable(Type.Number({ description: 'The same, 0 to 1.' }))),
    r2Progression: Type.Optional(
      Nullable(Type.String({ description: 'The same as a Readium locator or progression in JSON, up to 16 KiB.' })),
    ),
  },
  { title: 'ReadingSession' },
)
export type ReadingSession = Static<typeof ReadingSession>

export const rejectionReasons = [
  'book_not_found',
  'invalid_time_range',
  'invalid_percentage',
  'invalid_measurement',
  'invalid_progression',
  'duplicate_in_batch',
] as const
export type RejectionReason = (typeof rejectionReasons)[number]

export const RecordedReadingSessions = record(
  {
    accepted: Type.Array(Id, { description: 'Kept now or before.' }),
    rejected: Type.Array(record({ id: Id, reason: OneOf(rejectionReasons) }, { title: 'RejectedReadingSession' })),
    progress: Type.Array(ReadProgress, { description: 'Where you stand in the books that were named.' }),
  },
  { title: 'RecordedReadingSessions' },
)
export type RecordedReadingSessions = Static<typeof RecordedReadingSessions>

export const recordReadingSessions = endpoint('POST /api/v1/reading-sessions', {
  summary: 'Tell what was read, with or without a connection at that time',
  description: [
    'Up to 500 reading sessions in any order, each with an id of your own: send them again until they are answered.',
    'What cannot be taken is named in `rejected` and keeps nothing else back. `reset` begins a book again.',
    sayDevice,
  ].join(' '),
  ...writing,
  body: record(
    { sessions: Type.Array(ReadingSession, { maxItems: readingSessionsMax }) },
    { title: 'ReadingSessions' },
  ),
  bodyBytesMax: 4 * 1024 * 1024,
  reply: RecordedReadingSessions,
  example: {
    body: {
      sessions: [
        {
          id: '019aa3b2-6c7e-7000-8000-000000000031',
          bookId: exampleProgress.bookId,
          kind: 'progress',
          clientStartedAt: '2026-11-21T09:40:00.000Z',
          clientEndedAt: '2026-11-21T10:00:00.000Z',
          activeDurationMs: 1_080_000,
          pagesRead: 20,
          toPage: 42,
        },
      ],
    },
    reply: { accepted: ['019aa3b2-6c7e-7000-8000-000000000031'], rejected: [], progress: [exampleProgress] },
  },
})
