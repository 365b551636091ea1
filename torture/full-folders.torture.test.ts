import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { requireSmallDisks, type SmallDisk, smallDisk } from '../packages/server/test/small-disk.ts'
import { type Carrel, claim, startCarrel, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'

const env = { CARREL_RATE_LIMIT_ENABLED: 'false', CARREL_LOG_FORMAT: 'json' }

const fillLibrary = async (folder: LibraryFolder, from: number, books: number): Promise<void> => {
  for (let seed = from; seed < from + books; seed += 1)
    await folder.write(`Series ${seed % 7}/Book ${seed}.cbz`, comic({ seed, pages: 4 }))
}

/** It returns the books once all of them are there and read. */
const scannedBooks = async (ana: Visitor, libraryId: string, books: number): Promise<readonly string[]> => {
  await ana.call(api.scanLibrary, { params: { id: libraryId } })
  return waitUntil('all books to be read', async () => {
    const { data } = bodyOf(await ana.call(api.listBooks, { query: { libraryId, pageSize: 200 } }))
    return data.length === books && data.every(({ pageCount }) => pageCount > 0) ? data.map(({ id }) => id) : undefined
  })
}

/** People read on, and what they read is kept, whatever becomes of covers. */
const readOn = async (carrel: Carrel, ana: Visitor, bookIds: readonly string[], page: number): Promise<void> => {
  for (const id of bookIds) {
    const { status } = await fetch(`${carrel.url}/media/books/${id}/pages/${page}`, { headers: { cookie: ana.cookie } })
    expect(status).toBe(200)
    expect((await ana.call(api.saveProgress, { params: { id }, body: { currentPage: page } })).ok).toBe(true)
    expect(bodyOf(await ana.call(api.readProgress, { params: { id } }))?.currentPage).toBe(page)
  }
  expect((await ana.call(api.listBooks, { query: {} })).status).toBe(200)
}

/** Books that have a cover of their own in the folder of covers. */
const countStored = async (dataDir: string): Promise<number> => {
  const names = await readdir(join(dataDir, 'covers'), { recursive: true }).catch(() => [])
  return names.filter((name) => name.endsWith('.small.jpg')).length
}

const countPictures = async (carrel: Carrel, ana: Visitor, bookIds: readonly string[]): Promise<number> => {
  const statuses = await Promise.all(
    bookIds.map(
      async (id) =>
        (await fetch(`${carrel.url}/media/books/${id}/thumbnail`, { headers: { cookie: ana.cookie } })).status,
    ),
  )
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  return statuses.filter((status) => status === 200).length
}

test('A9 P-4 where the folders of covers and of what is prepared are full, may only be read, or are gone, people read on, and covers come by themselves', async ({
  skip,
}) => {
  requireSmallDisks(skip)
  await using folder = await temporaryFolder()
  await using library = await libraryFolder()
  const dataDir = join(folder.path, 'data')
  await using carrel = await startCarrel({ cwd: folder.path, dataDir, env })
  const ana = await claim(carrel)
  await using stack = new AsyncDisposableStack()
  const disks: SmallDisk[] = []
  for (const name of ['covers', 'cache']) {
    await mkdir(join(dataDir, name), { recursive: true, mode: 0o700 })
    disks.push(stack.use(await smallDisk(1, join(dataDir, name))))
  }
  const everyDisk = (act: (disk: SmallDisk) => Promise<void>) => Promise.all(disks.map(act))
  const { id: libraryId } = bodyOf(
    await ana.call(api.createLibrary, { body: { name: 'Comics', roots: [library.path], scanNow: false } }),
  )
  let before: readonly string[] = []
  const faults: [name: string, begin: () => Promise<unknown>, end: () => Promise<unknown>][] = [
    ['full', () => everyDisk(({ fill }) => fill()), () => everyDisk(({ makeRoom }) => makeRoom())],
    ['read-only', () => everyDisk(({ become }) => become('ro')), () => everyDisk(({ become }) => become('rw'))],
    [
      'gone',
      async () => {
        await stack.disposeAsync()
        await Promise.all(['covers', 'cache'].map((name) => rm(join(dataDir, name), { recursive: true })))
      },
      async () => undefined,
    ],
  ]
  for (const [, begin, end] of faults) {
    await begin()
    await fillLibrary(library, before.length, 6)
    const ids = await scannedBooks(ana, libraryId, before.length + 6)
    await readOn(carrel, ana, ids, 2)
    await countPictures(carrel, ana, ids)
    expect((await carrel.call(api.readLiveness, {})).status).toBe(200)
    await end()
    before = ids
    await waitUntil('the covers', async () => (await countStored(dataDir)) >= 6)
    await readOn(carrel, ana, ids, 3)
  }
  tell({ id: 'A9', what: `folders that take nothing, beside ${before.length} books`, tries: faults.length, lost: 0 })
})

test('A11 P-4 where no file more can be made while covers are, the scan comes to its end and nothing is lost, and the covers come once there is room', async ({
  skip,
}) => {
  requireSmallDisks(skip)
  await using folder = await temporaryFolder()
  await using library = await libraryFolder()
  await using disk = await smallDisk(200)
  const dataDir = join(disk.path, 'data')
  await using carrel = await startCarrel({ cwd: folder.path, dataDir, env })
  const ana = await claim(carrel)
  const books = 60
  await fillLibrary(library, 0, books)
  const { id: libraryId } = bodyOf(
    await ana.call(api.createLibrary, { body: { name: 'Comics', roots: [library.path], scanNow: false } }),
  )
  // Each book has two pictures, in folders of their own.
  await disk.become(`nr_inodes=${(await disk.countFiles()) + books}`)
  const ids = await scannedBooks(ana, libraryId, books)
  await waitUntil('no file more to fit', () => disk.hasNoFilesLeft())
  await readOn(carrel, ana, ids.slice(0, 10), 2)
  const before = await countStored(dataDir)
  expect(before).toBeLessThan(books)
  // Whoever looks at a book is shown its cover, stored or not.
  expect(await countPictures(carrel, ana, ids)).toBe(books)

  await disk.become('nr_inodes=100000')
  await waitUntil('the covers', async () => (await countStored(dataDir)) === books)
  await readOn(carrel, ana, ids.slice(0, 10), 3)
  tell({ id: 'A11', what: `covers when files ran out, of ${books}`, tries: 1, lost: 0, figure: before })
})
