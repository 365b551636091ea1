import { deleteLibrary } from '@carrel/api'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { title as inventTitle } from '../../../../../bench/gen/words.ts'
import { randomFrom } from '../../../test/books/pictures.ts'
import { addBooks, addLibrary, addManySeries, addSeries } from '../../../test/content.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { plansOf, slowSteps, statementsOf } from '../../../test/plans.ts'
import { addLibraryOn, scanNow } from '../../../test/scanning.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import type { Database, ReadDb } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../tasks/queue.ts'
import { forgetLibrary, hideLibrary } from '../libraries/tasks.ts'
import { saveLayers } from '../metadata/metadata.ts'
import { refreshSeries } from '../series/series.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { selectFound, selectShown } from './queries.ts'
import { find, prepareQuery, textMatch } from './search-index.ts'
import { indexBooksOfSeries, rebuildSearch } from './tasks.ts'

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const everybody: Viewer = { userId: newId(), rule: everything, deletedLibraries: [], seesPaths: false }

const idsFor = async (db: Database, target: 'series' | 'book', q: string, viewer = everybody, limit = 10) => {
  const query = await prepareQuery(db, q, true)
  return query ? find(db, viewer, { target, query, limit }) : []
}

const titlesOf = async (db: Database, target: 'series' | 'book', ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await db.read.selectFrom(target).select(['id', 'title']).where('id', 'in', ids).execute()
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  return ids.map((id) => titles.get(id) ?? '')
}
const titlesFor = async (db: Database, target: 'series' | 'book', q: string, viewer = everybody) =>
  titlesOf(db, target, await idsFor(db, target, q, viewer))

const countOf = async (db: Database, table: 'book_search' | 'series_search'): Promise<number> => {
  const { count } = await db.read
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

test('CAT-5 what is found follows every scan: books come, are renamed, go missing, come back, and are forgotten', async () => {
  await using server = await startServer()
  const { db, clock } = server.context
  await using folder = await libraryFolder()
  await folder.write('Marigold/Marigold 001.cbz', comic({ seed: 1 }))
  await folder.write('Marigold/Marigold 002.cbz', comic({ seed: 2 }))
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  expect(await titlesFor(db, 'series', 'marigold')).toEqual(['Marigold'])
  expect(await idsFor(db, 'book', 'marigold')).toHaveLength(2)

  await rename(join(folder.path, 'Marigold/Marigold 002.cbz'), join(folder.path, 'Marigold/Thistledown 002.cbz'))
  await scanNow(server, id, 'full')
  expect(await idsFor(db, 'book', 'thistledown')).toHaveLength(1)
  const [first = ''] = await idsFor(db, 'book', 'marigold 1')

  await rename(join(folder.path, 'Marigold/Marigold 001.cbz'), join(folder.path, 'aside'))
  await scanNow(server, id, 'full')
  expect(await idsFor(db, 'book', 'marigold 1')).toEqual([])
  await rename(join(folder.path, 'aside'), join(folder.path, 'Marigold/Marigold 001.cbz'))
  await scanNow(server, id, 'full')
  expect(await idsFor(db, 'book', 'marigold 1')).toEqual([first])

  await rename(join(folder.path, 'Marigold'), join(folder.path, 'Oleander'))
  await scanNow(server, id, 'full')
  expect(await titlesFor(db, 'series', 'marigold')).toEqual([])
  expect(await titlesFor(db, 'series', 'oleander')).toEqual(['Oleander'])
  expect(await idsFor(db, 'book', 'oleander')).toHaveLength(2)

  const admin = await server.person('admin')
  expect((await admin.call(deleteLibrary, { params: { id } })).status).toBe(204)
  await using _ = workOn(server, [hideLibrary, forgetLibrary])
  await db.write((db) => enqueue(db, forgetLibrary, { libraryId: id }, { now: clock() }))
  await expect.poll(() => countOf(db, 'book_search'), { timeout: 10_000 }).toBe(0)
  await expect.poll(() => countOf(db, 'series_search'), { timeout: 10_000 }).toBe(0)
  expect(await idsFor(db, 'book', 'oleander')).toEqual([])
  await rm(folder.path, { recursive: true, force: true })
})

const retitle = async ({ context: { db, clock } }: TestServer, seriesId: string, title: string) =>
  db.write(async (db) => {
    await saveLayers(db, [{ entityId: seriesId, source: 'user', fields: { title } }], clock())
    await refreshSeries(db, [seriesId], clock())
  })

test('CAT-5 books are found by the new title of their series: a few at once, many by a task', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  for (const [size, title] of [
    [3, 'Few'],
    [230, 'Many'],
  ] as const) {
    const series = await addSeries(db, library, { title })
    await addBooks(
      db,
      series,
      Array.from({ length: size }, (_, at) => ({ title: `Volume ${at}`, fileName: `${at}.cbz` })),
    )
    await retitle(server, series.id, `Heliotrope ${title}`)
    expect(await titlesFor(db, 'series', 'heliotrope ' + title)).toEqual([`Heliotrope ${title}`])
  }
  expect(await idsFor(db, 'book', 'heliotrope', everybody, 500)).toHaveLength(3)
  await using _ = workOn(server, [indexBooksOfSeries])
  await expect
    .poll(async () => (await idsFor(db, 'book', 'heliotrope', everybody, 500)).length, { timeout: 10_000 })
    .toBe(233)
  expect(await idsFor(db, 'book', 'many vol', everybody, 500)).toHaveLength(230)
})

test('CAT-5 a task compares what everything is found by with what it should be, and repairs it', async () => {
  await using server = await startServer()
  const { db, clock } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Peregrine' })
  const [one = '', two = ''] = await addBooks(db, series, [{ title: 'Kestrel' }, { title: 'Merlin' }])
  await db.write(async (db) => {
    await db.deleteFrom('series_search').execute()
    await db.deleteFrom('search_word').execute()
    await db.updateTable('book_search').set({ words: 'nonsense' }).where('book_id', '=', one).execute()
  })
  expect(await idsFor(db, 'series', 'peregrine')).toEqual([])
  expect(await idsFor(db, 'book', 'kestrel')).toEqual([one])
  expect(await idsFor(db, 'book', 'nonsense')).toEqual([one])

  await using _ = workOn(server, [rebuildSearch])
  await db.write((db) => enqueue(db, rebuildSearch, {}, { now: clock() }))

  await expect.poll(() => idsFor(db, 'series', 'peregrin'), { timeout: 10_000 }).toEqual([series.id])
  await expect.poll(() => idsFor(db, 'book', 'krestel'), { timeout: 10_000 }).toEqual([one])
  expect(await idsFor(db, 'book', 'nonsense')).toEqual([])
  expect(await idsFor(db, 'book', 'merlin')).toEqual([two])
})
