import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { fileFormats } from './file-formats.ts'
import { CustomMetadata } from './fields/schemas.ts'
import { BookMetadata, exampleBookMetadata, exampleSeriesMetadata, SeriesMetadata, withTitle } from './metadata.ts'
import { byId, Count, Id, Nullable, OneOf, record } from './schema.ts'
import { seriesIdOfBook } from './series-of-book.ts'

const tag = 'Metadata'
const one = { tag, params: byId, errors: ['not_found'] } as const

export const MetadataContextDto = withTitle(SeriesMetadata, 'MetadataContextDto')
export type MetadataContextDto = Static<typeof MetadataContextDto>

export const readSeriesMetadataContext = endpoint('GET /api/v1/series/{id}/metadata/context', {
  ...one,
  summary: 'What a template is given as `metadata` of a series',
  access: 'series:read',
  description: '`title` is the name that is shown, whoever gave it.',
  reply: MetadataContextDto,
  example: { reply: exampleSeriesMetadata },
})

const contextIds = Type.Unsafe<Record<string, { id: string; url: string | null }>>({
  type: 'object',
  additionalProperties: record({ id: Type.String(), url: Nullable(Type.String()) }),
  description: 'By the service that knows it by this id.',
})
const aside = { externalIds: contextIds, customMetadata: Nullable(CustomMetadata) }
const SeriesContext = record(
  { type: Type.Literal('series'), seriesId: seriesIdOfBook, bookCount: Count, metadata: MetadataContextDto, ...aside },
  { title: 'SeriesContext' },
)
export type SeriesContext = Static<typeof SeriesContext>
const BookContext = record(
  {
    type: Type.Literal('book'),
    bookId: Id,
    seriesId: seriesIdOfBook,
    libraryId: Id,
    fileFormat: OneOf(fileFormats),
    pageCount: Count,
    fileSize: Count,
    metadata: BookMetadata,
    ...aside,
    series: SeriesContext,
  },
  { title: 'BookContext' },
)
export type BookContext = Static<typeof BookContext>

const exampleContext: BookContext = {
  type: 'book',
  bookId: '019aa3b2-6c7e-7000-8000-000000000040',
  seriesId: '019aa3b2-6c7e-7000-8000-000000000030',
  libraryId: '019aa3b2-6c7e-7000-8000-000000000020',
  fileFormat: 'cbz',
  pageCount: 224,
  fileSize: 104_857_600,
  metadata: exampleBookMetadata,
  externalIds: {},
  customMetadata: null,
  series: {
    type: 'series',
    seriesId: '019aa3b2-6c7e-7000-8000-000000000030',
    bookCount: 15,
    metadata: exampleSeriesMetadata,
    externalIds: { anilist: { id: '30104', url: 'https://anilist.co/manga/30104' } },
    customMetadata: { shelf: 'B4' },
  },
}
export const readBookMetadataContext = endpoint('GET /api/v1/books/{id}/metadata/context', {
  ...one,
  summary: 'What a template is given of a book',
  access: 'books:read',
  reply: BookContext,
  example: { reply: exampleContext },
})

export const Rendered = record(
  {
    text: Type.String(),
    truncated: Type.Boolean({ description: 'There was more than may be shown.' }),
    error: Type.Optional(Type.String({ description: 'Why there is no text.' })),
  },
  { title: 'Rendered' },
)
export type Rendered = Static<typeof Rendered>

const rendering = 'With the template of the setting `display.custom_metadata_template`; without one the text is empty.'
const exampleRendered: Rendered = { text: '**Shelf**: B4', truncated: false }
export const readRenderedSeriesMetadata = endpoint('GET /api/v1/series/{id}/metadata/rendered', {
  ...one,
  summary: 'What the template makes of a series',
  description: rendering,
  access: 'series:read',
  reply: Rendered,
  example: { reply: exampleRendered },
})
export const readRenderedBookMetadata = endpoint('GET /api/v1/books/{id}/metadata/rendered', {
  ...one,
  summary: 'What the template makes of a book',
  description: rendering,
  access: 'books:read',
  reply: Rendered,
  example: { reply: exampleRendered },
})
export const previewTemplate = endpoint('POST /api/v1/metadata-template/preview', {
  tag,
  summary: 'Try a template before it is saved',
  description: 'With one series or one book that you see. A template that does not work is told in `error`.',
  access: 'series:write',
  body: record(
    {
      template: Type.String({ maxLength: 10_000 }),
      seriesId: Type.Optional(Id),
      bookId: Type.Optional(Id),
    },
    { title: 'TemplatePreview' },
  ),
  reply: Rendered,
  errors: ['not_found'],
  example: {
    body: { template: '**Shelf**: {{customMetadata.shelf}}', seriesId: '019aa3b2-6c7e-7000-8000-000000000030' },
    reply: exampleRendered,
  },
})
