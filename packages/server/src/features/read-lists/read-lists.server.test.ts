import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddedLibrary, addBooks, addLibrary, addSeries, type BookOptions } from '../../../test/content.ts'
import { unknownId } from '../../../test/contract/inputs.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
let library: AddedLibrary
let editor: Person
beforeAll(async () => {
  server = await startServer()
  library = await addLibrary(server.context.db)
  editor = await server.person('editor')
})
afterAll(() => server[Symbol.asyncDispose]())

const addShown = async (title: string, books: readonly BookOptions[]): Promise<string[]> => {
  const { db } = server.context
  return addBooks(db, await addSeries(db, library, { title, age_rating: 6 }), books)
}

const under12: api.Access = {
  libraries: 'all',
  ageCeiling: 12,
  includeUnrated: false,
  allowTags: [],
  denyTags: [],
  groups: [],
}

const create = async (body: api.NewReadList) => bodyOf(await editor.call(api.createReadList, { body }))
const add = async (id: string, bookIds: string[]) =>
  bodyOf(await editor.call(api.addToReadList, { params: { id }, body: { bookIds } }))
type Query = { sort?: 'title,asc' | 'release,asc' | 'release,desc'; page?: number; pageSize?: number }
const titlesIn = async ({ call }: Person, id: string, query: Query = {}) => {
  const { data, total } = bodyOf(await call(api.listBooksOfReadList, { params: { id }, query }))
  return [total, ...data.map(({ title }) => title)]
}

test('CAT-8 C18 a read list is made, changed and deleted, and its name is one', async () => {
  const made = await create({ name: ' Civil War ' })
  expect(made).toMatchObject({ name: 'Civil War', summary: null, ordered: true, bookCount: 0 })
  const params = { id: made.id }
  const taken = await editor.call(api.createReadList, { body: { name: 'CIVIL WAR' } })
  expect(errorOf(taken).error).toBe('already_exists')
  const other = await create({ name: 'Secret War' })
  const renamed = await editor.call(api.updateReadList, { params: { id: other.id }, body: { name: 'civil war' } })
  expect(errorOf(renamed).error).toBe('already_exists')
  const changed = bodyOf(await editor.call(api.updateReadList, { params, body: { summary: 'Two sides' } }))
  expect(changed).toEqual({ ...made, summary: 'Two sides', updatedAt: changed.updatedAt })
  const stale = server.callWith({ authorization: `Bearer ${editor.accessToken}`, 'if-match': '"other"' })
  expect((await stale(api.updateReadList, { params, body: { ordered: false } })).status).toBe(412)
  expect((await stale(api.deleteReadList, { params })).status).toBe(412)
  const read = await editor.call(api.readReadList, { params })
  const headers = { authorization: `Bearer ${editor.accessToken}`, 'if-match': read.headers.get('etag') ?? '' }
  expect((await server.callWith(headers)(api.updateReadList, { params, body: { ordered: false } })).status).toBe(200)
  expect((await editor.call(api.deleteReadList, { params })).status).toBe(204)
  expect((await editor.call(api.readReadList, { params })).status).toBe(404)
  await editor.call(api.deleteReadList, { params: { id: other.id } })
})

test('CAT-8 C18 books come in the order that is asked for, across series, and stay where they were put', async () => {
  const [a = '', b = ''] = await addShown('Avengers', [{ released: '2006-07' }, { released: '2006-05-02' }])
  const [c = '', d = ''] = await addShown('X-Men', [{ released: null }, { released: '2006' }])
  const { id } = await create({ name: 'Event' })
  expect(await add(id, [d, a, c])).toMatchObject({ bookCount: 3 })
  expect(await add(id, [b, d])).toMatchObject({ bookCount: 4 })
  expect(await titlesIn(editor, id)).toEqual([4, 'X-Men 2', 'Avengers 1', 'X-Men 1', 'Avengers 2'])
  expect(await titlesIn(editor, id, { sort: 'title,asc' })).toEqual([
    4,
    'Avengers 1',
    'Avengers 2',
    'X-Men 1',
    'X-Men 2',
  ])
  expect(await titlesIn(editor, id, { sort: 'release,asc' })).toEqual([
    4,
    'X-Men 2',
    'Avengers 2',
    'Avengers 1',
    'X-Men 1',
  ])
  expect(await titlesIn(editor, id, { sort: 'release,desc', page: 2, pageSize: 3 })).toEqual([4, 'X-Men 1'])
  const order = (bookIds: string[]) => editor.call(api.orderReadList, { params: { id }, body: { bookIds } })
  expect((await order([b, a])).status).toBe(204)
  expect(await titlesIn(editor, id)).toEqual([4, 'X-Men 2', 'Avengers 2', 'X-Men 1', 'Avengers 1'])
  expect((await order([a, unknownId])).status).toBe(404)
  const move = (bookId: string, position: number) =>
    editor.call(api.moveInReadList, { params: { id, bookId }, body: { position } })
  expect((await move(a, 1)).status).toBe(204)
  expect((await move(d, 3)).status).toBe(204)
  expect(await titlesIn(editor, id)).toEqual([4, 'Avengers 1', 'Avengers 2', 'X-Men 2', 'X-Men 1'])
  expect((await move(unknownId, 1)).status).toBe(404)
  const remove = (bookId: string) => editor.call(api.removeFromReadList, { params: { id, bookId } })
  expect((await remove(b)).status).toBe(204)
  expect((await remove(b)).status).toBe(404)
  expect(await titlesIn(editor, id)).toEqual([3, 'Avengers 1', 'X-Men 2', 'X-Men 1'])
  const error = errorOf(await editor.call(api.addToReadList, { params: { id }, body: { bookIds: [unknownId] } }))
  expect(error).toMatchObject({ error: 'validation_failed', details: [{ path: '/bookIds/0' }] })
})

