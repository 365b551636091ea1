import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { sevenZipArchive } from '../books/seven-zip.ts'
import { tinyJpeg } from '../books/pictures.ts'
import { hardMountOf, mountOf, requireMounts } from '../fuse.ts'
import { comic, type LibraryFolder, libraryFolder } from '../library-folder.ts'
import { bodyOf, errorOf } from '../outcome.ts'
import { type Carrel, claim, startCarrel, type Visitor } from './carrel.ts'
import { goneOf } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const bookCount = 6

const fill = async (folder: LibraryFolder, seed: number): Promise<void> => {
  for (let index = 0; index < bookCount; index += 1)
    await folder.write(`A/${index}.cbz`, comic({ seed: seed + index, pages: 2 }))
  const pages = [1, 2].map((page) => ({ name: `${page}.jpg`, bytes: tinyJpeg(seed * 7 + page) }))
  await folder.write('A/seven.cb7', await sevenZipArchive(pages))
}

const scanned = (admin: Visitor, id: string, scanId?: string) =>
  waitUntil('the end of a scan', async () => {
    const scan = bodyOf(await admin.call(api.readScanStatus, { params: { id } }))
    const isOver = scan?.completedAt !== null && (scanId === undefined || scan?.id === scanId)
    return isOver ? scan : undefined
  })

const analysed = (admin: Visitor, id: string) =>
  waitUntil('all books to be read', async () => {
    const scan = bodyOf(await admin.call(api.readScanStatus, { params: { id } }))
    return scan?.completedAt !== null && scan?.analysisPending === 0
  })

const newLibrary = async (admin: Visitor, name: string, roots: readonly string[]): Promise<string> =>
  bodyOf(await admin.call(api.createLibrary, { body: { name, roots: [...roots], watch: false } })).id

const pictured = (admin: Visitor, libraryId: string) =>
  waitUntil('covers of all books', async () =>
    (await booksOf(admin, libraryId)).every(({ coverVersion }) => coverVersion !== '0'),
  )

/** It counts the tasks that have not ended. */
const running = async (admin: Visitor): Promise<number> => {
  const { pending, processing } = bodyOf(await admin.call(api.readTaskStats, {}))
  return pending + processing
}

const booksOf = async (admin: Visitor, libraryId: string) =>
  bodyOf(await admin.call(api.listBooks, { query: { libraryId, includeDeleted: true, pageSize: 100 } })).data

const ask = async (carrel: Carrel, { accessToken }: Visitor, path: string) => {
  const response = await fetch(carrel.url + path, { headers: { authorization: `Bearer ${accessToken}` } })
  const bytes = Buffer.from(await response.arrayBuffer())
  const error = response.ok ? undefined : (JSON.parse(bytes.toString()) as api.ErrorReply).error
  return { status: response.status, error, bytes }
}

test.concurrent('LIB-6 W14 P-7 storage that hangs takes its own books with it and nothing else, and all is well when it answers', async ({
  skip,
}) => {
  requireMounts(skip)
  await using data = await temporaryFolder()
  await using fine = await libraryFolder()
  await using behind = await libraryFolder()
  await fill(fine, 100)
  await fill(behind, 200)
  await using mount = await hardMountOf(behind.path)
  await using carrel = await startCarrel({ cwd: data.path, env: { CARREL_RATE_LIMIT_ENABLED: 'false' } })
  // A process that hangs cannot even be killed.
  using _ = { [Symbol.dispose]: mount.answer }
  const admin = await claim(carrel)
  const both = await newLibrary(admin, 'Both', [mount.path, fine.path])
  await scanned(admin, both)
  await analysed(admin, both)
  const before = await booksOf(admin, both)
  const isBehind = ({ path = '' }: api.BookDto): boolean => path.startsWith(mount.path)
  const [there, hung] = [before.filter((book) => !isBehind(book)), before.filter(isBehind)]
  expect([there.length, hung.length]).toEqual([bookCount + 1, bookCount + 1])
  await fine.write('B/new.cbz', comic({ seed: 900 }))

  mount.hang()
  const { scanId } = bodyOf(await admin.call(api.scanLibrary, { params: { id: both } }))
  const pagesOf = (books: readonly api.BookDto[]) => books.map(({ id }) => `/api/v1/books/${id}/pages/1`)
  const refusals = Promise.all(pagesOf(hung).map((path) => ask(carrel, admin, path)))
  const others = [
    '/health/live',
    '/health/ready',
    '/api/v1/books',
    '/api/v1/series',
    '/api/v1/libraries',
    ...pagesOf(there),
  ]
  for (const path of others) {
    const { status } = await ask(carrel, admin, path)
    expect([path, status]).toEqual([path, 200])
  }
  for (const { status, error } of await refusals) {
    expect([status, error]).toEqual([503, 'library_unavailable'])
  }
  const scan = await scanned(admin, both, scanId)
  expect(scan).toMatchObject({ status: 'held', booksAdded: 1, booksMissing: 0, errorCount: 1 })
  expect(scan?.errors).toMatchObject([{ path: mount.path, code: 'ETIMEDOUT' }])
  const { held } = bodyOf(await admin.call(api.readHeldChanges, { params: { id: both } }))
  expect(held).toMatchObject({ reason: 'root_unavailable', vanishing: hung.length })
  expect(bodyOf(await admin.call(api.readLibrary, { params: { id: both } })).status).toBe('unavailable')
  const during = await booksOf(admin, both)
  expect(during.filter(({ deleted }) => deleted)).toEqual([])
  // The new one is read although others of its library cannot be.
  await analysed(admin, both)

  mount.answer()
  await waitUntil(
    'the books behind the mount',
    async () => (await ask(carrel, admin, pagesOf(hung)[0] ?? '')).status === 200,
  )
  for (const path of pagesOf(hung)) expect((await ask(carrel, admin, path)).status).toBe(200)
  const again = bodyOf(await admin.call(api.scanLibrary, { params: { id: both } }))
  expect(await scanned(admin, both, again.scanId)).toMatchObject({
    status: 'completed',
    booksAdded: 0,
    booksMissing: 0,
  })
  expect(bodyOf(await admin.call(api.readHeldChanges, { params: { id: both } }))).toEqual({ held: null })
  const after = await booksOf(admin, both)
  const idsByPath = (books: readonly api.BookDto[]) => Object.fromEntries(books.map(({ path, id }) => [path, id]))
  expect(idsByPath(after)).toMatchObject(idsByPath(before))
  const first = hung.find(({ path = '' }) => path.endsWith('A/0.cbz'))
  const { bytes } = await ask(carrel, admin, `/api/v1/books/${first?.id}/pages/1`)
  expect(bytes.equals(tinyJpeg(200_000))).toBe(true)
})

