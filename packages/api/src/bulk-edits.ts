import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { BookCondition, SeriesCondition } from './conditions.ts'
import { BookMetadataPatch, SeriesMetadataPatch } from './editing.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { fieldsOfBooks } from './fields/books.ts'
import { bulkProperties } from './fields/schemas.ts'
import { fieldsOfSeries } from './fields/series.ts'
import { fullTextSearch } from './lists.ts'
import { byId, Count, Id, Json, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Bulk edits'

export const bulkIdsMax = 10_000
export const bulkMatchesMax = 100_000

const targetOf = <Condition extends TSchema>(condition: Condition) =>
  record({
    ids: Type.Optional(Type.Array(Id, { maxItems: bulkIdsMax })),
    condition: Type.Optional(condition),
    fullTextSearch,
    except: Type.Optional(Type.Array(Id, { maxItems: bulkIdsMax, description: 'Of what the condition matches.' })),
  })

const bulkEdit = <Condition extends TSchema, Patch extends TSchema, Lists extends TProperties>(
  { condition, patch, of }: { condition: Condition; patch: Patch; of: Lists },
  title: string,
) =>
  record(
    {
      target: targetOf(condition),
      patch: Type.Optional(patch),
      add: Type.Optional(record(of)),
      remove: Type.Optional(record(of)),
      dryRun: Type.Optional(Type.Boolean({ default: false, description: 'Only tells what would become of it.' })),
    },
    { title },
  )
const SeriesBulkEdit = bulkEdit(
  { condition: SeriesCondition, patch: SeriesMetadataPatch, of: bulkProperties(fieldsOfSeries) },
  'SeriesBulkEdit',
)
export type SeriesBulkEdit = Static<typeof SeriesBulkEdit>
const BookBulkEdit = bulkEdit(
  { condition: BookCondition, patch: BookMetadataPatch, of: bulkProperties(fieldsOfBooks) },
  'BookBulkEdit',
)
export type BookBulkEdit = Static<typeof BookBulkEdit>

const Change = record({ field: Type.String(), before: Json, after: Json }, { title: 'PlannedChange' })
/** A dry run answers the figures, any other run what has been accepted. */
const BulkAccepted = record(
  {
    matched: Count,
    wouldChange: Type.Optional(Count),
    skippedLocked: Type.Optional(Count),
    sample: Type.Optional(Type.Array(record({ id: Id, changes: Type.Array(Change) }))),
    taskId: Type.Optional(Id),
    bulkEditId: Type.Optional(Id),
  },
  { title: 'BulkEditAccepted' },
)
export type BulkAccepted = Static<typeof BulkAccepted>

const bulk = {
  tag,
  description: [
    'Of what you see: `ids`, or everything that a `condition` matches and a `fullTextSearch` finds but `except`, at most',
    '100,000. `patch` is as for one;',
    '`add` and `remove` change lists and leave the rest of them. What is locked is left alone, unless `patch` unlocks it.',
    'The set is fixed when the answer comes (202); the work is done in the background. A dry run answers 200 with figures.',
  ].join(' '),
  reply: BulkAccepted,
} as const
const exampleIds = ['019aa3b2-6c7e-7000-8000-000000000030']
const exampleAccepted: BulkAccepted = {
  matched: 1,
  taskId: '019aa3b2-6c7e-7000-8000-000000000060',
  bulkEditId: '019aa3b2-6c7e-7000-8000-000000000061',
}
const exampleAuthors = () => [{ name: 'Kiyohiko Azuma', role: 'author' }]
const exampleEdit = {
  target: { ids: exampleIds, except: [] },
  add: { tags: ['read aloud'], authors: exampleAuthors() },
  remove: { tags: ['unsorted'], authors: exampleAuthors() },
}

export const bulkEditSeries = endpoint('POST /api/v1/series/bulk-edit', {
  ...bulk,
  summary: 'Edit many series at once',
  access: 'series:write',
  body: SeriesBulkEdit,
  nullIsAbsent: true,
  example: {
    body: {
      ...exampleEdit,
      patch: {
        publisher: 'ASCII Media Works',
        authors: exampleAuthors(),
        externalLinks: [{ source: 'anilist.co', url: 'https://anilist.co/manga/30104' }],
        externalIds: [{ source: 'anilist', id: '30104' }],
        alternateTitles: [{ label: 'Japanese', title: 'よつばと!' }],
        externalRatings: [{ source: 'anilist', rating: 88 }],
      },
    },
    reply: exampleAccepted,
  },
})
export const bulkEditBooks = endpoint('POST /api/v1/books/bulk-edit', {
  ...bulk,
  summary: 'Edit many books at once',
  access: 'books:write',
  body: BookBulkEdit,
  nullIsAbsent: true,
  example: {
    body: {
      ...exampleEdit,
      patch: {
        bookType: 'manga',
        authors: exampleAuthors(),
        externalLinks: [{ source: 'anilist.co', url: 'https://anilist.co/manga/30104' }],
        externalIds: [{ source: 'anilist', id: '30104' }],
        awards: [{ name: 'Japan Media Arts Award' }],
      },
    },
    reply: exampleAccepted,
  },
})

export const bulkStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'undoing', 'undone'] as const
export const BulkEdit = record(
  {
    id: Id,
    entity: OneOf(['series', 'book']),
    status: OneOf(bulkStatuses),
    taskId: Nullable(Type.String({ format: 'uuid' })),
    matched: Count,
    changed: Count,
    unchanged: Count,
    skippedLocked: { ...Count, description: 'Where something was locked and left alone, whatever else has changed.' },
    failed: Count,
    undone: { ...Count, description: 'Taken back.' },
    conflicts: { ...Count, description: 'Where something had changed again since, and stayed when it was undone.' },
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
  },
  { title: 'BulkEdit' },
)
export type BulkEdit = Static<typeof BulkEdit>

