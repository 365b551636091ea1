import { rename } from 'node:fs/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow, workedOff } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { startScan } from './scan.ts'
import { scanLibrary } from './tasks.ts'

let server: TestServer
let admin: Person
let child: Person
beforeAll(async () => {
  server = await startServer()
  admin = await server.person('admin')
  const access = { ageCeiling: 12, includeUnrated: true }
  child = await server.person('reader', { access })
})
afterAll(() => server[Symbol.asyncDispose]())

const rated = (rating: string) => `<?xml version="1.0"?><ComicInfo><AgeRating>${rating}</AgeRating></ComicInfo>`
const damaged = 'PK\u0003\u0004 and no more than that'

const libraryOn = async (folder: LibraryFolder): Promise<string> => {
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  return id
}

/** A scan without what comes after it: books are listed, and nobody has looked into them. */
const listOnly = async (libraryId: string): Promise<void> => {
  const { db, clock } = server.context
  await using _ = workOn(server, [scanLibrary], { settleMs: 20 })
  const { scanId } = await db.write((db) => startScan(db, { libraryId, mode: 'changes', paths: [] }, clock()))
  await expect
    .poll(() => db.read.selectFrom('scan').select('status').where('id', '=', scanId).executeTakeFirst(), {
      timeout: 20_000,
    })
    .toEqual({ status: 'completed' })
}

const bookAt = async (libraryId: string, path: string) => {
  const book = (await booksOf(server, libraryId)).get(path)
  if (!book) throw new Error(`There is no book at ${path}`)
  return book
}

/** What a child gets to know of books: lists, records and files. */
const seenBy = async ({ call }: Person, books: readonly { readonly id: string }[]): Promise<string[]> => {
  const seen: string[] = []
  const listed = bodyOf(await call(api.listBooks, { query: { pageSize: 500 } })).data.map(({ id }) => id)
  for (const { id } of books) {
    const statuses = [
      (await call(api.readBook, { params: { id } })).status,
      (await call(api.downloadBook, { params: { id } })).status,
    ]
    seen.push(`${listed.includes(id) ? 'listed' : 'not listed'} ${statuses.join(' ')}`)
  }
  return seen
}
const nothing = 'not listed 404 404'
const all = 'listed 200 200'

const rateSeries = async (id: string, ageRating: number | null) => {
  expect((await admin.call(api.editSeriesMetadata, { params: { id }, body: { ageRating } })).status).toBe(200)
}

test.each(['by hand', 'by its books'])(
  'A1 W9 a book is born as restricted as its series, which is rated %s, and stays so when it cannot be read',
  async (how) => {
    await using folder = await libraryFolder()
    await folder.write('A/1.cbz', comic({ seed: 1, comicInfo: how === 'by hand' ? false : rated('Adults Only 18+') }))
    const id = await libraryOn(folder)
    const { series_id } = await bookAt(id, 'A/1.cbz')
    if (how === 'by hand') await rateSeries(series_id, 18)
    await folder.write('A/2.cbz', comic({ seed: 2 }))
    await folder.write('A/3.cbz', damaged)

    await listOnly(id)

    const born = [await bookAt(id, 'A/2.cbz'), await bookAt(id, 'A/3.cbz')]
    expect(born.map(({ age_rating, analysis }) => [age_rating, analysis])).toEqual([
      [18, 'pending'],
      [18, 'pending'],
    ])
    expect(await seenBy(child, born)).toEqual([nothing, nothing])
    await workedOff(server)
    const read = [await bookAt(id, 'A/2.cbz'), await bookAt(id, 'A/3.cbz')]
    expect(read.map(({ age_rating, analysis }) => [age_rating, analysis])).toEqual([
      [18, 'done'],
      [18, 'failed'],
    ])
    expect(await seenBy(child, read)).toEqual([nothing, nothing])
  },
)

test('A1 W9 a series that is rated while a scan goes on has no book that is rated otherwise', async () => {
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 11 }))
  const id = await libraryOn(folder)
  const { series_id } = await bookAt(id, 'A/1.cbz')
  for (let number = 2; number < 40; number += 1)
    await folder.write(`A/${number}.cbz`, comic({ seed: 10 + number, pages: 1 }))

  const scanned = scanNow(server, id)
  for (const ageRating of [6, 18, 16, 18]) await rateSeries(series_id, ageRating)
  await scanned

  const ratings = [...(await booksOf(server, id)).values()].map(({ age_rating }) => age_rating)
  expect([ratings.length, ...new Set(ratings)]).toEqual([39, 18])
})

test('A12 W9 the word of people on a series goes before what files say of its books, and only theirs on a book before that', async () => {
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 51, comicInfo: rated('Everyone') }))
  await folder.write('A/2.cbz', comic({ seed: 52, comicInfo: rated('Everyone') }))
  const id = await libraryOn(folder)
  const books = [await bookAt(id, 'A/1.cbz'), await bookAt(id, 'A/2.cbz')]
  const [first, second] = books
  expect(await seenBy(child, books)).toEqual([all, all])

  await rateSeries(first?.series_id ?? '', 18)
  expect(await seenBy(child, books)).toEqual([nothing, nothing])
  await folder.write('A/3.cbz', comic({ seed: 53, comicInfo: rated('Everyone') }))
  await scanNow(server, id)
  await scanNow(server, id, 'full')
  books.push(await bookAt(id, 'A/3.cbz'))
  expect(await seenBy(child, books)).toEqual([nothing, nothing, nothing])

  const params = { id: second?.id ?? '' }
  expect((await admin.call(api.editBookMetadata, { params, body: { ageRating: 6 } })).status).toBe(200)
  expect(await seenBy(child, books)).toEqual([nothing, all, nothing])
  await scanNow(server, id, 'full')
  expect(await seenBy(child, books)).toEqual([nothing, all, nothing])
  await rateSeries(first?.series_id ?? '', null)
  expect(await seenBy(child, books)).toEqual([all, all, all])
})

test('A1 W9 a book that goes to another series is no less restricted there, until people say otherwise', async () => {
  await using folder = await libraryFolder()
  for (const [path, seed] of [
    ['A/1.cbz', 61],
    ['A/2.cbz', 62],
    ['B/1.cbz', 63],
  ] as const)
    await folder.write(path, comic({ seed }))
  const id = await libraryOn(folder)
  const { series_id: from } = await bookAt(id, 'A/1.cbz')
  const { series_id: to } = await bookAt(id, 'B/1.cbz')
  const tag = bodyOf(await admin.call(api.createSharingTag, { body: { name: 'hidden' } }))
  const other = await server.person('reader', { access: { denyTags: [tag.id] } })
  await rateSeries(from, 18)
  await admin.call(api.saveSeriesSharingTags, { params: { id: from }, body: { tagIds: [tag.id] } })

  await rename(folder.in('A/2.cbz'), folder.in('B/2.cbz'))
  await scanNow(server, id)

  const moved = await bookAt(id, 'B/2.cbz')
  expect(moved.series_id).toBe(to)
  expect(await seenBy(child, [moved])).toEqual([nothing])
  expect(await seenBy(other, [moved])).toEqual([nothing])
  await scanNow(server, id, 'full')
  expect(await seenBy(child, [moved])).toEqual([nothing])
  await rateSeries(to, 6)
  await admin.call(api.saveSeriesSharingTags, { params: { id: to }, body: { tagIds: [] } })
  expect(await seenBy(child, [moved])).toEqual([all])
  expect(await seenBy(other, [moved])).toEqual([all])
})
