import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddedLibrary, addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { unknownId } from '../../../test/contract/inputs.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
let library: AddedLibrary
let series: string[]
let books: string[]
beforeAll(async () => {
  server = await startServer()
  library = await addLibrary(server.context.db)
  const titles = ['Alpha', 'Beta', 'Gamma', 'Delta'].map((title) => ({ title }))
  const added = await addManySeries(server.context.db, library, titles)
  series = added.map(({ id }) => id)
  books = []
  for (const each of added) books.push(...(await addBooks(server.context.db, each, [{}])))
})
afterAll(() => server[Symbol.asyncDispose]())

const queueOf = ({ call }: { call: api.Client }) => ({
  titles: async (query: { sort?: 'custom' | 'newest' | 'oldest'; page?: number; pageSize?: number } = {}) => {
    const { data, total } = bodyOf(await call(api.listWantToRead, { query }))
    return [total, ...data.map(({ title }) => title)]
  },
  add: (body: api.NewWantToReadEntry) => call(api.addWantToRead, { body }),
})

test('CAT-8 C18 what one wants to read is a list of its own, in the order one gives it', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  const { titles, add } = queueOf(reader)
  expect(await titles()).toEqual([0])
  const first = await add({ seriesId: series[0] ?? '' })
  expect([first.status, bodyOf(first)]).toMatchObject([
    201,
    { itemType: 'series', seriesId: series[0], bookId: null, title: 'Alpha' },
  ])
  const second = bodyOf(await add({ bookId: books[1] ?? '' }))
  expect(second).toMatchObject({ itemType: 'book', seriesId: null, bookId: books[1] })
  const third = bodyOf(await add({ seriesId: series[2] ?? '' }))

  // Added again it is the same entry in the same place.
  expect(bodyOf(await add({ seriesId: series[0] ?? '' }))).toEqual(bodyOf(first))
  expect(await titles()).toEqual([3, 'Alpha', 'Beta 1', 'Gamma'])
  expect(await titles({ sort: 'newest' })).toEqual([3, 'Gamma', 'Beta 1', 'Alpha'])
  expect(await titles({ sort: 'oldest', pageSize: 2, page: 2 })).toEqual([3, 'Gamma'])

  const order = (ids: string[]) => reader.call(api.orderWantToRead, { body: { ids } })
  expect((await order([third.id, bodyOf(first).id])).status).toBe(204)
  expect(await titles()).toEqual([3, 'Gamma', 'Beta 1', 'Alpha'])
  expect((await order([second.id, unknownId])).status).toBe(404)
  expect((await queueOf(other).titles())[0]).toBe(0)
  expect((await other.call(api.orderWantToRead, { body: { ids: [second.id] } })).status).toBe(404)

  expect((await reader.call(api.dropBookToRead, { params: { id: books[1] ?? '' } })).status).toBe(204)
  expect((await reader.call(api.dropBookToRead, { params: { id: books[1] ?? '' } })).status).toBe(204)
  expect(await titles()).toEqual([2, 'Gamma', 'Alpha'])
  bodyOf(await add({ bookId: books[1] ?? '' }))
  expect(await titles()).toEqual([3, 'Gamma', 'Alpha', 'Beta 1'])
})

test('CAT-8 G4 each entry comes with what its card shows, for whoever wants it', async () => {
  const reader = await server.person('reader')
  const { add } = queueOf(reader)
  bodyOf(await add({ bookId: books[1] ?? '' }))
  bodyOf(await add({ seriesId: series[0] ?? '' }))
  bodyOf(await reader.call(api.markBookRead, { params: { id: books[1] ?? '' } }))
  const { data } = bodyOf(await reader.call(api.listWantToRead, {}))
  const listed = bodyOf(await reader.call(api.listSeries, {})).data.find(({ id }) => id === series[0])
  expect(data.map(({ series }) => series)).toEqual([null, listed])
  expect(data.map(({ book }) => book)).toMatchObject([
    { id: books[1], wantToRead: true, readProgress: { completed: true } },
    null,
  ])
  expect(data[1]?.series?.wantToRead).toBe(true)
})

