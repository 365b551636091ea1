import { rename, rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comicInfoXml } from '../../../../test/books/metadata.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

let seeds = 0
const fill = async (folder: LibraryFolder, name: string, count: number, fields?: Record<string, string>) => {
  for (let index = 1; index <= count; index += 1) {
    const comicInfo = fields === undefined ? false : comicInfoXml(fields)
    await folder.write(`${name}/${name} ${index}.cbz`, comic({ seed: (seeds += 1), pages: 1, comicInfo }))
  }
}

const moveAll = async (folder: LibraryFolder, from: string, to: string, count: number): Promise<void> => {
  await folder.write(`${to}/.keep`, '')
  for (let index = 1; index <= count; index += 1)
    await rename(folder.in(`${from}/${from} ${index}.cbz`), folder.in(`${to}/${from} ${index}.cbz`))
  await rm(folder.in(from), { recursive: true })
}

const seriesAt = async (server: TestServer, libraryId: string, folder: string): Promise<string> => {
  const books = [...(await booksOf(server, libraryId))].filter(([path]) => path.startsWith(`${folder}/`))
  const [id = '', ...others] = new Set(books.map(([, { series_id }]) => series_id))
  expect(others).toEqual([])
  return id
}

const booksSeen = async ({ call }: Person): Promise<number> => bodyOf(await call(api.listBooks, { query: {} })).total

const seriesSeen = async ({ call }: Person): Promise<string[]> =>
  bodyOf(await call(api.listSeries, { query: {} })).data.map(({ id }) => id)

/** Two series, the second of which people have rated and said things of. */
const twoSeries = async (folder: LibraryFolder, server: TestServer, counts: readonly [number, number], age: number) => {
  await fill(folder, 'Uno', counts[0])
  await fill(folder, 'Dos', counts[1])
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const admin = await server.person('admin')
  const { call } = admin
  const [uno, dos] = [await seriesAt(server, libraryId, 'Uno'), await seriesAt(server, libraryId, 'Dos')]
  const params = { id: dos }
  bodyOf(await call(api.editSeriesMetadata, { params, body: { ageRating: age, publisher: 'Of Dos' } }))
  bodyOf(await call(api.saveSeriesRating, { params, body: { rating: 50 } }))
  const collection = bodyOf(await call(api.createCollection, { body: { name: 'With Dos' } }))
  bodyOf(await call(api.addToCollection, { params: collection, body: { seriesIds: [dos] } }))
  return { libraryId, admin, uno, dos }
}

const whatIsSaid = async ({ call }: Person, id: string) => {
  const params = { id }
  const { ageRating, publisher } = bodyOf(await call(api.readSeriesMetadata, { params }))
  const rating = bodyOf(await call(api.readSeriesRating, { params }))?.rating
  const { total: collections } = bodyOf(await call(api.listCollectionsOfSeries, { params, query: {} }))
  const history = bodyOf(await call(api.listSeriesMetadataHistory, { params })).data.map(({ reason }) => reason)
  return { ageRating, publisher, rating, collections, isMerged: history.includes('merge') }
}

