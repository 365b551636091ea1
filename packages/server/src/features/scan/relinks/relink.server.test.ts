import { rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { epub } from '../../../../test/books/epub.ts'
import { fictionBook } from '../../../../test/books/fb2.ts'
import { tinyJpeg } from '../../../../test/books/pictures.ts'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { startServer } from '../../../../test/start-server.ts'

/** A book, its copy, and what each shows in the end when the book goes missing and takes over the file of its copy. */
const takenOver = async (choice: { readonly ofBook: boolean; readonly ofCopy: boolean }) => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  await folder.write('A/2.cbz', comic({ seed: 2 }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  await folder.write('B/copy.cbz', comic({ seed: 1 }))
  await scanNow(server, libraryId)
  const books = await booksOf(server, libraryId)
  const [id, copyId] = ['A/1.cbz', 'B/copy.cbz'].map((path) => books.get(path)?.id ?? '')
  const { call, accessToken } = await server.person('editor')
  const upload = async (to = '', seed = 1): Promise<string> =>
    bodyOf(await call(api.uploadBookCover, { params: { id: to }, body: new Uint8Array(tinyJpeg(seed)) })).id
  const own = choice.ofBook ? await upload(id, 70) : undefined
  const ofCopy = choice.ofCopy ? await upload(copyId, 80) : undefined
  await rm(folder.in('A/1.cbz'))

  await scanNow(server, libraryId)

  expect((await booksOf(server, libraryId)).get('B/copy.cbz')?.id).toBe(id)
  const covers = bodyOf(await call(api.listBookCovers, { params: { id: id ?? '' } }))
  const headers = { authorization: `Bearer ${accessToken}` }
  const { status } = await fetch(`${server.url}/api/v1/books/${id}/thumbnail`, { headers })
  const row = await server.context.db.read
    .selectFrom('book')
    .select('locks')
    .where('id', '=', id ?? '')
    .execute()
  return {
    status,
    own,
    ofCopy,
    selected: covers.find(({ isSelected }) => isSelected)?.id,
    uploaded: covers.filter(({ source }) => source === 'upload').map((cover) => cover.id),
    locks: row[0]?.locks,
  }
}

test('C11 LIB-8 a book that takes over the file of its copy keeps the cover that was chosen for it, and gets those of the copy', async () => {
  const { status, own, ofCopy, selected, uploaded } = await takenOver({ ofBook: true, ofCopy: true })
  expect([status, selected, new Set(uploaded)]).toEqual([200, own, new Set([own, ofCopy])])
})

test('C11 LIB-8 a cover that was chosen for the copy stands for the book when nobody had chosen one for it', async () => {
  const { status, ofCopy, selected, locks } = await takenOver({ ofBook: false, ofCopy: true })
  expect([status, selected, locks]).toEqual([200, ofCopy, '["cover"]'])
})

test('C11 LIB-8 where nobody has chosen a cover the book has one of its own all the same', async () => {
  const { status, uploaded, locks } = await takenOver({ ofBook: false, ofCopy: false })
  expect([status, uploaded, locks]).toEqual([200, [], '[]'])
})

test('C11 a book that takes over a file of what it once was is read anew, in the format of that file', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  const once = fictionBook()
  await folder.write('A/One.fb2', once)
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  await rm(folder.in('A/One.fb2'))
  await folder.write('A/One.epub', epub({ title: 'As it is', identifier: 'urn:now' }))
  await scanNow(server, libraryId)
  const id = (await booksOf(server, libraryId)).get('A/One.epub')?.id ?? ''
  await folder.write('B/Back.fb2', once)
  await scanNow(server, libraryId)
  await rm(folder.in('A/One.epub'))

  await scanNow(server, libraryId)

  const { call } = await server.person('admin')
  const { title, path, files } = bodyOf(await call(api.readBook, { params: { id } }))
  expect([title, path?.slice(-10), files.map(({ format }) => format)]).toEqual([
    'Ночной & дозор',
    'B/Back.fb2',
    ['fb2'],
  ])
})

test('C11 of two books that are lost among hundreds neither takes the one copy that both are the same as', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/first.cbz', comic({ seed: 1 }))
  for (let index = 0; index < 260; index += 1)
    await folder.write(`B/${index}.cbz`, comic({ seed: index + 10, pages: 1 }))
  await folder.write('C/last.cbz', comic({ seed: 1 }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  await folder.write('D/copy.cbz', comic({ seed: 1 }))
  await scanNow(server, libraryId)
  const copyId = (await booksOf(server, libraryId)).get('D/copy.cbz')?.id
  const admin = await server.person('admin')
  bodyOf(await admin.call(api.saveSetting, { params: { key: 'scan.auto_confirm' }, body: { value: true } }))
  for (const name of ['A', 'B', 'C']) await rm(folder.in(name), { recursive: true })

  expect(await scanNow(server, libraryId)).toMatchObject({ books_missing: 262 })
  expect((await booksOf(server, libraryId)).get('D/copy.cbz')?.id).toBe(copyId)
})
