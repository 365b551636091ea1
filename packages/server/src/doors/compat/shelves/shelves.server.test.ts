import * as api from '@carrel/api'
import type { CompatBook, CompatCollection, CompatPage, CompatReadList, CompatSeries } from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, type AddedLibrary, type AddedSeries, addLibrary, addManySeries } from '../../../../test/content.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { type CompatClient, compatClient } from '../../../../test/doors/compat-client.ts'
import { openStream } from '../../../../test/event-stream.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'
import { waitUntil } from '../../../../test/smoke/wait-until.ts'
import { upsertTerms } from '../../../catalogue/terms/terms.ts'

let server: TestServer
let manga: AddedLibrary
let comics: AddedLibrary
let series: AddedSeries[]
let books: string[][]
let editor: Person
let theirs: CompatClient
let client: CompatClient

beforeAll(async () => {
  server = await startServer({ env: doorsOpen })
  const { db } = server.context
  manga = await addLibrary(db)
  comics = await addLibrary(db, { name: 'Comics', path: '/data/comics' })
  series = [
    ...(await addManySeries(db, manga, [
      { title: 'Alpha', publisher: 'Paper', language: 'ja', own_age_rating: 12 },
      { title: 'Beta', publisher: 'paper', language: 'en' },
    ])),
    ...(await addManySeries(db, comics, [{ title: 'Gamma', publisher: 'Ink' }])),
  ]
  books = []
  for (const each of series) books.push(await addBooks(db, each, [{ released: '2003' }, { released: '1999-05-01' }]))
  const now = new Date('2026-11-01T10:00:00.000Z')
  const person = (name: string, role: string) => ({ name, role })
  await db.write(async (db) => {
    await upsertTerms(
      db,
      'series',
      series.map(({ id }, index) => ({
        id,
        fields: {
          genres: [index === 2 ? 'Noir' : 'Comedy'],
          tags: [`tag ${index}`],
          authors: [person('Ann', 'author')],
        },
        hadAny: false,
      })),
      now,
    )
    await upsertTerms(
      db,
      'book',
      books.map(([id = ''], index) => ({
        id,
        fields: { tags: [`book tag ${index}`], authors: [person('Bob', 'artist'), person('Tess', 'translator')] },
        hadAny: false,
      })),
      now,
    )
  })
  editor = await server.person('editor')
  theirs = compatClient(server, editor)
  client = compatClient(server, await server.person('reader'))
})
afterAll(() => server[Symbol.asyncDispose]())

const idAt = (index: number) => series[index]?.id ?? ''
const bookAt = (index: number, number: number) => books[index]?.[number] ?? ''
const titles = ({ body }: { body: CompatPage<CompatSeries> }) => body.content.map(({ metadata }) => metadata.title)
const idsIn = ({ body }: { body: CompatPage<{ id: string }> }) => body.content.map(({ id }) => id)

test('COM-1 editors make, fill, order and delete collections; readers see them', async () => {
  const made = await theirs.post<CompatCollection>('api/v1/collections', {
    name: 'Best of',
    ordered: true,
    seriesIds: [idAt(2), idAt(0).replaceAll('-', '')],
  })
  expect([made.status, made.body]).toMatchObject([
    200,
    { name: 'Best of', ordered: true, seriesIds: [idAt(2), idAt(0)], filtered: false },
  ])
  const { id } = made.body
  expect((await client.get(`api/v1/collections/${id}`)).body).toEqual(made.body)
  expect(titles(await client.get(`api/v1/collections/${id}/series?unpaged=true`))).toEqual(['Gamma', 'Alpha'])
  expect(titles(await client.get(`api/v1/collections/${id}/series?library_id=${manga.id}`))).toEqual(['Alpha'])
  expect(titles(await client.get(`api/v1/series?collection_id=${id}`))).toEqual(['Alpha', 'Gamma'])
  expect(
    (await client.get<CompatCollection[]>(`api/v1/series/${idAt(0)}/collections`)).body.map((each) => each.id),
  ).toEqual([id])
  const list = (query: string) => client.get<CompatPage<CompatCollection>>(`api/v1/collections?${query}`)
  expect(idsIn(await list('search=best'))).toEqual([id])
  expect(idsIn(await list('search=worst'))).toEqual([])
  expect(idsIn(await list(`library_id=${comics.id}&unpaged=true`))).toEqual([id])

  const body = { seriesIds: [idAt(1), idAt(2)], ordered: false, name: 'The rest' }
  expect((await theirs.send('PATCH', `api/v1/collections/${id}`, body)).status).toBe(204)
  expect((await client.get<CompatCollection>(`api/v1/collections/${id}`)).body).toMatchObject({
    name: 'The rest',
    ordered: false,
    seriesIds: [idAt(1), idAt(2)],
  })
  expect((await client.send('PATCH', `api/v1/collections/${id}`, body)).status).toBe(403)
  expect((await theirs.post('api/v1/collections', { name: 'the REST', seriesIds: [] })).status).toBe(409)
  const unknown = { name: 'Of nothing', seriesIds: ['019aa3b2-0000-7000-8000-00000000dead'] }
  expect((await theirs.post('api/v1/collections', unknown)).status).toBe(400)
  expect(idsIn(await theirs.get('api/v1/collections?search=nothing'))).toEqual([])
  expect((await theirs.send('DELETE', `api/v1/collections/${id}`)).status).toBe(204)
  expect((await client.get(`api/v1/collections/${id}`)).status).toBe(404)
})