test('CAT-8 series and books say whether one wants to read them', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  bodyOf(
    await reader.call(api.addManyWantToRead, { body: { seriesIds: [series[1] ?? ''], bookIds: [books[2] ?? ''] } }),
  )
  const marked = async ({ call }: { call: api.Client }) => {
    const listed = bodyOf(await call(api.listSeries, {})).data
    const listedBooks = bodyOf(await call(api.listBooks, {})).data
    const one = bodyOf(await call(api.readSeries, { params: { id: series[1] ?? '' } }))
    return [...listed, ...listedBooks, one].filter(({ wantToRead }) => wantToRead).map(({ title }) => title)
  }

  expect(await marked(reader)).toEqual(['Beta', 'Gamma 1', 'Beta'])
  expect(await marked(other)).toEqual([])
})

test('CAT-8 many are added at once, each once, and what does not exist is left out', async () => {
  const { call } = await server.person('reader')
  const addMany = async (body: api.ManyWantToReadEntries) => bodyOf(await call(api.addManyWantToRead, { body }))
  expect(await addMany({ seriesIds: [series[3] ?? '', unknownId, series[0] ?? ''] })).toEqual({
    added: 2,
    alreadyPresent: 0,
  })
  expect(await addMany({ seriesIds: series, bookIds: [books[0] ?? ''] })).toEqual({ added: 3, alreadyPresent: 2 })
  expect(await addMany({})).toEqual({ added: 0, alreadyPresent: 0 })
  expect(await queueOf({ call }).titles()).toEqual([5, 'Delta', 'Alpha', 'Beta', 'Gamma', 'Alpha 1'])
})

test('CAT-8 an entry is of one series or of one book that exists', async () => {
  const { add } = queueOf(await server.person('reader'))
  for (const body of [{}, { seriesId: null }, { seriesId: series[0] ?? '', bookId: books[0] ?? '' }])
    expect([body, errorOf(await add(body)).error]).toEqual([body, 'validation_failed'])
  expect((await add({ seriesId: books[0] ?? '' })).status).toBe(404)
  expect((await add({ bookId: unknownId })).status).toBe(404)
})

test('HTTP-3 CAT-8 what is hidden or missing is not on the list, and cannot be put on it', async () => {
  const { db } = server.context
  const reader = await server.person('reader')
  const { titles, add } = queueOf(reader)
  const [secret] = await addManySeries(db, library, [{ title: 'Grown-up', age_rating: 18 }])
  const [plain] = await addManySeries(db, library, [{ title: 'Plain', age_rating: 6 }])
  if (!secret || !plain) throw new Error('No series')
  const [gone = ''] = await addBooks(db, plain, [{ age_rating: 6, state: 'missing' }, { age_rating: 6 }])
  await addBooks(db, secret, [{ age_rating: 18 }])
  bodyOf(await reader.call(api.addManyWantToRead, { body: { seriesIds: [secret.id, plain.id], bookIds: [gone] } }))
  expect(await titles()).toEqual([2, 'Grown-up', 'Plain'])

  const admin = await server.person('admin')
  const access: api.Access = {
    libraries: 'all',
    ageCeiling: 12,
    includeUnrated: false,
    allowTags: [],
    denyTags: [],
    groups: [],
  }
  bodyOf(await admin.call(api.updateUser, { params: { id: reader.id }, body: { access } }))
  expect(await titles()).toEqual([1, 'Plain'])
  expect((await add({ seriesId: secret.id })).status).toBe(404)
  expect(bodyOf(await reader.call(api.addManyWantToRead, { body: { seriesIds: [secret.id] } }))).toEqual({
    added: 0,
    alreadyPresent: 0,
  })
})
