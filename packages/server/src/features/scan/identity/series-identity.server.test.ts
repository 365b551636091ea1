import { mkdir, rename, rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

let seeds = 0
const fill = async (folder: LibraryFolder, path: string, count: number): Promise<void> => {
  for (let index = 1; index <= count; index += 1)
    await folder.write(`${path}/${index}.cbz`, comic({ seed: (seeds += 1), pages: 1 }))
}

/** The series that holds the books of each folder, by the first of the names on their paths that is asked for. */
const seriesAt = async (server: TestServer, libraryId: string, folder: string): Promise<string[]> => [
  ...new Set(
    [...(await booksOf(server, libraryId))]
      .filter(([path, { state }]) => state === 'present' && path.startsWith(`${folder}/`))
      .map(([, { series_id }]) => series_id),
  ),
]

/** People have said all kinds of things of it. */
const sayAllKinds = async ({ call }: Person, seriesId: string): Promise<void> => {
  const params = { id: seriesId }
  bodyOf(await call(api.editSeriesMetadata, { params, body: { summary: 'Ours', ageRating: 12 } }))
  bodyOf(await call(api.saveSeriesRating, { params, body: { rating: 80 } }))
  bodyOf(await call(api.followSeries, { params }))
  const collection = bodyOf(await call(api.createCollection, { body: { name: `With ${seriesId}` } }))
  bodyOf(await call(api.addToCollection, { params: collection, body: { seriesIds: [seriesId] } }))
}

const whatIsSaid = async ({ call }: Person, seriesId: string) => {
  const params = { id: seriesId }
  const series = bodyOf(await call(api.readSeries, { params }))
  const { data: collections } = bodyOf(await call(api.listCollectionsOfSeries, { params, query: {} }))
  return { title: series.title, books: series.bookCount, libraryId: series.libraryId, collections: collections.length }
}

test('C23 F1 A2 a series keeps its id and all that is said of it when its folder is renamed', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'Sagaa', 3)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const [before = ''] = await seriesAt(server, id, 'Sagaa')
  const admin = await server.person('admin')
  await sayAllKinds(admin, before)
  await rename(folder.in('Sagaa'), folder.in('Saga (2012)'))

  expect(await scanNow(server, id)).toMatchObject({ books_moved: 3, books_missing: 0, series_added: 0 })

  expect(await seriesAt(server, id, 'Saga (2012)')).toEqual([before])
  expect(await whatIsSaid(admin, before)).toEqual({ title: 'Saga', books: 3, libraryId: id, collections: 1 })
  expect(bodyOf(await admin.call(api.readSeriesMetadata, { params: { id: before } }))).toMatchObject({
    summary: 'Ours',
    ageRating: 12,
  })
  expect(bodyOf(await admin.call(api.listSeries, { query: {} })).total).toBe(1)
})

test('C23 a series that goes to another library keeps its id, whichever is scanned first', async () => {
  for (const isLeftFirst of [true, false]) {
    await using server = await startServer()
    await using folder = await libraryFolder()
    await fill(folder, 'one/Saga', 3)
    await fill(folder, 'one/Other', 3)
    await fill(folder, 'two/Third', 1)
    const one = await addLibraryOn(server, { roots: [folder.in('one')], name: 'One' })
    const two = await addLibraryOn(server, { roots: [folder.in('two')], name: 'Two' })
    for (const id of [one, two]) await scanNow(server, id)
    const [before = ''] = await seriesAt(server, one, 'Saga')
    const admin = await server.person('admin')
    await sayAllKinds(admin, before)
    await rename(folder.in('one/Saga'), folder.in('two/Saga again'))

    for (const id of isLeftFirst ? [one, two] : [two, one]) await scanNow(server, id)

    expect(await seriesAt(server, two, 'Saga again')).toEqual([before])
    expect(await whatIsSaid(admin, before)).toEqual({ title: 'Saga again', books: 3, libraryId: two, collections: 1 })
    const counts = bodyOf(await admin.call(api.listLibraries, { query: {} })).data
    expect(counts.map(({ name, seriesCount, bookCount }) => [name, seriesCount, bookCount])).toEqual([
      ['One', 1, 3],
      ['Two', 2, 4],
    ])
  }
})

