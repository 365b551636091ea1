import { rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicInfoXml } from '../../../test/books/metadata.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
let folder: LibraryFolder
let libraryId: string
let admin: Person
let seeds = 0

const write = (path: string, info: Parameters<typeof comicInfoXml>[0] = {}): Promise<void> =>
  folder.write(path, comic({ seed: (seeds += 1), pages: 1, comicInfo: comicInfoXml(info) }))

const series: Readonly<Record<string, readonly string[]>> = {
  Issues: [1, 2, 3, 5, 6, 9].map((number) => `Issues #${number}.cbz`),
  Volumes: [2, 4].map((number) => `Volumes v0${number}.cbz`),
  Whole: [1, 2, 3].map((number) => `Whole #${number}.cbz`),
  Both: ['Both v01.cbz', 'Both v02.cbz', 'Both c011.cbz', 'Both c013.cbz'],
  Codes: [501, 90_210].map((number) => `Codes #${number}.cbz`),
  Alone: ['A single thing.cbz'],
}

beforeAll(async () => {
  server = await startServer()
  folder = await libraryFolder()
  for (const [name, files] of Object.entries(series)) for (const file of files) await write(`${name}/${file}`)
  for (const number of [1, 2, 4]) await write(`Counted/Counted #${number}.cbz`, { Number: number, Count: 6 })
  await write('Counted/Counted Special #99.cbz', { Number: 99, Count: 6, Format: 'Annual' })
  await write('Counted/Counted #2.5.cbz', { Number: '2.5', Count: 6 })
  libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  admin = await server.person('admin')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const idOf = async (name: string): Promise<string> => {
  const rows = [...(await booksOf(server, libraryId))]
  return rows.find(([path]) => path.startsWith(`${name}/`))?.[1].series_id ?? ''
}
const gapsOf = async (name: string, { call } = admin) =>
  bodyOf(await call(api.readSeriesGaps, { params: { id: await idOf(name) } }))
const withGaps = async (operator: 'isTrue' | 'isFalse', { call } = admin): Promise<string[]> => {
  const body = { condition: { hasGaps: { operator } } }
  const { data } = bodyOf(await call(api.listSeriesByCondition, { query: { pageSize: 100 }, body }))
  return data.map(({ title }) => title).sort()
}
/** A gap of one number stands behind so many books. */
const one = (number: number, at: number) => ({ from: number, to: number, at })

test('C20 V1 what is missing of a series is what lies between its numbers, and up to the total that is said', async () => {
  expect(await gapsOf('Issues')).toEqual({
    numbers: { owned: 6, of: 9, missing: [one(4, 3), { from: 7, to: 8, at: 5 }] },
    volumes: null,
  })
  expect(await gapsOf('Volumes')).toEqual({ numbers: null, volumes: { owned: 2, of: 3, missing: [one(3, 1)] } })
  expect(await gapsOf('Whole')).toMatchObject({ numbers: { owned: 3, of: 3, missing: [] } })
  expect(await gapsOf('Both')).toEqual({
    numbers: { owned: 2, of: 3, missing: [one(12, 3)] },
    volumes: { owned: 2, of: 2, missing: [] },
  })
  expect(await gapsOf('Codes')).toMatchObject({ numbers: { owned: 2, of: 2, missing: [] } })
  expect(await gapsOf('Alone')).toEqual({ numbers: null, volumes: null })
  expect(await gapsOf('Counted')).toMatchObject({
    numbers: { owned: 3, of: 6, missing: [one(3, 3), { from: 5, to: 6, at: 4 }] },
  })
})

test('C20 CAT-4 series with gaps are a filter', async () => {
  expect(await withGaps('isTrue')).toEqual(['Both', 'Counted', 'Issues', 'Volumes'])
  expect(await withGaps('isFalse')).toEqual(['Alone', 'Codes', 'Whole'])
})

test('C20 W9 a book that somebody may not see is missing for them, in the filter too', async () => {
  const book = (await booksOf(server, libraryId)).get('Whole/Whole #2.cbz')?.id ?? ''
  const params = { id: await idOf('Whole') }
  bodyOf(await admin.call(api.editSeriesMetadata, { params, body: { ageRating: 6 } }))
  bodyOf(await admin.call(api.editBookMetadata, { params: { id: book }, body: { ageRating: 18 } }))
  const child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })

  expect(await gapsOf('Whole', child)).toMatchObject({ numbers: { owned: 2, of: 3, missing: [one(2, 1)] } })
  expect(await withGaps('isTrue', child)).toEqual(['Both', 'Counted', 'Issues', 'Volumes', 'Whole'])
  expect(await withGaps('isTrue')).toEqual(['Both', 'Counted', 'Issues', 'Volumes'])
})

test('C20 a gap is closed by the book that comes, and opened by one that goes', async () => {
  await write('Volumes/Volumes v03.cbz')
  await rm(folder.in('Issues/Issues #2.cbz'))
  await scanNow(server, libraryId)

  expect(await gapsOf('Volumes')).toMatchObject({ volumes: { owned: 3, of: 3, missing: [] } })
  expect(await gapsOf('Issues')).toMatchObject({
    numbers: { missing: [one(2, 1), one(4, 2), { from: 7, to: 8, at: 4 }] },
  })
  expect(await withGaps('isTrue')).toEqual(['Both', 'Counted', 'Issues'])
})