const one = { tag, params: byId, access: 'signed-in', errors: ['not_found'] } as const
const exampleBulkEdit: BulkEdit = {
  id: '019aa3b2-6c7e-7000-8000-000000000061',
  entity: 'series',
  status: 'completed',
  taskId: '019aa3b2-6c7e-7000-8000-000000000060',
  matched: 412,
  changed: 400,
  unchanged: 10,
  skippedLocked: 7,
  failed: 2,
  undone: 0,
  conflicts: 0,
  createdAt: '2026-11-21T10:00:00.000Z',
  completedAt: '2026-11-21T10:00:04.000Z',
}
export const readBulkEdit = endpoint('GET /api/v1/bulk-edits/{id}', {
  ...one,
  summary: 'How a bulk edit of yours is going',
  reply: BulkEdit,
  example: { reply: exampleBulkEdit },
})

export const bulkOutcomes = ['changed', 'unchanged', 'failed'] as const
const BulkEditItem = record(
  {
    id: Id,
    outcome: OneOf(bulkOutcomes),
    skippedFields: Type.Array(Type.String(), { description: 'What was locked and left alone.' }),
    historyId: Nullable(Type.String({ format: 'uuid', description: 'The change, in the history of the item.' })),
    conflicts: Type.Array(Type.String(), { description: 'What stayed when the rest was undone.' }),
  },
  { title: 'BulkEditItem' },
)
export type BulkEditItem = Static<typeof BulkEditItem>
export const listBulkEditItems = listEndpoint('GET /api/v1/bulk-edits/{id}/items', {
  ...one,
  summary: 'What has become of each series or book of a bulk edit',
  description: 'In the order they were edited in; those you can no longer see are left out.',
  item: BulkEditItem,
  title: 'BulkEditItems',
})

export const undoBulkEdit = endpoint('POST /api/v1/bulk-edits/{id}/undo', {
  ...one,
  summary: 'Take back a bulk edit',
  description: [
    'In the background, item by item; what has changed again since stays and is counted in `conflicts`. It needs the',
    'permission that the edit needed.',
  ].join(' '),
  reply: record({ taskId: Id }, { title: 'UndoingBulkEdit' }),
  status: 202,
  errors: ['not_found', 'conflict'],
  example: { reply: { taskId: '019aa3b2-6c7e-7000-8000-000000000062' } },
})
