import { createHash } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../../../test/file-requests.ts'
import { epub } from '../../../../test/books/epub.ts'
import { fictionBook } from '../../../../test/books/fb2.ts'
import { pdfFile } from '../../../../test/books/pdf.ts'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addLibraryOn, scanNow, workedOff } from '../../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { joinFiles, purgeMissing, regroupLibrary } from '../tasks.ts'

/** Each test has its own library, and all share a server. */
let server: TestServer
let editor: Person
let reader: Person
beforeAll(async () => {
  server = await startServer()
  editor = await server.person('editor')
  reader = await server.person('reader')
})
afterAll(() => server[Symbol.asyncDispose]())

/** No two files are the same, so that none is taken for a copy of another test's. */
let made = 0
const asEpub = (title: string): Buffer => epub({ title, identifier: `urn:test:${(made += 1)}` })
const asPdf = (title: string, pages = 3): Buffer =>
  pdfFile({
    info: { Title: title },
    pages: Array.from({ length: pages }, () => ({ text: [`${title}, page ${(made += 1)}`] })),
  })
const asText = (title: string): string => fictionBook({ long: `${title} ${(made += 1)}` })

const shelfOf = async (files: Readonly<Record<string, Buffer | string>>, policy: api.Grouping['policy'] = 'folder') => {
  const folder = await libraryFolder()
  for (const [path, bytes] of Object.entries(files)) await folder.write(path, bytes)
  const libraryId = await addLibraryOn(server, { roots: [folder.path], policy, name: folder.path })
  const scan = (mode: 'changes' | 'full' = 'changes') => scanNow(server, libraryId, mode)
  const first = await scan()
  const listed = async () => bodyOf(await reader.call(api.listBooksOfLibrary, { params: { id: libraryId } })).data
  const read = async (id: string) => bodyOf(await reader.call(api.readBook, { params: { id } }))
  /** Formats of the files of each listed book, the chosen one first, by its title in the list. */
  const formatsOfAll = async () => {
    const books = await Promise.all((await listed()).map(({ id }) => read(id)))
    return books.map(({ title, files }) => [title, files.map(({ format }) => format)] as const)
  }
  const formats = async () => Object.fromEntries(await formatsOfAll())
  const titled = async (title: string): Promise<string> =>
    (await listed()).find((book) => book.title === title)?.id ?? `There is no ${title}.`
  return { ...folder, folder, first, libraryId, scan, listed, read, formats, formatsOfAll, titled }
}

const inOrder = (books: readonly (readonly [title: string, formats: readonly string[]])[]): string[] =>
  books.map(([, formats]) => formats.join(' ')).sort()

const finish = (id: string) => reader.call(api.markBookRead, { params: { id } })
const choose = (id: string, fileId: string | null) =>
  editor.call(api.chooseBookFile, { params: { id }, body: { fileId } })
const fileIn = async (read: (id: string) => Promise<api.BookDetail>, id: string, format: api.FileFormat) =>
  (await read(id)).files.find((file) => file.format === format)?.id ?? ''

