import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { catalogueOf, readSidecarsOn, writeSidecarsOf } from '../../../test/sidecars.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

/** What is in each series with books, by the names of its files. */
const shelvesOf = async (on: TestServer, libraryId: string): Promise<Record<string, string[]>> => {
  const books = [...(await booksOf(on, libraryId))]
  const bySeries = Map.groupBy(books, ([, { series_title }]) => series_title)
  return Object.fromEntries([...bySeries].map(([title, each]) => [title, each.map(([path]) => path).toSorted()]))
}

/** What people have put somewhere, by names. */
const overridesOf = async (on: TestServer, id: string) => {
  const admin = await on.person('admin')
  const { data } = bodyOf(await admin.call(api.listGroupingOverrides, { params: { id }, query: { pageSize: 100 } }))
  return data.map(({ name, folder, seriesTitle }) => `${folder ?? name} in ${seriesTitle}`).toSorted()
}

/** Books are moved with their folder, split off, and merged with all of their series. */
const putElsewhere = async (on: TestServer, libraryId: string): Promise<void> => {
  const editor = await on.person('editor')
  const books = await booksOf(on, libraryId)
  const book = (path: string) => books.get(path)?.id ?? ''
  const series = (path: string) => books.get(path)?.series_id ?? ''
  const into = { seriesId: series('Akira/1.cbz'), follow: true }
  bodyOf(await editor.call(api.moveBooks, { body: { bookIds: [book('Bleach/1.cbz')], ...into } }))
  const split = { bookIds: [book('Akira/3.cbz')], title: 'Apart' }
  const { id } = bodyOf(await editor.call(api.splitSeries, { params: { id: series('Akira/1.cbz') }, body: split }))
  bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { summary: 'Split off', ageRating: 16 } }))
  const merge = { ids: [series('Drifters/1.cbz')], into: series('Claymore/1.cbz') }
  bodyOf(await editor.call(api.mergeAnySeries, { body: merge }))
  const only = { bookIds: [book('Emma/1.cbz')], seriesId: series('Frieren/1.cbz') }
  bodyOf(await editor.call(api.moveBooks, { body: only }))
}

test('C26 C22 books that people have put elsewhere are there again, and so is what comes later', async () => {
  await using own = await libraryFolder()
  const counts = { Akira: 3, Bleach: 2, Claymore: 2, Drifters: 2, Emma: 1, Frieren: 1 }
  let seed = 40
  for (const [name, count] of Object.entries(counts))
    for (let number = 1; number <= count; number++) await own.write(`${name}/${number}.cbz`, comic({ seed: seed++ }))
  await using first = await startServer()
  const libraryId = await addLibraryOn(first, { roots: [own.path] })
  await scanNow(first, libraryId)
  await putElsewhere(first, libraryId)
  await own.write('Drifters/3.cbz', comic({ seed: seed++ }))
  await scanNow(first, libraryId)
  const shelves = {
    Akira: ['Akira/1.cbz', 'Akira/2.cbz', 'Bleach/1.cbz'],
    Apart: ['Akira/3.cbz'],
    Bleach: ['Bleach/2.cbz'],
    Claymore: ['Claymore/1.cbz', 'Claymore/2.cbz', 'Drifters/1.cbz', 'Drifters/2.cbz', 'Drifters/3.cbz'],
    Frieren: ['Emma/1.cbz', 'Frieren/1.cbz'],
  }
  expect(await shelvesOf(first, libraryId)).toEqual(shelves)
  await using written = await libraryFolder()
  await writeSidecarsOf(first, written.path)

  await using other = await startServer()
  const there = await addLibraryOn(other, { roots: [own.path] })
  await scanNow(other, there)
  expect(await shelvesOf(other, there)).not.toEqual(shelves)
  expect(await readSidecarsOn(other, written.path)).toMatchObject({ put: 8, applied: 1, unknown: 0 })
  expect(await shelvesOf(other, there)).toEqual(shelves)
  const [ours, theirs] = [await first.person('editor'), await other.person('editor')]
  const catalogue = await catalogueOf(ours)
  expect(await catalogueOf(theirs)).toEqual(catalogue)
  const overrides = await overridesOf(other, there)
  expect(overrides).toEqual(
    [...(await overridesOf(first, libraryId)), '3 in Claymore', 'Drifters/ in Claymore'].toSorted(),
  )

  expect(await readSidecarsOn(other, written.path)).toMatchObject({ put: 0, applied: 0, unknown: 0 })
  expect(await overridesOf(other, there)).toEqual(overrides)
  for (const path of ['Bleach/3.cbz', 'Drifters/4.cbz', 'Emma/2.cbz']) await own.write(path, comic({ seed: seed++ }))
  for (const [on, id] of [[first, libraryId] as const, [other, there] as const]) await scanNow(on, id, 'full')
  expect(await shelvesOf(other, there)).toMatchObject({
    Akira: [...shelves.Akira, 'Bleach/3.cbz'],
    Claymore: [...shelves.Claymore, 'Drifters/4.cbz'],
    Emma: ['Emma/2.cbz'],
  })
  expect(await shelvesOf(other, there)).toEqual(await shelvesOf(first, libraryId))
})

