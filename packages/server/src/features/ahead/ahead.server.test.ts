import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddedLibrary, type AddedSeries, addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

const { clock, pass } = movableClock()
let server: TestServer
let library: AddedLibrary
let series: AddedSeries[]
/** Three of each series, in their order. */
let books: string[][]
beforeAll(async () => {
  server = await startServer({ clock })
  const { db } = server.context
  library = await addLibrary(db)
  series = await addManySeries(db, library, [{ title: 'Alpha' }, { title: 'Beta' }])
  books = []
  for (const each of series)
    books.push(await addBooks(db, each, [{ page_count: 100 }, { page_count: 100 }, { page_count: 100 }]))
})
afterAll(() => server[Symbol.asyncDispose]())

const bookAt = (ofSeries: number, index: number): string => books[ofSeries]?.[index] ?? ''
const seriesAt = (index: number) => ({ params: { id: series[index]?.id ?? '' } })
const finish = async (reader: Person, ofSeries: number, index: number) => {
  pass(minute)
  bodyOf(await reader.call(api.markBookRead, { params: { id: bookAt(ofSeries, index) } }))
}
const turn = async (reader: Person, [ofSeries, index]: readonly [number, number], currentPage: number) => {
  pass(minute)
  bodyOf(await reader.call(api.saveProgress, { params: { id: bookAt(ofSeries, index) }, body: { currentPage } }))
}
const inSeries = async (reader: Person, index = 0) => {
  const { next, ...ahead } = bodyOf(await reader.call(api.readSeriesAhead, seriesAt(index)))
  return { ...ahead, next: next && books[index]?.indexOf(next.id) }
}

test('V2 whoever has read nothing of a series begins with its first book', async () => {
  const reader = await server.person('reader')
  expect(await inSeries(reader)).toEqual({ read: 0, of: 3, next: 0, timeLeftMs: null, lastReadAt: null })
})

test('V2 a series goes on where its reader is, else with the first unread book, and in the end from the front', async () => {
  const reader = await server.person('reader')
  await finish(reader, 0, 0)
  expect(await inSeries(reader)).toMatchObject({ read: 1, next: 1 })
  await turn(reader, [0, 2], 40)
  const at = clock().toISOString()
  expect(await inSeries(reader)).toMatchObject({ read: 1, next: 2, lastReadAt: at })
  await finish(reader, 0, 2)
  expect(await inSeries(reader)).toMatchObject({ read: 2, next: 1 })
  await finish(reader, 0, 1)
  expect(await inSeries(reader)).toMatchObject({ read: 3, next: 0, timeLeftMs: 0 })
  const other = await server.person('reader')
  expect(await inSeries(other)).toMatchObject({ read: 0, next: 0 })
})

test('V2 nothing leads to a book that cannot be opened: what comes next is the first that can, or nothing', async () => {
  const reader = await server.person('reader')
  const editor = await server.person('admin')
  const { db } = server.context
  const damaged = { page_count: 0, file: { fault_code: 'damaged', fault_message: 'It is cut off.' } } as const
  const [torn, gone] = await addManySeries(db, library, [{ title: 'Torn' }, { title: 'Gone' }])
  if (!torn || !gone) throw new Error('There are two series')
  const [unreadable = '', readable = ''] = await addBooks(db, torn, [damaged, { page_count: 20 }])
  await addBooks(db, gone, [damaged])
  const nextIn = async (id: string) => bodyOf(await reader.call(api.readSeriesAhead, { params: { id } })).next?.id
  expect(await nextIn(torn.id)).toBe(readable)
  expect(await nextIn(gone.id)).toBeUndefined()

  const list = bodyOf(await editor.call(api.createReadList, { body: { name: 'Torn', ordered: true } }))
  bodyOf(await editor.call(api.addToReadList, { params: list, body: { bookIds: [unreadable, readable] } }))
  expect(bodyOf(await reader.call(api.readReadListAhead, { params: { id: list.id } })).next?.id).toBe(readable)
  const made = bodyOf(await editor.call(api.createCollection, { body: { name: 'Torn', ordered: true } }))
  bodyOf(await editor.call(api.addToCollection, { params: made, body: { seriesIds: [gone.id, torn.id] } }))
  expect(bodyOf(await reader.call(api.readCollectionAhead, { params: { id: made.id } })).next?.id).toBe(readable)
})

