import { Type } from 'typebox'
import { downloadMetadata } from './download-metadata.ts'
import { endpoint } from './endpoint.ts'
import { fileFormats } from './file-formats.ts'
import { byId, Id, OneOf } from './schema.ts'

const tag = 'Files'

const metadata = Type.Optional(
  OneOf(downloadMetadata, {
    description: [
      '`embedded`: with what is shown here of the book in it, as `ComicInfo.xml` in a CBZ or a folder and in the package of',
      'an EPUB; all else as it is, byte for byte. Files of other kinds, and those that nobody could read, come as they lie',
      'there. `X-Carrel-Metadata` says which it was. Absent: as you or the API key have it (`downloadMetadata`).',
    ].join(' '),
  }),
)

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
    metadata,
  }),
  mediaType: 'application/octet-stream',
  errors: ['not_found', 'range_not_satisfiable', 'library_unavailable'],
})

export const downloadSeries = endpoint('GET /api/v1/series/{id}/download', {
  summary: 'All books of a series as one ZIP',
  description: 'Those you may see whose files are there. With `metadata=embedded` its length is not said beforehand.',
  tag,
  access: 'files:download',
  params: byId,
  query: Type.Object({ metadata }),
  mediaType: 'application/zip',
  errors: ['not_found', 'library_unavailable'],
})
