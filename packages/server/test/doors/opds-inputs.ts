import type { Inputs } from '../visible-inputs.ts'
import { comics } from '../visible-world.ts'

const seriesQueries = [
  '',
  'sort=new',
  `library=${comics}`,
  'language=de',
  'sort=updated&pageSize=2&page=2',
  'genre=common',
  'tag=common',
  'author=Person',
]
const bookQueries = [
  '',
  `library=${comics}`,
  'sort=new&read=unread',
  'read=read&pageSize=2&page=2',
  'format=cbz',
  'genre=common',
  'sort=read',
  'language=de&sort=updated',
]

/** Feeds that both versions have. */
const feeds = (version: 'v1' | 'v2'): Readonly<Record<string, Inputs | 'shows no content'>> => {
  // Both say the same, found by the same functions: the second is asked in fewer ways.
  const few = version === 'v2' && { few: true as const }
  const some = (queries: readonly string[]) => (version === 'v1' ? queries : queries.slice(1, 3))
  const rows: Readonly<Record<string, Inputs | 'shows no content'>> = {
    'keep-reading': { queries: ['', `library=${comics}`] },
    'on-deck': { queries: ['', `library=${comics}`] },
    recent: { queries: ['', 'pageSize=2&page=2', `library=${comics}`] },
    'want-to-read': { queries: ['', 'pageSize=2&page=2'] },
    'want-to-read/series': { queries: ['', 'pageSize=2&page=2'] },
    presets: {},
    'presets/{id}/series': 'shows no content',
    'presets/{id}/books': 'shows no content',
    languages: {},
    books: { queries: some(bookQueries) },
    series: { queries: some(seriesQueries) },
    'series/{id}': { of: 'series', ...few, queries: some(['', 'sort=new&read=unread', 'read=read']) },
    letters: {},
    libraries: { queries: ['', 'pageSize=1'] },
    'libraries/{id}': { of: 'library' },
    collections: {},
    'collections/{id}': { of: 'collection', asReader: true },
    readlists: {},
    'readlists/{id}': { of: 'readList', asReader: true },
    genres: {},
    tags: {},
    people: {},
    publishers: {},
    search: { queries: ['query=series', 'title=series&author=Person'] },
    'search/series': { queries: ['query=series', 'title=series&author=Person'] },
    'books/{id}': { of: 'book', ...few },
  }
  return Object.fromEntries(Object.entries(rows).map(([path, inputs]) => [`GET /opds/${version}/${path}`, inputs]))
}

/** The differential test requests this door's content like this. */
export const opdsInputs: Readonly<Record<string, Inputs | 'shows no content'>> = {
  'GET /opds': {},
  'GET /opds/v1': {},
  'GET /opds/v1/catalog': {},
  'GET /opds/v2': {},
  ...feeds('v1'),
  ...feeds('v2'),
  'GET /opds/v1/letters/{letter}': { queries: ['', 'pageSize=1'] },
  'GET /opds/v2/letters/{letter}': { queries: ['', 'pageSize=1'] },
  'GET /opds/v1/libraries/{id}/cover': { of: 'library', readsFiles: true, mayBeNothing: true },
  'GET /opds/v1/libraries/{id}/thumbnail': { of: 'library', readsFiles: true, mayBeNothing: true },
  'GET /opds/v1/collections/{id}/cover': { of: 'collection', readsFiles: true, asReader: true },
  'GET /opds/v1/collections/{id}/thumbnail': { of: 'collection', readsFiles: true, asReader: true },
  'GET /opds/v1/readlists/{id}/cover': { of: 'readList', readsFiles: true, asReader: true },
  'GET /opds/v1/readlists/{id}/thumbnail': { of: 'readList', readsFiles: true, asReader: true },
  'GET /opds/v1/books/{id}/cover': { of: 'book', readsFiles: true, few: true },
  'GET /opds/v1/books/{id}/thumbnail': { of: 'book', readsFiles: true, few: true },
  'GET /opds/v1/series/{id}/cover': { of: 'series', readsFiles: true, few: true },
  'GET /opds/v1/series/{id}/thumbnail': { of: 'series', readsFiles: true, few: true },
  'GET /opds/v1/books/{id}/file/{name}': { of: 'book', readsFiles: true, few: true },
  'GET /opds/v1/books/{id}/pages/{index}': { of: 'book', readsFiles: true, few: true },
  'GET /opds/v2/books/{id}/pages/{number}': { of: 'book', readsFiles: true, few: true },
  'GET /opds/v2/books/{id}/manifest': { of: 'book', readsFiles: true, few: true },
  'GET /opds/v2/books/{id}/manifest/divina': { of: 'book', readsFiles: true, few: true },
  'GET /opds/v2/books/{id}/resources/{path}': { of: 'book', readsFiles: true, few: true },
  'GET /opds/v2/books/{id}/progression': { of: 'book', few: true },
  'GET /opds/v2/books/{id}/position': { of: 'book', few: true },
}
