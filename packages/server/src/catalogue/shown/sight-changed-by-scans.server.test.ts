import { rename, rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { openStream, type TestStream } from '../../../test/event-stream.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { announce } from '../../events/outbox.ts'
import { newId } from '../../platform/ids.ts'
import { saveLayers } from '../metadata/metadata.ts'
import { announceRefreshed, refresh } from './shown.ts'

let server: TestServer
let admin: Person
let hiddenTag: string
/** One for somebody who sees everything, one for a child who sees nothing above 12 and nothing that carries the tag. */
let streams: readonly TestStream[] = []

beforeAll(async () => {
  server = await startServer()
  admin = await server.person('admin')
  hiddenTag = bodyOf(await admin.call(api.createSharingTag, { body: { name: 'hidden' } })).id
  const everybody = await server.person('reader')
  const child = await server.person('reader', {
    access: { ageCeiling: 12, includeUnrated: true, denyTags: [hiddenTag] },
  })
  streams = await Promise.all(
    [everybody, child].map(({ accessToken }) => openStream(server.url, { authorization: `Bearer ${accessToken}` })),
  )
})
afterAll(async () => {
  for (const stream of streams) await stream[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const rated = (rating: string) => `<?xml version="1.0"?><ComicInfo><AgeRating>${rating}</AgeRating></ComicInfo>`

const libraryOn = async (folder: LibraryFolder): Promise<string> => {
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  await heardOf('')
  return id
}

const bookAt = async (libraryId: string, path: string) => {
  const book = (await booksOf(server, libraryId)).get(path)
  if (!book) throw new Error(`There is no book at ${path}`)
  return book
}

/** What each stream has told of a book or a series by the time that both have heard of a mark; it is forgotten. */
const heardOf = async (...ids: readonly string[]): Promise<string[][]> => {
  const { db, clock } = server.context
  const mark = newId()
  await db.write((db) => announce(db, [{ event: { type: 'library_updated', libraryId: mark }, to: {} }], clock()))
  const all: string[][] = []
  for (const stream of streams) {
    await expect.poll(() => stream.events.some(({ data }) => data['libraryId'] === mark)).toBe(true)
    const events = stream.events.map(({ data }) => data)
    const isMeant = (event: Readonly<Record<string, unknown>>): boolean =>
      'bookId' in event ? ids.includes(String(event['bookId'])) : ids.includes(String(event['seriesId']))
    all.push([...new Set(events.filter(isMeant).map(({ type }) => String(type)))].sort())
    stream.forget()
  }
  return all
}

test('C8 W8 what is read in a known book ends it for who loses sight of it by that, and begins it for who gains it', async () => {
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1, comicInfo: rated('Everyone') }))
  const id = await libraryOn(folder)
  const { id: bookId, series_id: seriesId } = await bookAt(id, 'A/1.cbz')

  await folder.write('A/1.cbz', comic({ seed: 1, comicInfo: rated('Adults Only 18+') }))
  await scanNow(server, id)
  expect((await bookAt(id, 'A/1.cbz')).id).toBe(bookId)
  expect(await heardOf(bookId)).toEqual([['book_updated'], ['book_deleted']])
  await folder.write('A/1.cbz', comic({ seed: 1, comicInfo: rated('Everyone') }))
  await scanNow(server, id)
  expect(await heardOf(bookId, seriesId)).toEqual([
    ['book_updated', 'series_updated'],
    ['book_created', 'series_created'],
  ])
})

test('C8 W8 so does what lies beside it', async () => {
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 11 }))
  const id = await libraryOn(folder)
  const { id: bookId, series_id: seriesId } = await bookAt(id, 'A/1.cbz')

  await folder.write('A/ComicInfo.xml', rated('Adults Only 18+'))
  await scanNow(server, id)
  expect(await heardOf(bookId, seriesId)).toEqual([
    ['book_updated', 'series_updated'],
    ['book_deleted', 'series_deleted'],
  ])
})

test('C8 W8 so does a move to where others look, and the series it goes to for those who lose sight of that', async () => {
  await using folder = await libraryFolder()
  for (const [path, seed] of [
    ['A/1.cbz', 21],
    ['A/2.cbz', 22],
    ['A/3.cbz', 25],
    ['B/1.cbz', 23],
    ['C/1.cbz', 24],
  ] as const)
    await folder.write(path, comic({ seed }))
  const id = await libraryOn(folder)
  const { id: bookId, series_id: shownId } = await bookAt(id, 'A/2.cbz')
  const { series_id: hiddenId } = await bookAt(id, 'B/1.cbz')
  const { series_id: elsewhereId } = await bookAt(id, 'C/1.cbz')
  await admin.call(api.saveSeriesSharingTags, { params: { id: hiddenId }, body: { tagIds: [hiddenTag] } })
  await heardOf('')

  await rename(folder.in('A/2.cbz'), folder.in('B/2.cbz'))
  await scanNow(server, id)
  expect((await bookAt(id, 'B/2.cbz')).series_id).toBe(hiddenId)
  expect(await heardOf(bookId)).toEqual([['book_updated'], ['book_deleted']])
  await rename(folder.in('B/2.cbz'), folder.in('C/2.cbz'))
  await scanNow(server, id)
  expect(await heardOf(elsewhereId)).toEqual([['series_updated'], ['series_deleted']])
  // Were all of it found there, the two would be one from now on (C23).
  await rm(folder.in('A/3.cbz'))
  await rename(folder.in('A/1.cbz'), folder.in('B/1 too.cbz'))
  await scanNow(server, id)
  const lessAndGone = ['series_deleted', 'series_updated']
  expect(await heardOf(shownId)).toEqual([lessAndGone, lessAndGone])
})

test('C8 W8 where more are seen by others than are told one by one, their library is told of, and each series once', async () => {
  const { db, clock } = server.context
  const library = await addLibrary(db)
  const series = await addSeries(db, library, { title: 'Rated at once' })
  const bookIds = await addBooks(db, series, [{ fileName: '1.cbz' }, { fileName: '2.cbz' }, { fileName: '3.cbz' }])
  const newsWith = async (ageRating: number, singlyMax: number): Promise<string[]> => {
    const last = newId()
    await db.write(async (db) => {
      const now = clock()
      const fields = { book: { ageRating } }
      const layers = bookIds.map((entityId) => ({ entityId, source: 'sidecar:comicinfo', fields }))
      await saveLayers(db, layers, now)
      await announceRefreshed(db, await refresh(db, { books: bookIds }, now), now, singlyMax)
    })
    const events = await db.read.selectFrom('event').select('type').where('id', '>', last).execute()
    return events.map(({ type }) => type).sort()
  }

  expect(await newsWith(18, 3)).toEqual(['library_updated', 'series_updated'])
  expect(await newsWith(6, 4)).toEqual([
    ...bookIds.map(() => 'book_created'),
    ...bookIds.map(() => 'book_updated'),
    'series_created',
    'series_updated',
  ])
  // Nobody has a ceiling between the two.
  expect(await newsWith(8, 4)).toEqual(['series_updated'])
})
