import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../../../../test/library-folder.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { confirmHeld } from '../scan.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'

let seeds = 0
const fill = async (folder: LibraryFolder, count: number, name = 'A'): Promise<void> => {
  for (let index = 0; index < count; index += 1)
    await folder.write(`${name}/${index}.cbz`, comic({ seed: (seeds += 1), pages: 1 }))
}

const presentIn = async (server: TestServer, libraryId: string): Promise<number> =>
  [...(await booksOf(server, libraryId)).values()].filter(({ state }) => state === 'present').length

const heldIn = ({ context: { db } }: TestServer) => db.read.selectFrom('held_change').selectAll().execute()

test('LIB-6 one file that is gone goes missing, keeps its id and comes back as itself', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 5)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const before = (await booksOf(server, id)).get('A/2.cbz')
  await rename(folder.in('A/2.cbz'), folder.in('away'))

  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_missing: 1 })
  const missing = (await booksOf(server, id)).get('A/2.cbz')
  expect(missing).toMatchObject({ id: before?.id, state: 'missing', series_books: 4 })

  await mkdir(folder.in('B'))
  await rename(folder.in('away'), folder.in('B/elsewhere.cbz'))
  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_restored: 1, books_added: 0 })
  const after = (await booksOf(server, id)).get('B/elsewhere.cbz')
  expect(after).toMatchObject({ id: before?.id, state: 'present', missing_since: null })
})

test.each([
  ['empty', 'root_empty', async (root: string) => mkdir(root)],
  ['a file', 'root_unavailable', async (root: string) => writeFile(root, 'no folder')],
  ['not there', 'root_unavailable', async () => undefined],
])('LIB-6, C10 a root that is %s loses nothing', async (_, reason, put) => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 6, 'root/A')
  const id = await addLibraryOn(server, { roots: [folder.in('root')] })
  await scanNow(server, id)
  await rename(folder.in('root'), folder.in('unmounted'))
  await put(folder.in('root'))

  const scan = await scanNow(server, id)

  expect(scan).toMatchObject({ status: 'held', books_missing: 0 })
  expect(await heldIn(server)).toMatchObject([{ reason, vanishing: 6, of_books: 6 }])
  expect(await presentIn(server, id)).toBe(6)

  await rm(folder.in('root'), { recursive: true, force: true })
  await rename(folder.in('unmounted'), folder.in('root'))
  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_added: 0, books_restored: 0 })
  expect(await heldIn(server)).toEqual([])
  expect(await presentIn(server, id)).toBe(6)
})

test('C10 removals above both limits are held while additions are applied; a scan that sees the files dissolves the hold', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 60)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  await mkdir(folder.in('.away'))
  for (let index = 0; index < 21; index += 1) await rename(folder.in(`A/${index}.cbz`), folder.in(`.away/${index}.cbz`))
  await folder.write('B/new.cbz', comic({ seed: 1000 }))

  expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_added: 1, books_missing: 0 })
  expect(await heldIn(server)).toMatchObject([{ reason: 'threshold', vanishing: 21, of_books: 61 }])
  expect(await presentIn(server, id)).toBe(61)

  for (let index = 0; index < 21; index += 1) await rename(folder.in(`.away/${index}.cbz`), folder.in(`A/${index}.cbz`))
  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_missing: 0 })
  expect(await heldIn(server)).toEqual([])
})

test('C10 LIB-6 a scan of one folder that sees held files again takes them from what is held', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (const name of ['A', 'B']) await fill(folder, 15, `root/${name}`)
  const id = await addLibraryOn(server, { roots: [folder.in('root')] })
  await scanNow(server, id)
  await rename(folder.in('root'), folder.in('unmounted'))
  await mkdir(folder.in('root'))
  expect(await scanNow(server, id)).toMatchObject({ status: 'held' })
  await rm(folder.in('root'), { recursive: true })
  await rename(folder.in('unmounted'), folder.in('root'))
  await rm(folder.in('root/A/0.cbz'))

  await scanNow(server, id, 'changes', ['A'])
  const [held] = await heldIn(server)
  expect(held).toMatchObject({ vanishing: 16 })
  await confirmHeld(server.context.db, id, held?.id ?? '', new Date())
  const books = [...(await booksOf(server, id))]
  const present = books.filter(([, { state }]) => state === 'present').map(([path]) => path)
  expect(present.toSorted()).toEqual(Array.from({ length: 14 }, (_, index) => `A/${index + 1}.cbz`).toSorted())
})

test('C10 nothing is held any more when scans of its folders have seen all of it again', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 6, 'root/A')
  const id = await addLibraryOn(server, { roots: [folder.in('root')] })
  await scanNow(server, id)
  await rename(folder.in('root'), folder.in('unmounted'))
  expect(await scanNow(server, id)).toMatchObject({ status: 'held' })
  await rename(folder.in('unmounted'), folder.in('root'))

  expect(await scanNow(server, id, 'changes', ['A'])).toMatchObject({ status: 'completed' })
  expect(await heldIn(server)).toEqual([])
})