test('C23 a series whose new folder is seen before the old one is gone keeps its id', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'Saga', 3)
  await fill(folder, 'Other', 3)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const [before = ''] = await seriesAt(server, id, 'Saga')
  const admin = await server.person('admin')
  await sayAllKinds(admin, before)
  await rename(folder.in('Saga'), folder.in('Renamed'))

  await scanNow(server, id, 'changes', ['Renamed'])
  await scanNow(server, id, 'changes', ['Saga'])

  expect(await seriesAt(server, id, 'Renamed')).toEqual([before])
  expect(await whatIsSaid(admin, before)).toEqual({ title: 'Renamed', books: 3, libraryId: id, collections: 1 })
  expect(bodyOf(await admin.call(api.listSeries, { query: {} })).total).toBe(2)
})

test('C23 W9 of a folder that is divided the larger part keeps the id, and the other is as restricted', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'Saga', 5)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const [before = ''] = await seriesAt(server, id, 'Saga')
  const admin = await server.person('admin')
  bodyOf(await admin.call(api.editSeriesMetadata, { params: { id: before }, body: { ageRating: 16 } }))
  const child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  await mkdir(folder.in('Larger'))
  for (const index of [1, 2, 3]) await rename(folder.in(`Saga/${index}.cbz`), folder.in(`Larger/${index}.cbz`))

  await scanNow(server, id)

  expect(await seriesAt(server, id, 'Larger')).toEqual([before])
  const [rest = ''] = await seriesAt(server, id, 'Saga')
  expect(rest).not.toBe(before)
  expect(await whatIsSaid(admin, rest)).toMatchObject({ title: 'Saga', books: 2 })
  expect(bodyOf(await child.call(api.listSeries, { query: {} })).total).toBe(0)
  expect(bodyOf(await child.call(api.listBooks, { query: {} })).total).toBe(0)
})

test('C23 two folders that exchange their names exchange them, and the series stay with their books', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'A', 3)
  await fill(folder, 'B', 2)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const [a = ''] = await seriesAt(server, id, 'A')
  const [b = ''] = await seriesAt(server, id, 'B')
  for (const [from, to] of [
    ['A', '.C'],
    ['B', 'A'],
    ['.C', 'B'],
  ] as const)
    await rename(folder.in(from), folder.in(to))

  await scanNow(server, id)

  expect([await seriesAt(server, id, 'B'), await seriesAt(server, id, 'A')]).toEqual([[a], [b]])
})

test('C23 a series follows most of its books, and is another one when most are lost', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'Most', 5)
  await fill(folder, 'Few', 5)
  await fill(folder, 'Other', 5)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const [most = ''] = await seriesAt(server, id, 'Most')
  const [few = ''] = await seriesAt(server, id, 'Few')
  for (const index of [1, 2]) await rm(folder.in(`Most/${index}.cbz`))
  for (const index of [1, 2, 3]) await rm(folder.in(`Few/${index}.cbz`))
  await rename(folder.in('Most'), folder.in('Most of it'))
  await rename(folder.in('Few'), folder.in('A few'))

  await scanNow(server, id)

  expect(await seriesAt(server, id, 'Most of it')).toEqual([most])
  expect(await seriesAt(server, id, 'A few')).not.toEqual([few])
})

test('C23 a series without books is missing, and is what it was when they come back, under another name too', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'Saga', 3)
  await fill(folder, 'Other', 5)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const [saga = ''] = await seriesAt(server, id, 'Saga')
  const admin = await server.person('admin')
  const reader = await server.person('reader')
  await sayAllKinds(admin, saga)
  await rename(folder.in('Saga'), folder.in('.away'))

  await scanNow(server, id)

  expect(errorOf(await reader.call(api.readSeries, { params: { id: saga } }))).toMatchObject({ error: 'not_found' })
  expect(bodyOf(await reader.call(api.listSeries, { query: {} })).data.map((each) => each.title)).toEqual(['Other'])

  await rename(folder.in('.away'), folder.in('Returned'))
  await scanNow(server, id)

  expect(await whatIsSaid(admin, saga)).toEqual({ title: 'Returned', books: 3, libraryId: id, collections: 1 })
})

