import { type Static, type TSchema, Type } from 'typebox'
import { BookDetail, exampleBookDetail } from './books.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { fieldsOfBooks } from './fields/books.ts'
import { valueNames } from './fields/lists.ts'
import { patchProperties } from './fields/schemas.ts'
import { fieldsOfSeries } from './fields/series.ts'
import { EditableBookMetadata, EditableSeriesMetadata, exampleBookMetadata, exampleSeriesMetadata } from './metadata.ts'
import { exampleSeriesDetail, SeriesDetail } from './series.ts'
import { byId, Id, Json, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Metadata'

// This part describes what can be edited.

export const customMetadataBytesMax = 64 * 1024

export const SeriesMetadataPatch = record(patchProperties(fieldsOfSeries), { title: 'SeriesMetadataPatch' })
export type SeriesMetadataPatch = Static<typeof SeriesMetadataPatch>
export const BookMetadataPatch = record(patchProperties(fieldsOfBooks), { title: 'BookMetadataPatch' })
export type BookMetadataPatch = Static<typeof BookMetadataPatch>

export const seriesEditable = valueNames(fieldsOfSeries)
export const bookEditable = valueNames(fieldsOfBooks)

const exampleEditableSeries: EditableSeriesMetadata = {
  ...exampleSeriesMetadata,
  customMetadata: { shelf: 'B4' },
  externalIds: [{ source: 'anilist', id: '30104', url: 'https://anilist.co/manga/30104' }],
}
const exampleEditableBook: EditableBookMetadata = { ...exampleBookMetadata, customMetadata: null, externalIds: [] }

const exampleShared = {
  authors: [{ name: 'Kiyohiko Azuma', role: 'author' }],
  externalLinks: [{ source: 'anilist.co', url: 'https://anilist.co/manga/30104' }],
  externalIds: [{ source: 'anilist', id: '30104' }],
}
const exampleSeriesPatch: SeriesMetadataPatch = {
  ...exampleShared,
  publisher: 'ASCII Media Works',
  publisherLock: true,
  alternateTitles: [{ label: 'Japanese', title: 'よつばと!' }],
  externalRatings: [{ source: 'anilist', rating: 88, votes: 12_000 }],
}
const exampleBookPatch: BookMetadataPatch = {
  ...exampleShared,
  bookType: 'manga',
  awards: [{ name: 'Japan Media Arts Award', year: 2006, won: true }],
}

// Reading and editing

const ofSeries = { tag, params: byId, errors: ['not_found'] } as const
const ofBook = ofSeries

export const readSeriesMetadata = endpoint('GET /api/v1/series/{id}/metadata', {
  ...ofSeries,
  summary: 'Read the metadata of a series, with its locks',
  access: 'series:read',
  reply: EditableSeriesMetadata,
  example: { reply: exampleEditableSeries },
})
export const readBookMetadata = endpoint('GET /api/v1/books/{id}/metadata', {
  ...ofBook,
  summary: 'Read the metadata of a book, with its locks',
  access: 'books:read',
  reply: EditableBookMetadata,
  example: { reply: exampleEditableBook },
})

const patching =
  'What is left out stays. A value is your word, which goes before all other sources; `null` says that there is nothing, whatever they say. A lock keeps what is shown against everybody but you.'

export const editSeriesMetadata = endpoint('PATCH /api/v1/series/{id}/metadata', {
  ...ofSeries,
  summary: 'Edit the metadata of a series',
  description: patching,
  access: 'series:write',
  body: SeriesMetadataPatch,
  guards: EditableSeriesMetadata,
  reply: EditableSeriesMetadata,
  example: { body: exampleSeriesPatch, reply: exampleEditableSeries },
})
export const editBookMetadata = endpoint('PATCH /api/v1/books/{id}/metadata', {
  ...ofBook,
  summary: 'Edit the metadata of a book',
  description: patching,
  access: 'books:write',
  body: BookMetadataPatch,
  guards: EditableBookMetadata,
  reply: EditableBookMetadata,
  example: { body: exampleBookPatch, reply: exampleEditableBook },
})

const replacing = 'As editing, but every field that is left out is null. Locks that are left out stay.'
export const replaceSeriesMetadata = endpoint('PUT /api/v1/series/{id}/metadata', {
  ...ofSeries,
  summary: 'Say everything of a series anew',
  description: replacing,
  access: 'series:write',
  body: SeriesMetadataPatch,
  guards: EditableSeriesMetadata,
  reply: EditableSeriesMetadata,
  example: { body: { ...exampleSeriesPatch, title: 'Yotsuba&!' }, reply: exampleEditableSeries },
})
export const replaceBookMetadata = endpoint('PUT /api/v1/books/{id}/metadata', {
  ...ofBook,
  summary: 'Say everything of a book anew',
  description: replacing,
  access: 'books:write',
  body: BookMetadataPatch,
  guards: EditableBookMetadata,
  reply: EditableBookMetadata,
  example: { body: { ...exampleBookPatch, title: 'Yotsuba&! 1', number: '1' }, reply: exampleEditableBook },
})

export const editSeries = endpoint('PATCH /api/v1/series/{id}', {
  tag: 'Series',
  params: byId,
  errors: ['not_found'],
  summary: 'Rename a series',
  description: 'The same as editing the title of its metadata.',
  access: 'series:write',
  body: record({ title: SeriesMetadataPatch.properties.title }, { title: 'SeriesPatch' }),
  guards: SeriesDetail,
  reply: SeriesDetail,
  example: { body: { title: 'Yotsuba&!' }, reply: exampleSeriesDetail },
})
export const editBook = endpoint('PATCH /api/v1/books/{id}', {
  tag: 'Books',
  params: byId,
  errors: ['not_found'],
  summary: 'Rename or renumber a book',
  description: 'The same as editing title and number of its metadata.',
  access: 'books:write',
  body: record(
    {
      title: BookMetadataPatch.properties.title,
      number: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1_000_000 }))),
    },
    { title: 'BookPatch' },
  ),
  guards: BookDetail,
  reply: BookDetail,
  example: { body: { title: 'Yotsuba&! 1', number: 1 }, reply: exampleBookDetail },
})

