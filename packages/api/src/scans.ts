import { type Static, Type } from 'typebox'
import { bookNumbers } from './book-numbers.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { ChoicesToPreview, Grouping, LibraryToPreview } from './libraries.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Scans'
const writing = { tag, access: 'libraries:write' } as const
const LibraryAndHeld = Type.Object({ id: Id, heldId: Id })
const LibraryAndRelink = Type.Object({ id: Id, relinkId: Id })

const ScanRequest = record(
  {
    mode: Type.Optional(
      OneOf(['changes', 'full'], { description: '`full` reads every book again; `changes` those that have changed.' }),
    ),
    paths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
        maxItems: 100,
        description: 'Only what lies below these, absolute or relative to a root. Empty: everything.',
      }),
    ),
  },
  { title: 'ScanRequest' },
)

export const StartedScan = record(
  { taskId: Id, scanId: Id, alreadyRunning: Type.Boolean({ description: 'One was under way already: that one.' }) },
  { title: 'StartedScan' },
)
export type StartedScan = Static<typeof StartedScan>

const statuses = ['pending', 'processing', 'held', 'completed', 'completed_with_errors', 'failed', 'cancelled'] as const

/** What keeps a scan from looking at something, where programs have words of their own for it; others may come. */
export const scanErrorCodes = [
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'EIO',
  'ENOTCONN',
  'ESTALE',
  'ETIMEDOUT',
  'ELOOP',
  'outside',
  'failed',
] as const

export const ScanStatus = record(
  {
    id: Id,
    taskId: Nullable(Id),
    libraryId: Id,
    mode: OneOf(['changes', 'full']),
    status: OneOf(statuses, { description: '`completed`: every book is listed; reading them may go on.' }),
    phase: Nullable(OneOf(['walking', 'applying', 'analysing', 'covers'])),
    filesTotal: Count,
    filesProcessed: Count,
    booksAdded: Count,
    booksUpdated: Count,
    booksMoved: Count,
    booksMissing: Count,
    booksRestored: Count,
    seriesAdded: Count,
    errorCount: Count,
    errors: Type.Array(
      record({
        path: Type.String(),
        code: Type.String({ description: 'Mostly that of the system, such as EACCES.' }),
        message: Type.String({ description: 'The same in English, for reports.' }),
      }),
      {
        maxItems: 100,
        description: 'The first hundred.',
      },
    ),
    ratePerSecond: Type.Number({ minimum: 0 }),
    secondsLeft: Nullable(Count),
    startedAt: Nullable(Timestamp),
    completedAt: Nullable(Timestamp),
    analysisPending: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Listed books that are still to be read.' }),
    ),
  },
  { title: 'ScanStatus' },
)
export type ScanStatus = Static<typeof ScanStatus>

const libraryId = '019aa3b2-6c7e-7000-8000-000000000010'
const exampleScan: ScanStatus = {
  id: '019aa3b2-6c7e-7000-8000-000000000020',
  taskId: '019aa3b2-6c7e-7000-8000-000000000021',
  libraryId,
  mode: 'changes',
  status: 'completed',
  phase: null,
  filesTotal: 1200,
  filesProcessed: 1200,
  booksAdded: 12,
  booksUpdated: 1,
  booksMoved: 3,
  booksMissing: 0,
  booksRestored: 0,
  seriesAdded: 1,
  errorCount: 0,
  errors: [],
  ratePerSecond: 4000,
  secondsLeft: null,
  startedAt: '2026-11-21T10:00:00.000Z',
  completedAt: '2026-11-21T10:00:01.000Z',
  analysisPending: 4,
}

export const scanLibrary = endpoint('POST /api/v1/libraries/{id}/scan', {
  summary: 'Scan a library',
  ...writing,
  params: byId,
  body: ScanRequest,
  bodyOptional: true,
  reply: StartedScan,
  status: 202,
  errors: ['not_found'],
  example: {
    body: { mode: 'changes', paths: ['Saga'] },
    reply: { taskId: exampleScan.taskId, scanId: exampleScan.id, alreadyRunning: false },
  },
})

export const purgeMissing = endpoint('POST /api/v1/libraries/{id}/purge-missing', {
  summary: 'Forget missing books for ever',
  description: 'Their progress is kept in the log; their place, metadata and covers are not. There is no way back.',
  tag,
  access: 'libraries:delete',
  params: byId,
  body: record({ olderThanDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 36_500, default: 30 })) }),
  bodyOptional: true,
  reply: record({ taskId: Id }, { title: 'StartedPurge' }),
  status: 202,
  errors: ['not_found'],
  example: { body: { olderThanDays: 30 }, reply: { taskId: exampleScan.taskId ?? '' } },
})