test('C21 ebooks of one folder with the same stem are one book with several files, and comics are not', async () => {
  const { folder, first, libraryId, scan, listed, formats, titled, read } = await shelfOf({
    'Herbert/Dune.epub': asEpub('Dune'),
    'Herbert/Dune.fb2': asText('Dune'),
    'Herbert/Dune.pdf': asPdf('Dune'),
    'Herbert/Dune Messiah.pdf': asPdf('Dune Messiah'),
    'Herbert/Sub/Dune.epub': asEpub('Dune again'),
    'Saga/Saga 1.cbz': comic({ seed: 2102 }),
    'Saga/Saga 1.pdf': asPdf('Saga in print'),
  })
  await using _ = folder
  expect(first).toMatchObject({ books_added: 5, files_total: 7, series_added: 3 })
  expect(await formats()).toEqual({
    Dune: ['epub', 'fb2', 'pdf'],
    'Dune Messiah': ['pdf'],
    'Dune again': ['epub'],
    'Saga 1': ['cbz'],
    'Saga in print': ['pdf'],
  })
  const series = bodyOf(await reader.call(api.listSeries, { query: { libraryId } })).data
  expect(series.map(({ bookCount }) => bookCount).toSorted((one, other) => one - other)).toEqual([1, 2, 2])
  const library = bodyOf(await reader.call(api.readLibrary, { params: { id: libraryId } }))
  expect(library.bookCount).toBe(5)
  const dune = await read(await titled('Dune'))
  expect([dune.fileFormat, dune.files[0]?.chosen, dune.files[1]?.chosen]).toEqual(['epub', true, false])
  const before = await listed()
  expect(await scan()).toMatchObject({ books_added: 0, books_updated: 0, books_moved: 0, books_missing: 0 })
  expect(await scan('full')).toMatchObject({ books_added: 0, books_missing: 0 })
  expect((await listed()).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('C21 files of one book that are listed one batch after the other are one book all the same', async () => {
  const names = Array.from({ length: 86 }, (_, index) => `Book ${index + 100}`)
  const files = names.flatMap((name) =>
    ['azw3', 'epub', 'pdf'].map((format) => [`Shelf/${name}.${format}`, ''] as const),
  )
  const { folder, first, libraryId } = await shelfOf(Object.fromEntries(files))
  await using _ = folder
  expect(first).toMatchObject({ books_added: 86, files_total: 258 })
  const params = { id: libraryId }
  const { data, total } = bodyOf(await reader.call(api.listBooksOfLibrary, { params, query: { pageSize: 100 } }))
  expect([total, ...new Set(data.map(({ fileFormat }) => fileFormat))]).toEqual([86, 'epub'])
})

test('C21 a download picks a file by its id or its format, and says what is wrong with what it cannot pick', async () => {
  const pdf = asPdf('Emma')
  const { folder, titled, read } = await shelfOf({ 'Austen/Emma.epub': asEpub('Emma'), 'Austen/Emma.pdf': pdf })
  await using _ = folder
  const id = await titled('Emma')
  const file = async (query = '') => {
    const { status, headers, bytes } = await ask(server, reader, `/api/v1/books/${id}/file${query}`)
    return { status, type: headers.get('content-type'), etag: headers.get('etag'), bytes }
  }
  const pdfId = await fileIn(read, id, 'pdf')
  const chosen = await file()
  const picked = await file('?format=pdf')
  expect(chosen.type).toBe('application/epub+zip')
  expect([picked.type, picked.bytes.equals(pdf)]).toEqual(['application/pdf', true])
  expect(picked.etag).not.toBe(chosen.etag)
  expect((await file(`?file=${pdfId}`)).bytes.equals(pdf)).toBe(true)
  expect((await file('?format=epub')).etag).toBe(chosen.etag)
  expect((await file('?format=mobi')).status).toBe(404)
  expect((await file(`?file=${id}`)).status).toBe(404)
  expect((await file('?format=docx')).status).toBe(400)
  expect((await file(`?format=epub&file=${pdfId}`)).status).toBe(400)
})

test('C21 LIB-5 a book stays the same whatever becomes of its files, and is missing when all are gone', async () => {
  const { folder, scan, listed, formats, titled, write } = await shelfOf({
    'Austen/Emma.epub': asEpub('Emma'),
    'Austen/Persuasion.epub': asEpub('Persuasion'),
  })
  await using _ = folder
  const id = await titled('Emma')
  await finish(id)
  const same = async () => (await listed()).find((book) => book.id === id)?.readProgress?.completed

  await write('Austen/Emma.pdf', asPdf('Emma'))
  expect(await scan()).toMatchObject({ books_added: 0 })
  expect(await formats()).toMatchObject({ Emma: ['epub', 'pdf'] })

  await rename(folder.in('Austen/Emma.epub'), folder.in('away.epub.part'))
  expect(await scan()).toMatchObject({ books_missing: 0, status: 'completed' })
  expect(await formats()).toMatchObject({ Emma: ['pdf'] })
  expect(await same()).toBe(true)

  await rename(folder.in('Austen/Emma.pdf'), folder.in('away.pdf.part'))
  expect(await scan()).toMatchObject({ books_missing: 1 })
  expect(await same()).toBeUndefined()

  await rename(folder.in('away.pdf.part'), folder.in('Austen/Emma.pdf'))
  await rename(folder.in('away.epub.part'), folder.in('Austen/Emma.epub'))
  expect(await scan()).toMatchObject({ books_added: 0 })
  expect(await formats()).toMatchObject({ Emma: ['epub', 'pdf'] })
  expect(await same()).toBe(true)

  for (const format of ['epub', 'pdf'])
    await rename(folder.in(`Austen/Emma.${format}`), folder.in(`Austen/Emma (1815).${format}`))
  expect(await scan()).toMatchObject({ books_added: 0, books_moved: 1, books_missing: 0 })
  expect(await formats()).toMatchObject({ Emma: ['epub', 'pdf'] })
  expect(await same()).toBe(true)

  await write('Austen/Emma (1815).pdf', asPdf('Emma in print', 5))
  expect(await scan()).toMatchObject({ books_added: 0, books_missing: 0 })
  expect(await formats()).toMatchObject({ Emma: ['epub', 'pdf'] })
  expect(await listed()).toHaveLength(2)
})

test('C21 the file that somebody has chosen is read, and stays chosen whatever a scan finds', async () => {
  const { folder, scan, titled, read, write } = await shelfOf({
    'Austen/Emma.epub': asEpub('Emma'),
    'Austen/Emma.pdf': asPdf('Emma', 4),
  })
  await using _ = folder
  const id = await titled('Emma')
  const pages = async () => bodyOf(await reader.call(api.listPages, { params: { id } })).length
  const [epubId, pdfId] = [await fileIn(read, id, 'epub'), await fileIn(read, id, 'pdf')]
  expect(await pages()).toBe(0)
  expect((await reader.call(api.chooseBookFile, { params: { id }, body: { fileId: pdfId } })).status).toBe(403)
  expect(errorOf(await choose(id, id)).error).toBe('not_found')
  expect((await choose(id, pdfId)).status).toBe(204)
  await workedOff(server)
  expect(await pages()).toBe(4)
  const chosen = { fileFormat: 'pdf', pageCount: 4, files: [{ id: pdfId, chosen: true }, { id: epubId }] }
  expect(await read(id)).toMatchObject(chosen)

  await scan()
  await scan('full')
  await write('Austen/Emma.mobi', 'no book at all')
  await scan()
  expect(await read(id)).toMatchObject({ ...chosen, files: [{ id: pdfId }, {}, {}] })

  await rename(folder.in('Austen/Emma.pdf'), folder.in('away'))
  await scan()
  expect((await read(id)).fileFormat).toBe('epub')
  await rename(folder.in('away'), folder.in('Austen/Emma.pdf'))
  await scan()
  expect(await read(id)).toMatchObject({ fileFormat: 'pdf', pageCount: 4 })

  await choose(id, null)
  await workedOff(server)
  expect((await read(id)).fileFormat).toBe('epub')
})

test('C21 what cannot be read is passed over, and read once it can be', async () => {
  const { folder, scan, formats, titled, read, write } = await shelfOf({
    'Austen/Emma.epub': Buffer.from('PK and nothing'),
    'Austen/Emma.pdf': asPdf('Emma'),
  })
  await using _ = folder
  expect(await formats()).toEqual({ Emma: ['pdf', 'epub'] })
  const id = await titled('Emma')
  expect((await read(id)).analysisError).toBeNull()
  await write('Austen/Emma.epub', asEpub('Emma'))
  await scan()
  expect(await formats()).toEqual({ Emma: ['epub', 'pdf'] })
  expect(await titled('Emma')).toBe(id)
})

test('C21 CAT-7 a book that comes to lie beside another becomes one with it, with all that was theirs; taken back they stay two', async () => {
  const { folder, scan, listed, formats, titled } = await shelfOf({
    'Austen/Emma.epub': asEpub('Emma'),
    'Austen/Emma (print).pdf': asPdf('Emma in print'),
  })
  await using _ = folder
  const [first, printed] = [await titled('Emma'), await titled('Emma in print')]
  await finish(printed)
  const list = bodyOf(await editor.call(api.createReadList, { body: { name: folder.path } }))
  bodyOf(await editor.call(api.addToReadList, { params: { id: list.id }, body: { bookIds: [printed] } }))

  await rename(folder.in('Austen/Emma (print).pdf'), folder.in('Austen/Emma.pdf'))
  await scan()
  expect(await formats()).toEqual({ Emma: ['epub', 'pdf'] })
  expect(await listed()).toMatchObject([{ id: first, readProgress: { completed: true } }])
  const inList = bodyOf(await editor.call(api.listBooksOfReadList, { params: { id: list.id } })).data
  expect(inList.map(({ id }) => id)).toEqual([first])

  const merges = bodyOf(await editor.call(api.listBookMerges, { query: { pageSize: 500 } })).data
  const merge = merges.find(({ intoId }) => intoId === first)
  expect(merge?.by).toBeNull()
  bodyOf(await editor.call(api.undoBookMerge, { params: { id: merge?.id ?? '' } }))
  await scan('full')
  expect(await formats()).toEqual({ Emma: ['epub'], 'Emma in print': ['pdf'] })
  expect((await listed()).find(({ id }) => id === printed)?.readProgress?.completed).toBe(true)
  expect((await listed()).find(({ id }) => id === first)?.readProgress).toBeNull()
})

test('C21 a file that goes elsewhere is a book of its own, and part of the other again when it comes back', async () => {
  const { folder, scan, listed, formats, formatsOfAll, titled } = await shelfOf({
    'Austen/Emma.epub': asEpub('Emma'),
    'Austen/Emma.fb2': asText('Emma'),
    'Austen/Emma.pdf': asPdf('Emma in print'),
  })
  await using _ = folder
  const id = await titled('Emma')
  await rename(folder.in('Austen/Emma.pdf'), folder.in('Austen/Other.pdf'))
  expect(await scan()).toMatchObject({ books_missing: 0 })
  expect(await formats()).toEqual({ Emma: ['epub', 'fb2'], 'Emma in print': ['pdf'] })
  expect(await titled('Emma')).toBe(id)
  await rename(folder.in('Austen/Other.pdf'), folder.in('Austen/Emma.pdf'))
  await scan()
  expect(await formats()).toEqual({ Emma: ['epub', 'fb2', 'pdf'] })
  expect(await titled('Emma')).toBe(id)

  await rename(folder.in('Austen/Emma.epub'), folder.in('Austen/Other.epub'))
  await scan()
  expect((await listed()).map((book) => book.id)).toContain(id)
  expect(inOrder(await formatsOfAll())).toEqual(['epub', 'pdf fb2'])
})

test('C21 books that lay beside each other before this was so become one', async () => {
  const { folder, libraryId, formats, titled } = await shelfOf({
    'Austen/Emma.epub': asEpub('Emma'),
    'Austen/Print.pdf': asPdf('Emma in print'),
    'Austen/Persuasion.epub': asEpub('Persuasion'),
  })
  await using _ = folder
  const printed = await titled('Emma in print')
  await finish(printed)
  await rename(folder.in('Austen/Print.pdf'), folder.in('Austen/Emma.pdf'))
  const { db, clock } = server.context
  await db.write((db) => db.updateTable('file').set({ name: 'Emma.pdf' }).where('book_id', '=', printed).execute())
  await using worker = workOn(server, [joinFiles])
  await db.write((db) => enqueue(db, joinFiles, { libraryId }, { now: clock() }))
  await expect.poll(formats, { timeout: 20_000 }).toEqual({ Emma: ['epub', 'pdf'], Persuasion: ['epub'] })
  const book = bodyOf(await reader.call(api.readBook, { params: { id: await titled('Emma') } }))
  expect(book.readProgress?.completed).toBe(true)
  await worker.stop()
})

test('C21 C10 files of books that have others are not held, however many go', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `Book ${index + 10}`)
  const files = names.flatMap((name) => [
    [`Shelf/${name}.epub`, asEpub(name)] as const,
    [`Shelf/${name}.pdf`, asPdf(name)] as const,
  ])
  const { folder, libraryId, scan, formats, listed } = await shelfOf(Object.fromEntries(files))
  await using _ = folder
  for (const name of names.slice(1)) await rm(folder.in(`Shelf/${name}.epub`))
  expect(await scan()).toMatchObject({ status: 'completed', books_missing: 0 })
  expect((await formats())['Book 20']).toEqual(['pdf'])
  for (const name of names) await rm(folder.in(`Shelf/${name}.pdf`))
  expect(await scan()).toMatchObject({ status: 'held', books_missing: 0 })
  const { held } = bodyOf(await editor.call(api.readHeldChanges, { params: { id: libraryId } }))
  expect(held).toMatchObject({ vanishing: 23, of: 24 })
  expect(await listed()).toHaveLength(24)
})

test('C21 C10 of a root that has gone its books are held, without their further files, and go with them when that is confirmed', async () => {
  const { folder, libraryId, scan, listed, formats } = await shelfOf({
    'Shelf/One.epub': asEpub('One'),
    'Shelf/One.pdf': asPdf('One'),
    'Shelf/Two.epub': asEpub('Two'),
    'Shelf/Two.fb2': asText('Two'),
  })
  await using _ = folder
  await rename(folder.path, `${folder.path}.away`)
  expect(await scan()).toMatchObject({ status: 'held', books_missing: 0 })
  const { held } = bodyOf(await editor.call(api.readHeldChanges, { params: { id: libraryId } }))
  expect(held).toMatchObject({ vanishing: 2, of: 2 })
  const params = { id: libraryId, heldId: held?.id ?? '' }
  expect(bodyOf(await editor.call(api.listHeldItems, { params })).data.map(({ title }) => title)).toEqual([
    'One',
    'Two',
  ])
  expect((await editor.call(api.confirmHeldChanges, { params })).status).toBe(204)
  expect(await listed()).toEqual([])
  await rename(`${folder.path}.away`, folder.path)
  expect(await scan()).toMatchObject({ books_added: 0, books_restored: 2 })
  expect(await formats()).toEqual({ One: ['epub', 'pdf'], Two: ['epub', 'fb2'] })
})

test('C21 C11 LIB-5 files that are moved together stay one book, in a renamed folder, in another library, and in a copy that is left', async () => {
  const { folder, libraryId, scan, listed, formats, titled } = await shelfOf({
    'Shelf/One.epub': asEpub('One'),
    'Shelf/One.pdf': asPdf('One', 6),
    'Shelf/Two.epub': asEpub('Two'),
  })
  await using _ = folder
  await using elsewhere = await libraryFolder()
  const id = await titled('One')
  const series = async (): Promise<string | null | undefined> =>
    (await listed()).find((book) => book.id === id)?.seriesId
  const before = await series()
  await rename(folder.in('Shelf'), folder.in('Renamed'))
  expect(await scan()).toMatchObject({ books_added: 0, books_moved: 2, books_missing: 0 })
  expect(await formats()).toEqual({ One: ['epub', 'pdf'], Two: ['epub'] })
  expect(await series()).toBe(before)

  for (const format of ['epub', 'pdf'])
    await elsewhere.write(`Copy/One.${format}`, await readFile(folder.in(`Renamed/One.${format}`)))
  const otherId = await addLibraryOn(server, { roots: [elsewhere.path], name: elsewhere.path })
  await scanNow(server, otherId)
  const read = async () => bodyOf(await reader.call(api.readBook, { params: { id } }))
  expect(await read()).toMatchObject({ libraryId })
  await finish(id)
  for (const format of ['epub', 'pdf']) await rm(folder.in(`Renamed/One.${format}`))
  await scan()
  expect(await read()).toMatchObject({
    libraryId: otherId,
    deleted: false,
    files: [{ format: 'epub' }, { format: 'pdf' }],
  })

  for (const format of ['epub', 'pdf'])
    await rename(elsewhere.in(`Copy/One.${format}`), folder.in(`Renamed/Once.${format}`))
  await scan()
  await scanNow(server, otherId)
  const back = await read()
  expect(back).toMatchObject({ libraryId, files: [{ format: 'epub' }, { format: 'pdf' }] })
  expect(back.readProgress?.completed).toBe(true)
  expect(await listed()).toHaveLength(2)
})

test('C21 C10 a file that has been gone for long is forgotten when what is missing is purged, and its book is not', async () => {
  const { folder, libraryId, scan, formats, titled, write } = await shelfOf({
    'Shelf/One.epub': asEpub('One'),
    'Shelf/One.pdf': asPdf('One'),
  })
  await using _ = folder
  const id = await titled('One')
  await rm(folder.in('Shelf/One.pdf'))
  await scan()
  await using worker = workOn(server, [purgeMissing])
  const { db } = server.context
  const files = () => db.read.selectFrom('file').select('name').where('library_id', '=', libraryId).execute()
  expect(await files()).toHaveLength(2)
  const admin = await server.person('admin')
  bodyOf(await admin.call(api.purgeMissing, { params: { id: libraryId }, body: { olderThanDays: 0 } }))
  await expect.poll(files, { timeout: 20_000 }).toEqual([{ name: 'One.epub' }])
  await worker.stop()
  await write('Shelf/One.pdf', asPdf('One'))
  await scan()
  expect(await formats()).toEqual({ One: ['epub', 'pdf'] })
  expect(await titled('One')).toBe(id)
})

test('C21 calibre: the formats in a folder are one book, comics too; a changed policy joins and divides', async () => {
  const { folder, libraryId, formatsOfAll } = await shelfOf({
    'Jane Austen/Emma (1)/Emma - Jane Austen.epub': asEpub('Emma'),
    'Jane Austen/Emma (1)/Emma - Jane Austen.pdf': asPdf('Emma in print'),
    'Jane Austen/Emma (1)/Emma - Jane Austen.cbz': comic({ seed: 2101 }),
    'Image/Saga (2012)/Saga 001.cbz': comic({ seed: 2104 }),
    'Image/Saga (2012)/Saga 002.cbz': comic({ seed: 2105 }),
  })
  await using _ = folder
  const grouped = async (policy: api.Grouping['policy']) => {
    const grouping = { policy, config: {} }
    const { db, clock } = server.context
    await using worker = workOn(server, [regroupLibrary])
    await db.write(async (db) => {
      await db
        .updateTable('library')
        .set({ grouping: JSON.stringify(grouping) })
        .where('id', '=', libraryId)
        .execute()
      await enqueue(db, regroupLibrary, { libraryId }, { now: clock() })
    })
    const waiting = () =>
      db.read
        .selectFrom('task')
        .select('id')
        .where('type', '=', 'regroup_library')
        .where('status', 'in', ['pending', 'processing'])
        .execute()
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([])
    await worker.stop()
    return inOrder(await formatsOfAll())
  }
  const apart = ['cbz', 'cbz', 'cbz', 'epub pdf']
  expect(inOrder(await formatsOfAll())).toEqual(apart)
  expect(await grouped('calibre')).toEqual(['cbz', 'cbz', 'cbz epub pdf'])
  expect(await grouped('folder')).toEqual(apart)
})

test('C21 a preview counts the books that a scan makes', async () => {
  const { folder, libraryId } = await shelfOf({
    'Herbert/Dune.azw3': 'not read here',
    'Herbert/Dune.epub': asEpub('Dune'),
    'Herbert/Dune.pdf': asPdf('Dune'),
    'Herbert/Messiah.epub': asEpub('Messiah'),
    'Saga/Saga 1.cbz': comic({ seed: 2103 }),
  })
  await using _ = folder
  const admin = await server.person('admin')
  const preview = bodyOf(await admin.call(api.previewLibrary, { params: { id: libraryId }, body: {} }))
  const series = bodyOf(await reader.call(api.listSeries, { query: { libraryId } })).data
  expect(preview.series.map(({ name, bookCount, was }) => [name, bookCount, was])).toEqual(
    series.map(({ id, title, bookCount }) => [title, bookCount, id]),
  )
  expect(preview.totalFiles).toBe(5)
  expect(preview.bookCount).toBe(preview.series.reduce((sum, { bookCount }) => sum + bookCount, 0))
  expect(preview.series[0]?.sampleBooks).toEqual(['Dune.epub', 'Messiah.epub'])
})

test('C21 OPDS offers each file, the chosen one first, and KOReader finds the book by any of them', async () => {
  const pdf = asPdf('Sanditon', 12)
  const { folder, titled, read } = await shelfOf({
    'Austen/Sanditon.epub': asEpub('Sanditon'),
    'Austen/Sanditon.pdf': pdf,
  })
  await using _ = folder
  const id = await titled('Sanditon')
  const pdfId = await fileIn(read, id, 'pdf')
  const entry = (await ask(server, reader, `/opds/v1/books/${id}`)).bytes.toString()
  const links = [...entry.matchAll(/<link rel="http:\/\/opds-spec.org\/acquisition"[^>]*>/g)].map(([link]) => link)
  expect(links.map((link) => /type="([^"]+)"/.exec(link)?.[1])).toEqual(['application/epub+zip', 'application/pdf'])
  expect(links[1]).toContain(`/file/Sanditon.pdf?file=${pdfId}`)
  const address = /href="([^"]+)"/.exec(links[1] ?? '')?.[1] ?? ''
  const download = await ask(server, reader, address)
  expect([download.headers.get('content-type'), download.bytes.equals(pdf)]).toEqual(['application/pdf', true])
  const publication = JSON.parse((await ask(server, reader, `/opds/v2/books/${id}`)).bytes.toString()) as {
    links: { rel: string; type: string }[]
  }
  expect(
    publication.links.filter(({ rel }) => rel === 'http://opds-spec.org/acquisition').map(({ type }) => type),
  ).toEqual(['application/epub+zip', 'application/pdf'])

  const { key } = bodyOf(await reader.call(api.createApiKey, { body: { name: folder.path.slice(-30) } }))
  const rows = await server.context.db.read.selectFrom('file').select('koreader_hash').where('id', '=', pdfId).execute()
  for (const document of [rows[0]?.koreader_hash ?? '', createHash('md5').update('Sanditon.pdf').digest('hex')]) {
    const reply = await fetch(`${server.url}/koreader/syncs/progress`, {
      method: 'PUT',
      headers: { 'x-auth-user': key, 'content-type': 'application/json' },
      body: JSON.stringify({ document, progress: '2', percentage: 0.66, device: 'Reader', device_id: document }),
    })
    expect(reply.status).toBe(200)
  }
  expect((await read(id)).readProgress?.progressPercentage).toBeGreaterThan(0.5)
})
