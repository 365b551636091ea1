import { rm, unlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'

const book = 'A/Folder Book'

test('C9 a scan of a folder that is a book sees it unchanged, changed and gone', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/other.cbz', comic({ seed: 1 }))
  for (const page of [1, 2, 3]) await folder.write(`${book}/${page}.jpg`, tinyJpeg(page))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const before = (await booksOf(server, id)).get(book)
  const now = async () => (await booksOf(server, id)).get(book)

  expect(await scanNow(server, id, 'changes', [book])).toMatchObject({ status: 'completed', books_added: 0 })
  expect(await now()).toEqual(before)
  await unlink(folder.in(`${book}/2.jpg`))
  expect(await scanNow(server, id, 'changes', [book])).toMatchObject({ books_added: 0, books_updated: 1 })
  expect(await now()).toMatchObject({ id: before?.id, page_count: 2, state: 'present' })
  await rm(folder.in(book), { recursive: true })
  expect(await scanNow(server, id, 'changes', [book])).toMatchObject({ books_missing: 1 })

  expect(await now()).toMatchObject({ id: before?.id, state: 'missing' })
  expect((await booksOf(server, id)).get('A/other.cbz')).toMatchObject({ state: 'present' })
})

test('C9 a folder that was a book and holds books now is no longer one', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/other.cbz', comic({ seed: 1 }))
  await folder.write(`${book}/1.jpg`, tinyJpeg(1))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  await rm(folder.in(`${book}/1.jpg`))
  await folder.write(`${book}/new.cbz`, comic({ seed: 2 }))

  expect(await scanNow(server, id, 'changes', [book])).toMatchObject({ books_added: 1, books_missing: 1 })

  const states = [...(await booksOf(server, id))].map(([path, { state }]) => `${path} ${state}`)
  expect(states.sort()).toEqual([`${book} missing`, `${book}/new.cbz present`, 'A/other.cbz present'])
})