test('C26 W9 books are not put where somebody would come to see them, nor away from where somebody has put them here', async () => {
  await using own = await libraryFolder()
  for (const path of ['A/1.cbz', 'A/2.cbz', 'B/1.cbz', 'B/2.cbz'])
    await own.write(path, comic({ seed: 70 + path.charCodeAt(0) * 3 + path.charCodeAt(2) }))
  await using first = await startServer()
  const libraryId = await addLibraryOn(first, { roots: [own.path] })
  await scanNow(first, libraryId)
  const editor = await first.person('editor')
  const books = await booksOf(first, libraryId)
  const [one, two] = ['A/1.cbz', 'A/2.cbz'].map((path) => books.get(path)?.id ?? '')
  const seriesId = books.get('B/1.cbz')?.series_id ?? ''
  bodyOf(await editor.call(api.moveBooks, { body: { bookIds: [one ?? '', two ?? ''], seriesId } }))
  await using written = await libraryFolder()
  await writeSidecarsOf(first, written.path)

  await using other = await startServer()
  const there = await addLibraryOn(other, { roots: [own.path] })
  await scanNow(other, there)
  const [admin, theirs] = [await other.person('admin'), await other.person('editor')]
  const bookRows = await booksOf(other, there)
  const apart = { bookIds: [bookRows.get('A/2.cbz')?.id ?? ''], title: 'Mine' }
  const id = bookRows.get('A/1.cbz')?.series_id ?? ''
  bodyOf(await theirs.call(api.splitSeries, { params: { id }, body: apart }))
  const { id: tag } = bodyOf(await admin.call(api.createSharingTag, { body: { name: 'for some' } }))
  await giveTag(other, { tag, seriesId: id })

  expect(await readSidecarsOn(other, written.path)).toMatchObject({ put: 0, unknown: 0 })
  expect(await shelvesOf(other, there)).toEqual({ A: ['A/1.cbz'], B: ['B/1.cbz', 'B/2.cbz'], Mine: ['A/2.cbz'] })
})

/** Somebody sees nothing but what carries the tag. */
const giveTag = async (on: TestServer, { tag, seriesId }: { readonly tag: string; readonly seriesId: string }) => {
  const { id } = await on.person('reader')
  await on.context.db.write(async (db) => {
    await db.insertInto('series_sharing_tag').values({ series_id: seriesId, tag_id: tag }).execute()
    const grant = { owner_id: id, tag_id: tag, mode: 'allow' as const, created_at: new Date().toISOString() }
    await db.insertInto('user_grant').values(grant).execute()
  })
}
