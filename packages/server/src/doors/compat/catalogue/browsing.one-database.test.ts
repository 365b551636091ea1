import type { CompatPage, CompatSeries } from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../../test/content.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { compatClient } from '../../../../test/doors/compat-client.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

let server: TestServer
let reader: Person
/** These names stand for ids in the paths below. */
let names: Readonly<Record<string, string>>

beforeAll(async () => {
  server = await startServer({ env: doorsOpen })
  const { db } = server.context
  const library = await addLibrary(db)
  const [series] = await addManySeries(db, library, [{ title: 'Alpha' }])
  if (!series) throw new Error('No series was added')
  const [book = '', next = ''] = await addBooks(db, series, [{ format: 'epub' }, {}])
  reader = await server.person('reader')
  names = { LIB: library.id, SERIES: series.id, BOOK: book, NEXT: next }
})
afterAll(() => server[Symbol.asyncDispose]())

type Step = string | readonly [path: string, body: object]

const is = (value: unknown) => ({ operator: 'is', value })
const lists = ['genres', 'tags', 'publishers', 'languages', 'age-ratings', 'series/release-dates', 'sharing-labels']

/** The steps are the requests the applications send when somebody browses, searches and narrows the results. */
const applications: Readonly<Record<string, { readonly agent: string; readonly steps: readonly Step[] }>> = {
  'Mihon, Tachiyomi, Suwayomi and Komikku': {
    agent: 'Mozilla/5.0 Mihon/0.19',
    steps: [
      'api/v1/libraries',
      'api/v1/collections?unpaged=true',
      'api/v1/genres',
      'api/v1/tags',
      'api/v1/publishers',
      'api/v1/authors',
      'api/v1/series?search=&page=0&deleted=false&sort=metadata.titleSort%2Casc',
      'api/v1/series?search=alp&page=0&deleted=false&library_id=LIB&read_status=UNREAD&status=ONGOING&genre=Comedy&sort=lastModified%2Cdesc',
      'api/v1/readlists?search=&page=0&deleted=false&sort=metadata.titleSort%2Casc',
      'api/v1/books?search=&page=0&deleted=false&sort=metadata.titleSort%2Casc',
      'api/v1/series/SERIES',
      'api/v1/series/SERIES/books?unpaged=true&media_status=READY&deleted=false',
      'api/v1/books/BOOK?unpaged=true&media_status=READY&deleted=false',
    ],
  },
  Aidoku: {
    agent: 'Aidoku/0.7',
    steps: [
      [
        'api/v1/series/list?page=0&size=20&sort=metadata.titleSort,asc',
        { condition: { allOf: [{ deleted: { operator: 'isFalse' } }, { anyOf: [{ libraryId: is('LIB') }] }] } },
      ],
      [
        'api/v1/series/list?page=0',
        { condition: { allOf: [{ deleted: { operator: 'isFalse' } }] }, fullTextSearch: 'alpha' },
      ],
      [
        'api/v1/books/list?unpaged=true&sort=metadata.numberSort,asc',
        { condition: { allOf: [{ seriesId: is('SERIES') }, { deleted: { operator: 'isFalse' } }] } },
      ],
      'api/v1/books/ondeck?sort=x&size=20',
      'api/v1/series/new?size=20',
      'api/v1/series/updated?size=20',
      'api/v2/authors?search=ann&role=writer',
      ...lists.map((list) => `api/v1/${list}`),
      'api/v1/series/SERIES/books?unpaged=true',
    ],
  },
  'Paperback 0.8': {
    agent: 'Paperback-iOS/0.8',
    steps: [
      'api/v1/libraries/',
      'api/v1/genres/',
      'api/v1/tags/series/',
      'api/v1/collections/',
      'api/v1/series/?page=0&size=20&sort=titleSort&search=alp&tag=x&genre=y&library_id=LIB',
      'api/v1/series/new?page=0&size=20',
      'api/v1/books/ondeck?page=0&size=20',
      'api/v1/series/SERIES/',
      'api/v1/series/SERIES/books?unpaged=true&media_status=READY',
    ],
  },
  'Paperback 0.9': {
    agent: 'Paperback/0.9',
    steps: [
      [
        'api/v1/series/list?page=0&size=20&sort=titleSort',
        { condition: { libraryId: is('LIB'), deleted: { operator: 'isFalse' } }, fullTextSearch: '' },
      ],
      ['api/v1/books/list?unpaged=true', { condition: { seriesId: is('SERIES') } }],
      'api/v1/series/updated?page=0',
    ],
  },
  Komelia: {
    agent: 'Komelia/0.10',
    steps: [
      [
        'api/v1/series/list?page=0&size=20&sort=metadata.titleSort,asc',
        {
          condition: {
            type: 'allOf',
            allOf: [
              { type: 'libraryId', libraryId: { type: 'is', operator: 'is', value: 'LIB' } },
              { type: 'oneShot', oneShot: { operator: 'isFalse' } },
            ],
          },
        },
      ],
      ['api/v1/books/list?size=500&sort=metadata.pagesCount,asc', { condition: null, fullTextSearch: null }],
      'api/v1/series/SERIES/collections',
      'api/v1/books/BOOK/readlists',
      'api/v1/books/BOOK/next',
      'api/v1/authors?authors=',
      'api/v1/readlists?library_id=LIB, LIB',
      'api/v1/tags/book?series_id=SERIES',
    ],
  },
  KMReader: {
    agent: 'KMReader/4.0',
    steps: [
      [
        'api/v1/series/list?page=0&size=50&sort=metadata.title,asc',
        {
          condition: {
            allOf: [
              { libraryId: is('LIB') },
              { oneshot: { operator: 'istrue' } },
              { readStatus: { operator: 'isnot', value: 'READ' } },
            ],
          },
        },
      ],
      [
        'api/v1/books/list?page=0&size=50',
        { condition: { releaseDate: { operator: 'after', dateTime: '2026-01-01T00:00:00Z' } } },
      ],
      'api/v1/collections?page=0&size=50&sort=name,asc',
      'api/v1/collections?author=Ann,',
      'api/v2/authors?unpaged=true',
      'api/v1/languages',
    ],
  },
  Liseur: {
    agent: 'Liseur/1.0',
    steps: [
      [
        'api/v1/books/list?page=0&size=200&sort=metadata.titleSort,asc',
        { condition: { allOf: [{ mediaProfile: is('EPUB') }, { mediaStatus: is('READY') }] } },
      ],
    ],
  },
  'KOReader, by its plugins': {
    agent: 'LuaSocket 3.0',
    steps: [
      'api/v1/series?search=alp&size=500',
      'api/v1/series/SERIES/books?size=500',
      'api/v1/books?size=50&search=alp',
      'api/v1/books/latest',
      'api/v1/collections',
      ['api/v1/books/list', {}],
    ],
  },
  "Komga's own web app": {
    agent: 'Mozilla/5.0',
    steps: [
      [
        'api/v1/series/list?page=0&size=20&sort=metadata.titleSort,asc',
        { condition: { allOf: [{ libraryId: is('LIB') }, { anyOf: [] }, { anyOf: [] }] } },
      ],
      ['api/v1/series/list/alphabetical-groups', { condition: { allOf: [{ libraryId: is('LIB') }, { anyOf: [] }] } }],
      [
        'api/v1/books/list?size=0',
        { condition: { anyOf: [{ mediaStatus: is('ERROR') }, { mediaStatus: is('UNSUPPORTED') }] } },
      ],
      ['api/v1/books/list?sort=readProgress.readDate,desc', { condition: { readStatus: is('IN_PROGRESS') } }],
      'api/v1/authors/roles',
      'api/v1/authors/names?search=a',
      ...lists.map((list) => `api/v1/${list}?library_id=LIB`),
      'api/v2/series/release-years?unpaged=true',
    ],
  },
}

/** Mihon needs these; it reads nothing of a page where one is null. */
const neverNull = [
  'status',
  'title',
  'titleSort',
  'summary',
  'readingDirection',
  'publisher',
  'language',
  'genres',
  'tags',
] as const

for (const [name, { agent, steps }] of Object.entries(applications))
  test(`COM-1 COM-2 ${name} browse, search and narrow`, async () => {
    const client = compatClient(server, reader, agent)
    const filled = (text: string) =>
      text.replaceAll(/LIB|SERIES|BOOK/g, (word) => names[word] ?? word).replaceAll(' ', '%20')
    for (const step of steps) {
      const [path, body] = typeof step === 'string' ? [step] : step
      const reply = await (body
        ? client.post(filled(path), JSON.parse(filled(JSON.stringify(body)).replaceAll('%20', ' ')))
        : client.get(filled(path)))
      expect([path, reply.status]).toEqual([path, 200])
    }
    const { body } = await client.post<CompatPage<CompatSeries>>('api/v1/series/list', {})
    const [alpha] = body.content
    expect(alpha?.metadata.title).toBe('Alpha')
    expect(neverNull.filter((key) => alpha?.metadata[key] === null)).toEqual([])
  })
