import { rename, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'

test('LIB-1 folders become series and files books, read with all that they say', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('Saga (2012)/Saga 001.cbz', comic({ seed: 1, pages: 4, comicInfo: true }))
  await folder.write('Saga (2012)/Saga 002.cbz', comic({ seed: 2, method: 'deflated' }))
  await folder.write('Bleach/Bleach v01.cbz', comic({ seed: 3 }))
  await folder.write('Bleach/notes.txt', 'no book')
  const id = await addLibraryOn(server, { roots: [folder.path] })

  const scan = await scanNow(server, id)

  expect(scan).toMatchObject({ status: 'completed', files_total: 3, books_added: 3, series_added: 2, error_count: 0 })
  const books = await booksOf(server, id)
  expect([...books.keys()].sort()).toEqual([
    'Bleach/Bleach v01.cbz',
    'Saga (2012)/Saga 001.cbz',
    'Saga (2012)/Saga 002.cbz',
  ])
  expect(books.get('Saga (2012)/Saga 001.cbz')).toMatchObject({
    analysis: 'done',
    page_count: 4,
    analysed: 1,
    format: 'cbz',
    series_books: 2,
  })
  expect(books.get('Bleach/Bleach v01.cbz')).toMatchObject({ volume: 1, series_title: 'Bleach', page_count: 3 })
})

test('LIB-5 a scan that finds nothing changed changes nothing', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const before = await booksOf(server, id)

  const scan = await scanNow(server, id)

  expect(scan).toMatchObject({
    status: 'completed',
    books_added: 0,
    books_moved: 0,
    books_updated: 0,
    books_missing: 0,
    files_total: 1,
  })
  expect(await booksOf(server, id)).toEqual(before)
})

test('C11 moved, swapped, re-zipped and replaced files are the books they were', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/moved.cbz', comic({ seed: 1 }))
  await folder.write('A/x.cbz', comic({ seed: 2 }))
  await folder.write('A/y.cbz', comic({ seed: 3, pages: 5 }))
  await folder.write('A/rezipped.cbz', comic({ seed: 4 }))
  await folder.write('A/replaced.cbz', comic({ seed: 5 }))
  await folder.write('A/stays.cbz', comic({ seed: 6 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const before = await booksOf(server, id)
  const idOf = (books: typeof before, path: string) => books.get(path)?.id

  await rename(folder.in('A/moved.cbz'), folder.in('A/other name.cbz'))
  await rename(folder.in('A/x.cbz'), folder.in('A/z.cbz'))
  await rename(folder.in('A/y.cbz'), folder.in('A/x.cbz'))
  await rename(folder.in('A/z.cbz'), folder.in('A/y.cbz'))
  await rm(folder.in('A/rezipped.cbz'))
  await folder.write('B/rezipped again.cbz', comic({ seed: 4, method: 'deflated', comicInfo: true }))
  await folder.write('A/replaced.cbz', comic({ seed: 7, pages: 6 }))
  const scan = await scanNow(server, id)

  const after = await booksOf(server, id)
  expect(scan).toMatchObject({
    status: 'completed',
    books_added: 0,
    books_missing: 0,
    books_moved: 4,
    books_updated: 1,
  })
  expect(idOf(after, 'A/other name.cbz')).toBe(idOf(before, 'A/moved.cbz'))
  expect(idOf(after, 'A/x.cbz')).toBe(idOf(before, 'A/y.cbz'))
  expect(idOf(after, 'A/y.cbz')).toBe(idOf(before, 'A/x.cbz'))
  expect(idOf(after, 'B/rezipped again.cbz')).toBe(idOf(before, 'A/rezipped.cbz'))
  expect(idOf(after, 'A/replaced.cbz')).toBe(idOf(before, 'A/replaced.cbz'))
  expect(after.get('A/replaced.cbz')?.page_count).toBe(6)
  expect(after.get('A/x.cbz')?.page_count).toBe(5)
  expect(after.size).toBe(6)
})
