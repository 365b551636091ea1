import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddedLibrary, addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { unknownId } from '../../../test/contract/inputs.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
let library: AddedLibrary
beforeAll(async () => {
  server = await startServer()
  library = await addLibrary(server.context.db)
})
afterAll(() => server[Symbol.asyncDispose]())

const addRated = async (title: string) => {
  const series = await addSeries(server.context.db, library, { title })
  const [bookId = ''] = await addBooks(server.context.db, series, [{}])
  return { series: { id: series.id }, book: { id: bookId } }
}

const keptAverage = async (id: string) => {
  const row = await server.context.db.read
    .selectFrom('series')
    .select('community_rating')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.community_rating
}

test('CAT-8 C18 a rating is said, said again and taken back', async () => {
  const { call } = await server.person('reader')
  const { series, book } = await addRated('Said')
  const ofSeries = {
    of: { seriesId: series.id },
    read: (params = series) => call(api.readSeriesRating, { params }),
    save: (body: api.NewRating, params = series) => call(api.saveSeriesRating, { params, body }),
    remove: (params = series) => call(api.deleteSeriesRating, { params }),
  }
  const ofBook = {
    of: { bookId: book.id },
    read: (params = book) => call(api.readBookRating, { params }),
    save: (body: api.NewRating, params = book) => call(api.saveBookRating, { params, body }),
    remove: (params = book) => call(api.deleteBookRating, { params }),
  }
  for (const { of, read, save, remove } of [ofSeries, ofBook]) {
    expect((await read()).status).toBe(204)
    const first = bodyOf<object>(await save({ rating: 1, notes: 'meh' }))
    expect(first).toMatchObject({ ...of, rating: 1, notes: 'meh' })
    const second = bodyOf<object>(await save({ rating: 100 }))
    expect(second).toEqual({ ...first, rating: 100, notes: null, updatedAt: expect.any(String) })
    expect(bodyOf<object | undefined>(await read())).toEqual(second)
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(204)
    expect((await read()).status).toBe(204)
    for (const rating of [0, 101, 50.5, -1])
      expect([rating, errorOf(await save({ rating })).error]).toEqual([rating, 'validation_failed'])
    const nowhere = { id: unknownId }
    const lost = [await read(nowhere), await save({ rating: 5 }, nowhere), await remove(nowhere)]
    expect(lost.map(({ status }) => status)).toEqual([404, 404, 404])
  }
})

test('CAT-8 the average is of all users, and kept with the series through every change', async () => {
  const { series: params } = await addRated('Averaged')
  const one = await server.person('reader')
  const two = await server.person('reader')
  const average = async () => bodyOf(await one.call(api.readAverageRating, { params }))
  expect(await average()).toEqual({ average: null, count: 0 })

  bodyOf(await one.call(api.saveSeriesRating, { params, body: { rating: 40 } }))
  bodyOf(await two.call(api.saveSeriesRating, { params, body: { rating: 81, notes: 'secret' } }))
  expect(await average()).toEqual({ average: 60.5, count: 2 })
  expect(await keptAverage(params.id)).toBe(60.5)
  bodyOf(await one.call(api.saveSeriesRating, { params, body: { rating: 41 } }))
  expect(await keptAverage(params.id)).toBe(61)

  // A user's ratings go with the user.
  const admin = await server.person('admin')
  expect((await admin.call(api.deleteUser, { params: { id: two.id } })).status).toBe(204)
  expect(await average()).toEqual({ average: 41, count: 1 })
  expect(await keptAverage(params.id)).toBe(41)
  await one.call(api.deleteSeriesRating, { params })
  expect(await average()).toEqual({ average: null, count: 0 })
  expect(await keptAverage(params.id)).toBe(null)
})

test('CAT-8 users who rate at once are all in the average', async () => {
  const { series: params } = await addRated('Crowded')
  const people = await Promise.all(Array.from({ length: 6 }, () => server.person('reader')))
  await Promise.all(
    people.map(async ({ call }, index) =>
      bodyOf(await call(api.saveSeriesRating, { params, body: { rating: 10 + index } })),
    ),
  )

  expect(await keptAverage(params.id)).toBe(12.5)
})

test("CAT-8 HTTP-3 the list of ratings holds one's own, of what one may see", async () => {
  const { call, id } = await server.person('reader')
  const other = await server.person('reader')
  const alpha = await addRated('Alpha')
  const beta = await addRated('Beta')
  bodyOf(await call(api.saveSeriesRating, { params: alpha.series, body: { rating: 30 } }))
  bodyOf(await call(api.saveSeriesRating, { params: beta.series, body: { rating: 70 } }))
  bodyOf(await call(api.saveBookRating, { params: alpha.book, body: { rating: 50 } }))
  bodyOf(await other.call(api.saveSeriesRating, { params: alpha.series, body: { rating: 99 } }))
  const listed = async (query: {
    itemType?: 'series' | 'book'
    sort?: 'title,asc' | 'rating,desc'
    pageSize?: number
    page?: number
  }) => {
    const { data, total } = bodyOf(await call(api.listRatings, { query }))
    return [total, ...data.map(({ itemType, title, rating }) => `${itemType} ${title} ${rating}`)]
  }

  expect(await listed({})).toEqual([3, 'series Alpha 30', 'book Alpha 1 50', 'series Beta 70'])
  expect(await listed({ sort: 'rating,desc', pageSize: 2, page: 2 })).toEqual([3, 'series Alpha 30'])
  expect(await listed({ itemType: 'book' })).toEqual([1, 'book Alpha 1 50'])

  const admin = await server.person('admin')
  const access = { libraries: [], ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [], groups: [] }
  bodyOf(await admin.call(api.updateUser, { params: { id }, body: { access } }))
  expect(await listed({})).toEqual([0])
  expect((await call(api.readSeriesRating, { params: alpha.series })).status).toBe(404)
})
