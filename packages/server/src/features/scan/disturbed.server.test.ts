import { appendFile, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'

const countOfKind = 6
const bytesOf = (seed: number): Buffer => comic({ seed, pages: 2 })

/** One thing that happens to files; each time a little further. Where it ends is where it began, or says otherwise. */
interface Disturbance {
  readonly seedOf: (index: number) => number
  readonly step: (path: string, index: number, round: number) => Promise<void>
  /** What it all ends with. */
  readonly settle: (path: string, index: number) => Promise<void>
}

const disturbances = (folder: LibraryFolder, elsewhere: LibraryFolder): Readonly<Record<string, Disturbance>> => {
  const at = (path: string) => folder.in(`root/${path}`)
  const seeds = (from: number) => (index: number) => from + index
  const nothing = async (): Promise<void> => undefined
  const isOut = new Set<string>()
  const toggle = async (path: string, other: string): Promise<void> => {
    if (isOut.delete(path)) return rename(other, at(path))
    isOut.add(path)
    return rename(at(path), other)
  }
  const writeBook = (seedOf: (index: number) => number) => (path: string, index: number) =>
    writeFile(at(path), bytesOf(seedOf(index)))
  return {
    untouched: { seedOf: seeds(0), step: nothing, settle: nothing },
    vanishing: {
      seedOf: seeds(100),
      step: (path) => toggle(path, elsewhere.in(path.replace('/', ' '))),
      settle: async (path) => {
        if (isOut.has(path)) await toggle(path, elsewhere.in(path.replace('/', ' ')))
      },
    },
    moving: {
      seedOf: seeds(200),
      step: (path) => toggle(path, at(path.replace('/', '/sub/other '))),
      settle: async (path) => {
        if (isOut.has(path)) await toggle(path, at(path.replace('/', '/sub/other ')))
      },
    },
    truncated: {
      seedOf: seeds(300),
      step: (path, index, round) =>
        round % 2 === 0 ? truncate(at(path), (round * 97) % 1500) : writeBook(seeds(300))(path, index),
      settle: writeBook(seeds(300)),
    },
    growing: {
      seedOf: seeds(400),
      step: (path, _, round) =>
        round % 40 === 39 ? truncate(at(path), 10) : appendFile(at(path), bytesOf(450).subarray(0, 700)),
      settle: writeBook(seeds(400)),
    },
    replaced: {
      seedOf: seeds(500),
      step: async (path, index, round) => {
        await writeFile(at(`${path}.part`), bytesOf(500 + ((index + round) % 3) * 20 + index))
        await rename(at(`${path}.part`), at(path))
      },
      settle: writeBook(seeds(560)),
    },
    'coming and going': {
      seedOf: seeds(600),
      step: async (path, index, round) => {
        if (round % 2 === 0) await rm(at('coming and going'), { recursive: true, force: true })
        await mkdir(at('coming and going'), { recursive: true })
        await writeBook(seeds(600))(path, index)
      },
      settle: writeBook(seeds(600)),
    },
  }
}

test('LIB-5 LIB-6 P-6 files that vanish, move, grow and shrink under a scan keep their ids and what was read in them', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await using elsewhere = await libraryFolder()
  const kinds = disturbances(folder, elsewhere)
  const files = Object.entries(kinds).flatMap(([name, kind]) =>
    Array.from({ length: countOfKind }, (_, index) => ({ path: `${name}/${index}.cbz`, index, kind })),
  )
  for (const { path, index, kind } of files) await folder.write(`root/${path}`, bytesOf(kind.seedOf(index)))
  await mkdir(folder.in('root/moving/sub'))
  const id = await addLibraryOn(server, { roots: [folder.in('root')] })
  await scanNow(server, id)
  const before = await booksOf(server, id)
  expect(before.size).toBe(files.length)
  const reader = await server.person('reader')
  const read = [...before.values()].filter(({ name }) => Number.parseInt(name, 10) % 2 === 0).map((book) => book.id)
  for (const bookId of read)
    bodyOf(await reader.call(api.saveProgress, { params: { id: bookId }, body: { currentPage: 2 } }))

  for (let time = 0; time < 3; time += 1) {
    const over = new AbortController()
    const disturbing = (async () => {
      for (let round = 0; !over.signal.aborted; round += 1)
        for (const { path, index, kind } of files) await kind.step(path, index, round)
    })()
    try {
      await scanNow(server, id, time === 1 ? 'full' : 'changes')
    } finally {
      over.abort()
      await disturbing
    }
  }
  for (const { path, index, kind } of files) await kind.settle(path, index)
  await scanNow(server, id)
  const admin = await server.person('admin')
  const { held } = bodyOf(await admin.call(api.readHeldChanges, { params: { id } }))
  // A walk that met a file in the moment it went holds back what is gone, until somebody says that it is (C10).
  if (held) bodyOf(await admin.call(api.confirmHeldChanges, { params: { id, heldId: held.id } }))
  const scan = await scanNow(server, id)

  expect(scan).toMatchObject({ status: 'completed', books_added: 0, books_missing: 0, error_count: 0 })
  const { data } = bodyOf(await reader.call(api.listBooks, { query: { includeDeleted: true, pageSize: 500 } }))
  expect(new Set(data.filter(({ readProgress }) => readProgress !== null).map((book) => book.id))).toEqual(
    new Set(read),
  )
  const all = [...(await booksOf(server, id))]
  const present = all.filter(([, { state }]) => state === 'present')
  const shown = (books: typeof all) => Object.fromEntries(books.map(([path, book]) => [path, book.id]))
  expect(shown(present)).toEqual(shown([...before]))
  const states = present.map(([path, { analysis, page_count, fault_message }]) =>
    analysis === 'done' ? `done ${page_count}` : `${path} ${analysis}: ${fault_message}`,
  )
  expect(new Set(states)).toEqual(new Set(['done 2']))
  // One that was seen at both of its places was two books for a while, of which one has gone as it came.
  const contents = new Set(present.map(([, { content_hash }]) => content_hash))
  const ghosts = all.filter(([, { state }]) => state !== 'present').map(([, book]) => book)
  expect(ghosts.filter(({ content_hash }) => content_hash !== null && !contents.has(content_hash))).toEqual([])
  expect(ghosts.filter((book) => read.includes(book.id))).toEqual([])
  expect(bodyOf(await admin.call(api.listRelinks, { params: { id } })).data).toEqual([])
})
