import { mkdir, rename } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comicInfoXml } from '../../../test/books/metadata.ts'
import { mountOf, requireMounts } from '../../../test/fuse.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { regroupLibrary } from './tasks.ts'

const fill = async (folder: LibraryFolder, path: string, { from, count }: { from: number; count: number }) => {
  for (let index = 0; index < count; index += 1)
    await folder.write(`${path}/${index}.cbz`, comic({ seed: from + index, pages: 1 }))
}

const presentIn = async (server: TestServer, libraryId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    [...(await booksOf(server, libraryId))].flatMap(([path, { id, state }]) =>
      state === 'present' ? [[path, id] as const] : [],
    ),
  )

const heldIn = async ({ call }: Person, id: string) => bodyOf(await call(api.readHeldChanges, { params: { id } })).held

test('C10 a root that is another folder now loses nothing until somebody says so, and is itself when it comes back', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'one/A', { from: 1, count: 5 })
  await fill(folder, 'two/Many', { from: 100, count: 8 })
  const id = await addLibraryOn(server, { roots: [folder.in('one'), folder.in('two')] })
  await scanNow(server, id)
  const before = await presentIn(server, id)
  const admin = await server.person('admin')
  await rename(folder.in('one'), folder.in('away'))
  await fill(folder, 'one/New', { from: 500, count: 2 })

  // So few of them would be far below the limit.
  expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_added: 2, books_missing: 0 })
  expect(await heldIn(admin, id)).toMatchObject({ reason: 'root_changed', vanishing: 5 })
  expect(await presentIn(server, id)).toMatchObject(before)
  // It is not taken for what it should be: the next look asks again.
  expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_missing: 0 })

  await rename(folder.in('one'), folder.in('strange'))
  await rename(folder.in('away'), folder.in('one'))
  expect(await scanNow(server, id)).toMatchObject({ books_added: 0, books_restored: 0, books_missing: 2 })
  expect(await heldIn(admin, id)).toBe(null)
  expect(await presentIn(server, id)).toEqual(before)
})

test('HTTP-2 C10 a book is said to be away with its storage, and to be gone where that is there', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'one/A', { from: 1, count: 2 })
  const id = await addLibraryOn(server, { roots: [folder.in('one')] })
  await scanNow(server, id)
  const [first = '', other = ''] = Object.values(await presentIn(server, id))
  const admin = await server.person('admin')
  const answerTo = async (path: string) => {
    const authorization = `Bearer ${admin.accessToken}`
    const response = await fetch(`${server.url}/api/v1/books/${path}`, { headers: { authorization } })
    const { error } = (await response.json()) as { error: string }
    return [response.status, error]
  }
  const everyWay = async (book: string) =>
    [await answerTo(`${book}/pages/1`), await answerTo(`${book}/file`)].map((answer) => answer.join(' '))

  await rename(folder.in('one/A/0.cbz'), folder.in('one/A/0.gone'))
  expect(await everyWay(first)).toEqual(['404 not_found', '404 not_found'])
  await rename(folder.in('one'), folder.in('away'))
  expect(await everyWay(other)).toEqual(['503 library_unavailable', '503 library_unavailable'])
  expect(await scanNow(server, id)).toMatchObject({ books_missing: 0 })
  await mkdir(folder.in('one'))
  expect(await everyWay(other)).toEqual(['503 library_unavailable', '503 library_unavailable'])
})

test('C10 a root whose device is unmounted, and another mounted in its place, loses nothing', async ({ skip }) => {
  requireMounts(skip)
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'disk/A', { from: 1, count: 5 })
  await fill(folder, 'other/B', { from: 50, count: 3 })
  await fill(folder, 'two/Many', { from: 100, count: 8 })
  const at = folder.in('root')
  const first = await mountOf(folder.in('disk'), at)
  const id = await addLibraryOn(server, { roots: [at, folder.in('two')] })
  await scanNow(server, id)
  const before = await presentIn(server, id)
  const admin = await server.person('admin')
  await first[Symbol.asyncDispose]()

  expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_missing: 0 })
  expect(await heldIn(admin, id)).toMatchObject({ reason: 'root_empty', vanishing: 5 })
  {
    await using _ = await mountOf(folder.in('other'), at)
    expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_added: 3, books_missing: 0 })
    expect(await heldIn(admin, id)).toMatchObject({ reason: 'root_changed', vanishing: 5 })
  }
  // Its device has another number now, which alone says nothing: the one it had is taken.
  await using mounts = new AsyncDisposableStack()
  mounts.use(await mountOf(folder.in('two')))
  mounts.use(await mountOf(folder.in('disk'), at))
  expect(await scanNow(server, id)).toMatchObject({ books_restored: 0, books_missing: 3 })
  expect(await heldIn(admin, id)).toBe(null)
  expect(await presentIn(server, id)).toEqual(before)
})

