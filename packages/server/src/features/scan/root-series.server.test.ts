import { rename } from 'node:fs/promises'
import * as api from '@carrel/api'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { seriesNamedAfterRoots } from '../../database/migrations/051-series-named-after-roots.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow, workedThrough } from '../../../test/scanning.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { regroupLibrary } from './regroup.ts'

const write = (folder: LibraryFolder, path: string, seed: number) => folder.write(path, comic({ seed, pages: 1 }))

const seriesOf = async (server: TestServer, libraryId: string) => {
  const books = [...(await booksOf(server, libraryId))].filter(([, { state }]) => state === 'present')
  return Object.fromEntries(books.map(([path, { series_title }]) => [path, series_title]))
}

test('C21 C20 books of a root that are called by numbers alone are one series, called as the root is', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const root = folder.in('Berserk (1989) [digital]')
  for (const [at, name] of ['01', '02', 'Chapter 3', 'Berserk (1989) 4', 'Emma', 'Saga/01'].entries())
    await write(folder, `Berserk (1989) [digital]/${name}.cbz`, at + 1)
  const { call } = await server.person('admin')
  const id = await addLibraryOn(server, { roots: [root] })
  const preview = bodyOf(await call(api.previewLibrary, { params: { id }, body: {} }))
  await scanNow(server, id)

  expect(await seriesOf(server, id)).toEqual({
    '01.cbz': 'Berserk',
    '02.cbz': 'Berserk',
    'Chapter 3.cbz': 'Berserk',
    'Berserk (1989) 4.cbz': 'Berserk',
    'Emma.cbz': 'Emma',
    'Saga/01.cbz': 'Saga',
  })
  expect(preview.series.map(({ name, bookCount }) => [name, bookCount])).toEqual([
    ['Berserk', 4],
    ['Emma', 1],
    ['Saga', 1],
  ])
  expect(preview.advice[0]?.warnings).toEqual([])
})

test('C23 C21 a series that is called as its root follows when that has another name and path', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (const at of [1, 2, 3]) await write(folder, `Before/0${at}.cbz`, at)
  const id = await addLibraryOn(server, { roots: [folder.in('Before')] })
  await scanNow(server, id)
  const before = (await booksOf(server, id)).get('01.cbz')
  await rename(folder.in('Before'), folder.in('After'))
  const { call } = await server.person('admin')
  bodyOf(await call(api.updateLibrary, { params: { id }, body: { roots: [folder.in('After')] } }))

  {
    await using _ = workOn(server, [regroupLibrary])
    await workedThrough(server, [regroupLibrary])
  }

  const after = (await booksOf(server, id)).get('01.cbz')
  expect(before).toMatchObject({ series_title: 'Before' })
  expect(after).toMatchObject({ id: before?.id, series_id: before?.series_id, series_title: 'After' })
})

test('C21 W16 numbers that were series by themselves before an update become one by a task', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (const at of [1, 2]) await write(folder, `Berserk/0${at}.cbz`, at)
  const id = await addLibraryOn(server, { roots: [folder.in('Berserk')] })
  await scanNow(server, id)
  const { db } = server.context
  // So it was: each in a series that was called by its number.
  await db.write((db) =>
    db.updateTable('series').set({ key: '/01', name: '01' }).where('library_id', '=', id).execute(),
  )

  // A migration knows no tables by their types.
  await db.write((written) => seriesNamedAfterRoots.run(written as unknown as Kysely<unknown>, db.dialect))
  await using _ = workOn(server, [regroupLibrary])
  await workedThrough(server, [regroupLibrary])

  expect(await seriesOf(server, id)).toEqual({ '01.cbz': 'Berserk', '02.cbz': 'Berserk' })
})