const byIdAndField = Type.Object({ id: Id, field: Type.String({ minLength: 1, maxLength: 50 }) })
const takingBack = 'The other sources are heard again. The field is named as in the metadata.'
export const takeBackSeriesField = endpoint('DELETE /api/v1/series/{id}/metadata/sources/user/{field}', {
  tag,
  params: byIdAndField,
  errors: ['not_found'],
  summary: 'Take back what people said of one field of a series',
  description: takingBack,
  access: 'series:write',
  guards: EditableSeriesMetadata,
})
export const takeBackBookField = endpoint('DELETE /api/v1/books/{id}/metadata/sources/user/{field}', {
  tag,
  params: byIdAndField,
  errors: ['not_found'],
  summary: 'Take back what people said of one field of a book',
  description: takingBack,
  access: 'books:write',
  guards: EditableBookMetadata,
})

// This part describes the history of changes.

const By = Nullable(record({ id: Id, username: Type.String() }, { title: 'ChangedBy' }))

const FieldSources = record(
  {
    shown: Nullable(Type.String({ description: 'Whose word is shown.' })),
    locked: Type.Boolean(),
    values: Type.Array(
      record({
        source: Type.String(),
        value: Json,
        at: Timestamp,
        by: By,
        books: Type.Optional(Type.Integer({ description: 'Of a series: how many of its books say so.' })),
        of: Type.Optional(Type.Integer({ description: 'How many books there are.' })),
        summaryFrom: Type.Optional(
          Nullable(Type.String({ description: 'The number of the book whose summary it is.' })),
        ),
      }),
    ),
  },
  { title: 'FieldSources' },
)
export const MetadataSources = record(
  {
    fields: Type.Unsafe<Record<string, Static<typeof FieldSources>>>({
      type: 'object',
      additionalProperties: FieldSources,
    }),
  },
  { title: 'MetadataSources' },
)
export type MetadataSources = Static<typeof MetadataSources>