export const cancelScan = endpoint('POST /api/v1/libraries/{id}/scan/cancel', {
  summary: 'Cancel the scan of a library',
  description: 'What it has written down so far stays.',
  ...writing,
  params: byId,
  reply: record({}, { title: 'Accepted' }),
  status: 202,
  errors: ['not_found', 'conflict'],
  example: { reply: {} },
})

export const listScans = listEndpoint('GET /api/v1/libraries/{id}/scans', {
  summary: 'List the scans of a library, newest first',
  ...writing,
  params: byId,
  item: ScanStatus,
  title: 'ScanPage',
  errors: ['not_found'],
})

export const readScanStatus = endpoint('GET /api/v1/libraries/{id}/scan-status', {
  summary: 'Read the newest scan of a library',
  description: '204 when it was never scanned.',
  tag,
  access: 'libraries:read',
  params: byId,
  reply: ScanStatus,
  mayBeEmpty: true,
  errors: ['not_found'],
  example: { reply: exampleScan },
})

const HeldChange = record(
  {
    id: Id,
    scanId: Id,
    heldAt: Timestamp,
    reason: OneOf(['root_unavailable', 'root_empty', 'root_changed', 'walk_error', 'threshold', 'folder_emptied']),
    vanishing: Type.Integer({ minimum: 0, description: 'Books that would go missing.' }),
    of: Type.Integer({ minimum: 0, description: 'Books there are.' }),
    folders: Type.Array(record({ path: Type.String(), count: Count }), { maxItems: 100 }),
  },
  { title: 'HeldChange' },
)

export const HeldChanges = record({ held: Nullable(HeldChange) }, { title: 'HeldChanges' })
export type HeldChanges = Static<typeof HeldChanges>

const HeldItem = record(
  { bookId: Id, seriesId: Id, title: Type.String(), seriesName: Type.String(), ...bookNumbers, path: Type.String() },
  { title: 'HeldItem' },
)
export type HeldItem = Static<typeof HeldItem>

const heldId = '019aa3b2-6c7e-7000-8000-000000000022'

export const readHeldChanges = endpoint('GET /api/v1/libraries/{id}/held-changes', {
  summary: 'Read the removals that wait for your word',
  description: 'A scan that no longer sees many books removes none of them by itself.',
  ...writing,
  params: byId,
  reply: HeldChanges,
  errors: ['not_found'],
  example: {
    reply: {
      held: {
        id: heldId,
        scanId: exampleScan.id,
        heldAt: '2026-11-21T10:00:01.000Z',
        reason: 'threshold',
        vanishing: 412,
        of: 500,
        folders: [{ path: 'Saga', count: 60 }],
      },
    },
  },
})

export const listHeldItems = listEndpoint('GET /api/v1/libraries/{id}/held-changes/{heldId}/items', {
  summary: 'List the books that would go missing',
  ...writing,
  params: LibraryAndHeld,
  item: HeldItem,
  title: 'HeldItemPage',
  errors: ['not_found'],
})

export const confirmHeldChanges = endpoint('POST /api/v1/libraries/{id}/held-changes/{heldId}/confirm', {
  summary: 'Confirm that these books are gone',
  description: 'They go missing and keep everything, for when they come back.',
  ...writing,
  params: LibraryAndHeld,
  errors: ['not_found'],
})

export const rejectHeldChanges = endpoint('POST /api/v1/libraries/{id}/held-changes/{heldId}/reject', {
  summary: 'Keep these books',
  ...writing,
  params: LibraryAndHeld,
  errors: ['not_found'],
})

const RelinkedBook = record(
  { title: Type.String(), seriesName: Type.String(), ...bookNumbers },
  { title: 'RelinkedBook' },
)

const Relink = record(
  {
    id: Id,
    missingBookId: Id,
    missingTitle: Type.String(),
    missing: RelinkedBook,
    presentBookId: Id,
    presentTitle: Type.String(),
    present: RelinkedBook,
    path: Type.String(),
    offeredAt: Timestamp,
  },
  { title: 'Relink' },
)
export type Relink = Static<typeof Relink>

export const listRelinks = listEndpoint('GET /api/v1/libraries/{id}/relinks', {
  summary: 'List missing books that lie elsewhere as books of their own',
  description: 'Both have been read, so somebody must say whether they are one.',
  ...writing,
  params: byId,
  item: Relink,
  title: 'RelinkPage',
  errors: ['not_found'],
})

export const acceptRelink = endpoint('POST /api/v1/libraries/{id}/relinks/{relinkId}/accept', {
  summary: 'They are one book',
  ...writing,
  params: LibraryAndRelink,
  errors: ['not_found'],
})

export const refuseRelink = endpoint('POST /api/v1/libraries/{id}/relinks/{relinkId}/refuse', {
  summary: 'They are two books',
  ...writing,
  params: LibraryAndRelink,
  errors: ['not_found'],
})

