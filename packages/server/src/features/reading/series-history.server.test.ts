import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { type MovableClock, minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let time: MovableClock
let server: TestServer
beforeAll(async () => {
  time = movableClock()
  server = await startServer({ clock: time.clock })
})
afterAll(() => server[Symbol.asyncDispose]())

/** The series itself says the same. */
const historyOf = async (person: Person, id: string) => {
  const history = bodyOf(await person.call(api.readSeriesReadHistory, { params: { id } }))
  const { readCount, lastCompletedAt } = bodyOf(await person.call(api.readSeries, { params: { id } }))
  expect({ readCount, lastCompletedAt }).toEqual({
    readCount: history.readCount,
    lastCompletedAt: history.lastCompletedAt,
  })
  return history
}

/** The person reads to the end, some minutes after the step before. It returns when. */
const finish = async (person: Person, id: string): Promise<string> => {
  time.pass(minute)
  bodyOf(await person.call(api.saveProgress, { params: { id }, body: { currentPage: 1 } }))
  time.pass(minute)
  const progress = bodyOf(
    await person.call(api.saveProgress, { params: { id }, body: { currentPage: 20, reset: false } }),
  )
  bodyOf(await person.call(api.markBookUnread, { params: { id } }))
  return progress?.updatedAt ?? ''
}

test('READ-1 C18 a series has been read as often as the book of it that was read least often, and a new book ends that', async () => {
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Thrice' })
  const [one = '', two = ''] = await addBooks(db, series, [{}, {}])
  const reader = await server.person('reader')
  const nothing = { entries: [], lastCompletedAt: null, readCount: 0, completions: 0 }
  expect(await historyOf(reader, series.id)).toEqual(nothing)
  const first = await finish(reader, one)
  await finish(reader, one)
  expect(await historyOf(reader, series.id)).toEqual({ ...nothing, completions: 2 })
  const second = await finish(reader, two)
  await finish(reader, one)
  const third = await finish(reader, two)
  const minutes = (at: string, back: number) => new Date(Date.parse(at) - back * minute).toISOString()
  expect(await historyOf(reader, series.id)).toEqual({
    readCount: 2,
    completions: 5,
    lastCompletedAt: third,
    entries: [
      { startedAt: minutes(first, -1), completedAt: third },
      { startedAt: minutes(first, 1), completedAt: second },
    ],
  })
  expect(await historyOf(await server.person('reader'), series.id)).toEqual(nothing)
  await addBooks(db, series, [{ number: 3 }])
  expect(await historyOf(reader, series.id)).toEqual({ ...nothing, completions: 5 })
})

test('HTTP-3 AUTH-7 books that are not seen count in the history of a series as little as they can be forgotten', async () => {
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db, { path: '/data/ages' }), { title: 'Ages', age_rating: 6 })
  const [child = '', adult = ''] = await addBooks(db, series, [{ age_rating: 6 }, { age_rating: 18 }])
  const [admin, kid] = [await server.person('admin'), await server.person('reader')]
  await finish(kid, adult)
  await finish(kid, adult)
  const at = await finish(kid, child)
  const sight = (ageCeiling: number | null) =>
    admin.call(api.updateUser, { params: { id: kid.id }, body: { access: { ageCeiling, includeUnrated: true } } })
  bodyOf(await sight(12))
  expect(await historyOf(kid, series.id)).toMatchObject({ readCount: 1, completions: 1, lastCompletedAt: at })
  expect((await kid.call(api.clearSeriesReadHistory, { params: { id: series.id } })).status).toBe(204)
  expect(await historyOf(kid, series.id)).toMatchObject({ readCount: 0, completions: 0 })
  bodyOf(await sight(null))
  expect(await historyOf(kid, series.id)).toMatchObject({ readCount: 0, completions: 2 })
  expect(bodyOf(await kid.call(api.readReadHistory, { params: { id: adult } })).readCount).toBe(2)

  bodyOf(await sight(3))
  const params = { id: series.id }
  for (const outcome of [
    await kid.call(api.readSeriesReadHistory, { params }),
    await kid.call(api.clearSeriesReadHistory, { params }),
  ])
    expect(errorOf(outcome)).toMatchObject({ error: 'not_found' })
})

test('READ-1 READ-3 the history of a series is forgotten with what the user has said, in the figures too, and no position moves', async () => {
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db, { path: '/data/many' }), { title: 'Many' })
  const ids = await addBooks(
    db,
    series,
    Array.from({ length: 60 }, () => ({})),
  )
  const reader = await server.person('reader')
  bodyOf(await reader.call(api.markSeriesRead, { params: { id: series.id } }))
  const request = { params: { id: ids[7] ?? '' }, body: { completedAt: '2015-08-02T12:00:00Z' } }
  bodyOf(await reader.call(api.addReadCompletion, request))
  expect(await historyOf(reader, series.id)).toMatchObject({ readCount: 1, completions: 61 })
  const before = bodyOf(await reader.call(api.listProgress, { query: { pageSize: 100 } }))
  const finishedOf = async () =>
    bodyOf(await reader.call(api.readReadingStats, { query: { from: '2010-01-01', granularity: 'month' } })).summary
      .booksFinished
  time.pass(minute)
  expect(await finishedOf()).toBe(61)
  expect((await reader.call(api.clearSeriesReadHistory, { params: { id: series.id } })).status).toBe(204)
  expect(await historyOf(reader, series.id)).toMatchObject({ readCount: 0, completions: 0 })
  expect(await finishedOf()).toBe(0)
  expect(bodyOf(await reader.call(api.listProgress, { query: { pageSize: 100 } })).data).toEqual(before.data)
  expect((await reader.call(api.clearSeriesReadHistory, { params: { id: series.id } })).status).toBe(204)
})
