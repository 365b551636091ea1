import { type Static, type TSchema, Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Nullable } from '../../schema.ts'
import { byCompatId } from './page.ts'
import { compat } from './shared.ts'

const optional = <S extends TSchema>(schema: S) => Type.Optional(Nullable(schema))
const line = (maxLength: number) => optional(Type.String({ maxLength }))
const words = (maxItems: number) => optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems }))
const links = optional(
  Type.Array(Type.Object({ label: Type.String({ maxLength: 200 }), url: Type.String({ maxLength: 2000 }) }), {
    maxItems: 100,
  }),
)
const lock = Type.Optional(Type.Boolean())

/** An absent field stays, a null field is emptied. Fields that mean nothing here are ignored. */
export const CompatSeriesPatch = Type.Object(
  {
    status: line(20),
    statusLock: lock,
    title: line(500),
    titleLock: lock,
    titleSort: line(500),
    titleSortLock: lock,
    summary: line(20_000),
    summaryLock: lock,
    readingDirection: line(20),
    readingDirectionLock: lock,
    publisher: line(300),
    publisherLock: lock,
    ageRating: optional(Type.Integer({ minimum: 0, maximum: 100 })),
    ageRatingLock: lock,
    language: line(35),
    languageLock: lock,
    genres: words(200),
    genresLock: lock,
    tags: words(500),
    tagsLock: lock,
    totalBookCount: optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    totalBookCountLock: lock,
    links,
    linksLock: lock,
    sharingLabels: words(100),
    sharingLabelsLock: lock,
    alternateTitles: optional(
      Type.Array(Type.Object({ label: Type.String({ maxLength: 200 }), title: Type.String({ maxLength: 500 }) }), {
        maxItems: 100,
      }),
    ),
    alternateTitlesLock: lock,
  },
  { title: 'CompatSeriesPatch' },
)
export type CompatSeriesPatch = Static<typeof CompatSeriesPatch>

export const CompatBookPatch = Type.Object(
  {
    title: line(500),
    titleLock: lock,
    summary: line(20_000),
    summaryLock: lock,
    number: line(32),
    numberLock: lock,
    numberSort: optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    numberSortLock: lock,
    releaseDate: line(10),
    releaseDateLock: lock,
    authors: optional(
      Type.Array(Type.Object({ name: Type.String({ maxLength: 200 }), role: Type.String({ maxLength: 50 }) }), {
        maxItems: 500,
      }),
    ),
    authorsLock: lock,
    tags: words(500),
    tagsLock: lock,
    isbn: line(20),
    isbnLock: lock,
    links,
    linksLock: lock,
  },
  { title: 'CompatBookPatch' },
)
export type CompatBookPatch = Static<typeof CompatBookPatch>

const ofSeries = { ...compat, access: 'series:write', params: byCompatId, errors: ['not_found'] } as const
const ofBook = { ...compat, access: 'books:write', params: byCompatId, errors: ['not_found'] } as const
const exampleBookPatch: CompatBookPatch = { title: 'Volume One', titleLock: true, releaseDate: '2003-08-27' }

export const editCompatSeries = endpoint('PATCH /{prefix}/api/v1/series/{id}/metadata', {
  ...ofSeries,
  summary: 'Say something of a series',
  body: CompatSeriesPatch,
  example: { body: { status: 'ENDED', publisher: null, publisherLock: true } },
})
export const editCompatBook = endpoint('PATCH /{prefix}/api/v1/books/{id}/metadata', {
  ...ofBook,
  summary: 'Say something of a book',
  body: CompatBookPatch,
  example: { body: exampleBookPatch },
})
export const editCompatBooks = endpoint('PATCH /{prefix}/api/v1/books/metadata', {
  ...compat,
  access: 'books:write',
  summary: 'Say something of several books, each by its id',
  body: Type.Unsafe<Record<string, CompatBookPatch>>({
    type: 'object',
    additionalProperties: CompatBookPatch,
    maxProperties: 500,
    title: 'CompatBookPatches',
  }),
  errors: ['not_found'],
  example: { body: { '019aa3b2-6c7e-7000-8000-000000000050': exampleBookPatch } },
})

const readAgain = { status: 202 } as const
export const analyseCompatSeries = endpoint('POST /{prefix}/api/v1/series/{id}/analyze', {
  ...ofSeries,
  ...readAgain,
  summary: 'Have the books of a series read again',
})
export const refreshCompatSeries = endpoint('POST /{prefix}/api/v1/series/{id}/metadata/refresh', {
  ...ofSeries,
  ...readAgain,
  summary: 'Have what the books of a series say read again',
})
export const analyseCompatBook = endpoint('POST /{prefix}/api/v1/books/{id}/analyze', {
  ...ofBook,
  ...readAgain,
  summary: 'Have a book read again',
})
export const refreshCompatBook = endpoint('POST /{prefix}/api/v1/books/{id}/metadata/refresh', {
  ...ofBook,
  ...readAgain,
  summary: 'Have what a book says of itself read again',
})

const never = 'Always 403: files are only ever read'
export const deleteCompatSeriesFile = endpoint('DELETE /{prefix}/api/v1/series/{id}/file', {
  ...ofSeries,
  access: 'series:delete',
  summary: never,
  errors: ['not_allowed'],
})
export const deleteCompatBookFile = endpoint('DELETE /{prefix}/api/v1/books/{id}/file', {
  ...ofBook,
  access: 'books:delete',
  summary: never,
  errors: ['not_allowed'],
})