const exampleBy = { id: '019aa3b2-6c7e-7000-8000-000000000001', username: 'ada' }
const exampleSources: MetadataSources = {
  fields: {
    publisher: {
      shown: 'user',
      locked: false,
      values: [
        { source: 'user', value: 'ASCII Media Works', at: '2026-11-21T10:00:00.000Z', by: exampleBy },
        { source: 'file:comicinfo', value: 'MediaWorks', at: '2026-11-01T10:00:00.000Z', by: null },
      ],
    },
  },
}
const provenance = 'Of each field that anybody says something of: who says what, whose word is shown, and the lock.'
export const readSeriesMetadataSources = endpoint('GET /api/v1/series/{id}/metadata/sources', {
  ...ofSeries,
  summary: 'Where the metadata of a series comes from',
  description: provenance,
  access: 'series:read',
  reply: MetadataSources,
  example: { reply: exampleSources },
})
export const readBookMetadataSources = endpoint('GET /api/v1/books/{id}/metadata/sources', {
  ...ofBook,
  summary: 'Where the metadata of a book comes from',
  description: provenance,
  access: 'books:read',
  reply: MetadataSources,
  example: { reply: exampleSources },
})

const Change = record({ field: Type.String(), before: Json, after: Json }, { title: 'FieldChange' })
export type FieldChange = Static<typeof Change>
export const changeReasons = ['edit', 'bulk', 'scan', 'plugin', 'merge', 'move', 'split', 'undo'] as const
export const MetadataChange = record(
  {
    id: Id,
    at: Timestamp,
    by: By,
    source: Type.String(),
    reason: OneOf(changeReasons),
    changes: Type.Array(Change, { description: 'What was shown before, and after.' }),
    undoneBy: Nullable(Type.String({ format: 'uuid', description: 'The change that took this one back.' })),
  },
  { title: 'MetadataChange' },
)
export type MetadataChange = Static<typeof MetadataChange>

const history = { tag, params: byId, errors: ['not_found'], item: MetadataChange, title: 'MetadataHistory' } as const
export const listSeriesMetadataHistory = listEndpoint('GET /api/v1/series/{id}/metadata/history', {
  ...history,
  summary: 'What has become of the metadata of a series, the newest first',
  access: 'series:read',
})
export const listBookMetadataHistory = listEndpoint('GET /api/v1/books/{id}/metadata/history', {
  ...history,
  summary: 'What has become of the metadata of a book, the newest first',
  access: 'books:read',
})

const Undo = record(
  {
    historyId: Id,
    force: Type.Optional(
      Type.Boolean({ default: false, description: 'Also fields that have changed again since then.' }),
    ),
  },
  { title: 'UndoMetadata' },
)
const undone = <Record extends TSchema>(metadata: Record, title: string) =>
  record({ metadata, conflicts: Type.Array(Type.String()) }, { title })
const undoing =
  'Every field goes back to what it was before, with its lock. One that has changed again stays and is named in `conflicts`, unless `force` is given. An undo is a change itself, and can be undone.'
const exampleUndo = { historyId: '019aa3b2-6c7e-7000-8000-000000000050' }

export const undoSeriesMetadata = endpoint('POST /api/v1/series/{id}/metadata/undo', {
  ...ofSeries,
  errors: ['not_found', 'conflict'],
  summary: 'Take back a change to the metadata of a series',
  description: `${undoing} Of books that were moved, of series that were divided or merged, all of it is taken back.`,
  access: 'series:write',
  body: Undo,
  guards: EditableSeriesMetadata,
  reply: undone(EditableSeriesMetadata, 'UndoneSeriesMetadata'),
  example: { body: exampleUndo, reply: { metadata: exampleEditableSeries, conflicts: ['publisher'] } },
})
export const undoBookMetadata = endpoint('POST /api/v1/books/{id}/metadata/undo', {
  ...ofBook,
  summary: 'Take back a change to the metadata of a book',
  description: undoing,
  access: 'books:write',
  body: Undo,
  guards: EditableBookMetadata,
  reply: undone(EditableBookMetadata, 'UndoneBookMetadata'),
  example: { body: exampleUndo, reply: { metadata: exampleEditableBook, conflicts: [] } },
})
