import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../../../../test/outcome.ts'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { startServer } from '../../../../test/start-server.ts'
import { newId } from '../../../platform/ids.ts'

test('A3 C15 what somebody may no longer see stays in every sum, in one row without id and name', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const admin = await server.person('admin')
  const tag = bodyOf(await admin.call(api.createSharingTag, { body: { name: 'hidden' } }))
  const reader = await server.person('reader', { access: { denyTags: [tag.id] } })
  const shelves = []
  for (const title of ['Told', 'First secret', 'Second secret']) {
    const series = await addSeries(db, library, { title })
    shelves.push({ series, books: await addBooks(db, series, [{ page_count: 100 }, { page_count: 100 }]) })
  }
  const sessions = shelves.flatMap(({ books }, index) =>
    books.map((bookId, place) => ({
      id: newId(),
      bookId,
      kind: 'progress' as const,
      clientStartedAt: `2026-10-0${1 + index}T1${place}:00:00.000Z`,
      clientEndedAt: `2026-10-0${1 + index}T1${place}:30:00.000Z`,
      activeDurationMs: 600_000 * (1 + index),
      toPage: 20,
      pagesRead: 20,
    })),
  )
  bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions } }))
  const statsOf = async (seriesLimit = 10) =>
    bodyOf(await reader.call(api.readReadingStats, { query: { from: '2026-09-01', to: '2026-11-01', seriesLimit } }))
  const before = await statsOf()
  expect(before.series.map(({ seriesName, books }) => [seriesName, books])).toEqual([
    ['Second secret', 2],
    ['First secret', 2],
    ['Told', 2],
  ])

  for (const { series } of shelves.slice(1))
    await admin.call(api.saveSeriesSharingTags, { params: { id: series.id }, body: { tagIds: [tag.id] } })

  const after = await statsOf()
  expect({ ...after, series: [] }).toEqual({ ...before, series: [] })
  expect(
    after.series.map(({ seriesId, seriesName, books, sessions: count }) => [seriesId, seriesName, books, count]),
  ).toEqual([
    [null, null, 4, 4],
    [shelves[0]?.series.id, 'Told', 2, 2],
  ])
  expect(after.series.map(({ duration }) => duration.totalMs)).toEqual([6_000_000, 1_200_000])
  expect((await statsOf(1)).series).toMatchObject([{ seriesId: null }])
  const everything = JSON.stringify(after)
  for (const { series, books } of shelves.slice(1))
    for (const secret of [series.id, series.title, ...books]) expect(everything).not.toContain(secret)
})