test.concurrent('LIB-6 LIB-7 W14 books on storage that hangs before they are read are not blamed, and others are read and pictured', async ({
  skip,
}) => {
  requireMounts(skip)
  await using data = await temporaryFolder()
  await using fine = await libraryFolder()
  await using behind = await libraryFolder()
  await fill(fine, 100)
  await fill(behind, 200)
  await using mount = await hardMountOf(behind.path)
  await using carrel = await startCarrel({ cwd: data.path, env: { CARREL_RATE_LIMIT_ENABLED: 'false' } })
  using _ = { [Symbol.dispose]: mount.answer }
  const admin = await claim(carrel)
  const hung = await newLibrary(admin, 'Hung', [mount.path])
  // A file just written is listed at once, and analysed two seconds later.
  expect(await scanned(admin, hung)).toMatchObject({ status: 'completed', analysisPending: bookCount + 1 })
  mount.hang()

  const other = await newLibrary(admin, 'Other', [fine.path])
  expect(await scanned(admin, other)).toMatchObject({ status: 'completed', booksAdded: bookCount + 1 })
  await analysed(admin, other)
  await pictured(admin, other)
  await waitUntil('the end of all that is read', async () => (await running(admin)) === 0)
  const unread = await booksOf(admin, hung)
  expect(unread.map(({ analyzed, analysisError, deleted }) => [analyzed, analysisError, deleted])).toEqual(
    unread.map(() => [false, null, false]),
  )
  expect(bodyOf(await admin.call(api.listBookErrors, {})).total).toBe(0)
  const body = { name: 'Another', roots: [`${mount.path}/A`] }
  expect(errorOf(await admin.call(api.createLibrary, { body })).error).toBe('library_unavailable')

  mount.answer()
  const { scanId } = bodyOf(await admin.call(api.scanLibrary, { params: { id: hung } }))
  expect(await scanned(admin, hung, scanId)).toMatchObject({ status: 'completed', booksAdded: 0, booksMissing: 0 })
  await analysed(admin, hung)
  await pictured(admin, hung)
})

test.concurrent('P-20 W14 a server whose storage hangs ends all the same when it is told to', async ({ skip }) => {
  requireMounts(skip)
  await using data = await temporaryFolder()
  await using behind = await libraryFolder()
  await fill(behind, 200)
  await using mount = await mountOf(behind.path)
  await using carrel = await startCarrel({ cwd: data.path, env: { CARREL_RATE_LIMIT_ENABLED: 'false' } })
  using _ = { [Symbol.dispose]: mount.answer }
  const admin = await claim(carrel)
  const id = await newLibrary(admin, 'Comics', [mount.path])
  await scanned(admin, id)
  await analysed(admin, id)
  const books = await booksOf(admin, id)
  mount.hang()
  const { scanId } = bodyOf(await admin.call(api.scanLibrary, { params: { id } }))
  const pending = books.map((book) => ask(carrel, admin, `/api/v1/books/${book.id}/pages/1`).catch(() => undefined))
  await waitUntil('a look at the storage', async () => {
    const scan = bodyOf(await admin.call(api.readScanStatus, { params: { id } }))
    // It may be over already, when the worker knew before that nothing answers there.
    return scan?.id === scanId && scan.status !== 'pending'
  })

  carrel.kill('SIGTERM')

  expect(await goneOf(carrel)).toEqual({ code: 0, signal: null })
  await Promise.all(pending)
})
