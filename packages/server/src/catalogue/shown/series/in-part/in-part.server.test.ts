import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicInfoXml } from '../../../../../test/books/metadata.ts'
import { doorsOpen } from '../../../../../test/contract/inputs.ts'
import { comic, libraryFolder, type LibraryFolder } from '../../../../../test/library-folder.ts'
import { bodyOf } from '../../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../../../test/start-server.ts'
import { workOn } from '../../../../../test/work.ts'
import { enqueue } from '../../../../tasks/queue.ts'
import { verifyCatalogue } from '../../tasks.ts'
import { checkSeries } from '../../verify/check-series.ts'

let server: TestServer
let folder: LibraryFolder
let libraryId: string
let admin: Person
let young: Person
beforeAll(async () => {
  server = await startServer({ env: doorsOpen })
  folder = await libraryFolder()
  for (const number of [1, 2, 3])
    await folder.write(
      `Mixed/Mixed ${number}.cbz`,
      comic({
        seed: 900 + number,
        comicInfo: comicInfoXml({
          Number: number,
          AgeRating: 'Everyone',
          Genre: `genre${number}`,
          Tags: `tag${number}`,
          Writer: `writer${number}`,
          Publisher: `publisher${number}`,
          Summary: `summary${number}`,
          Web: `https://example.org/web${number}`,
          Count: number === 1 ? 77 : 5,
        }),
      }),
    )
  libraryId = await addLibraryOn(server, { roots: [folder.path], name: 'Comics' })
  await scanNow(server, libraryId)
  admin = await server.person('admin')
  young = await server.person('reader', { access: { ageCeiling: 10 } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** Wherever something of a series is told. */
const addressesOf = (id: string): readonly string[] => [
  ...['', '/full', '/metadata', '/metadata/context', '/metadata/sources', '/gaps'].map(
    (part) => `/api/v1/series/${id}${part}`,
  ),
  ...[
    'series',
    'genres',
    'tags',
    'people',
    'home',
    'search?q=writer1',
    'search?q=publisher1',
    'series?genres=genre1',
  ].map((part) => `/api/v1/${part}`),
  ...['genres', 'tags', 'people', 'publishers', 'series'].flatMap((part) => [`/opds/v1/${part}`, `/opds/v2/${part}`]),
  ...['genres', 'tags', 'authors', 'publishers', 'series'].map((part) => `/komga/api/v1/${part}`),
]

const textAt = async ({ accessToken }: Person, address: string): Promise<string> => {
  const reply = await fetch(server.url + address, { headers: { authorization: `Bearer ${accessToken}` } })
  expect([address, reply.status]).toEqual([address, 200])
  return reply.text()
}

const words = /(?:genre|tag|writer|publisher|summary|web)1|77/g
const toldOf = async (person: Person, id: string): Promise<readonly string[]> => {
  const told: string[] = []
  for (const address of addressesOf(id)) {
    // Links repeat what was asked.
    const text = (await textAt(person, address)).replaceAll(/q(?:uery)?=\w+|genres=\w+/g, '')
    const found = [...text.matchAll(words)]
      .map(([word]) => word)
      .filter((word) => word !== '77' || /: ?77\b/.test(text))
    if (found.length > 0) told.push(`${address} ${[...new Set(found)].join()}`)
  }
  return told
}

const countOf = async (person: Person, condition: object): Promise<number> =>
  bodyOf(
    await person.call(api.listSeriesByCondition, { body: { condition: condition as api.SeriesCondition }, query: {} }),
  ).total

/** Whatever is kept otherwise than it should be. */
const driftOf = async (id: string): Promise<readonly string[]> => {
  const { db, clock } = server.context
  const drift = await checkSeries(db.read, [id], clock())
  return [...drift].filter(([, ids]) => ids.size > 0).map(([projection]) => projection)
}

const conditions = [
  { genre: { operator: 'is', value: 'genre1' } },
  { author: { operator: 'contains', value: 'writer1' } },
  { publisher: { operator: 'is', value: 'publisher1' } },
]

test('W9 HTTP-3 what only a hidden book says of its series is told nowhere, and is told again when the book is seen', async () => {
  const books = await booksOf(server, libraryId)
  const first = books.get('Mixed/Mixed 1.cbz')
  const [id, bookId] = [first?.series_id ?? '', first?.id ?? '']
  bodyOf(await admin.call(api.editSeriesMetadata, { params: { id }, body: { ageRating: 6 } }))
  bodyOf(await admin.call(api.editBookMetadata, { params: { id: bookId }, body: { ageRating: 18 } }))

  expect(await toldOf(young, id)).toEqual([])
  const { metadata } = bodyOf(await young.call(api.readSeries, { params: { id } }))
  expect(metadata).toMatchObject({ genres: ['genre2', 'genre3'], publisher: 'publisher2', totalVolumeCount: 5 })
  for (const condition of conditions) {
    expect([condition, await countOf(young, condition)]).toEqual([condition, 0])
    expect([condition, await countOf(admin, condition)]).toEqual([condition, 1])
  }
  // From others nothing is hidden: they are told what all books say.
  expect(bodyOf(await admin.call(api.readSeries, { params: { id } })).metadata).toMatchObject({
    genres: ['genre1', 'genre2', 'genre3'],
    publisher: 'publisher1',
    totalVolumeCount: 77,
  })
  expect(await driftOf(id)).toEqual([])

  bodyOf(await admin.call(api.editBookMetadata, { params: { id: bookId }, body: { ageRating: 6 } }))
  expect(bodyOf(await young.call(api.readSeries, { params: { id } })).metadata).toMatchObject({
    genres: ['genre1', 'genre2', 'genre3'],
    totalVolumeCount: 77,
  })
  expect(await countOf(young, { genre: { operator: 'is', value: 'genre1' } })).toBe(1)
  expect(await driftOf(id)).toEqual([])
})

test('W9 what was there before parts were kept of series gets them when the catalogue is checked', async () => {
  const books = await booksOf(server, libraryId)
  const first = books.get('Mixed/Mixed 1.cbz')
  const [id, bookId] = [first?.series_id ?? '', first?.id ?? '']
  bodyOf(await admin.call(api.editSeriesMetadata, { params: { id }, body: { ageRating: 6 } }))
  bodyOf(await admin.call(api.editBookMetadata, { params: { id: bookId }, body: { ageRating: 18 } }))
  const { db, clock } = server.context
  await db.write(async (db) => {
    await db.updateTable('series').set({ strictest_rating: null }).where('id', '=', id).execute()
    await db.updateTable('series_term').set({ from_rating: null }).where('series_id', '=', id).execute()
    await db.deleteFrom('series_in_part').where('series_id', '=', id).execute()
  })
  expect(await driftOf(id)).toContain('ratings')
  await using _ = workOn(server, [verifyCatalogue])
  await db.write((db) => enqueue(db, verifyCatalogue, { byHand: true }, { now: clock() }))
  await expect.poll(() => driftOf(id), { timeout: 20_000 }).toEqual([])
  expect(await toldOf(young, id)).toEqual([])
})
