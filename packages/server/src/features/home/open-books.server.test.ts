import { randomUUID } from 'node:crypto'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { packPages } from '../../formats/page-index.ts'
import { savePages } from '../pages/pages.ts'

const { clock, pass } = movableClock()
let server: TestServer
let books: string[]
beforeAll(async () => {
  server = await startServer({ clock })
  const { db } = server.context
  const [series, other] = await addManySeries(db, await addLibrary(db), [{ title: 'Night' }, { title: 'Day' }])
  if (!series || !other) throw new Error('There is no series')
  const ages = [6, 6, 18, 6]
  books = await addBooks(
    db,
    series,
    ages.map((age_rating, index) => ({
      age_rating,
      page_count: 26,
      created_at: `2026-11-0${index + 1}T10:00:00.000Z`,
    })),
  )
  const pages = Array.from({ length: 26 }, (_, index) => ({
    name: `${index}.jpg`,
    mediaType: 'image/jpeg',
    width: 800,
    height: 1200,
    size: 1,
  }))
  await db.write((db) =>
    savePages(
      db,
      books.map((bookId) => ({ bookId, pages: packPages(pages) })),
    ),
  )
})
afterAll(() => server[Symbol.asyncDispose]())

const bookAt = (index: number): string => books[index] ?? ''
const openOf = async ({ call }: Person, limit?: number) =>
  bodyOf(await call(api.readOpenBooks, { query: { ...(limit !== undefined && { limit }) } }))
const titlesOf = async (person: Person, limit?: number) =>
  (await openOf(person, limit)).books.map(({ book }) => book.title)
const turn = async ({ call }: Person, index: number, currentPage: number) => {
  pass(minute)
  bodyOf(await call(api.saveProgress, { params: { id: bookAt(index) }, body: { currentPage } }))
}

test('H1 H6 the book read last comes first, as it lies open, with what is left and where it was read', async () => {
  const reader = await server.person('reader')
  const now = clock().getTime()
  const at = (minutes: number) => new Date(now + minutes * minute).toISOString()
  const session: api.ReadingSession = {
    id: randomUUID(),
    bookId: bookAt(0),
    kind: 'progress',
    clientStartedAt: at(-60),
    clientEndedAt: at(-30),
    deviceId: 'pad',
    deviceName: 'Tablet',
    activeDurationMs: 20 * minute,
    pagesRead: 20,
    toPage: 20,
  }
  bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions: [session] } }))
  const open = await openOf(reader)
  expect(open).toMatchObject({ total: 1, newest: null })
  expect(open.books).toMatchObject([
    {
      book: { id: bookAt(0), readProgress: { currentPage: 20 } },
      pages: [
        { pageNumber: 20, width: 800, height: 1200 },
        { pageNumber: 21, width: 800, height: 1200 },
      ],
      pagesLeft: 6,
      timeLeftMs: 6 * minute,
      deviceName: 'Tablet',
    },
  ])
  await turn(reader, 1, 1)
  await turn(reader, 3, 5)
  expect(await titlesOf(reader)).toEqual(['Night 4', 'Night 2', 'Night 1'])
  expect(await titlesOf(reader, 2)).toEqual(['Night 4', 'Night 2'])
  expect(await openOf(reader, 1)).toMatchObject({
    total: 3,
    books: [{ pages: [{ pageNumber: 4 }, { pageNumber: 5 }] }],
  })
})

test('H1 while nothing is open there is what came last, as far as one may see it', async () => {
  const reader = await server.person('reader')
  const child = await server.person('reader', { access: { ageCeiling: 12 } })
  expect(await openOf(reader)).toMatchObject({ books: [], total: 0, newest: { title: 'Night 1' } })
  await turn(reader, 2, 3)
  expect(await openOf(reader)).toMatchObject({ total: 1, newest: null })
  // What was begun before it was hidden is not told of.
  await turn(child, 0, 3)
  const admin = await server.person('admin')
  bodyOf(await admin.call(api.updateUser, { params: { id: child.id }, body: { access: { ageCeiling: 3 } } }))
  expect(await openOf(child)).toEqual({ books: [], total: 0, newest: null })
})

test('H1 a book is not for now until one reads on in it, or thinks better of it', async () => {
  const reader = await server.person('reader')
  await turn(reader, 0, 3)
  await turn(reader, 1, 4)
  const aside = (index: number) => reader.call(api.putBookAside, { params: { id: bookAt(index) } })
  expect((await aside(1)).status).toBe(204)
  expect(await titlesOf(reader)).toEqual(['Night 1'])
  expect(bodyOf(await reader.call(api.readHome, {})).continueReading.map(({ title }) => title)).toEqual(['Night 1'])
  expect((await reader.call(api.takeBookUp, { params: { id: bookAt(1) } })).status).toBe(204)
  expect(await titlesOf(reader)).toEqual(['Night 2', 'Night 1'])

  await aside(1)
  await aside(0)
  expect(await titlesOf(reader)).toEqual([])
  await turn(reader, 1, 6)
  expect(await titlesOf(reader)).toEqual(['Night 2'])
  expect((await reader.call(api.putBookAside, { params: { id: randomUUID() } })).status).toBe(404)
  // Another client may have written anything into the preference.
  bodyOf(
    await reader.call(api.savePreference, {
      params: { key: 'home.notNow' },
      body: { value: [7, { bookId: bookAt(1) }] },
    }),
  )
  expect(await titlesOf(reader)).toEqual(['Night 2', 'Night 1'])
})