test('COM-1 a list that gets another name and other members at once is announced once, as one made with members is', async () => {
  await using stream = await openStream(server.url, { authorization: `Bearer ${editor.accessToken}` })
  const named = { name: 'Once', ordered: true }
  // What tests before this one have changed may still be on its way.
  const typesAbout = (id: string) =>
    stream.events.filter(({ data }) => Object.values(data).includes(id)).map(({ data }) => data.type)

  const made = await theirs.post<CompatCollection>('api/v1/collections', { ...named, seriesIds: [idAt(0), idAt(1)] })
  const collection = `api/v1/collections/${made.body.id}`
  await theirs.send('PATCH', collection, { name: 'Another', ordered: true, seriesIds: [idAt(1), idAt(0), idAt(2)] })
  await theirs.send('DELETE', collection)
  await waitUntil('its end', () => typesAbout(made.body.id).includes('collection_deleted'))
  expect(typesAbout(made.body.id)).toEqual(['collection_created', 'collection_updated', 'collection_deleted'])

  const [bookIds, others] = [books[0] ?? [], books[1] ?? []]
  const list = await theirs.post<CompatReadList>('api/v1/readlists', { ...named, summary: '', bookIds })
  const readList = `api/v1/readlists/${list.body.id}`
  await theirs.send('PATCH', readList, { ...named, name: 'Another', summary: 'Both', bookIds: [...others, ...bookIds] })
  await theirs.send('DELETE', readList)
  await waitUntil('its end', () => typesAbout(list.body.id).includes('read_list_deleted'))
  expect(typesAbout(list.body.id)).toEqual(['read_list_created', 'read_list_updated', 'read_list_deleted'])
})

test('COM-1 a collection that fills itself shows what fulfils its condition', async () => {
  const { id } = bodyOf(
    await editor.call(api.createCollection, {
      body: { name: 'Funny', condition: { genre: { operator: 'is', value: 'comedy' } } },
    }),
  )
  expect((await client.get<CompatCollection>(`api/v1/collections/${id}`)).body.seriesIds).toEqual([idAt(0), idAt(1)])
  expect(titles(await client.get(`api/v1/collections/${id}/series`))).toEqual(['Alpha', 'Beta'])
  expect(titles(await client.get(`api/v1/collections/${id}/series?publisher=paper&language=en`))).toEqual(['Beta'])
  const reply = await client.post<CompatPage<CompatSeries>>('api/v1/series/list', {
    condition: { collectionId: { operator: 'isNot', value: id } },
  })
  expect(titles(reply)).toEqual(['Gamma'])
  expect((await client.get(`api/v1/genres?collection_id=${id}`)).body).toEqual(['Comedy'])
})