test('LIB-1 LIB-5 a root that is taken from a library has vanished with its books, which are found again elsewhere', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'one/A', { from: 1, count: 30 })
  await fill(folder, 'two/B', { from: 100, count: 3 })
  const admin = await server.person('admin')
  const change = async (roots: readonly string[]): Promise<void> => {
    bodyOf(await admin.call(api.updateLibrary, { params: { id }, body: { roots: roots.map(folder.in) } }))
  }
  const body = { name: 'Comics', roots: [folder.in('one'), folder.in('two')], scanNow: false, watch: false }
  const { id } = bodyOf(await admin.call(api.createLibrary, { body }))
  await scanNow(server, id)
  const before = await presentIn(server, id)

  await change(['one'])
  expect(await presentIn(server, id)).toEqual(before)
  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_missing: 3 })
  expect(Object.keys(await presentIn(server, id))).toHaveLength(30)

  await rename(folder.in('two/B'), folder.in('one/B'))
  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_restored: 3, books_added: 0 })
  expect(await presentIn(server, id)).toEqual(before)
})

test('C8 books are named by the file as soon as the library says so', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/File name 1.cbz', comic({ seed: 1, comicInfo: comicInfoXml({ Title: 'Said inside' }) }))
  const admin = await server.person('admin')
  const body = { name: 'Comics', roots: [folder.path], scanNow: false, watch: false, titleFrom: 'metadata' as const }
  const { id } = bodyOf(await admin.call(api.createLibrary, { body }))
  await scanNow(server, id)
  const title = async () => bodyOf(await admin.call(api.listBooks, { query: {} })).data[0]?.title
  expect(await title()).toBe('Said inside')

  bodyOf(await admin.call(api.updateLibrary, { params: { id }, body: { titleFrom: 'filename' } }))
  await using _ = workOn(server, [regroupLibrary])
  await expect.poll(title).not.toBe('Said inside')
})

test('LIB-1 a library is there again when a root that was away is taken from it', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'one/A', { from: 1, count: 30 })
  await fill(folder, 'two/B', { from: 100, count: 3 })
  const admin = await server.person('admin')
  const body = { name: 'Comics', roots: [folder.in('one'), folder.in('two')], scanNow: false, watch: false }
  const { id } = bodyOf(await admin.call(api.createLibrary, { body }))
  await scanNow(server, id)
  await rename(folder.in('two'), folder.in('away'))
  await scanNow(server, id)
  const status = async () => bodyOf(await admin.call(api.readLibrary, { params: { id } })).status
  expect(await status()).toBe('unavailable')

  bodyOf(await admin.call(api.updateLibrary, { params: { id }, body: { roots: [folder.in('one')] } }))
  await scanNow(server, id)
  expect(await status()).toBe('available')
})

test('C10 C11 a root that is exchanged for another takes most of a library only with somebody to confirm it', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 'one/A', { from: 1, count: 30 })
  await fill(folder, 'two/B', { from: 100, count: 10 })
  await mkdir(folder.in('three'))
  const admin = await server.person('admin')
  const body = { name: 'Comics', roots: [folder.in('one'), folder.in('two')], scanNow: false, watch: false }
  const { id } = bodyOf(await admin.call(api.createLibrary, { body }))
  await scanNow(server, id)
  const before = await presentIn(server, id)
  bodyOf(await admin.call(api.updateLibrary, { params: { id }, body: { roots: [folder.in('two')] } }))

  expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_missing: 0 })
  const held = await heldIn(admin, id)
  expect(held).toMatchObject({ reason: 'threshold', vanishing: 30, of: 40 })
  expect(await presentIn(server, id)).toEqual(before)

  // Given back, nothing has happened; moved as a whole, the books are the same at another place.
  bodyOf(await admin.call(api.updateLibrary, { params: { id }, body: { roots: [folder.in('one'), folder.in('two')] } }))
  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_missing: 0, books_moved: 0 })
  expect(await heldIn(admin, id)).toBe(null)
  await rename(folder.in('one/A'), folder.in('three/A'))
  const roots = [folder.in('three'), folder.in('two')]
  bodyOf(await admin.call(api.updateLibrary, { params: { id }, body: { roots } }))
  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_missing: 0, books_added: 0 })
  expect(await presentIn(server, id)).toEqual(before)
})
