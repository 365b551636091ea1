import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { termKey } from '../../../catalogue/terms/terms.ts'
import { insertMany } from '../../../database/many.ts'
import { newId } from '../../../platform/ids.ts'
import { addLibrary, addManySeries } from '../../../../test/content.ts'
import { comicInfoXml } from '../../../../test/books/metadata.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

let server: TestServer
let folder: LibraryFolder
let admin: Person
let ids: ReadonlyMap<string, string>

const series: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  Lantern: { Writer: 'Ada Vaughan', Penciller: 'Mei Arata', Genre: 'Fantasy, Drama', Tags: 'sea' },
  Harbour: { Writer: 'Ada Vaughan', CoverArtist: 'Ada Vaughan', Genre: 'Comedy' },
  Tide: { Writer: 'Lou Vasse', Penciller: 'Mei Arata', Genre: 'Fantasy, Drama', Tags: 'sea' },
  Salt: { Writer: 'Tomas Lind', Genre: 'Fantasy, Drama' },
  Wolf: { Writer: 'Tomas Lind', Genre: 'Fantasy' },
}

beforeAll(async () => {
  server = await startServer()
  folder = await libraryFolder()
  let seed = 0
  for (const [name, info] of Object.entries(series))
    for (const number of [1, 2])
      await folder.write(
        `${name}/${name} #${number}.cbz`,
        comic({
          seed: (seed += 1),
          pages: 1,
          comicInfo: comicInfoXml({ Series: name, Number: number, Year: 2010 + 3 * number, ...info }),
        }),
      )
  await folder.write(
    'Lone Tower/Lone Tower.cbz',
    comic({ seed: 90, pages: 1, comicInfo: comicInfoXml({ Writer: 'Ebba Roos' }) }),
  )
  await folder.write('Begun/Begun #1.cbz', comic({ seed: 91, pages: 1 }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  ids = new Map(
    [...(await booksOf(server, libraryId))].map(([path, book]) => [path.split('/')[0] ?? '', book.series_id]),
  )
  admin = await server.person('admin')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const of = (name: string) => ({ params: { id: ids.get(name) ?? '' } })
const titles = (series: readonly api.SeriesDto[]): string[] => series.map(({ title }) => title)

test('V1 a series leads to what its people made besides, and to what it has most in common with', async () => {
  const { byPeople, alike } = bodyOf(await admin.call(api.readRelatedSeries, of('Lantern')))
  expect(titles(byPeople)).toEqual(['Harbour', 'Tide'])
  expect(titles(alike)).toEqual(['Salt'])
  const other = bodyOf(await admin.call(api.readRelatedSeries, of('Wolf')))
  expect(titles(other.alike)).toEqual(['Lantern', 'Tide'])
})

test('V1 W9 what somebody may not see is related to nothing', async () => {
  bodyOf(await admin.call(api.editSeriesMetadata, { ...of('Tide'), body: { ageRating: 18 } }))
  const child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  const { byPeople } = bodyOf(await child.call(api.readRelatedSeries, of('Lantern')))
  expect(titles(byPeople)).toEqual(['Harbour'])
  expect(errorOf(await child.call(api.readRelatedSeries, of('Tide')))).toMatchObject({ error: 'not_found' })
  const person = bodyOf(await child.call(api.readPerson, { query: { name: 'Mei Arata' } }))
  expect(person).toMatchObject({ seriesCount: 1, roles: [{ role: 'penciller', seriesCount: 1 }] })
  expect(errorOf(await child.call(api.readPerson, { query: { name: 'Lou Vasse' } }))).toMatchObject({
    error: 'not_found',
  })
})

test('V1 the years of a series are those of its books', async () => {
  const { firstYear, lastYear } = bodyOf(await admin.call(api.readSeries, of('Salt')))
  expect({ firstYear, lastYear }).toEqual({ firstYear: 2013, lastYear: 2016 })
})

test('C2 somebody has all they did, and those they did it with', async () => {
  const ada = bodyOf(await admin.call(api.readPerson, { query: { name: 'ada VAUGHAN' } }))
  expect(ada).toMatchObject({ name: 'Ada Vaughan', seriesCount: 2, bookCount: 4 })
  expect(ada.roles).toEqual([
    { role: 'writer', seriesCount: 2, bookCount: 4 },
    { role: 'cover_artist', seriesCount: 1, bookCount: 2 },
  ])
  expect(ada.workedWith).toEqual([{ name: 'Mei Arata', seriesCount: 1 }])
  expect(errorOf(await admin.call(api.readPerson, { query: { name: 'Nobody' } }))).toMatchObject({ error: 'not_found' })
})

test('N1 N2 a single book that is called like its series and has no number is a one-shot, which names the book and its author', async () => {
  const tower = bodyOf(await admin.call(api.readSeries, of('Lone Tower')))
  expect(tower).toMatchObject({ oneShot: true, authors: ['Ebba Roos'] })
  const book = bodyOf(await admin.call(api.readBook, { params: { id: tower.oneShotBookId ?? '' } }))
  expect(book).toMatchObject({ title: 'Lone Tower', oneShot: true })
  const begun = bodyOf(await admin.call(api.readSeries, of('Begun')))
  expect(begun).toMatchObject({ oneShot: false, oneShotBookId: null })
})

test('V1 what thousands of series have says nothing of one', async () => {
  const { db } = server.context
  const library = await addLibrary(db, { path: '/data/many', rootId: newId() })
  const many = await addManySeries(
    db,
    library,
    Array.from({ length: 2000 }, (_, index) => ({ title: `Many ${index}` })),
  )
  const fantasy = await db.read
    .selectFrom('term')
    .select('id')
    .where('key', '=', termKey('Fantasy'))
    .executeTakeFirstOrThrow()
  await db.write((db) =>
    insertMany(
      db,
      'series_term',
      many.map(({ id }) => ({ series_id: id, term_id: fantasy.id, role: '', place: 0 })),
    ),
  )

  expect(bodyOf(await admin.call(api.readRelatedSeries, of('Wolf'))).alike).toEqual([])
  expect(titles(bodyOf(await admin.call(api.readRelatedSeries, of('Lantern'))).byPeople)).toEqual(['Harbour', 'Tide'])
})