const PreviewedSeries = record(
  {
    seriesId: Nullable({
      ...Id,
      description: 'The series that it is already, with all that is said of it; null: it would be a new one.',
    }),
    name: Type.String({
      description: 'What people have called it, what its books agree on as far as they are known, or its folder.',
    }),
    path: Type.String(),
    bookCount: Count,
    sampleBooks: Type.Array(Type.String(), { maxItems: 5 }),
    was: Nullable({ ...Id, description: 'The series in which its first book is now.' }),
  },
  { title: 'PreviewedSeries' },
)

const EmptiedSeries = record({ id: Id, title: Type.String(), bookCount: Count }, { title: 'EmptiedSeries' })

const PreviewedChanges = record(
  {
    booksMoved: { ...Count, description: 'So many books would be in another series than now.' },
    seriesAdded: Count,
    seriesEmptied: { ...Count, description: 'So many series would have no books any more.' },
    emptied: Type.Array(EmptiedSeries, { maxItems: 500 }),
  },
  {
    title: 'PreviewedChanges',
    description:
      'What would be otherwise than now; null for a library that does not exist yet, and where not everything could be looked at.',
  },
)

export const groupingWarnings = [
  'several_sequences',
  'one_author',
  'unlike_books',
  'no_series',
  'divided_series',
  'single_books',
] as const

const GroupingWarning = record(
  {
    code: OneOf(groupingWarnings),
    series: Nullable(Type.String({ description: 'The title of the one it would happen to.' })),
    count: {
      ...Count,
      description:
        'How many: sequences, single books, series that it would be divided into, or books, as the code says.',
    },
    text: Type.String(),
  },
  { title: 'GroupingWarning' },
)
export type GroupingWarning = Static<typeof GroupingWarning>

const GroupingAdvice = record(
  {
    ...Grouping.properties,
    series: { ...Count, description: 'With more than one book.' },
    oneShots: Count,
    reason: Type.String(),
    warnings: Type.Array(GroupingWarning, { maxItems: 20 }),
  },
  { title: 'GroupingAdvice', description: 'What a way to group would make of these books, from their names alone.' },
)
export type GroupingAdvice = Static<typeof GroupingAdvice>

export const ScanPreview = record(
  {
    previewId: Id,
    totalFiles: Count,
    bookCount: { ...Count, description: 'How many books these files are: several formats of a book are one.' },
    truncated: Type.Boolean({ description: 'There is more than could be looked at in half a minute.' }),
    unreadFiles: {
      ...Count,
      description:
        'So many have not been opened yet and may say of themselves that they are in another series than here. None when the policy does not ask them.',
    },
    seriesCount: { ...Count, description: 'How many series it would be, shown or not.' },
    series: Type.Array(PreviewedSeries, { maxItems: 500 }),
    changes: Nullable(PreviewedChanges),
    advice: Type.Array(GroupingAdvice, {
      maxItems: 10,
      description:
        'Ways to group these books, the best first, from their names alone; of more than 10,000 books the counts are estimates.',
    }),
  },
  { title: 'ScanPreview' },
)
export type ScanPreview = Static<typeof ScanPreview>

const examplePreview: ScanPreview = {
  previewId: '019aa3b2-6c7e-7000-8000-000000000023',
  totalFiles: 60,
  bookCount: 60,
  truncated: false,
  unreadFiles: 0,
  seriesCount: 1,
  series: [
    {
      seriesId: null,
      name: 'Saga',
      path: 'Saga',
      bookCount: 60,
      sampleBooks: ['Saga 001.cbz', 'Saga 002.cbz'],
      was: null,
    },
  ],
  changes: null,
  advice: [
    {
      policy: 'folder',
      config: {},
      series: 1,
      oneShots: 0,
      reason: 'The books of a folder belong together, and each folder of books is a series.',
      warnings: [],
    },
  ],
}

export const previewNewLibrary = endpoint('POST /api/v1/libraries/scan-preview', {
  summary: 'See what a library would be made of, before there is one',
  ...writing,
  body: LibraryToPreview,
  reply: ScanPreview,
  status: 200,
  errors: ['library_unavailable'],
  example: {
    body: { roots: ['/data/manga'], schedule: { cron: '0 4 * * *', timeZone: 'UTC' } },
    reply: examplePreview,
  },
})

export const previewLibrary = endpoint('POST /api/v1/libraries/{id}/scan-preview', {
  summary: 'See what another grouping would make of a library',
  description: 'The id of the preview is what `confirmPreview` names when the grouping is changed.',
  ...writing,
  params: byId,
  body: ChoicesToPreview,
  bodyOptional: true,
  reply: ScanPreview,
  status: 200,
  errors: ['not_found', 'library_unavailable'],
  example: { body: { grouping: { policy: 'flat' } }, reply: examplePreview },
})
