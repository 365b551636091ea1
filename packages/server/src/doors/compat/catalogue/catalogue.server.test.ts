import * as api from '@carrel/api'
import {
  type CompatBook,
  type CompatPage,
  type CompatSeries,
  exampleCompatBook,
  exampleCompatPage,
  exampleCompatSeries,
} from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, type AddedLibrary, type AddedSeries, addLibrary, addManySeries } from '../../../../test/content.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { type CompatClient, compatClient } from '../../../../test/doors/compat-client.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

type SeriesPage = CompatPage<CompatSeries>
type BookPage = CompatPage<CompatBook>

let server: TestServer
let manga: AddedLibrary
let comics: AddedLibrary
let series: AddedSeries[]
let books: string[][]
let reader: Person
let client: CompatClient

const hostile = 'A&B <"x"> \u202eright\u202c \ud83d\ude00 \u0007bell'
const saidOfAlpha = {
  title: 'Alpha',
  status: 'ended',
  readingDirection: 'rtl',
  publisher: 'Paper & Sons',
  language: 'ja',
  ageRating: 12,
  totalVolumeCount: 3,
  genres: ['Comedy'],
  tags: ['school, life'],
  authors: [
    { name: 'Ann Writer', role: 'author' },
    { name: 'Pat Pencil', role: 'artist' },
    { name: 'Tess Lator', role: 'translator' },
  ],
  alternateTitles: [{ label: 'Japanese', title: 'アルファ' }],
  links: [{ source: 'anilist.co', url: 'https://anilist.co/manga/1' }],
}

beforeAll(async () => {
  server = await startServer({ env: doorsOpen })
  const { db } = server.context
  manga = await addLibrary(db)
  comics = await addLibrary(db, { name: 'Comics', path: '/data/comics' })
  const hour = (number: number) => `2026-11-01T1${number}:00:00.123Z`
  series = [
    ...(await addManySeries(db, manga, [
      {
        title: 'Alpha',
        status: 'ended',
        publisher: 'Paper & Sons',
        language: 'ja',
        own_age_rating: 12,
        age_rating: 12,
        total_volume_count: 3,
        metadata: JSON.stringify(saidOfAlpha),
        locks: '["publisher","totalVolumeCount"]',
        created_at: hour(0),
        updated_at: hour(5),
      },
      { title: 'Beta', created_at: hour(1), updated_at: hour(1) },
    ])),
    ...(await addManySeries(db, comics, [{ title: hostile, created_at: hour(2), updated_at: hour(2) }])),
  ]
  const shapes = [
    [
      { released: '2003', number: 1 },
      { released: '2003-08', number: 2, summary: 'What happens in it', analysed: 0 as const, page_count: 0 },
      { released: '2003-08-27', number: 3, format: 'epub' as const, page_count: 0 },
    ],
    [{ number: 1 }, { number: 2, file: { fault_code: 'damaged' as const, fault_message: 'It ends too early' } }],
    [{ number: null, book_type: 'oneshot', title: hostile }],
  ]
  books = []
  for (const [position, each] of series.entries()) books.push(await addBooks(db, each, shapes[position] ?? []))
  reader = await server.person('reader')
  client = compatClient(server, reader)
})
afterAll(() => server[Symbol.asyncDispose]())

const idAt = (index: number) => series[index]?.id ?? ''
const bookAt = (index: number, number: number) => books[index]?.[number] ?? ''
const titles = ({ body }: { body: SeriesPage }) => body.content.map(({ metadata }) => metadata.title)
const numbers = ({ body }: { body: BookPage }) =>
  body.content.map(({ seriesId, number }) => `${series.findIndex(({ id }) => id === seriesId)}-${number}`)
const seriesAt = (query: string) => client.get<SeriesPage>(`api/v1/series?${query}`)
const booksAt = (query: string) => client.get<BookPage>(`api/v1/books?${query}`)

