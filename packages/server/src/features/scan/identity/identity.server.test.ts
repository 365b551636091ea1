import { mkdir, rename, rm, truncate } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comicInfoXml } from '../../../../test/books/metadata.ts'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow, workedOff } from '../../../../test/scanning.ts'
import { startServer } from '../../../../test/start-server.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { markBooksMissing } from '../removals/removals.ts'
import { startScan } from '../scan.ts'
import { analyseLibrary } from '../tasks.ts'

test('LIB-5 a thousand files that move and are re-zipped with new ComicInfo keep their ids', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const count = 1000
  for (let index = 0; index < count; index += 1)
    await folder.write(`Old/${index}.cbz`, comic({ seed: index + 1, pages: 1 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const before = await booksOf(server, id)
  await rm(folder.in('Old'), { recursive: true })
  for (let index = 0; index < count; index += 1)
    await folder.write(
      `New/issue ${index}.cbz`,
      comic({ seed: index + 1, pages: 1, method: 'deflated', comicInfo: comicInfoXml({ Title: `Called ${index}` }) }),
    )

  const scan = await scanNow(server, id)

  expect(scan).toMatchObject({ status: 'completed', books_moved: count, books_added: 0, books_missing: 0 })
  const after = await booksOf(server, id)
  expect(after.size).toBe(count)
  for (let index = 0; index < count; index += 1) {
    const book = after.get(`New/issue ${index}.cbz`)
    expect(book?.id).toBe(before.get(`Old/${index}.cbz`)?.id)
    expect(book?.title).toBe(`Called ${index}`)
  }
})

test('C11 a copy of a book is a second book', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  await folder.write('B/copy.cbz', comic({ seed: 1 }))

  expect(await scanNow(server, id)).toMatchObject({ books_added: 1, books_moved: 0 })
  const books = await booksOf(server, id)
  expect(books.get('B/copy.cbz')?.content_hash).toBe(books.get('A/1.cbz')?.content_hash)
  expect(books.get('B/copy.cbz')?.id).not.toBe(books.get('A/1.cbz')?.id)
})

test('C11 of a book and its copy the one that goes missing takes over the file of the copy that nobody has read', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  await folder.write('A/2.cbz', comic({ seed: 2 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const first = (await booksOf(server, id)).get('A/1.cbz')?.id
  await folder.write('B/copy.cbz', comic({ seed: 1 }))
  await scanNow(server, id)
  await rm(folder.in('A/1.cbz'))

  await scanNow(server, id)

  const books = await booksOf(server, id)
  expect(books.get('B/copy.cbz')).toMatchObject({ id: first, state: 'present', series_title: 'B' })
  expect(books.size).toBe(2)
})

test.each(['scan', 'reading'] as const)(
  'LIB-5 W16 a worker killed during the %s, after a book went missing and before its copy was looked for: the next one does it',
  async (killed) => {
    await using server = await startServer()
    const { db, clock } = server.context
    await using folder = await libraryFolder()
    await folder.write('A/1.cbz', comic({ seed: 1 }))
    await folder.write('A/2.cbz', comic({ seed: 2 }))
    const id = await addLibraryOn(server, { roots: [folder.path] })
    await scanNow(server, id)
    const first = (await booksOf(server, id)).get('A/1.cbz')?.id ?? ''
    await folder.write('B/copy.cbz', comic({ seed: 1 }))
    await scanNow(server, id)
    await rm(folder.in('A/1.cbz'))
    const going = { now: clock(), isToldSingly: true, lost: new Set([first]) }
    await db.write((db) => markBooksMissing(db, [first], going))
    expect((await booksOf(server, id)).get('B/copy.cbz')?.id).not.toBe(first)

    // What the worker that is gone was at is claimed a second time.
    await db.write(async (db) => {
      if (killed === 'scan') await startScan(db, { libraryId: id, mode: 'changes', paths: [] }, clock())
      else await enqueue(db, analyseLibrary, { libraryId: id }, { now: clock() })
      await db.updateTable('task').set({ fence: 2 }).where('status', '=', 'pending').execute()
    })
    await workedOff(server)

    const books = await booksOf(server, id)
    expect(books.get('B/copy.cbz')).toMatchObject({ id: first, state: 'present', series_title: 'B' })
    expect(books.size).toBe(2)
  },
)

test('C11 C10 a book whose loss was held and is confirmed takes over the file of its copy', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const deep = `C/${Array.from({ length: 60 }, (_, depth) => depth).join('/')}`
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  await folder.write(`${deep}/2.cbz`, comic({ seed: 2 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const first = (await booksOf(server, id)).get('A/1.cbz')?.id
  await folder.write('B/copy.cbz', comic({ seed: 1 }))
  await scanNow(server, id)
  // Where the walk cannot look nothing is let go without somebody's word.
  await mkdir(folder.in(`${deep}/a/b/c/d/e/f`), { recursive: true })
  await rm(folder.in('A/1.cbz'))
  expect(await scanNow(server, id)).toMatchObject({ status: 'held' })
  const { call } = await server.person('admin')
  const { held } = bodyOf(await call(api.readHeldChanges, { params: { id } }))

  expect((await call(api.confirmHeldChanges, { params: { id, heldId: held?.id ?? '' } })).status).toBe(204)
  await workedOff(server)

  const books = await booksOf(server, id)
  expect(books.get('B/copy.cbz')).toMatchObject({ id: first, state: 'present' })
  expect(books.size).toBe(2)
})

test('C11 of a book and its copy that were both lost, and of which the copy comes back, the book takes over its file', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  await folder.write('A/2.cbz', comic({ seed: 2 }))
  await folder.write('A/3.cbz', comic({ seed: 3 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const first = (await booksOf(server, id)).get('A/1.cbz')?.id ?? ''
  const { call } = await server.person('reader')
  bodyOf(await call(api.saveProgress, { params: { id: first }, body: { currentPage: 2 } }))
  await folder.write('B/copy.cbz', comic({ seed: 1 }))
  await scanNow(server, id)
  await rename(folder.in('B/copy.cbz'), folder.in('.away'))
  await rm(folder.in('A/1.cbz'))
  expect(await scanNow(server, id)).toMatchObject({ books_missing: 2 })

  await rename(folder.in('.away'), folder.in('B/copy.cbz'))
  await scanNow(server, id)

  expect((await booksOf(server, id)).get('B/copy.cbz')).toMatchObject({ id: first, state: 'present' })
  expect((await call(api.readBook, { params: { id: first } })).status).toBe(200)
})

test('C11 a book that takes over the file of its copy stands in the read lists of the copy; of one that was edited somebody is asked', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (const seed of [1, 2, 3]) await folder.write(`A/${seed}.cbz`, comic({ seed }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  for (const seed of [1, 2]) await folder.write(`B/${seed}.cbz`, comic({ seed }))
  await scanNow(server, id)
  const before = await booksOf(server, id)
  const idAt = (path: string) => before.get(path)?.id ?? ''
  const { call } = await server.person('editor')
  const list = bodyOf(await call(api.createReadList, { body: { name: 'List' } }))
  bodyOf(await call(api.addToReadList, { params: list, body: { bookIds: [idAt('B/1.cbz')] } }))
  bodyOf(await call(api.editBookMetadata, { params: { id: idAt('B/2.cbz') }, body: { title: 'Mine' } }))
  for (const seed of [1, 2]) await rm(folder.in(`A/${seed}.cbz`))

  await scanNow(server, id)

  const after = await booksOf(server, id)
  expect(after.get('B/1.cbz')?.id).toBe(idAt('A/1.cbz'))
  const { data } = bodyOf(await call(api.listBooksOfReadList, { params: list, query: {} }))
  expect(data.map((book) => book.id)).toEqual([idAt('A/1.cbz')])
  expect(after.get('B/2.cbz')).toMatchObject({ id: idAt('B/2.cbz'), state: 'present' })
  const admin = await server.person('admin')
  const offers = bodyOf(await admin.call(api.listRelinks, { params: { id } })).data
  expect(offers).toMatchObject([{ missingBookId: idAt('A/2.cbz'), presentBookId: idAt('B/2.cbz') }])
})

test('LIB-5 C11 a copy that nobody has read goes missing by itself, and the book it was a copy of stays what it is', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const before = (await booksOf(server, id)).get('A/1.cbz')?.id
  await folder.write('B/copy.cbz', comic({ seed: 1 }))
  await scanNow(server, id)
  await rm(folder.in('B/copy.cbz'))

  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_missing: 1 })
  const books = await booksOf(server, id)
  expect(books.get('A/1.cbz')).toMatchObject({ id: before, state: 'present' })
  expect(books.get('B/copy.cbz')).toMatchObject({ state: 'missing' })
})

test('C11 a path that holds another book altogether is a new book, and the old one goes missing', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const infoOf = (title: string, number: string) => comicInfoXml({ Title: title, Number: number })
  await folder.write('A/x.cbz', comic({ seed: 1, comicInfo: infoOf('The Wall', '1') }))
  for (let index = 2; index < 6; index += 1) await folder.write(`A/${index}.cbz`, comic({ seed: index }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const before = (await booksOf(server, id)).get('A/x.cbz')?.id
  await folder.write('A/x.cbz', comic({ seed: 9, comicInfo: infoOf('The Door', '7') }))

  expect(await scanNow(server, id)).toMatchObject({ books_added: 1, books_missing: 1, books_updated: 0 })
  const { db } = server.context
  const missing = await db.read.selectFrom('book').select(['id']).where('state', '=', 'missing').execute()
  expect(missing).toEqual([{ id: before }])
  expect((await booksOf(server, id)).get('A/x.cbz')?.title).toBe('The Door')
})

test('C11 a book that is moved to another library keeps its id, whichever library is scanned first', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (let index = 0; index < 4; index += 1) await folder.write(`one/A/${index}.cbz`, comic({ seed: index + 1 }))
  await mkdir(folder.in('two/B'), { recursive: true })
  await folder.write('two/B/own.cbz', comic({ seed: 50 }))
  const one = await addLibraryOn(server, { roots: [folder.in('one')], name: 'One' })
  const two = await addLibraryOn(server, { roots: [folder.in('two')], name: 'Two' })
  await scanNow(server, one)
  await scanNow(server, two)
  const before = await booksOf(server, one)

  await rename(folder.in('one/A/0.cbz'), folder.in('two/B/zero.cbz'))
  await scanNow(server, one)
  await scanNow(server, two)
  expect((await booksOf(server, two)).get('B/zero.cbz')?.id).toBe(before.get('A/0.cbz')?.id)

  await rename(folder.in('one/A/1.cbz'), folder.in('two/B/first.cbz'))
  await scanNow(server, two)
  await scanNow(server, one)
  const after = await booksOf(server, two)
  expect(after.get('B/first.cbz')).toMatchObject({ id: before.get('A/1.cbz')?.id, state: 'present', series_title: 'B' })
  expect((await booksOf(server, one)).size).toBe(2)
})

test('LIB-5 C23 a renamed folder is the same books in the same series, by another name', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (let index = 0; index < 30; index += 1)
    await folder.write(`Sagaa/${index}.cbz`, comic({ seed: index + 1, pages: 1 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const before = await booksOf(server, id)
  await rename(folder.in('Sagaa'), folder.in('Saga'))

  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_moved: 30, books_missing: 0 })
  const after = await booksOf(server, id)
  expect(after.get('Saga/7.cbz')).toMatchObject({
    id: before.get('Sagaa/7.cbz')?.id,
    series_title: 'Saga',
    series_books: 30,
  })
})

test('LIB-7 a file that was cut off for a while and is whole again is read again', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  await folder.write('A/2.cbz', comic({ seed: 2 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  await truncate(folder.in('A/1.cbz'), 0)
  await scanNow(server, id)
  expect((await booksOf(server, id)).get('A/1.cbz')).toMatchObject({ analysis: 'failed' })

  await folder.write('A/1.cbz', comic({ seed: 1 }))
  await scanNow(server, id)

  expect((await booksOf(server, id)).get('A/1.cbz')).toMatchObject({ analysis: 'done', fault_message: null })
})

test('LIB-5 what a file no longer says of its book is forgotten', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const info = comicInfoXml({ Title: 'The Wall', Series: 'Walls and Doors', Publisher: 'Lantern' })
  await folder.write('A/x 01.cbz', comic({ seed: 1, comicInfo: info }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const before = (await booksOf(server, id)).get('A/x 01.cbz')
  expect(before).toMatchObject({ title: 'The Wall', series_title: 'Walls and Doors' })

  await folder.write('A/x 01.cbz', comic({ seed: 1 }))
  await scanNow(server, id)

  const after = (await booksOf(server, id)).get('A/x 01.cbz')
  expect(after).toMatchObject({ id: before?.id, title: 'x 01', series_title: 'A' })
})
