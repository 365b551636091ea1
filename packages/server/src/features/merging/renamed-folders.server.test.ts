import { rename } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'

/** A library of three series of three books each. */
const threeSeries = async () => {
  const server = await startServer()
  const folder = await libraryFolder()
  let seed = 0
  const write = (path: string) => folder.write(path, comic({ seed: (seed += 1), pages: 1 }))
  for (const name of ['Eta', 'Theta', 'Xi']) for (const number of [1, 2, 3]) await write(`${name}/${number}.cbz`)
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const rows = async () => [...(await booksOf(server, libraryId))].filter(([, { state }]) => state === 'present')
  return {
    server,
    folder,
    libraryId,
    write,
    admin: await server.person('admin'),
    seriesAt: async (path: string) => (await booksOf(server, libraryId)).get(path)?.series_id ?? '',
    idsIn: async (path: string) => (await rows()).flatMap(([at, { id }]) => (at.startsWith(`${path}/`) ? [id] : [])),
    /** It returns the number of books in each series, by the titles. */
    counts: async () => {
      const bySeries = Map.groupBy(await rows(), ([, { series_id, series_title }]) => `${series_title} ${series_id}`)
      return Object.fromEntries([...bySeries].map(([series, books]) => [series, books.length]))
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('C22 C23 what is merged by hand stays so in a folder with another name, and is one series there when that is undone', async () => {
  await using world = await threeSeries()
  const { admin, server, libraryId, folder, write } = world
  const [eta, theta, xi] = [
    await world.seriesAt('Eta/1.cbz'),
    await world.seriesAt('Theta/1.cbz'),
    await world.seriesAt('Xi/1.cbz'),
  ]
  const { historyId } = bodyOf(await admin.call(api.mergeAnySeries, { body: { ids: [theta], into: eta } }))
  await rename(folder.in('Theta'), folder.in('Theta New'))
  await scanNow(server, libraryId)
  await write('Theta New/9.cbz')
  await scanNow(server, libraryId)
  expect(await world.counts()).toEqual({ [`Eta ${eta}`]: 7, [`Xi ${xi}`]: 3 })
  await scanNow(server, libraryId, 'full')
  expect(await world.counts()).toEqual({ [`Eta ${eta}`]: 7, [`Xi ${xi}`]: 3 })

  bodyOf(await admin.call(api.undoHistory, { params: { historyId: historyId ?? '' } }))
  const apart = { [`Eta ${eta}`]: 3, [`Theta New ${theta}`]: 4, [`Xi ${xi}`]: 3 }
  expect(await world.counts()).toEqual(apart)
  bodyOf(await admin.call(api.saveSeriesRating, { params: { id: theta }, body: { rating: 80 } }))
  for (const mode of ['changes', 'full'] as const) {
    await scanNow(server, libraryId, mode)
    expect(await world.counts()).toEqual(apart)
  }
  expect(bodyOf(await admin.call(api.readSeriesRating, { params: { id: theta } }))).toMatchObject({ rating: 80 })
})

test('C22 C23 a series to which books go back is that of their folder, which has another name, with what is new in it', async () => {
  await using world = await threeSeries()
  const { admin, server, libraryId, folder, write } = world
  const [eta, theta] = [await world.seriesAt('Eta/1.cbz'), await world.seriesAt('Theta/1.cbz')]
  const xi = await world.seriesAt('Xi/1.cbz')
  const body = { bookIds: await world.idsIn('Theta'), seriesId: eta, follow: true }
  const { historyId } = bodyOf(await admin.call(api.moveBooks, { body }))
  await write('Theta/4.cbz')
  await scanNow(server, libraryId)
  await rename(folder.in('Theta'), folder.in('Theta New'))
  await scanNow(server, libraryId)
  await write('Theta New/9.cbz')
  await scanNow(server, libraryId)
  expect(await world.counts()).toEqual({ [`Eta ${eta}`]: 8, [`Xi ${xi}`]: 3 })

  bodyOf(await admin.call(api.undoHistory, { params: { historyId: historyId ?? '' } }))
  const apart = { [`Eta ${eta}`]: 3, [`Theta New ${theta}`]: 5, [`Xi ${xi}`]: 3 }
  expect(await world.counts()).toEqual(apart)
  for (const mode of ['changes', 'full'] as const) {
    await scanNow(server, libraryId, mode)
    expect(await world.counts()).toEqual(apart)
  }
})

test('C22 C23 where another series has come in the folder meanwhile, the larger stays, and the other is merged into it', async () => {
  await using world = await threeSeries()
  const { admin, server, libraryId, folder, write } = world
  const [eta, theta] = [await world.seriesAt('Eta/1.cbz'), await world.seriesAt('Theta/1.cbz')]
  const xi = await world.seriesAt('Xi/1.cbz')
  const body = { bookIds: await world.idsIn('Theta'), seriesId: eta }
  const { historyId } = bodyOf(await admin.call(api.moveBooks, { body }))
  await rename(folder.in('Theta'), folder.in('Theta New'))
  // Nobody has said that what comes into the folder goes along.
  await write('Theta New/9.cbz')
  await scanNow(server, libraryId)
  const fresh = await world.seriesAt('Theta New/9.cbz')
  const params = { id: fresh }
  bodyOf(await admin.call(api.editSeriesMetadata, { params, body: { publisher: 'Of the new one', ageRating: 18 } }))
  expect(await world.counts()).toEqual({ [`Eta ${eta}`]: 6, [`Theta New ${fresh}`]: 1, [`Xi ${xi}`]: 3 })

  bodyOf(await admin.call(api.undoHistory, { params: { historyId: historyId ?? '' } }))
  const apart = { [`Eta ${eta}`]: 3, [`Theta New ${theta}`]: 4, [`Xi ${xi}`]: 3 }
  for (const mode of ['changes', 'full'] as const) {
    expect(await world.counts()).toEqual(apart)
    await scanNow(server, libraryId, mode)
  }
  expect(await world.counts()).toEqual(apart)
  const said = bodyOf(await admin.call(api.readSeriesMetadata, { params: { id: theta } }))
  expect(said).toMatchObject({ publisher: 'Of the new one', ageRating: 18 })
  const history = bodyOf(await admin.call(api.listSeriesMetadataHistory, { params: { id: theta } })).data
  expect(history.map(({ reason, by }) => [reason, by === null])).toContainEqual(['merge', true])
})
