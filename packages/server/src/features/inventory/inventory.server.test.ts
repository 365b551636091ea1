import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'

test('PLG-2 W9 the inventory counts series, books, pages and bytes of what its reader sees, and follows the catalogue', async () => {
  await using server = await startServer()
  const { db } = server.context
  const [comics, novels] = [await addLibrary(db, { name: 'Comics' }), await addLibrary(db, { name: 'Novels' })]
  const nemo = await addSeries(db, comics, { title: 'Nemo' })
  await addBooks(db, nemo, [
    { page_count: 100, size: 5_000_000_000 },
    { page_count: 20, size: 7 },
    { page_count: 900, size: 900, state: 'missing' },
  ])
  await addBooks(db, await addSeries(db, novels), [{ page_count: 0, size: 12 }])
  const admin = await server.person('admin')
  const editor = await server.person('editor', { access: { libraries: [novels.id] } })
  const read = async (person: typeof admin) => bodyOf(await person.call(api.readInventory, {}))

  const ofNovels = { id: novels.id, name: 'Novels', seriesCount: 1, bookCount: 1, pageCount: 0, totalSize: 12 }
  expect(await read(admin)).toMatchObject({
    libraryCount: 2,
    seriesCount: 2,
    bookCount: 3,
    pageCount: 120,
    totalBookSize: 5_000_000_019,
    databaseSize: expect.any(Number) as unknown,
    libraries: [
      { id: comics.id, name: 'Comics', seriesCount: 1, bookCount: 2, pageCount: 120, totalSize: 5_000_000_007 },
      ofNovels,
    ],
  })
  expect(await read(editor)).toMatchObject({ libraryCount: 1, bookCount: 1, totalBookSize: 12, libraries: [ofNovels] })
  await addBooks(db, nemo, [{ page_count: 5, size: 1, file: { folder: 'Later' } }])
  expect(await read(admin)).toMatchObject({ bookCount: 4, pageCount: 125, totalBookSize: 5_000_000_020 })
})
