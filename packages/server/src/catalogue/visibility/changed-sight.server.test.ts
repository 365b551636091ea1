import * as api from '@carrel/api'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addBooks, addLibrary, type AddedLibrary, addSeries } from '../../../test/content.ts'
import { openStream, type TestStream } from '../../../test/event-stream.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { announce } from '../../events/outbox.ts'
import { newId } from '../../platform/ids.ts'
import { announceBooks, announceCovers } from './visibility.ts'

let server: TestServer
let library: AddedLibrary
let editor: Person
let teenager: Person
let child: Person
let hiddenTag: string
const native: TestStream[] = []
const door: TestStream[] = []

beforeAll(async () => {
  server = await startServer({ env: { CARREL_SETTING_COMPAT_ENABLED: 'true' } })
  library = await addLibrary(server.context.db)
  const admin = await server.person('admin')
  hiddenTag = bodyOf(await admin.call(api.createSharingTag, { body: { name: 'hidden' } })).id
  editor = await server.person('editor')
  teenager = await server.person('reader', { access: { ageCeiling: 16, includeUnrated: true } })
  child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true, denyTags: [hiddenTag] } })
  for (const { accessToken } of [editor, teenager, child]) {
    const headers = { authorization: `Bearer ${accessToken}` }
    native.push(await openStream(server.url, headers))
    door.push(await openStream(server.url, headers, '/komga/sse/v1/events'))
  }
})
afterAll(async () => {
  for (const stream of [...native, ...door]) await stream[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const plain = (id: unknown): string => (typeof id === 'string' ? id.replaceAll('-', '') : '')

/** What the streams have told by the time that everybody has heard of a mark, a library that is not there; it is forgotten. */
const told = async (streams: readonly TestStream[]): Promise<string[][]> => {
  const { db, clock } = server.context
  const mark = newId()
  const event = { type: 'library_updated', libraryId: mark } as const
  await db.write((db) => announce(db, [{ event, to: {} }], clock()))
  const all: string[][] = []
  for (const stream of streams) {
    const isThere = () => stream.events.some(({ data }) => plain(data['libraryId']) === plain(mark))
    await expect.poll(isThere).toBe(true)
    const types = stream.events.map(({ event, data }) => (typeof data['type'] === 'string' ? data['type'] : event))
    all.push(types.flatMap((type) => (type === undefined || quiet.has(type) ? [] : [type])).sort())
    stream.forget()
  }
  return all
}
const quiet = new Set(['connected', 'library_updated', 'LibraryChanged', 'TaskQueueStatus'])
const toldNatively = () => told(native)

/** The series of which the streams have told with a book, if they have told of it. */
const seriesToldWith = async (streams: readonly TestStream[], bookId: string, events: number) =>
  Promise.all(
    streams.map(async ({ events: all }) => {
      const ofBook = () =>
        all.filter(({ data }) => [data['bookId'], data['entityId']].some((id) => plain(id) === plain(bookId)))
      await expect.poll(() => ofBook().length).toBe(events)
      return ofBook().map(({ data }) => plain(data['seriesId']))
    }),
  )
const toldAtTheDoor = () => told(door)
beforeEach(async () => {
  await toldNatively()
  await toldAtTheDoor()
})

const newSeries = async (ageRating: number | null = null) => {
  const series = await addSeries(server.context.db, library, { title: `Series ${crypto.randomUUID()}` })
  const [bookId = ''] = await addBooks(server.context.db, series, [{ age_rating: ageRating }])
  return { id: series.id, bookId }
}
const rateSeries = (id: string, ageRating: number) =>
  editor.call(api.editSeriesMetadata, { params: { id }, body: { ageRating } })
const saveTags = (id: string, tagIds: string[]) =>
  editor.call(api.saveSeriesSharingTags, { params: { id }, body: { tagIds } })

test('C8 W8 an edit of a rating is an end for who loses sight, a beginning for who gains it, and a change for all others', async () => {
  const { id } = await newSeries()

  bodyOf(await rateSeries(id, 16))
  expect(await toldNatively()).toEqual([['series_metadata_updated'], ['series_metadata_updated'], ['series_deleted']])
  bodyOf(await rateSeries(id, 18))
  expect(await toldNatively()).toEqual([['series_metadata_updated'], ['series_deleted'], []])
  bodyOf(await rateSeries(id, 6))
  expect(await toldNatively()).toEqual([['series_metadata_updated'], ['series_created'], ['series_created']])
})

test('C8 W8 the door of applications made for Komga says the same in its words', async () => {
  const { id } = await newSeries()

  bodyOf(await rateSeries(id, 16))
  expect(await toldAtTheDoor()).toEqual([['SeriesChanged'], ['SeriesChanged'], ['SeriesDeleted']])
  bodyOf(await rateSeries(id, 12))
  expect(await toldAtTheDoor()).toEqual([['SeriesChanged'], ['SeriesChanged'], ['SeriesAdded']])
})

test('C8 W8 so it is with sharing tags, and with the rating of a book', async () => {
  const { id, bookId } = await newSeries()

  bodyOf(await saveTags(id, [hiddenTag]))
  expect(await toldNatively()).toEqual([['series_updated'], ['series_updated'], ['series_deleted']])
  bodyOf(await saveTags(id, []))
  expect(await toldNatively()).toEqual([['series_updated'], ['series_updated'], ['series_created']])
  bodyOf(await rateSeries(id, 6))
  await toldNatively()
  bodyOf(await editor.call(api.editBookMetadata, { params: { id: bookId }, body: { ageRating: 16 } }))
  expect(await toldNatively()).toEqual([['book_updated'], ['book_updated'], ['book_deleted']])
})

test('HTTP-3 W9 whoever sees a book but not its series is not told which it is, natively and at the door', async () => {
  const { db, clock } = server.context
  const { id, bookId } = await newSeries(16)
  bodyOf(await editor.call(api.editBookMetadata, { params: { id: bookId }, body: { ageRating: 6 } }))
  bodyOf(await rateSeries(id, 16))
  await toldNatively()
  await toldAtTheDoor()

  bodyOf(await editor.call(api.editBookMetadata, { params: { id: bookId }, body: { title: 'Another' } }))
  await db.write((db) => announceBooks(db, 'book_created', [bookId], clock()))
  await db.write((db) => announceCovers(db, 'book', [bookId], clock()))

  const told = Array.from({ length: 3 }, () => plain(id))
  const untold = ['', '', '']
  expect(await seriesToldWith(native, bookId, 3)).toEqual([told, told, untold])
  expect(await seriesToldWith(door, bookId, 3)).toEqual([told, told, untold])
  await toldNatively()
  for (const person of [editor, child])
    bodyOf(await person.call(api.saveProgress, { params: { id: bookId }, body: { currentPage: 1 } }))
  for (const [index, person] of [editor, undefined, child].entries()) {
    if (person) await native[index]?.first('progress_updated')
    const series = native[index]?.ofType('progress_updated').map(({ data }) => data['seriesId'])
    expect(series).toEqual(person === editor ? [id] : person === child ? [null] : [])
  }
  bodyOf(await rateSeries(id, 18))
  bodyOf(await editor.call(api.editBookMetadata, { params: { id: bookId }, body: { ageRating: 14 } }))
  const ended = native[2]?.first('book_deleted')
  expect((await ended)?.data).toMatchObject({ bookId, seriesId: null })
})

test('A8 C8 a list is told of to those who see something in it, before or after', async () => {
  const shown = await newSeries()
  const hidden = await newSeries()
  bodyOf(await saveTags(hidden.id, [hiddenTag]))
  const collection = bodyOf(await editor.call(api.createCollection, { body: { name: 'Mixed' } }))
  const readList = bodyOf(await editor.call(api.createReadList, { body: { name: 'Mixed' } }))
  await toldNatively()
  const put = async ({ id, bookId }: { readonly id: string; readonly bookId: string }) => {
    bodyOf(await editor.call(api.addToCollection, { params: { id: collection.id }, body: { seriesIds: [id] } }))
    bodyOf(await editor.call(api.addToReadList, { params: { id: readList.id }, body: { bookIds: [bookId] } }))
    return toldNatively()
  }
  const take = async ({ id: seriesId, bookId }: { readonly id: string; readonly bookId: string }) => {
    await editor.call(api.removeFromCollection, { params: { id: collection.id, seriesId } })
    await editor.call(api.removeFromReadList, { params: { id: readList.id, bookId } })
    return toldNatively()
  }

  const both = (end: string) => [`collection_${end}`, `read_list_${end}`]
  expect(await put(hidden)).toEqual([both('created'), both('created'), []])
  expect(await put(shown)).toEqual([both('updated'), both('updated'), both('created')])
  expect(await take(shown)).toEqual([both('updated'), both('updated'), both('deleted')])
  const automatic = { name: 'Automatic', condition: { title: { operator: 'contains' as const, value: 'Nothing' } } }
  bodyOf(await editor.call(api.createCollection, { body: automatic }))
  expect(await toldNatively()).toEqual([['collection_created'], [], []])
})
