import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comicInfoXml } from '../../../../test/books/metadata.ts'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { type Person, startServer } from '../../../../test/start-server.ts'

/** Series of three books each, called by letters. */
const worldOf = async (names: readonly string[], said: Readonly<Record<string, Record<string, string>>> = {}) => {
  const server = await startServer()
  const folder = await libraryFolder()
  let seed = 0
  for (const name of names)
    for (const number of [1, 2, 3]) {
      const fields = said[name]
      const comicInfo = fields === undefined ? false : comicInfoXml(fields)
      await folder.write(`${name}/${number}.cbz`, comic({ seed: (seed += 1), pages: 1, comicInfo }))
    }
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const admin = await server.person('admin')
  const rowAt = async (path: string) => (await booksOf(server, libraryId)).get(path)
  return {
    server,
    libraryId,
    admin,
    book: async (path: string) => (await rowAt(path))?.id ?? '',
    series: async (name: string) => (await rowAt(`${name}/3.cbz`))?.series_id ?? '',
    titleAt: async (path: string) => (await rowAt(path))?.series_title,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const undo = async ({ call }: Person, historyId: string | null, force = false) =>
  bodyOf(await call(api.undoHistory, { params: { historyId: historyId ?? '' }, body: { force } }))

const move = async (
  { call }: Person,
  bookId: string,
  into: { seriesId: string } | { title: string; libraryId: string },
) =>
  bodyOf(
    await call(api.moveBooks, { body: { bookIds: [bookId], ...('seriesId' in into ? into : { newSeries: into }) } }),
  ).historyId

test.each([
  { order: ['first', 'second'], between: 'Two', conflicts: ['seriesId'] },
  { order: ['second', 'first'], between: 'One', conflicts: [] },
] as const)(
  'C22 C13 a book that was moved twice is where it was when both moves are taken back, the $order.0 before the other',
  async ({ order, between, conflicts }) => {
    await using world = await worldOf(['A'])
    const { admin, libraryId } = world
    const book = await world.book('A/1.cbz')
    const moves = {
      first: await move(admin, book, { title: 'One', libraryId }),
      second: await move(admin, book, { title: 'Two', libraryId }),
    }

    expect((await undo(admin, moves[order[0]])).conflicts).toEqual(conflicts)
    expect(await world.titleAt('A/1.cbz')).toBe(between)
    expect((await undo(admin, moves[order[1]])).conflicts).toEqual([])
    expect(await world.titleAt('A/1.cbz')).toBe('A')
    expect(bodyOf(await admin.call(api.listGroupingOverrides, { params: { id: libraryId } })).total).toBe(0)
    await scanNow(world.server, libraryId, 'full')
    expect(await world.titleAt('A/1.cbz')).toBe('A')
  },
)

test('C22 C13 a move is taken back from where its book has been moved on to when that is forced', async () => {
  await using world = await worldOf(['A'])
  const { admin, libraryId } = world
  const book = await world.book('A/1.cbz')
  const first = await move(admin, book, { title: 'One', libraryId })
  const second = await move(admin, book, { title: 'Two', libraryId })

  expect((await undo(admin, first, true)).conflicts).toEqual([])
  expect(await world.titleAt('A/1.cbz')).toBe('A')
  await undo(admin, second)
  expect(await world.titleAt('A/1.cbz')).toBe('A')
  expect(bodyOf(await admin.call(api.listGroupingOverrides, { params: { id: libraryId } })).total).toBe(0)
})

test('C22 W9 a book that goes back takes no tag along which another one had brought', async () => {
  await using world = await worldOf(['A', 'E', 'F', 'G'])
  const { admin, server } = world
  const [a, e, f] = [await world.series('A'), await world.series('E'), await world.series('F')]
  const [brought, given] = [
    bodyOf(await admin.call(api.createSharingTag, { body: { name: 'Brought' } })).id,
    bodyOf(await admin.call(api.createSharingTag, { body: { name: 'Given' } })).id,
  ]
  await server.person('reader', { access: { denyTags: [brought, given] } })
  const tag = async (id: string, tagIds: string[]) =>
    bodyOf(await admin.call(api.saveSeriesSharingTags, { params: { id }, body: { tagIds } }))
  const tagsOf = async (id: string) => bodyOf(await admin.call(api.readSeriesSharingTags, { params: { id } })).tagIds
  await tag(f, [brought])
  const first = await move(admin, await world.book('E/1.cbz'), { seriesId: a })
  const second = await move(admin, await world.book('F/1.cbz'), { seriesId: a })
  expect(await tagsOf(a)).toEqual([brought])

  await undo(admin, first)
  await undo(admin, second)
  expect([await tagsOf(a), await tagsOf(e), await tagsOf(f)]).toEqual([[], [], [brought]])

  // What people give to all of it goes along, as does what a merge has brought not.
  const third = await move(admin, await world.book('E/1.cbz'), { seriesId: a })
  bodyOf(await admin.call(api.mergeAnySeries, { body: { ids: [f], into: a } }))
  await tag(a, [brought, given])
  await undo(admin, third)
  expect(await tagsOf(e)).toEqual([given])
})

test('C22 C13 what was given since to a merged series is a conflict when the merge is taken back, and is forced', async () => {
  for (const force of [false, true]) {
    await using world = await worldOf(['X', 'Y'])
    const { admin } = world
    const [x, y] = [await world.series('X'), await world.series('Y')]
    const rate = async (id: string, ageRating: number) =>
      bodyOf(await admin.call(api.editSeriesMetadata, { params: { id }, body: { ageRating } }))
    const ratingOf = async (id: string) =>
      bodyOf(await admin.call(api.readSeriesMetadata, { params: { id } })).ageRating
    await rate(x, 18)
    const { historyId } = bodyOf(await admin.call(api.mergeAnySeries, { body: { ids: [x], into: y } }))
    expect(await ratingOf(y)).toBe(18)
    await rate(y, 3)

    const body = { historyId: historyId ?? '', force }
    const undone = bodyOf(await admin.call(api.undoSeriesMetadata, { params: { id: y }, body }))
    expect(undone.conflicts).toEqual(force ? [] : ['ageRating'])
    expect([await ratingOf(x), await ratingOf(y)]).toEqual([18, force ? null : 3])
  }
})

test('C22 C13 a split is taken back from the history of the series that was divided, by what the split has answered', async () => {
  await using world = await worldOf(['A', 'B'])
  const { admin } = world
  const [a, b] = [await world.series('A'), await world.series('B')]
  const bookIds = [await world.book('A/1.cbz')]
  const { historyId } = bodyOf(
    await admin.call(api.splitSeries, { params: { id: a }, body: { bookIds, title: 'Apart' } }),
  )
  const body = { historyId: historyId ?? '' }
  expect((await admin.call(api.undoSeriesMetadata, { params: { id: b }, body })).status).toBe(404)
  expect(await world.titleAt('A/1.cbz')).toBe('Apart')

  bodyOf(await admin.call(api.undoSeriesMetadata, { params: { id: a }, body }))
  expect(await world.titleAt('A/1.cbz')).toBe('A')
})

test('C13 C20 what the books of a merged series say is nobody’s word, and the history says nothing of it', async () => {
  await using world = await worldOf(['A', 'B'], { A: { Publisher: 'Of A' }, B: { Publisher: 'Of B' } })
  const { admin } = world
  const [a, b] = [await world.series('A'), await world.series('B')]
  const params = { id: b }
  const { historyId } = bodyOf(await admin.call(api.mergeAnySeries, { body: { ids: [a], into: b } }))

  const { fields } = bodyOf(await admin.call(api.readSeriesMetadataSources, { params }))
  expect(fields['publisher']?.values.map(({ source }) => source)).not.toContain('user')
  const history = bodyOf(await admin.call(api.listSeriesMetadataHistory, { params })).data
  expect(history.find(({ id }) => id === historyId)?.changes).toEqual([])
  expect(bodyOf(await admin.call(api.readSeries, { params })).title).toBe('B')
})
