import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries, type AddedLibrary } from '../../../test/content.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
let editor: Person
let library: AddedLibrary
beforeAll(async () => {
  server = await startServer()
  editor = await server.person('editor')
  library = await addLibrary(server.context.db)
})
afterAll(() => server[Symbol.asyncDispose]())

let titles = 0
const seriesRated = async (ageRating: number | null, count = 2) => {
  const rating = ageRating === null ? {} : { own_age_rating: ageRating, age_rating: ageRating }
  const series = await addSeries(server.context.db, library, { title: `Series ${(titles += 1)}`, ...rating })
  const books = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    ...(ageRating !== null && { age_rating: ageRating }),
    file: { folder: `${series.id}/` },
  }))
  const bookIds = await addBooks(server.context.db, series, books)
  if (ageRating !== null)
    bodyOf(await editor.call(api.editSeriesMetadata, { params: { id: series.id }, body: { ageRating } }))
  return { id: series.id, bookIds }
}

const merge = (ids: readonly string[], into: string) =>
  editor.call(api.mergeAnySeries, { body: { ids: [...ids], into } })
const move = (bookIds: readonly string[], seriesId: string) =>
  editor.call(api.moveBooks, { body: { bookIds: [...bookIds], seriesId } })

const seenIn = async ({ call }: Person, seriesId: string): Promise<number> => {
  const { data } = bodyOf(await call(api.listBooks, { query: { pageSize: 500 } }))
  return data.filter((book) => book.seriesId === seriesId).length
}

test('C22 W9 where those whose sight ends at an age see what is unrated, what is rated and what is not become one', async () => {
  const child = await server.person('reader', { access: { ageCeiling: 10, includeUnrated: true } })
  const [rated, unrated, third] = [await seriesRated(6), await seriesRated(null), await seriesRated(18)]
  expect(await seenIn(child, unrated.id)).toBe(2)

  expect((await merge([rated.id], unrated.id)).status).toBe(200)
  expect(await seenIn(child, unrated.id)).toBe(4)
  expect((await move(third.bookIds.slice(0, 1), unrated.id)).status).toBe(200)
  expect(await seenIn(child, unrated.id)).toBe(4)
  expect((await merge([third.id], unrated.id)).status).toBe(200)
  expect(await seenIn(child, unrated.id)).toBe(0)
})

test('C22 W9 what nobody sees afterwards who did not see it before is merged and moved, and nothing else', async () => {
  const strict = await server.person('reader', { access: { ageCeiling: 10 } })
  const [grown, unrated, target] = [await seriesRated(18), await seriesRated(null), await seriesRated(null)]
  const ofAll = [grown.bookIds[0] ?? '', unrated.bookIds[0] ?? '']

  // A rating above what they see hides what was hidden for having none.
  expect((await move(ofAll, target.id)).status).toBe(200)
  expect((await merge([unrated.id, grown.id], target.id)).status).toBe(200)
  expect(await seenIn(strict, target.id)).toBe(0)

  const [low, other] = [await seriesRated(6), await seriesRated(null)]
  for (const reply of [
    await merge([low.id], other.id),
    await merge([other.id], low.id),
    await move(low.bookIds.slice(0, 1), other.id),
    await move(other.bookIds.slice(0, 1), low.id),
  ])
    expect(errorOf(reply)).toMatchObject({ error: 'conflict', reason: 'ratings_differ' })
  expect([await seenIn(strict, low.id), await seenIn(strict, other.id)]).toEqual([2, 0])
  const admin = await server.person('admin')
  bodyOf(await admin.call(api.updateUser, { params: { id: strict.id }, body: { access: { includeUnrated: true } } }))
  expect((await merge([low.id], other.id)).status).toBe(200)
})

test('C22 W9 whoever does not see the library, and a group without members, stands in nobody’s way', async () => {
  const elsewhere = await addLibrary(server.context.db, { name: 'Elsewhere', path: '/data/elsewhere' })
  await server.person('reader', { access: { libraries: [elsewhere.id], ageCeiling: 10 } })
  const admin = await server.person('admin')
  const group = bodyOf(await admin.call(api.createAccessGroup, { body: { name: 'Children', ageCeiling: 10 } }))
  const [low, other] = [await seriesRated(6), await seriesRated(null)]
  expect((await merge([low.id], other.id)).status).toBe(200)

  const child = await server.person('reader', { access: { groups: [group.id] } })
  const [again, third] = [await seriesRated(6), await seriesRated(null)]
  expect(await seenIn(child, third.id)).toBe(0)
  expect(errorOf(await merge([again.id], third.id))).toMatchObject({ reason: 'ratings_differ' })
})

test('C22 W9 series that carry different tags become one where this lets nobody in, and carry both', async () => {
  const admin = await server.person('admin')
  const [one = '', two = ''] = await Promise.all(
    ['One', 'Two'].map(async (name) => bodyOf(await admin.call(api.createSharingTag, { body: { name } })).id),
  )
  const tagged = async (tagIds: string[]) => {
    const series = await seriesRated(12)
    bodyOf(await admin.call(api.saveSeriesSharingTags, { params: { id: series.id }, body: { tagIds } }))
    return series
  }
  const tagsOf = async (id: string) =>
    bodyOf(await editor.call(api.readSeriesSharingTags, { params: { id } })).tagIds.toSorted()
  const family = await server.person('reader', { access: { allowTags: [one, two] } })
  const [first, second, none] = [await tagged([one]), await tagged([two]), await tagged([])]

  expect((await move(first.bookIds.slice(0, 1), second.id)).status).toBe(200)
  expect(await tagsOf(second.id)).toEqual([one, two].sort())
  expect((await merge([first.id], second.id)).status).toBe(200)
  expect([await seenIn(family, second.id), await seenIn(family, none.id)]).toEqual([4, 0])
  expect(errorOf(await merge([none.id], second.id))).toMatchObject({ reason: 'tags_differ' })
  expect(errorOf(await move(none.bookIds, second.id))).toMatchObject({ reason: 'tags_differ' })
})
