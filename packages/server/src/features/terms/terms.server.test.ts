import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicInfoXml } from '../../../test/books/metadata.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
let folder: LibraryFolder
let admin: Person
let seriesIds: ReadonlyMap<string, string>

const series: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Lantern: { Writer: 'Ada Vaughan', Penciller: 'Mei Arata', Genre: 'Drama' },
  Harbour: { Writer: 'Ada Vaughan', CoverArtist: 'Ada Vaughan', Genre: 'Drama' },
  Tide: { Writer: 'Mei Arata', Genre: 'Drama' },
}

beforeAll(async () => {
  server = await startServer()
  folder = await libraryFolder()
  let seed = 0
  for (const [name, info] of Object.entries(series))
    await folder.write(
      `${name}/${name} #1.cbz`,
      comic({ seed: (seed += 1), pages: 1, comicInfo: comicInfoXml({ Series: name, Number: 1, ...info }) }),
    )
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const books = [...(await booksOf(server, libraryId))]
  seriesIds = new Map(books.map(([path, book]) => [path.split('/')[0] ?? '', book.series_id]))
  admin = await server.person('admin')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const idsOf = (...names: string[]): string[] => names.map((name) => seriesIds.get(name) ?? '')

test('C2 a name is told with two covers at most: of the series that came first and of the last', async () => {
  const { data: people } = bodyOf(await admin.call(api.listPeople, { query: {} }))
  const pictured = people.map(({ name, covers }) => [name, covers.map(({ seriesId }) => seriesId)])
  expect(pictured).toEqual([
    ['Ada Vaughan', idsOf('Lantern', 'Harbour').toSorted()],
    ['Mei Arata', idsOf('Lantern', 'Tide').toSorted()],
  ])
  const { data: genres } = bodyOf(await admin.call(api.listGenres, { query: {} }))
  const all = idsOf('Lantern', 'Harbour', 'Tide').toSorted()
  expect(genres[0]?.covers.map(({ seriesId }) => seriesId)).toEqual([all[0], all[2]])
})

const madeBy = async (test: api.TextTest): Promise<[series: string[], books: string[]]> => {
  const body = { condition: { author: test } }
  const series = bodyOf(await admin.call(api.listSeriesByCondition, { body }))
  const books = bodyOf(await admin.call(api.listBooksByCondition, { body }))
  return [series.data.map(({ title }) => title).sort(), books.data.map(({ seriesName }) => seriesName).sort()]
}

test('C2 series and books are found by what somebody did for them', async () => {
  const both = <Names>(names: Names): [Names, Names] => [names, names]
  const ada = { operator: 'is', value: 'ada vaughan' } as const
  expect(await madeBy(ada)).toEqual(both(['Harbour', 'Lantern']))
  expect(await madeBy({ ...ada, role: 'cover_artist' })).toEqual(both(['Harbour']))
  expect(await madeBy({ ...ada, role: 'WRITER' })).toEqual(both(['Harbour', 'Lantern']))
  expect(await madeBy({ ...ada, role: 'penciller' })).toEqual(both([]))
  expect(await madeBy({ ...ada, operator: 'isNot', role: 'cover_artist' })).toEqual(both(['Lantern', 'Tide']))
  expect(await madeBy({ operator: 'beginsWith', value: 'mei', role: 'penciller' })).toEqual(both(['Lantern']))
})
