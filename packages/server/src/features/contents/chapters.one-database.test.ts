import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { epub } from '../../../test/books/epub.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
let folder: LibraryFolder
let books: Awaited<ReturnType<typeof booksOf>>

beforeAll(async () => {
  server = await startServer()
  folder = await libraryFolder()
  await folder.write('Novel/Novel.epub', epub({ title: 'Novel', chapters: 4, words: 600 }))
  await folder.write('Comic/Comic.cbz', comic({ seed: 1, pages: 3 }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  books = await booksOf(server, libraryId)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

test('N3 chapters say where in the book they begin and how long they are; a book without an outline has none', async () => {
  const reader = await server.person('reader')
  const of = (path: string) => ({ params: { id: books.get(path)?.id ?? '' } })
  const { total, chapters } = bodyOf(await reader.call(api.readChapters, of('Novel/Novel.epub')))
  expect(chapters.map(({ title, depth, page }) => ({ title, depth, page }))).toEqual(
    [1, 2, 3, 4].map((number) => ({ title: `Chapter ${number}`, depth: 0, page: null })),
  )
  expect(chapters.every(({ length }) => length > 1)).toBe(true)
  expect(chapters.reduce((sum, { length }) => sum + length, 0)).toBe(total)
  expect(chapters.map(({ at }) => at)).toEqual(
    chapters.map((_, index) => chapters.slice(0, index).reduce((sum, { length }) => sum + length, 0) / total),
  )
  expect(bodyOf(await reader.call(api.readChapters, of('Comic/Comic.cbz')))).toEqual({ total: 3, chapters: [] })
})