test('V2 what is left of a series takes as long as its reader takes for its pages', async () => {
  const reader = await server.person('reader')
  pass(minute)
  const sessions = [
    {
      id: crypto.randomUUID(),
      bookId: bookAt(0, 0),
      kind: 'progress' as const,
      clientStartedAt: new Date(clock().getTime() - 60 * minute).toISOString(),
      clientEndedAt: clock().toISOString(),
      activeDurationMs: 60 * minute,
      pagesRead: 60,
      toPage: 60,
    },
  ]
  bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions } }))
  // 40 pages of the first, and all of the others, at a page a minute.
  expect(await inSeries(reader)).toMatchObject({ read: 0, next: 0, timeLeftMs: 240 * minute })
})

test('C1 a read list goes on with the first book in its order that is not finished', async () => {
  const reader = await server.person('reader')
  const editor = await server.person('admin')
  const list = bodyOf(await editor.call(api.createReadList, { body: { name: 'Crossing', ordered: true } }))
  const order = [bookAt(1, 2), bookAt(0, 0), bookAt(1, 0)]
  bodyOf(await editor.call(api.addToReadList, { params: list, body: { bookIds: order } }))
  const ahead = async () => {
    const { next, read, of } = bodyOf(await reader.call(api.readReadListAhead, { params: { id: list.id } }))
    return { read, of, next: order.indexOf(next?.id ?? '') }
  }
  expect(await ahead()).toEqual({ read: 0, of: 3, next: 0 })
  await finish(reader, 1, 2)
  expect(await ahead()).toEqual({ read: 1, of: 3, next: 1 })
  await turn(reader, [1, 0], 30)
  expect(await ahead()).toEqual({ read: 1, of: 3, next: 1 })
  await finish(reader, 0, 0)
  await finish(reader, 1, 0)
  expect(await ahead()).toEqual({ read: 3, of: 3, next: 0 })
})

test('C1 a collection goes on within the first series in its order that is not finished', async () => {
  const reader = await server.person('reader')
  const editor = await server.person('admin')
  const made = bodyOf(await editor.call(api.createCollection, { body: { name: 'Greek', ordered: true } }))
  const seriesIds = [1, 0].map((index) => series[index]?.id ?? '')
  bodyOf(await editor.call(api.addToCollection, { params: made, body: { seriesIds } }))
  const automatic = bodyOf(
    await editor.call(api.createCollection, {
      body: { name: 'All of it', condition: { title: { operator: 'contains', value: 'a' } } },
    }),
  )
  const ahead = async ({ id }: { readonly id: string }) => {
    const { next, read, of } = bodyOf(await reader.call(api.readCollectionAhead, { params: { id } }))
    return { read, of, next: next?.id }
  }
  expect(await ahead(made)).toEqual({ read: 0, of: 6, next: bookAt(1, 0) })
  for (const index of [0, 1, 2]) await finish(reader, 1, index)
  expect(await ahead(made)).toEqual({ read: 3, of: 6, next: bookAt(0, 0) })
  expect(await ahead(automatic)).toEqual({ read: 3, of: 6, next: bookAt(0, 0) })
})

test('C1 what somebody may not see has nothing ahead of them', async () => {
  const reader = await server.person('reader')
  const unknown = { params: { id: crypto.randomUUID() } }
  for (const endpoint of [api.readSeriesAhead, api.readReadListAhead, api.readCollectionAhead])
    expect(errorOf(await reader.call(endpoint, unknown))).toMatchObject({ error: 'not_found' })
})
