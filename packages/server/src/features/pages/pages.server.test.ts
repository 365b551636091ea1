import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { jpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { ask, comic, pages, sha } from '../../../test/page-requests.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { startServer } from '../../../test/start-server.ts'
import type { Database } from '../../database/database.ts'
import { openDatabase } from '../../database/open.ts'
import { raiseRevision } from '../../database/revisions.ts'

test('LIB-8 C17 the pages of a book are listed, and each is as it stands in the file', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', comic)
  const reader = await server.person('reader')

  const listed = bodyOf(await reader.call(api.listPages, { params: { id } }))
  expect(listed).toEqual([
    {
      pageNumber: 1,
      fileName: '001.jpg',
      mediaType: 'image/jpeg',
      width: 200,
      height: 300,
      fileSize: pages[0]?.length,
    },
    {
      pageNumber: 2,
      fileName: '002.jpg',
      mediaType: 'image/jpeg',
      width: 200,
      height: 300,
      fileSize: pages[1]?.length,
    },
    { pageNumber: 3, fileName: '003.png', mediaType: 'image/png', width: 40, height: 60, fileSize: pages[2]?.length },
  ])
  for (const [index, page] of pages.entries()) {
    const { status, headers, bytes } = await ask(server, reader, `/api/v1/books/${id}/pages/${index + 1}`)
    expect([status, headers.get('content-type'), sha(bytes)]).toEqual([200, listed[index]?.mediaType, sha(page)])
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toBe(`inline; filename="${listed[index]?.fileName}"`)
  }
  for (const number of ['4', '20001', '0', '-1'])
    expect((await ask(server, reader, `/api/v1/books/${id}/pages/${number}`)).status).toBe(404)
  expect((await ask(server, reader, `/api/v1/books/${id}/pages/one`)).status).toBe(400)
})

test('HTTP-3 what somebody may not see has no pages, nor has a book whose file is missing', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', comic, { age_rating: 18 })
  const missing = await shelf.addBook('two.cbz', comic, { state: 'missing' })
  const child = await server.person('reader', { access: { ageCeiling: 12 } })
  const reader = await server.person('reader')
  const etag = (await ask(server, reader, `/api/v1/books/${id}/pages/1`)).headers.get('etag') ?? ''

  for (const path of [
    'pages',
    'pages/1',
    'manifest',
    'positions',
    'search?q=a',
    'resources/a/b',
    'file',
    'thumbnail',
    'covers',
  ])
    expect([path, (await ask(server, child, `/api/v1/books/${id}/${path}`)).status]).toEqual([path, 404])
  for (const path of ['pages/1', 'thumbnail'])
    expect((await ask(server, child, `/media/books/${id}/${path}`, { 'if-none-match': etag })).status).toBe(404)
  for (const path of ['pages', 'pages/1', 'file', 'manifest'])
    expect([path, (await ask(server, reader, `/api/v1/books/${missing}/${path}`)).status]).toEqual([path, 404])
})

test('HTTP-3 AUTH-7 a page that was just read is hidden with the very next request, whoever wrote that it is', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', comic)
  const reader = await server.person('reader')
  const { db, config, log } = server.context
  await using stack = new AsyncDisposableStack()
  const other = await openDatabase(config.database, log, (error) => {
    throw error
  })
  stack.defer(() => other.close())
  const statusOf = async () => (await ask(server, reader, `/api/v1/books/${id}/pages/1`)).status
  const rate = (through: Database, age_rating: number | null) =>
    through.write((db) => db.updateTable('book').set({ age_rating }).where('id', '=', id).execute())
  const setCeiling = (age_ceiling: number | null) =>
    db.write(async (db) => {
      await db.updateTable('user').set({ age_ceiling }).where('id', '=', reader.id).execute()
      await raiseRevision(db, 'access')
    })

  expect([await statusOf(), await statusOf()]).toEqual([200, 200])
  await setCeiling(12)
  expect([await statusOf(), await statusOf()]).toEqual([404, 404])
  await rate(other, 6)
  expect([await statusOf(), await statusOf()]).toEqual([200, 200])
  await rate(other, 18)
  expect([await statusOf(), await statusOf()]).toEqual([404, 404])
  await setCeiling(null)
  expect([await statusOf(), await statusOf()]).toEqual([200, 200])
})

test('a book that no scan has read yet is read when somebody opens it, and asked to be read', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', comic, { isUnread: true })
  const reader = await server.person('reader')

  expect(bodyOf(await reader.call(api.listPages, { params: { id } }))).toHaveLength(3)
  expect(sha((await ask(server, reader, `/api/v1/books/${id}/pages/2`)).bytes)).toBe(sha(pages[1] ?? Buffer.alloc(0)))
  await expect
    .poll(() => server.context.db.read.selectFrom('task').select('type').execute())
    .toEqual([{ type: 'analyse_library' }])
})

/** A scanned library of one book, whose file can be written anew. */
const oneBook = async (first: Buffer) => {
  const stack = new AsyncDisposableStack()
  const server = stack.use(await startServer())
  const folder = stack.use(await libraryFolder())
  await folder.write('A/one.cbz', first)
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const id = (await booksOf(server, libraryId)).get('A/one.cbz')?.id ?? ''
  const reader = await server.person('reader')
  return {
    server,
    libraryId,
    path: folder.in('A/one.cbz'),
    rewrite: (bytes: Buffer) => folder.write('A/one.cbz', bytes),
    page: async (number: number) => sha((await ask(server, reader, `/api/v1/books/${id}/pages/${number}`)).bytes),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const pictures = [1, 2, 3].map((seed) => jpeg({ width: 60 * seed, height: 90, seed }))
const packed = (bytes: readonly Buffer[], method: 'stored' | 'deflated') =>
  zip(bytes.map((each, index) => ({ name: `${index + 1}.jpg`, bytes: each, method })))

test('LIB-5 a book whose file was replaced is read as it is now, also before the scan has come to reading it', async () => {
  const [one = Buffer.alloc(0), two = Buffer.alloc(0), three = Buffer.alloc(0)] = pictures
  await using book = await oneBook(packed([one, two], 'stored'))
  expect(await book.page(2)).toBe(sha(two))
  await book.rewrite(packed([three, one, two], 'stored'))
  // As a scan of many files leaves it, until these are read.
  const { size, mtimeMs } = await stat(book.path)
  const changes = { size, modified_us: Math.floor(mtimeMs * 1000), analysis: 'pending' as const }
  await book.server.context.db.write((db) => db.updateTable('file').set(changes).execute())

  expect([await book.page(1), await book.page(2)]).toEqual([sha(three), sha(one)])
})

test('LIB-5 a book that was read and is packed anew is read from where its pages lie now', async () => {
  await using book = await oneBook(packed(pictures, 'stored'))
  const before = [await book.page(1), await book.page(3)]
  await book.rewrite(packed(pictures, 'deflated'))
  await scanNow(book.server, book.libraryId)

  expect([await book.page(1), await book.page(3)]).toEqual(before)
})

test('LIB-5 whoever meets a file that has changed unheard has its folder scanned', async () => {
  await using book = await oneBook(packed(pictures, 'stored'))
  const { db } = book.server.context
  const scans = () => db.read.selectFrom('scan').select('paths').where('status', '=', 'pending').execute()
  await book.rewrite(packed(pictures.toReversed(), 'deflated'))
  expect(await scans()).toEqual([])

  await book.page(1)
  await expect.poll(scans).toEqual([{ paths: JSON.stringify([dirname(book.path)]) }])
})
