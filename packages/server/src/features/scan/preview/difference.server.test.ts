import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comicInfoXml } from '../../../../test/books/metadata.ts'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, regroupAs, scanNow } from '../../../../test/scanning.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'

/** All series of a library that have books, with what they are called. */
const seriesIn = async (server: TestServer, libraryId: string) => {
  const books = [...(await booksOf(server, libraryId)).values()]
  const byId = Map.groupBy(books, ({ series_id }) => series_id)
  return new Map([...byId].map(([id, each]) => [id, { name: each[0]?.series_title, bookCount: each.length }]))
}

const inOrder = (series: Iterable<{ readonly name?: string | undefined; readonly bookCount: number }>): string[] =>
  [...series].map(({ name, bookCount }) => `${name}: ${bookCount}`).sort()

test('C21 C22 a preview knows what people have done and what books say, and counts what would be otherwise', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const infoOf = (series: string, number: number) => comicInfoXml({ Series: series, Number: number })
  const write = (path: string, seed: number, comicInfo: string | false = false) =>
    folder.write(path, comic({ seed, pages: 1, comicInfo }))
  for (let index = 1; index <= 3; index += 1) {
    await write(`Saga (2012)/Saga ${index}.cbz`, index, infoOf('Saga: The Epic', index))
    await write(`Image/Monstress (2015) [digital]/Monstress ${index}.cbz`, 10 + index)
    await write(
      `Image/Low/Low ${index}.cbz`,
      20 + index,
      index === 1 ? infoOf('Lower', index) : infoOf('Lowest', index),
    )
    await write(`Heap/Bleach ${index}.cbz`, 30 + index)
    await write(`Heap/Naruto ${index}.cbz`, 40 + index)
  }
  await write('Saga (2012)/Saga 4.cbz', 4, infoOf('Saga: The Epic', 4))
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const { call } = await server.person('admin')
  const books = await booksOf(server, libraryId)
  const bookAt = (path: string): string => books.get(path)?.id ?? ''
  const seriesAt = (path: string): string => books.get(path)?.series_id ?? ''
  bodyOf(
    await call(api.editSeriesMetadata, {
      params: { id: seriesAt('Image/Monstress (2015) [digital]/Monstress 1.cbz') },
      body: { title: 'The Monstress' },
    }),
  )
  bodyOf(
    await call(api.moveBooks, {
      body: {
        bookIds: [1, 2, 3].map((position) => bookAt(`Image/Low/Low ${position}.cbz`)),
        seriesId: seriesAt('Saga (2012)/Saga 1.cbz'),
        follow: true,
      },
    }),
  )
  bodyOf(
    await call(api.splitSeries, {
      params: { id: seriesAt('Heap/Bleach 1.cbz') },
      body: { bookIds: [1, 2].map((position) => bookAt(`Heap/Naruto ${position}.cbz`)), title: 'Ninja' },
    }),
  )
  // Nobody has looked at these two yet.
  await write('Image/Low/Low 4.cbz', 24)
  await write('Fresh/Fresh 1.cbz', 50)

  for (const policy of ['folder', 'flat', 'top_folder', 'metadata'] as const) {
    const before = await booksOf(server, libraryId)
    const standing = await seriesIn(server, libraryId)
    const body = { grouping: { policy, config: {} } }
    const preview = bodyOf(await call(api.previewLibrary, { params: { id: libraryId }, body }))

    await regroupAs(server, libraryId, policy)
    const regrouped = await booksOf(server, libraryId)
    if (policy === 'folder') await scanNow(server, libraryId)
    const after = await seriesIn(server, libraryId)

    expect([policy, inOrder(preview.series)]).toEqual([policy, inOrder(after.values())])
    expect(preview.seriesCount).toBe(after.size)
    const moved = [...before].filter(([path, { series_id }]) => regrouped.get(path)?.series_id !== series_id)
    const emptied = [...standing.keys()].filter((id) => !after.has(id))
    expect([policy, preview.changes]).toMatchObject([
      policy,
      { booksMoved: moved.length, seriesEmptied: emptied.length },
    ])
    expect(preview.changes?.emptied.map(({ id }) => id).sort()).toEqual(emptied.sort())
    const seriesIds = preview.series.flatMap(({ seriesId }) => seriesId ?? [])
    expect(preview.changes?.seriesAdded).toBe(after.size - seriesIds.length)
    const staying = preview.series.filter(({ seriesId }) => seriesId !== null)
    expect([policy, ...staying.map(({ name, bookCount }) => ({ name, bookCount }))]).toEqual([
      policy,
      ...staying.map(({ seriesId }) => after.get(seriesId ?? '')),
    ])
  }
})
