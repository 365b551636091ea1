import { type Static, Type } from 'typebox'
import { exampleTone, toneOfCover } from './cover-tone.ts'
import { endpoint } from './endpoint.ts'
import { byId, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Covers'

export const CoverDto = record(
  {
    id: Id,
    source: Type.String({ description: '`file`, `sidecar`, `page`, `upload` or `plugin:<name>`.' }),
    page: Nullable(Type.Integer({ minimum: 1, description: 'Of the book it was taken from.' })),
    width: Nullable(Type.Integer({ minimum: 1 })),
    height: Nullable(Type.Integer({ minimum: 1 })),
    placeholder: Nullable(Type.String({ description: 'Thumbhash, base64.' })),
    tone: toneOfCover,
    isSelected: Type.Boolean(),
    createdAt: Timestamp,
  },
  { title: 'Cover' },
)
export type CoverDto = Static<typeof CoverDto>

const exampleCover: CoverDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000050',
  source: 'file',
  page: 1,
  width: 533,
  height: 800,
  placeholder: 'HBkSHYSIeHiPiHh8eJd4eTN0EEQG',
  tone: exampleTone,
  isSelected: true,
  createdAt: '2026-11-21T10:00:00.000Z',
}

const picture = {
  tag,
  query: Type.Object({
    size: Type.Optional(OneOf(['small', 'large'], { default: 'small', description: '`large` is twice as large.' })),
    v: Type.Optional(
      Type.String({ maxLength: 200, description: 'The coverVersion: with it the reply may be kept for ever.' }),
    ),
  }),
  params: byId,
  mediaType: 'image/*',
  errors: ['not_found'],
} as const

const bookThumbnail = {
  ...picture,
  access: 'books:read',
  description: 'Made when it is first asked for. A book that has none gets a plain coloured picture.',
} as const
const seriesThumbnail = {
  ...picture,
  access: 'series:read',
  description: 'The chosen cover, else the one of the first book you may see.',
} as const

export const readBookThumbnail = endpoint('GET /api/v1/books/{id}/thumbnail', {
  ...bookThumbnail,
  summary: 'The cover of a book',
})
export const readSeriesThumbnail = endpoint('GET /api/v1/series/{id}/thumbnail', {
  ...seriesThumbnail,
  summary: 'The cover of a series',
})
export const readBookPicture = endpoint('GET /media/books/{id}/thumbnail', {
  ...bookThumbnail,
  summary: 'The cover of a book, for the web app',
  unlimited: true,
})
export const readSeriesPicture = endpoint('GET /media/series/{id}/thumbnail', {
  ...seriesThumbnail,
  summary: 'The cover of a series, for the web app',
  unlimited: true,
})

const coverImage = {
  tag,
  params: Type.Object({ id: Id, coverId: Id }),
  query: picture.query,
  mediaType: 'image/*',
  errors: ['not_found'],
} as const
const list = {
  tag,
  params: byId,
  reply: Type.Array(CoverDto),
  errors: ['not_found'],
  example: { reply: [exampleCover] },
} as const
const choose = { tag, params: Type.Object({ id: Id, coverId: Id }), errors: ['not_found'] } as const
const upload = {
  tag,
  params: byId,
  upload: {
    description: 'A JPEG, PNG, WebP, GIF or AVIF of up to 10 MiB: the body itself, or the file of a form in parts.',
  },
  bodyBytesMax: 10 * 1024 * 1024 + 16 * 1024,
  reply: CoverDto,
  status: 201,
  errors: ['not_found', 'validation_failed', 'damaged_file'],
  example: { reply: { ...exampleCover, source: 'upload', page: null } },
} as const
const fromPage = {
  tag,
  params: byId,
  body: record({ bookId: Type.Optional(Id), page: Type.Integer({ minimum: 1 }) }, { title: 'CoverFromPage' }),
  reply: CoverDto,
  status: 201,
  errors: ['not_found', 'damaged_file', 'library_unavailable'],
  example: {
    body: { bookId: '019aa3b2-6c7e-7000-8000-000000000040', page: 3 },
    reply: { ...exampleCover, source: 'page', page: 3 },
  },
} as const
const chosenStays = 'It is chosen with that, and stays so whatever a scan finds.'

export const listBookCovers = endpoint('GET /api/v1/books/{id}/covers', {
  ...list,
  summary: 'The covers a book has',
  access: 'books:read',
})
export const uploadBookCover = endpoint('POST /api/v1/books/{id}/covers', {
  ...upload,
  summary: 'Give a book a cover of your own',
  description: chosenStays,
  access: 'books:write',
})
export const coverOfBookFromPage = endpoint('POST /api/v1/books/{id}/covers/from-page', {
  ...fromPage,
  summary: 'Make a page the cover of a book',
  description: `Of the book itself, or of another one that you may see. ${chosenStays}`,
  access: 'books:write',
})
export const selectBookCover = endpoint('PUT /api/v1/books/{id}/covers/{coverId}/select', {
  ...choose,
  summary: 'Choose a cover',
  access: 'books:write',
})
export const unselectBookCover = endpoint('DELETE /api/v1/books/{id}/covers/selected', {
  tag,
  params: byId,
  errors: ['not_found'],
  summary: 'Let the cover be what the book says again',
  access: 'books:write',
})
export const deleteBookCover = endpoint('DELETE /api/v1/books/{id}/covers/{coverId}', {
  ...choose,
  summary: 'Delete a cover',
  access: 'books:write',
})
export const readBookCoverImage = endpoint('GET /api/v1/books/{id}/covers/{coverId}/image', {
  ...coverImage,
  summary: 'One of the covers of a book',
  access: 'books:read',
})

export const listSeriesCovers = endpoint('GET /api/v1/series/{id}/covers', {
  ...list,
  summary: 'The covers a series has of its own',
  access: 'series:read',
})
export const uploadSeriesCover = endpoint('POST /api/v1/series/{id}/covers', {
  ...upload,
  summary: 'Give a series a cover of your own',
  description: chosenStays,
  access: 'series:write',
})
export const coverOfSeriesFromPage = endpoint('POST /api/v1/series/{id}/covers/from-page', {
  ...fromPage,
  summary: 'Make a page the cover of a series',
  description: `Of the book named, or of the first one. ${chosenStays}`,
  access: 'series:write',
})
export const selectSeriesCover = endpoint('PUT /api/v1/series/{id}/covers/{coverId}/select', {
  ...choose,
  summary: 'Choose a cover',
  access: 'series:write',
})
export const unselectSeriesCover = endpoint('DELETE /api/v1/series/{id}/covers/selected', {
  tag,
  params: byId,
  errors: ['not_found'],
  summary: 'Let the cover be the one of the first book again',
  access: 'series:write',
})
export const deleteSeriesCover = endpoint('DELETE /api/v1/series/{id}/covers/{coverId}', {
  ...choose,
  summary: 'Delete a cover',
  access: 'series:write',
})
export const readSeriesCoverImage = endpoint('GET /api/v1/series/{id}/covers/{coverId}/image', {
  ...coverImage,
  summary: 'One of the covers of a series',
  access: 'series:read',
})