test('COM-1 read lists have an order of their own, or that in which their books came out; next and previous follow it', async () => {
  const inOrder = [bookAt(0, 0), bookAt(2, 1), bookAt(1, 0)]
  const made = await theirs.post<CompatReadList>('api/v1/readlists', {
    name: 'Crisis',
    summary: 'All of it',
    ordered: true,
    bookIds: inOrder,
  })
  expect([made.status, made.body]).toMatchObject([200, { name: 'Crisis', summary: 'All of it', bookIds: inOrder }])
  const { id } = made.body
  const list = async (query = '') =>
    idsIn(await client.get<CompatPage<CompatBook>>(`api/v1/readlists/${id}/books?${query}`))
  expect(await list()).toEqual(inOrder)
  expect(await list(`library_id=${comics.id}`)).toEqual([bookAt(2, 1)])
  const beside = (bookId: string, which: string) =>
    client.get<CompatBook>(`api/v1/readlists/${id}/books/${bookId}/${which}`)
  expect((await beside(bookAt(2, 1), 'next')).body.id).toBe(bookAt(1, 0))
  expect((await beside(bookAt(2, 1), 'previous')).body.id).toBe(bookAt(0, 0))
  expect((await beside(bookAt(1, 0), 'next')).status).toBe(404)
  expect((await beside(bookAt(0, 1), 'next')).status).toBe(404)
  expect(
    (await client.get<CompatReadList[]>(`api/v1/books/${bookAt(0, 0)}/readlists`)).body.map((each) => each.id),
  ).toEqual([id])
  expect(idsIn(await client.get('api/v1/readlists?search=cris'))).toEqual([id])

  expect((await theirs.send('PATCH', `api/v1/readlists/${id}`, { ordered: false, summary: '' })).status).toBe(204)
  expect(await list()).toEqual([bookAt(2, 1), bookAt(0, 0), bookAt(1, 0)])
  expect((await beside(bookAt(2, 1), 'next')).body.id).toBe(bookAt(0, 0))
  expect((await client.get<CompatReadList>(`api/v1/readlists/${id}`)).body).toMatchObject({
    summary: '',
    bookIds: await list(),
  })
  const reply = await client.post<CompatPage<CompatBook>>('api/v1/books/list', {
    condition: { readListId: { operator: 'is', value: id.replaceAll('-', '') } },
  })
  expect(idsIn(reply).toSorted()).toEqual(inOrder.toSorted())
  expect((await theirs.send('DELETE', `api/v1/readlists/${id}`)).status).toBe(204)
  expect((await client.get(`api/v1/readlists/${id}`)).status).toBe(404)
})

test('COM-1 what lists can be narrowed by is listed as a whole and a page at a time', async () => {
  const read = async (path: string) => (await client.get(`api/${path}`)).body
  expect(await read('v1/genres')).toEqual(['Comedy', 'Noir'])
  expect(await read(`v1/genres?library_id=${comics.id}`)).toEqual(['Noir'])
  expect(await read('v1/tags/series')).toEqual(['tag 0', 'tag 1', 'tag 2'])
  expect(await read(`v1/tags/book?series_id=${idAt(1)}`)).toEqual(['book tag 1'])
  expect(await read('v1/tags')).toEqual(['book tag 0', 'book tag 1', 'book tag 2', 'tag 0', 'tag 1', 'tag 2'])
  expect(await read('v1/publishers')).toEqual(['Ink', 'Paper'])
  expect(await read('v1/languages')).toEqual(['en', 'ja'])
  expect(await read('v1/age-ratings')).toEqual(['None', '12'])
  expect(await read('v1/series/release-dates')).toEqual(['1999'])
  expect(await read('v1/sharing-labels')).toEqual([])
  expect(await read('v1/authors')).toEqual([
    { name: 'Ann', role: 'WRITER' },
    { name: 'Bob', role: 'PENCILLER' },
  ])
  expect(await read('v1/authors/names?search=bo')).toEqual(['Bob'])
  const komga = compatClient(server, editor, 'Komelia/1')
  expect((await komga.get('api/v1/authors/roles')).body).toEqual(['penciller', 'translator', 'writer'])
  expect(await read('v2/authors?role=writer&search=a&unpaged=true')).toMatchObject({
    content: [{ name: 'Ann', role: 'WRITER' }],
    totalElements: 1,
  })
  expect(await read('v2/genres?size=1&page=1')).toMatchObject({
    content: ['Noir'],
    totalElements: 2,
    number: 1,
    last: true,
  })
  expect(await read('v2/tags?include=SERIES&search=2')).toMatchObject({ content: ['tag 2'] })
  expect(await read('v2/series/release-years')).toMatchObject({ content: ['1999'] })
})

