import { type Static, Type } from 'typebox'
import type { BookCondition, SeriesCondition } from './conditions.ts'
import { endpoint } from './endpoint.ts'
import { TaskProgress } from './events.ts'
import { fieldsOfBooks } from './fields/books.ts'
import { exportKeys } from './fields/lists.ts'
import { fieldsOfSeries } from './fields/series.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Exports'

export const exportTypes = ['series', 'books', 'both'] as const
export type ExportType = (typeof exportTypes)[number]
export const exportFormats = ['json', 'csv', 'md'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const seriesExportFields = [
  'series_name',
  'series_id',
  'library_id',
  'library_name',
  'path',
  'created_at',
  'updated_at',
  ...exportKeys(fieldsOfSeries),
  'collections',
  'actual_book_count',
  'missing',
  'unread_book_count',
  'progress',
  'user_rating',
  'user_notes',
  'want_to_read',
  'community_avg_rating',
] as const
export type SeriesExportField = (typeof seriesExportFields)[number]

export const bookExportFields = [
  'book_name',
  'book_id',
  'series_id',
  'series_name',
  'library_id',
  'library_name',
  'file_name',
  'file_path',
  'file_size',
  'book_format',
  'page_count',
  'number',
  'volume',
  'chapter',
  'created_at',
  'updated_at',
  ...exportKeys(fieldsOfBooks),
  'read_lists',
  'progress',
  'current_page',
  'completed',
  'started_at',
  'completed_at',
  'user_rating',
  'user_notes',
  'want_to_read',
] as const
export type BookExportField = (typeof bookExportFields)[number]

/** The condition has a grammar of its own, whose errors say where it is wrong. */
const conditionOf = <Condition>(list: string) =>
  Type.Optional(
    Type.Unsafe<Condition>({
      type: 'object',
      additionalProperties: true,
      description: `Only those that fulfil it, as in \`POST /api/v1/${list}/list\`.`,
    }),
  )

export const exportLibrariesMax = 500

export const CreateSeriesExportRequest = record(
  {
    format: OneOf(exportFormats),
    exportType: Type.Optional(OneOf(exportTypes, { default: 'series', description: '`both` only as json or md.' })),
    fields: Type.Optional(
      Type.Array(OneOf(seriesExportFields), {
        maxItems: seriesExportFields.length,
        uniqueItems: true,
        description: 'Of series, in the order you want them in. Their name is always there, and first.',
      }),
    ),
    bookFields: Type.Optional(
      Type.Array(OneOf(bookExportFields), {
        maxItems: bookExportFields.length,
        uniqueItems: true,
        description: 'Of books, likewise.',
      }),
    ),
    libraryIds: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: exportLibrariesMax,
        uniqueItems: true,
        description: 'Absent: whatever you see when it is made.',
      }),
    ),
    condition: conditionOf<SeriesCondition>('series'),
    bookCondition: conditionOf<BookCondition>('books'),
  },
  { title: 'CreateSeriesExportRequest' },
)
export type CreateSeriesExportRequest = Static<typeof CreateSeriesExportRequest>

export const exportStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const

export const SeriesExportDto = record(
  {
    id: Id,
    exportType: OneOf(exportTypes),
    format: OneOf(exportFormats),
    fields: Type.Array(Type.String()),
    bookFields: Type.Array(Type.String()),
    libraryIds: Type.Array(Id, { description: 'Empty: all you see.' }),
    status: OneOf(exportStatuses),
    taskId: Nullable(Type.String({ format: 'uuid' })),
    progress: Nullable(TaskProgress),
    rowCount: Nullable(Type.Integer({ minimum: 0, description: 'Series and books in it.' })),
    fileSizeBytes: Nullable(Count),
    error: Nullable(Type.String()),
    createdAt: Timestamp,
    startedAt: Nullable(Timestamp),
    completedAt: Nullable(Timestamp),
    expiresAt: { ...Timestamp, description: 'It is removed in the night after.' },
  },
  { title: 'SeriesExport' },
)
export type SeriesExportDto = Static<typeof SeriesExportDto>

const ExportFieldDto = record(
  {
    key: Type.String(),
    label: Type.String(),
    multiValue: Type.Boolean({ description: 'In JSON a list, elsewhere joined with "; ".' }),
    userSpecific: Type.Boolean({ description: 'Yours: where you are, what you think of it.' }),
    isAnchor: Type.Boolean({ description: 'Always there, whether asked for or not.' }),
  },
  { title: 'ExportField' },
)
export type ExportFieldDto = Static<typeof ExportFieldDto>