test('CAT-8 what comes before and after a book in a list is what somebody sees there', async () => {
  const [one = '', two = '', three = ''] = await addShown('Steps', [
    { age_rating: 6 },
    { age_rating: 18 },
    { age_rating: 6 },
  ])
  const { id } = await create({ name: 'Steps' })
  await add(id, [three, two, one])
  const child = await server.person('reader', { access: under12 })
  const beside = async ({ call }: Person, bookId: string) => {
    const { prev, next } = bodyOf(await call(api.readNeighboursInReadList, { params: { id, bookId } }))
    return [prev?.title ?? null, next?.title ?? null]
  }

  expect(await beside(editor, three)).toEqual([null, 'Steps 2'])
  expect(await beside(editor, two)).toEqual(['Steps 3', 'Steps 1'])
  expect(await beside(child, three)).toEqual([null, 'Steps 1'])
  expect(await beside(child, one)).toEqual(['Steps 3', null])
  const hidden = await child.call(api.readNeighboursInReadList, { params: { id, bookId: two } })
  expect(hidden.status).toBe(404)
  bodyOf(await editor.call(api.updateReadList, { params: { id }, body: { ordered: false } }))
  expect(await beside(editor, two)).toEqual(['Steps 1', 'Steps 3'])
})

test('W9 CAT-8 a read list shows and counts what one may see, and with nothing in sight it does not exist', async () => {
  const [young = '', old = ''] = await addShown('Ages', [{ age_rating: 6 }, { age_rating: 18 }])
  const child = await server.person('reader', { access: under12 })
  const youngEditor = await server.person('editor', { access: under12 })
  const mixed = await create({ name: 'W9 mixed' })
  await add(mixed.id, [old, young])
  const hidden = await create({ name: 'W9 hidden' })
  await add(hidden.id, [old])
  const empty = await create({ name: 'W9 empty' })
  const named = async ({ call }: Person) => {
    const { data, total } = bodyOf(await call(api.listReadLists, { query: { pageSize: 500 } }))
    expect(data.length).toBe(total)
    return data.filter(({ name }) => name.startsWith('W9')).map(({ name, bookCount }) => `${name} ${bookCount}`)
  }

  expect(await named(editor)).toEqual(['W9 empty 0', 'W9 hidden 1', 'W9 mixed 2'])
  expect(await named(child)).toEqual(['W9 mixed 1'])
  expect(await named(youngEditor)).toEqual(['W9 empty 0', 'W9 mixed 1'])
  const seen = async ({ call }: Person, id: string) => [
    (await call(api.readReadList, { params: { id } })).status,
    (await call(api.listBooksOfReadList, { params: { id } })).status,
    (await call(api.readReadListThumbnail, { params: { id } })).status,
  ]
  expect(await seen(child, mixed.id)).toEqual([200, 200, 307])
  expect(await seen(child, hidden.id)).toEqual([404, 404, 404])
  expect(await seen(youngEditor, hidden.id)).toEqual([404, 404, 404])
  expect(await seen(child, empty.id)).toEqual([404, 404, 404])
  expect(await seen(youngEditor, empty.id)).toEqual([200, 200, 404])
  const thumbnail = await child.call(api.readReadListThumbnail, { params: mixed })
  expect([thumbnail.headers.get('location'), thumbnail.headers.get('cache-control')]).toEqual([
    `/api/v1/books/${young}/thumbnail`,
    'no-store',
  ])
  const of = await child.call(api.listReadListsOfBook, { params: { id: young } })
  expect(bodyOf(of).data.map(({ name }) => name)).toEqual(['W9 mixed'])
  expect((await child.call(api.listReadListsOfBook, { params: { id: old } })).status).toBe(404)
  const member = { params: { id: mixed.id, bookId: old } }
  expect((await youngEditor.call(api.removeFromReadList, member)).status).toBe(404)
  expect((await youngEditor.call(api.moveInReadList, { ...member, body: { position: 1 } })).status).toBe(404)
  const order = { params: mixed, body: { bookIds: [old] } }
  expect((await youngEditor.call(api.orderReadList, order)).status).toBe(404)
})

test('D W1 a page of a read list costs at most four statements, a page of lists six', async () => {
  const books = await addShown(
    'Many',
    Array.from({ length: 60 }, () => ({})),
  )
  const { id } = await create({ name: 'Costly' })
  await add(id, books)
  const costOf = async (ask: () => Promise<{ status: number }>) => {
    // The first one finds out who asks.
    await ask()
    const statements = () => server.logLines.filter(({ sql }) => /read_list|book|series/.test(String(sql))).length
    const before = statements()
    expect((await ask()).status).toBe(200)
    return statements() - before
  }

  expect(await costOf(() => editor.call(api.listBooksOfReadList, { params: { id } }))).toBeLessThanOrEqual(4)
  expect(await costOf(() => editor.call(api.listReadLists, {}))).toBeLessThanOrEqual(6)
})
