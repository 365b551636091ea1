import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { fileFormats } from './file-formats.ts'
import { byId, Id, OneOf } from './schema.ts'

const tag = 'Files'

export const downloadBook = endpoint('GET /api/v1/books/{id}/file', {
  summary: 'The file of a book',
  description:
    'As it lies on the server; a folder as a ZIP. Of a book with several files (`files`) the chosen one, unless `file` or `format` picks another. Takes `Range` (one or several) and `If-Range`.',
  tag,
  access: 'files:download',
  params: byId,
  query: Type.Object({
    file: Type.Optional({ ...Id, description: 'The id of one of its files.' }),
    format: Type.Optional(OneOf(fileFormats, { description: 'The first of its files that has this format.' })),
  }),
  mediaType: 'application/octet-stream',
  errors: ['not_found', 'range_not_satisfiable', 'library_unavailable'],
})

export const downloadSeries = endpoint('GET /api/v1/series/{id}/download', {
  summary: 'All books of a series as one ZIP',
  description: 'Those you may see whose files are there, as they lie on the server.',
  tag,
  access: 'files:download',
  params: byId,
  mediaType: 'application/zip',
  errors: ['not_found', 'library_unavailable'],
})