const ExportFieldCatalogResponse = record(
  {
    fields: Type.Array(ExportFieldDto),
    bookFields: Type.Array(ExportFieldDto),
    presets: record({
      llmSelect: Type.Array(Type.String(), { description: 'Of series: what a language model can make something of.' }),
      llmSelectBooks: Type.Array(Type.String(), { description: 'The same of books.' }),
    }),
  },
  { title: 'ExportFieldCatalog' },
)
export type ExportFieldCatalogResponse = Static<typeof ExportFieldCatalogResponse>

const all = { tag, access: 'series:read' } as const
const one = { ...all, params: byId } as const

const exampleExport: SeriesExportDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000070',
  exportType: 'series',
  format: 'csv',
  fields: ['series_name', 'authors', 'progress'],
  bookFields: [],
  libraryIds: ['019aa3b2-6c7e-7000-8000-000000000020'],
  status: 'completed',
  taskId: '019aa3b2-6c7e-7000-8000-000000000071',
  progress: null,
  rowCount: 412,
  fileSizeBytes: 65_536,
  error: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  startedAt: '2026-11-21T10:00:00.020Z',
  completedAt: '2026-11-21T10:00:01.000Z',
  expiresAt: '2026-11-28T10:00:01.000Z',
}

export const listSeriesExports = endpoint('GET /api/v1/user/exports/series', {
  ...all,
  summary: 'Your exports, the newest first',
  description: 'No more than the setting exports.max_per_user lets be kept.',
  reply: record({ exports: Type.Array(SeriesExportDto) }, { title: 'SeriesExportListResponse' }),
  example: { reply: { exports: [exampleExport] } },
})

export const createSeriesExport = endpoint('POST /api/v1/user/exports/series', {
  ...all,
  summary: 'Have series, books or both written to a file',
  description: [
    'In the background, of what you see when it is made; then fetch it from `…/{id}/download`. Of books you need',
    '`books:read`, for collections and read lists the right to read those, and `progress:read` for what is yours: progress,',
    'ratings, notes. Too many under way are refused (409); of finished ones the oldest go.',
  ].join(' '),
  status: 202,
  body: CreateSeriesExportRequest,
  nullIsAbsent: true,
  reply: SeriesExportDto,
  errors: ['conflict'],
  example: {
    body: {
      format: 'csv',
      exportType: 'series',
      fields: ['authors', 'progress'],
      libraryIds: ['019aa3b2-6c7e-7000-8000-000000000020'],
      condition: { genre: { operator: 'is', value: 'Comedy' } },
    },
    reply: {
      ...exampleExport,
      status: 'pending',
      rowCount: null,
      fileSizeBytes: null,
      startedAt: null,
      completedAt: null,
    },
  },
})

export const readExportFields = endpoint('GET /api/v1/user/exports/series/fields', {
  ...all,
  summary: 'What an export can show',
  reply: ExportFieldCatalogResponse,
  example: {
    reply: {
      fields: [
        { key: 'series_name', label: 'Series', multiValue: false, userSpecific: false, isAnchor: true },
        { key: 'authors', label: 'Authors', multiValue: true, userSpecific: false, isAnchor: false },
      ],
      bookFields: [{ key: 'book_name', label: 'Book', multiValue: false, userSpecific: false, isAnchor: true }],
      presets: { llmSelect: ['series_name', 'authors'], llmSelectBooks: ['book_name'] },
    },
  },
})

export const readSeriesExport = endpoint('GET /api/v1/user/exports/series/{id}', {
  ...one,
  summary: 'How an export of yours is going',
  reply: SeriesExportDto,
  errors: ['not_found'],
  example: { reply: exampleExport },
})

export const removeSeriesExport = endpoint('DELETE /api/v1/user/exports/series/{id}', {
  ...one,
  access: 'progress:write',
  summary: 'Remove an export',
  description: 'One under way is called off.',
  errors: ['not_found'],
})

export const downloadSeriesExport = endpoint('GET /api/v1/user/exports/series/{id}/download', {
  ...one,
  summary: 'The file of an export',
  description: [
    'JSON, CSV or Markdown, in UTF-8. Takes `Range` and `If-Range`. 409 as long as it is not finished, and once your',
    'access is another one than when it was made: then ask for a new one.',
  ].join(' '),
  mediaType: 'application/octet-stream',
  errors: ['not_found', 'conflict', 'range_not_satisfiable'],
})
