import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Reading'

export const historyFormats = ['json', 'csv'] as const
export type HistoryFormat = (typeof historyFormats)[number]
export const historyBytesMax = 32 * 1024 * 1024
export const historyEntriesMax = 100_000

/** The columns of a history, in the order in which they stand in CSV. Only one that names the book and `date` are needed. */
export const historyColumns = [
  'fileHash',
  'path',
  'series',
  'title',
  'page',
  'pageCount',
  'percentage',
  'completed',
  'date',
  'id',
  'kind',
  'source',
  'startedAt',
  'activeMs',
  'pagesRead',
  'device',
  'deviceName',
] as const
export type HistoryColumn = (typeof historyColumns)[number]

export const exportReadingHistory = endpoint('GET /api/v1/user/reading-history', {
  summary: 'Your whole reading history as a file',
  description: [
    'All that was ever said of where you were, the oldest first: JSON with a list `entries`, or CSV. It can be brought in',
    'again, here or at another server, and comes to the same. Books that are gone are in it as they were called; books that you may no longer see are left out.',
  ].join(' '),
  tag,
  access: 'progress:read',
  query: Type.Object({ format: Type.Optional(OneOf(historyFormats, { default: 'json' })) }),
  mediaType: 'application/octet-stream',
})

export const historyMatches = ['hash', 'path', 'title'] as const

const Unmatched = record(
  {
    place: { ...Count, description: 'Which entry of the file, counted from 1.' },
    reason: OneOf(['no_book', 'several_books', 'invalid'] as const),
    what: Type.String(),
  },
  { title: 'UnmatchedHistoryEntry' },
)

export const unmatchedShownMax = 200

export const ReadingImport = record(
  {
    id: Id,
    taskId: Nullable(Type.String({ format: 'uuid' })),
    createdAt: Timestamp,
    completedAt: Nullable({ ...Timestamp, description: 'Null: still at it.' }),
    entries: Count,
    matchedBy: record({ hash: Count, path: Count, title: Count }),
    added: { ...Count, description: 'New in your history.' },
    known: { ...Count, description: 'Already in it.' },
    unmatched: Count,
    examples: Type.Array(Unmatched, {
      maxItems: unmatchedShownMax,
      description: `The first ${unmatchedShownMax} that could not be taken.`,
    }),
  },
  { title: 'ReadingImport' },
)
export type ReadingImport = Static<typeof ReadingImport>

const exampleImport: ReadingImport = {
  id: '019aa3b2-6c7e-7000-8000-000000000041',
  taskId: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  completedAt: '2026-11-21T10:00:01.000Z',
  entries: 120,
  matchedBy: { hash: 100, path: 12, title: 6 },
  added: 118,
  known: 0,
  unmatched: 2,
  examples: [{ place: 17, reason: 'no_book', what: 'Nemo / No. 4' }],
}

export const importReadingHistory = endpoint('POST /api/v1/user/reading-history', {
  summary: 'Bring in a reading history',
  description: [
    'JSON, a list of entries or an object with a list `entries`, or CSV with a line of column names. Entries have',
    '`fileHash`, `path`, or `series` and `title` to find the book by, in this order; `date` (a time or a day); `page`,',
    '`percentage` (0 to 1) or `completed`; and what else an export has. Only books you see are found. Bringing in the same',
    'again adds nothing. A large one goes on in the background: `completedAt` is null then.',
  ].join(' '),
  tag,
  access: 'progress:write',
  upload: {
    description: `Up to ${historyBytesMax / 1024 / 1024} MB of UTF-8 and ${historyEntriesMax} entries.`,
    maybeJson: true,
  },
  bodyBytesMax: historyBytesMax,
  status: 202,
  reply: ReadingImport,
  errors: ['validation_failed', 'conflict'],
  example: { reply: exampleImport },
})

export const readReadingImport = endpoint('GET /api/v1/user/reading-history/imports/{id}', {
  summary: 'What has become of a history that was brought in',
  tag,
  access: 'progress:read',
  params: byId,
  reply: ReadingImport,
  errors: ['not_found'],
  example: { reply: exampleImport },
})

export const deleteReadingLog = endpoint('DELETE /api/v1/users/{id}/reading-log', {
  summary: 'Delete all that a user has read',
  description: 'Positions, completions, history and figures. Nobody can read them but the user.',
  tag,
  access: 'users:delete',
  params: byId,
  errors: ['not_found'],
})

export const ReadingRepair = record(
  {
    id: Id,
    at: Timestamp,
    userId: Id,
    books: { ...Count, description: 'Books of which something was not as the log has it.' },
    figures: Type.Boolean({ description: 'Sums of the statistics were not what the reading sessions come to.' }),
  },
  { title: 'ReadingRepair' },
)
export type ReadingRepair = Static<typeof ReadingRepair>

export const listReadingRepairs = listEndpoint('GET /api/v1/admin/reading-repairs', {
  summary: 'What the nightly comparison with the logs of readers has found and made right, the latest first',
  description: 'Empty is as it should be: anything here is a fault of ours, or of the storage.',
  tag,
  access: 'system:admin',
  query: Type.Object({}),
  item: ReadingRepair,
  title: 'ReadingRepairPage',
})