test('C23 LIB-2 two series whose folders become one are one, which is the larger of them; that can be taken back', async () => {
  for (const [ofOne, ofOther] of [
    [3, 5],
    [5, 3],
    [4, 4],
  ] as const) {
    await using server = await startServer()
    await using folder = await libraryFolder()
    await fill(folder, 'One', ofOne)
    await fill(folder, 'Other', ofOther)
    await fill(folder, 'Third', 9)
    const id = await addLibraryOn(server, { roots: [folder.path] })
    await scanNow(server, id)
    const [one = ''] = await seriesAt(server, id, 'One')
    const [other = ''] = await seriesAt(server, id, 'Other')
    const admin = await server.person('admin')
    await sayAllKinds(admin, one)
    for (let index = 1; index <= ofOne; index += 1)
      await rename(folder.in(`One/${index}.cbz`), folder.in(`Other/One ${index}.cbz`))

    await scanNow(server, id)

    const stays = ofOther > ofOne || (ofOther === ofOne && other < one) ? other : one
    expect(await seriesAt(server, id, 'Other')).toEqual([stays])
    const books = ofOne + ofOther
    expect(await whatIsSaid(admin, stays)).toEqual({ title: 'Other', books, libraryId: id, collections: 1 })
    expect(bodyOf(await admin.call(api.readSeriesMetadata, { params: { id: stays } })).summary).toBe('Ours')
    const [merge] = bodyOf(await admin.call(api.listSeriesMerges, { query: {} })).data
    expect(merge).toMatchObject({ intoId: stays, by: null })

    bodyOf(await admin.call(api.undoSeriesMerge, { params: { id: merge?.id ?? '' } }))
    const shown = bodyOf(await admin.call(api.listSeries, { query: {} })).data
    expect(new Set(shown.map((each) => each.id))).toEqual(
      new Set([one, other, ...(await seriesAt(server, id, 'Third'))]),
    )
    expect((await whatIsSaid(admin, one)).collections).toBe(1)
  }
})

test('C23 two series that go to one new folder are one, which is the larger of them', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'A', 2)
  await fill(folder, 'B', 3)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const [b = ''] = await seriesAt(server, id, 'B')
  const admin = await server.person('admin')
  await sayAllKinds(admin, (await seriesAt(server, id, 'A'))[0] ?? '')
  await rename(folder.in('B'), folder.in('Both'))
  for (const index of [1, 2]) await rename(folder.in(`A/${index}.cbz`), folder.in(`Both/A ${index}.cbz`))

  await scanNow(server, id)

  expect(await seriesAt(server, id, 'Both')).toEqual([b])
  expect(await whatIsSaid(admin, b)).toEqual({ title: 'Both', books: 5, libraryId: id, collections: 1 })
})

test('C23 series that became one are two again when the books of either lie apart again, in the old folder or a new one', async () => {
  for (const [ofOne, ofOther, returnsTo] of [
    [3, 5, 'One'],
    [5, 3, 'One'],
    [3, 5, 'One again'],
  ] as const) {
    await using server = await startServer()
    await using folder = await libraryFolder()
    await fill(folder, 'One', ofOne)
    await fill(folder, 'Other', ofOther)
    const id = await addLibraryOn(server, { roots: [folder.path] })
    await scanNow(server, id)
    const [one = ''] = await seriesAt(server, id, 'One')
    const [other = ''] = await seriesAt(server, id, 'Other')
    const admin = await server.person('admin')
    await sayAllKinds(admin, one)
    const moveAll = async (count: number, from: (position: number) => string, to: (position: number) => string) => {
      for (let index = 1; index <= count; index += 1) await rename(folder.in(from(index)), folder.in(to(index)))
    }
    const [apart, together] = [
      (position: number) => `One/${position}.cbz`,
      (position: number) => `Other/One ${position}.cbz`,
    ]
    await moveAll(ofOne, apart, together)
    await scanNow(server, id)
    expect(await seriesAt(server, id, 'Other')).toHaveLength(1)

    // One that leaves alone divides the series, and parts nothing.
    await mkdir(folder.in(returnsTo), { recursive: true })
    await rename(folder.in(together(1)), folder.in(`${returnsTo}/1.cbz`))
    await scanNow(server, id)
    expect(bodyOf(await admin.call(api.listSeriesMerges, { query: {} })).data).toMatchObject([{ undoneAt: null }])
    await rename(folder.in(`${returnsTo}/1.cbz`), folder.in(together(1)))
    await scanNow(server, id)

    await moveAll(ofOne, together, (position) => `${returnsTo}/${position}.cbz`)
    await scanNow(server, id)

    expect([await seriesAt(server, id, returnsTo), await seriesAt(server, id, 'Other')]).toEqual([[one], [other]])
    expect(await whatIsSaid(admin, one)).toEqual({ title: returnsTo, books: ofOne, libraryId: id, collections: 1 })
    expect(await whatIsSaid(admin, other)).toEqual({ title: 'Other', books: ofOther, libraryId: id, collections: 0 })
    expect(bodyOf(await admin.call(api.readSeriesMetadata, { params: { id: other } })).summary).toBe(null)
  }
})
