import type { Inputs } from '../visible-inputs.ts'

/** Who comes in, what they open and read. */
const openingAndReading: Readonly<Record<string, Inputs | 'shows no content'>> = {
  'GET /{prefix}/api/v1/libraries': { queries: [''] },
  'GET /{prefix}/api/v1/libraries/{id}': { of: 'library' },
  'GET /{prefix}/api/v1/books/{id}/pages': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/pages/{number}': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/pages/{number}/thumbnail': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/pages/{number}/raw': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/file': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/file/{path}': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/thumbnail': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/manifest': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/manifest/epub': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/manifest/pdf': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/manifest/divina': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/positions': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/resource/{path}': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/progression': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/books/{id}/thumbnails': { of: 'book', few: true },
  'GET /{prefix}/api/v1/books/{id}/thumbnails/{coverId}': { of: 'book', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/series/{id}/thumbnails': { of: 'series' },
  'GET /{prefix}/api/v1/series/{id}/thumbnails/{coverId}': { of: 'series', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/series/{id}/file': { of: 'series', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/series/{id}/thumbnail': { of: 'series', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/collections/{id}/thumbnail': { of: 'collection', readsFiles: true, few: true },
  'GET /{prefix}/api/v1/readlists/{id}/thumbnail': { of: 'readList', readsFiles: true, few: true },
  'GET /{prefix}/api/v2/series/{id}/read-progress/tachiyomi': { of: 'series' },
  'GET /{prefix}/api/v1/readlists/{id}/read-progress/tachiyomi': { of: 'readList' },
}

/** How the differential test asks what this door shows. */
export const compatInputs: Readonly<Record<string, Inputs | 'shows no content'>> = { ...openingAndReading }