test('C10 what a scan holds while somebody confirms what was held before waits for an answer of its own', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 6, 'root/A')
  const id = await addLibraryOn(server, { roots: [folder.in('root')] })
  await scanNow(server, id)
  await rename(folder.in('root'), folder.in('unmounted'))
  await scanNow(server, id)
  const [before] = await heldIn(server)
  const { db } = server.context
  let newer: string | undefined
  const write: typeof db.write = async (run) => {
    if (newer === undefined) {
      newer = ''
      await scanNow(server, id)
      newer = (await heldIn(server))[0]?.id
    }
    return db.write(run)
  }

  await confirmHeld({ ...db, write }, id, before?.id ?? '', new Date())
  expect(newer).not.toBe(before?.id)
  expect(await heldIn(server)).toMatchObject([{ id: newer }])
})

test('C10 what stays below one of the limits goes missing at once', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 30)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  for (let index = 0; index < 20; index += 1) await rm(folder.in(`A/${index}.cbz`))

  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_missing: 20 })
  expect(await presentIn(server, id)).toBe(10)
})

test('C10 a folder that held many books and is empty now holds them', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 20, 'mounted')
  for (let index = 0; index < 300; index += 1)
    await folder.write(`Other/${index}.cbz`, comic({ seed: 5000 + index, pages: 1 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  await rm(folder.in('mounted'), { recursive: true })
  await mkdir(folder.in('mounted'))

  expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_missing: 0 })
  expect(await heldIn(server)).toMatchObject([{ reason: 'folder_emptied', vanishing: 20 }])
})

test('C10 a folder whose folders held many books and that is empty now holds them, and a few of many do not', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (const series of ['A', 'B']) await fill(folder, 10, `mounted/${series}`)
  await fill(folder, 10, 'few/A')
  await fill(folder, 3, 'Other')
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  await rm(folder.in('few/A'), { recursive: true })
  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_missing: 10 })
  for (const series of ['A', 'B']) await rm(folder.in(`mounted/${series}`), { recursive: true })

  expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_missing: 0 })
  expect(await heldIn(server)).toMatchObject([{ reason: 'folder_emptied', vanishing: 20 }])
})

test('C10 files of a folder that has got another device number are gone at once when others are still there', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 25)
  const names = await readdir(folder.in('A'))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const { db } = server.context
  await db.write((db) => db.updateTable('file').set({ device: 1 }).execute())
  for (const name of names.slice(5)) await rm(folder.in(`A/${name}`))

  expect(await scanNow(server, id)).toMatchObject({ status: 'completed', books_missing: 20 })
})

test('LIB-6 what lies where the walk could not look is not missing, and removals wait', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await fill(folder, 5)
  const deep = `B/${Array.from({ length: 60 }, (_, depth) => depth).join('/')}`
  await folder.write(`${deep}/deep.cbz`, comic({ seed: 99 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  expect(await presentIn(server, id)).toBe(6)
  await mkdir(folder.in(`${deep}/a/b/c/d/e/f`), { recursive: true })
  await rm(folder.in('A/1.cbz'))

  expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_missing: 0, error_count: 1 })
  expect(await heldIn(server)).toMatchObject([{ reason: 'walk_error', vanishing: 1 }])
  expect(await presentIn(server, id)).toBe(6)
})

test('C10 LIB-6 looks at single folders do not let go, bit by bit, what a look at everything would hold', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (const name of ['A', 'B', 'C', 'D', 'E']) await fill(folder, 9, name)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const lose = async (name: string) => {
    await rm(folder.in(name), { recursive: true })
    return scanNow(server, id, 'changes', [name])
  }

  expect(await lose('A')).toMatchObject({ status: 'completed', books_missing: 9 })
  expect(await lose('B')).toMatchObject({ status: 'completed', books_missing: 9 })
  expect(await lose('C')).toMatchObject({ status: 'held', books_missing: 0 })
  expect(await heldIn(server)).toMatchObject([{ reason: 'threshold', vanishing: 9 }])
  expect(await lose('D')).toMatchObject({ status: 'held', books_missing: 0 })
  expect(await heldIn(server)).toMatchObject([{ reason: 'threshold', vanishing: 18 }])
  expect(await scanNow(server, id, 'changes', ['C'])).toMatchObject({ status: 'completed', books_missing: 0 })
  expect(await presentIn(server, id)).toBe(27)
  expect(await scanNow(server, id)).toMatchObject({ books_missing: 0, status: 'held' })
  expect(await heldIn(server)).toMatchObject([{ vanishing: 18 }])
})