/** Names and kinds of all that is in it; what may be null is only asked to be there. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, nullable.has(name) ? 'anything' : shapeOf(each)]),
  )
}
const nullable = new Set(['ageRating', 'totalBookCount', 'releaseDate', 'readProgress'])

test('COM-1 COM-2 a page of series has every key, of the right kind, and nothing is ever left out', async () => {
  const { status, body } = await seriesAt('search=&page=0&deleted=false&sort=metadata.titleSort,asc')
  expect(status).toBe(200)
  expect(shapeOf({ ...body, content: [] })).toEqual(shapeOf(exampleCompatPage()))
  for (const each of body.content) expect(shapeOf(each)).toEqual(shapeOf(exampleCompatSeries))
  expect(body).toMatchObject({
    totalElements: 3,
    totalPages: 1,
    number: 0,
    size: 20,
    numberOfElements: 3,
    first: true,
    last: true,
  })
  expect(body.sort).toEqual({ empty: false, sorted: true, unsorted: false })
  const alpha = body.content.find(({ id }) => id === idAt(0))
  expect(alpha).toMatchObject({
    libraryId: manga.id,
    url: '',
    created: '2026-11-01T10:00:00Z',
    lastModified: '2026-11-01T15:00:00Z',
    booksCount: 3,
    booksUnreadCount: 3,
    oneshot: false,
    metadata: {
      status: 'ENDED',
      readingDirection: 'RIGHT_TO_LEFT',
      publisher: 'Paper & Sons',
      publisherLock: true,
      language: 'ja',
      ageRating: 12,
      totalBookCount: 3,
      totalBookCountLock: true,
      genres: ['Comedy'],
      tags: ['school, life'],
      alternateTitles: [{ label: 'Japanese', title: 'アルファ' }],
      links: [{ label: 'anilist.co', url: 'https://anilist.co/manga/1' }],
    },
    booksMetadata: {
      authors: [
        { name: 'Ann Writer', role: 'WRITER' },
        { name: 'Pat Pencil', role: 'PENCILLER' },
      ],
      releaseDate: '2003-01-01',
      summary: 'What happens in it',
      summaryNumber: '2',
    },
  })
  const plain = body.content.find(({ id }) => id === idAt(1))
  expect(plain?.metadata).toMatchObject({
    status: 'ONGOING',
    readingDirection: '',
    language: '',
    publisher: '',
    summary: '',
  })
  expect(body.content.find(({ id }) => id === idAt(2))).toMatchObject({ oneshot: true, metadata: { title: hostile } })
})

test('COM-2 W13 applications that compare roles in lower case and split ids at hyphens get theirs', async () => {
  const mihon = compatClient(server, reader, 'Tachiyomi Mihon/0.19')
  const { body } = await mihon.get<SeriesPage>('api/v1/series?search=&page=0&deleted=false&sort=metadata.titleSort,asc')
  const alpha = body.content.find(({ metadata }) => metadata.title === 'Alpha')
  expect(alpha?.id).toBe(idAt(0).replaceAll('-', ''))
  expect(alpha?.libraryId).toBe(manga.id.replaceAll('-', ''))
  expect(alpha?.booksMetadata.authors.map(({ role }) => role)).toEqual(['writer', 'penciller', 'translator'])
  for (const id of [idAt(0), idAt(0).replaceAll('-', ''), idAt(0).toUpperCase()])
    expect((await mihon.get<CompatSeries>(`api/v1/series/${id}`)).body.id).toBe(alpha?.id)
  expect(titles(await mihon.get(`api/v1/series?library_id=${comics.id.replaceAll('-', '')}`))).toEqual([hostile])
})

test('COM-1 a book has every key, and says what can be read of it', async () => {
  bodyOf(await reader.call(api.saveProgress, { params: { id: bookAt(0, 0) }, body: { currentPage: 7 } }))
  const { body } = await client.get<BookPage>(
    `api/v1/series/${idAt(0)}/books?unpaged=true&media_status=READY&deleted=false`,
  )
  expect(numbers({ body })).toEqual(['0-1', '0-3'])
  for (const each of body.content) expect(shapeOf(each)).toEqual(shapeOf(exampleCompatBook))
  expect(body.content[0]).toMatchObject({
    seriesTitle: 'Alpha',
    name: 'Alpha 1',
    url: 'Alpha 1.cbz',
    number: 1,
    sizeBytes: 1000,
    size: '1000 B',
    media: { status: 'READY', mediaType: 'application/zip', pagesCount: 20, mediaProfile: 'DIVINA' },
    metadata: { title: 'Alpha 1', number: '1', numberSort: 1, releaseDate: '2003-01-01' },
    readProgress: { page: 7, completed: false, deviceId: '', deviceName: '' },
  })
  expect(body.content[1]).toMatchObject({
    media: { mediaType: 'application/epub+zip', mediaProfile: 'EPUB' },
    readProgress: null,
  })
  const [pending] = (await client.get<BookPage>('api/v1/books?media_status=UNKNOWN')).body.content
  expect(pending).toMatchObject({
    id: bookAt(0, 1),
    media: { status: 'UNKNOWN' },
    metadata: { releaseDate: '2003-08-01' },
  })
  expect(numbers(await booksAt('media_status=ERROR'))).toEqual(['1-2'])
  const full = await client.get<CompatSeries>(`api/v1/series/${idAt(0)}`)
  expect(full.body).toMatchObject({ booksInProgressCount: 1, booksUnreadCount: 2, booksReadCount: 0 })
})

test('COM-1 a server path is shown to those who manage libraries, and to nobody else', async () => {
  const editor = compatClient(server, await server.person('editor'))
  expect((await editor.get<CompatSeries>(`api/v1/series/${idAt(0)}`)).body.url).toBe('/data/manga/Alpha')
  expect((await editor.get<CompatBook>(`api/v1/books/${bookAt(0, 0)}`)).body.url).toBe('/data/manga/Alpha/Alpha 1.cbz')
})

test('COM-1 parameters come repeated, joined by commas, with brackets and with spaces; a value with a comma is one when it is repeated', async () => {
  for (const query of [
    `library_id=${manga.id}&library_id=${comics.id}`,
    `library_id=${manga.id},${comics.id}`,
    `library_id=${manga.id},%20${comics.id}`,
    `library_id[]=${manga.id}&library_id[]=${comics.id}`,
    `library_id%5B%5D=${manga.id}&library_id=${comics.id}`,
    'library_id=&no_such_thing=1&sort=titleSort,asc',
  ])
    expect([query, (await seriesAt(query)).body.totalElements]).toEqual([query, 3])
  expect(titles(await seriesAt(`library_id=${manga.id}`))).toEqual(['Alpha', 'Beta'])
  expect(titles(await seriesAt('library_id=nothing-of-this-name'))).toEqual([])
  expect(titles(await seriesAt('status=ENDED'))).toEqual(['Alpha'])
  expect(titles(await seriesAt(`status=ONGOING&library_id=${manga.id}`))).toEqual(['Beta'])
  expect(titles(await seriesAt('publisher=Paper%20%26%20Sons'))).toEqual(['Alpha'])
  expect(titles(await seriesAt('age_rating=12'))).toEqual(['Alpha'])
  expect((await seriesAt('age_rating=12,None')).body.totalElements).toBe(3)
  expect(titles(await seriesAt('release_year=2003'))).toEqual(['Alpha'])
  expect(titles(await seriesAt('complete=true'))).toEqual(['Alpha'])
  expect(titles(await seriesAt('complete=false'))).toEqual([])
  expect(titles(await seriesAt('oneshot=true'))).toEqual([hostile])
  expect(titles(await seriesAt('read_status=IN_PROGRESS&read_status=READ'))).toEqual(['Alpha'])
  expect(titles(await seriesAt('deleted=true'))).toEqual([])
  expect(numbers(await booksAt('released_after=2003-08-02'))).toEqual(['0-3'])
})

test('COM-1 a regular expression is looked up as what it says, and never run', async () => {
  const titlesMatching = async (pattern: string, target = 'TITLE') =>
    titles(await seriesAt(`search_regex=${encodeURIComponent(`${pattern},${target}`)}`))
  expect(await titlesMatching('^al')).toEqual(['Alpha'])
  expect(await titlesMatching('pha$')).toEqual(['Alpha'])
  expect(await titlesMatching('^be.*', 'TITLE_SORT')).toEqual(['Beta'])
  expect(await titlesMatching('.*et.*')).toEqual(['Beta'])
  expect(await titlesMatching('^[b-z]', 'TITLE_SORT')).toEqual(['Beta'])
  expect(await titlesMatching('^[^a-z]', 'TITLE_SORT')).toEqual([])
  for (const pattern of ['(a+)+$', 'a|b', '[[:alpha:]]', '\\p{L}', '^(?=x)'])
    expect((await seriesAt(`search_regex=${encodeURIComponent(`${pattern},TITLE`)}`)).status).toBe(400)
})

test('COM-1 pages are counted from 0, no size is refused, and one without pages is one page', async () => {
  const flat = ({ content, pageable, ...figures }: SeriesPage) => ({
    ...figures,
    ids: content.length,
    offset: pageable.offset,
  })
  expect(flat((await seriesAt('size=2&page=1')).body)).toMatchObject({
    ids: 1,
    number: 1,
    size: 2,
    offset: 2,
    first: false,
    last: true,
    totalPages: 2,
  })
  expect(flat((await seriesAt('size=2&page=7')).body)).toMatchObject({
    ids: 0,
    number: 7,
    empty: true,
    first: false,
    last: true,
  })
  for (const size of ['0', '-3', 'many', '']) expect((await seriesAt(`size=${size}`)).body.size).toBe(20)
  expect((await seriesAt('size=99999')).body.size).toBe(2000)
  expect(flat((await seriesAt('unpaged=true&page=3&size=1')).body)).toMatchObject({
    ids: 3,
    number: 0,
    size: 20,
    totalPages: 1,
    last: true,
  })
  expect((await seriesAt('page=99999999999999999999')).status).toBe(200)
  expect(flat((await seriesAt('status=HIATUS')).body)).toMatchObject({
    ids: 0,
    totalPages: 0,
    first: true,
    last: true,
    empty: true,
  })
})

test('COM-1 every order these applications know is taken, and what they do not know is as if it were not there', async () => {
  const ordered = async (sort: string) => titles(await seriesAt(`sort=${sort}&library_id=${manga.id}`))
  expect(await ordered('metadata.titleSort,desc')).toEqual(['Beta', 'Alpha'])
  expect(await ordered('metadata.titleSort%2Casc')).toEqual(['Alpha', 'Beta'])
  expect(await ordered('created,DESC')).toEqual(['Beta', 'Alpha'])
  expect(await ordered('lastModifiedDate')).toEqual(['Beta', 'Alpha'])
  expect(await ordered('booksCount,desc')).toEqual(['Alpha', 'Beta'])
  expect(await ordered('readDate,desc')).toEqual(['Alpha', 'Beta'])
  expect(await ordered('metadata.title,desc&sort=metadata.titleSort,desc')).toEqual(['Beta', 'Alpha'])
  expect((await seriesAt('sort=metadata.title,desc')).body.sort.sorted).toBe(false)
  const inSeries = async (sort: string) => numbers(await client.get(`api/v1/series/${idAt(0)}/books?sort=${sort}`))
  expect(await inSeries('')).toEqual(['0-1', '0-2', '0-3'])
  expect(await inSeries('metadata.numberSort,desc')).toEqual(['0-3', '0-2', '0-1'])
  expect(await inSeries('metadata.releaseDate,desc')).toEqual(['0-3', '0-2', '0-1'])
  expect((await booksAt('sort=deleted,desc&sort=media.mediaType,asc&sort=fileSize,desc')).status).toBe(200)
})

test('COM-1 what is new, what has changed, what comes next', async () => {
  expect(titles(await client.get('api/v1/series/new'))).toEqual([hostile, 'Beta', 'Alpha'])
  expect(titles(await client.get('api/v1/series/updated?deleted=false&oneshot=false'))).toEqual(['Alpha'])
  expect(titles(await client.get('api/v1/series/latest'))).toEqual(['Alpha', hostile, 'Beta'])
  expect((await client.get<BookPage>('api/v1/books/latest')).body.totalElements).toBe(6)
  const other = await server.person('reader')
  const theirs = compatClient(server, other)
  expect(numbers(await theirs.get('api/v1/books/ondeck?sort=x'))).toEqual([])
  bodyOf(
    await other.call(api.saveProgress, { params: { id: bookAt(0, 0) }, body: { currentPage: 20, completed: true } }),
  )
  expect(numbers(await theirs.get('api/v1/books/ondeck'))).toEqual(['0-2'])
  expect(numbers(await theirs.get(`api/v1/books/ondeck?library_id=${comics.id}`))).toEqual([])
  const groups = await client.get(`api/v1/series/alphabetical-groups?library_id=${manga.id}`)
  expect(groups.body).toEqual([
    { group: 'a', count: 1 },
    { group: 'b', count: 1 },
  ])
  const posted = await client.post('api/v1/series/list/alphabetical-groups', {
    condition: { title: { operator: 'beginsWith', value: 'b' } },
  })
  expect(posted.body).toEqual([{ group: 'b', count: 1 }])
})

test('COM-1 C14 at the ends of a series nothing comes next, and what does not exist is 404 in their shape', async () => {
  expect((await client.get<CompatBook>(`api/v1/books/${bookAt(0, 0)}/next`)).body.id).toBe(bookAt(0, 1))
  expect((await client.get<CompatBook>(`api/v1/books/${bookAt(0, 1)}/previous`)).body.id).toBe(bookAt(0, 0))
  for (const path of [
    `books/${bookAt(0, 2)}/next`,
    `books/${bookAt(0, 0)}/previous`,
    `books/${idAt(0)}`,
    `series/${bookAt(0, 0)}`,
    'series/nothing',
    `series/${bookAt(0, 0)}/books`,
  ]) {
    const { status, body } = await client.get(`api/v1/${path}`)
    expect([path, status, body]).toMatchObject([
      path,
      404,
      { status: 404, error: 'Not Found', path: `/komga/api/v1/${path}` },
    ])
  }
})

test('COM-1 D a list longer than a part of it is written part by part, whole and in order; a part takes as many statements as one item', async () => {
  const long = await startServer({ env: doorsOpen })
  try {
    const { db } = long.context
    const [endless] = await addManySeries(db, await addLibrary(db), [{ title: 'Endless' }])
    if (!endless) throw new Error('No series was added')
    await addBooks(
      db,
      endless,
      Array.from({ length: 5000 }, (_, index) => ({ number: index + 1, page_count: 1 })),
    )
    const theirs = compatClient(long, await long.person('reader'))
    const { body } = await theirs.get<BookPage>(`api/v1/series/${endless.id}/books?unpaged=true`)
    expect(body.content.map(({ number }) => number)).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1))
    expect(shapeOf({ ...body, content: [] })).toEqual(shapeOf(exampleCompatPage()))
    expect(body).toMatchObject({
      numberOfElements: 5000,
      totalElements: 5000,
      size: 5000,
      totalPages: 1,
      last: true,
      empty: false,
    })
    const some = await theirs.get<BookPage>(`api/v1/series/${endless.id}/books?size=700&page=7`)
    expect(some.body.content.map(({ number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 4901),
    )
    expect(some.body).toMatchObject({
      numberOfElements: 100,
      totalElements: 5000,
      size: 700,
      number: 7,
      totalPages: 8,
      last: true,
    })
    const costOf = async (path: string) => {
      // What was said of the same books is kept until something like this happens.
      await addManySeries(db, endless.library, [{ title: `Without a book, before ${path}` }])
      const statements = () => long.logLines.filter(({ sql }) => /book|series/.test(String(sql))).length
      const before = statements()
      expect((await theirs.get(path)).status).toBe(200)
      return statements() - before
    }
    for (let number = 0; number < 12; number += 1) {
      const [short] = await addManySeries(db, endless.library, [{ title: `Short ${number}` }])
      if (short) await addBooks(db, short, [{}])
    }
    for (const { path, most } of [
      { path: `api/v1/series/${endless.id}/books?size=`, most: 7 },
      { path: 'api/v1/books?media_status=READY&sort=metadata.title,asc&size=', most: 6 },
      { path: 'api/v1/series?search=&deleted=false&sort=metadata.titleSort,asc&size=', most: 8 },
      { path: 'api/v1/series?read_status=UNREAD&size=', most: 8 },
    ]) {
      const few = await costOf(`${path}2`)
      expect([path, await costOf(`${path}13`), await costOf(`${path}500`)]).toEqual([path, few, few])
      expect(few).toBeLessThanOrEqual(most)
    }
  } finally {
    await long[Symbol.asyncDispose]()
  }
})
