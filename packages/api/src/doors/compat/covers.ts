import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { record } from '../../schema.ts'
import { choice, cover, exampleCover, picture, upload } from './cover-shapes.ts'
import { byCompatId } from './page.ts'
import { compat, exampleId } from './shared.ts'

const CompatBookCover = record({ ...cover, bookId: Type.String() }, { title: 'CompatBookThumbnail' })
const CompatSeriesCover = record({ ...cover, seriesId: Type.String() }, { title: 'CompatSeriesThumbnail' })

const ofBook = { ...exampleCover, bookId: exampleId }
const ofSeries = { ...exampleCover, seriesId: exampleId }

export const listCompatBookCovers = endpoint('GET /{prefix}/api/v1/books/{id}/thumbnails', {
  ...compat,
  summary: 'The covers a book has',
  access: 'books:read',
  params: byCompatId,
  reply: Type.Array(CompatBookCover, { maxItems: 1000 }),
  errors: ['not_found'],
  example: { reply: [ofBook] },
})
export const uploadCompatBookCover = endpoint('POST /{prefix}/api/v1/books/{id}/thumbnails', {
  ...compat,
  ...upload,
  summary: 'Give a book a cover',
  access: 'books:write',
  reply: CompatBookCover,
  example: { reply: ofBook },
})
export const readCompatBookCover = endpoint('GET /{prefix}/api/v1/books/{id}/thumbnails/{coverId}', {
  ...compat,
  ...picture,
  summary: 'One of the covers of a book',
  access: 'books:read',
})
export const selectCompatBookCover = endpoint('PUT /{prefix}/api/v1/books/{id}/thumbnails/{coverId}/selected', {
  ...compat,
  ...choice,
  summary: 'Choose a cover of a book',
  access: 'books:write',
})
export const deleteCompatBookCover = endpoint('DELETE /{prefix}/api/v1/books/{id}/thumbnails/{coverId}', {
  ...compat,
  ...choice,
  summary: 'Delete a cover of a book',
  access: 'books:write',
})

export const listCompatSeriesCovers = endpoint('GET /{prefix}/api/v1/series/{id}/thumbnails', {
  ...compat,
  summary: 'The covers a series has',
  access: 'series:read',
  params: byCompatId,
  reply: Type.Array(CompatSeriesCover, { maxItems: 1000 }),
  errors: ['not_found'],
  example: { reply: [ofSeries] },
})
export const uploadCompatSeriesCover = endpoint('POST /{prefix}/api/v1/series/{id}/thumbnails', {
  ...compat,
  ...upload,
  summary: 'Give a series a cover',
  access: 'series:write',
  reply: CompatSeriesCover,
  example: { reply: ofSeries },
})
export const readCompatSeriesCover = endpoint('GET /{prefix}/api/v1/series/{id}/thumbnails/{coverId}', {
  ...compat,
  ...picture,
  summary: 'One of the covers of a series',
  access: 'series:read',
})
export const selectCompatSeriesCover = endpoint('PUT /{prefix}/api/v1/series/{id}/thumbnails/{coverId}/selected', {
  ...compat,
  ...choice,
  summary: 'Choose a cover of a series',
  access: 'series:write',
})
export const deleteCompatSeriesCover = endpoint('DELETE /{prefix}/api/v1/series/{id}/thumbnails/{coverId}', {
  ...compat,
  ...choice,
  summary: 'Delete a cover of a series',
  access: 'series:write',
})