test.each([
  ['both go to a new one', 'Both', 5, 3],
  ['the larger one is rated and comes to the other', 'Uno', 3, 5],
  ['the smaller one is rated and comes to the other', 'Uno', 5, 3],
] as const)(
  'C23 W9 of two series in one folder, one of them rated, the larger stays with all that is said: %s',
  async (_, to, ofUno, ofDos) => {
    await using server = await startServer()
    await using folder = await libraryFolder()
    const { libraryId, admin, uno, dos } = await twoSeries(folder, server, [ofUno, ofDos], 18)
    const child = await server.person('reader', { access: { ageCeiling: 10, includeUnrated: true } })
    expect(await booksSeen(child)).toBe(ofUno)

    await moveAll(folder, 'Dos', to, ofDos)
    if (to !== 'Uno') await moveAll(folder, 'Uno', to, ofUno)
    await scanNow(server, libraryId)

    const stays = ofUno > ofDos ? uno : dos
    expect(await seriesAt(server, libraryId, to)).toBe(stays)
    expect(await whatIsSaid(admin, stays)).toEqual({
      ageRating: 18,
      publisher: 'Of Dos',
      rating: 50,
      collections: 1,
      isMerged: true,
    })
    expect([await booksSeen(child), await seriesSeen(child)]).toEqual([0, []])

    const [merge] = bodyOf(await admin.call(api.listSeriesMerges, { query: {} })).data
    bodyOf(await admin.call(api.undoSeriesMerge, { params: { id: merge?.id ?? '' } }))
    expect([await booksSeen(child), await seriesSeen(child)]).toEqual([ofUno, [uno]])
    expect(await whatIsSaid(admin, dos)).toMatchObject({
      ageRating: 18,
      publisher: 'Of Dos',
      rating: 50,
      collections: 1,
    })
    // Whoever has taken it back wants them apart, in one folder too.
    await scanNow(server, libraryId, 'full')
    expect([await booksSeen(child), await seriesSeen(child)]).toEqual([ofUno, [uno]])
    expect(bodyOf(await admin.call(api.readSeries, { params: { id: dos } })).bookCount).toBe(ofDos)
  },
)

test('C23 W9 whoever sees nothing unrated sees nothing of it when its folder becomes one with that of a rated series', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const { libraryId, admin, uno } = await twoSeries(folder, server, [5, 3], 6)
  const strict = await server.person('reader', { access: { ageCeiling: 10 } })
  const other = await server.person('reader', { access: { ageCeiling: 16, includeUnrated: true } })
  expect([await booksSeen(strict), await booksSeen(other)]).toEqual([3, 8])

  await moveAll(folder, 'Dos', 'Uno', 3)
  await scanNow(server, libraryId)

  expect(await whatIsSaid(admin, uno)).toMatchObject({ publisher: 'Of Dos', rating: 50, isMerged: true })
  expect([await booksSeen(strict), await seriesSeen(strict)]).toEqual([0, []])
  expect([await booksSeen(other), await seriesSeen(other)]).toEqual([8, [uno]])
  bodyOf(await admin.call(api.editSeriesMetadata, { params: { id: uno }, body: { ageRating: 6 } }))
  expect([await booksSeen(strict), await seriesSeen(strict)]).toEqual([8, [uno]])
})

test('W9 a book without a rating that is moved on the disk to a rated series shows to nobody who did not see it', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'Unrated', 3)
  await fill(folder, 'Rated', 3)
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const admin = await server.person('admin')
  const rated = await seriesAt(server, libraryId, 'Rated')
  bodyOf(await admin.call(api.editSeriesMetadata, { params: { id: rated }, body: { ageRating: 6 } }))
  const strict = await server.person('reader', { access: { ageCeiling: 10 } })
  const other = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })

  await rename(folder.in('Unrated/Unrated 1.cbz'), folder.in('Rated/Unrated 1.cbz'))
  await scanNow(server, libraryId)
  expect([await booksSeen(strict), await booksSeen(other)]).toEqual([3, 6])
  await scanNow(server, libraryId, 'full')
  expect([await booksSeen(strict), await booksSeen(other)]).toEqual([3, 6])

  bodyOf(await admin.call(api.editSeriesMetadata, { params: { id: rated }, body: { ageRating: 7 } }))
  expect([await booksSeen(strict), await booksSeen(other)]).toEqual([4, 6])
})

test('W9 a rated book that is moved on the disk to a series without a rating does not show that one to anybody', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'Unrated', 3)
  await fill(folder, 'Rated', 3, { AgeRating: 'Everyone' })
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const strict = await server.person('reader', { access: { ageCeiling: 10 } })
  expect(await booksSeen(strict)).toBe(3)

  await rename(folder.in('Rated/Rated 1.cbz'), folder.in('Unrated/Rated 1.cbz'))
  await scanNow(server, libraryId)
  expect(await booksSeen(strict)).toBe(3)
  await scanNow(server, libraryId, 'full')
  expect(await booksSeen(strict)).toBe(3)
})