test('COM-1 C13 editors say something of series and books, whose own words stand behind theirs', async () => {
  const edit = (path: string, body: object) => theirs.send('PATCH', `api/v1/${path}/metadata`, body)
  const fields = {
    status: 'ENDED',
    titleSort: 'Alpha, the',
    readingDirection: 'VERTICAL',
    publisher: '',
    publisherLock: true,
    totalBookCount: 7,
    genres: ['Drama'],
    links: [{ label: 'Home', url: 'https://example.org/' }],
  }
  expect((await edit(`series/${idAt(0)}`, fields)).status).toBe(204)
  expect((await client.get<CompatSeries>(`api/v1/series/${idAt(0)}`)).body.metadata).toMatchObject({
    status: 'ENDED',
    titleSort: 'Alpha, the',
    readingDirection: 'VERTICAL',
    publisher: '',
    publisherLock: true,
    totalBookCount: 7,
    genres: ['Drama'],
    links: [{ label: 'Home', url: 'https://example.org/' }],
  })
  const sources = bodyOf(await editor.call(api.readSeriesMetadataSources, { params: { id: idAt(0) } }))
  expect(sources.fields['status']).toMatchObject({ shown: 'user' })
  expect((await edit(`series/${idAt(0)}`, { status: null, genres: null })).status).toBe(204)
  expect((await client.get<CompatSeries>(`api/v1/series/${idAt(0)}`)).body.metadata).toMatchObject({
    status: 'ONGOING',
    genres: [],
    totalBookCount: 7,
  })

  const patch = {
    title: 'Volume One',
    titleLock: true,
    releaseDate: '2011-02-03',
    authors: [{ name: 'Ann', role: 'Writer' }],
    isbn: '9780141439518',
    tags: ['new'],
    numberSort: 1.5,
  }
  const both = { [bookAt(0, 0)]: patch, [bookAt(0, 1).replaceAll('-', '')]: { summary: 'Of the second' } }
  expect((await edit('books', both)).status).toBe(204)
  expect((await client.get<CompatBook>(`api/v1/books/${bookAt(0, 0)}`)).body.metadata).toMatchObject({
    title: 'Volume One',
    titleLock: true,
    releaseDate: '2011-02-03',
    authors: [{ name: 'Ann', role: 'WRITER' }],
    isbn: '9780141439518',
    tags: ['new'],
    number: '1',
    numberSort: 1.5,
  })
  expect((await client.get<CompatBook>(`api/v1/books/${bookAt(0, 1)}`)).body.metadata.summary).toBe('Of the second')
  for (const [path, body] of [
    [`series/${idAt(0)}`, { status: 'BURNT' }],
    [`series/${idAt(0)}`, { language: 'no such language!' }],
    [`books/${bookAt(0, 0)}`, { releaseDate: '2011-02-33' }],
    [`books/${bookAt(0, 0)}`, { title: 12 }],
    ['books', { [bookAt(0, 0)]: { isbn: 'none' } }],
  ] as const)
    expect([body, (await edit(path, body)).status]).toEqual([body, 400])
  expect((await edit('books', { nothing: { title: 'x' } })).status).toBe(404)
  expect((await client.send('PATCH', `api/v1/series/${idAt(0)}/metadata`, fields)).status).toBe(403)
})

test('COM-1 books are read again when editors want it, and never deleted', async () => {
  const pending = async () => {
    const rows = await server.context.db.read
      .selectFrom('file')
      .select('book_id')
      .where('analysis', '=', 'pending')
      .execute()
    return rows.map(({ book_id }) => book_id).toSorted()
  }
  expect((await theirs.send('POST', `api/v1/books/${bookAt(2, 0)}/analyze`)).status).toBe(202)
  expect(await pending()).toEqual([bookAt(2, 0)])
  expect((await theirs.send('POST', `api/v1/series/${idAt(2)}/metadata/refresh`)).status).toBe(202)
  expect(await pending()).toEqual([bookAt(2, 0), bookAt(2, 1)].toSorted())
  for (const path of [`series/${idAt(0)}`, `books/${bookAt(0, 0)}`])
    expect((await theirs.send('DELETE', `api/v1/${path}/file`)).status).toBe(403)
})
