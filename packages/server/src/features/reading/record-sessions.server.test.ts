import { randomUUID } from 'node:crypto'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addBooksTo, addShelf } from '../../../test/reading-content.ts'
import { type Person, startServer } from '../../../test/start-server.ts'

const session = (bookId: string, more: Partial<api.ReadingSession> = {}): api.ReadingSession => ({
  id: randomUUID(),
  bookId,
  kind: 'progress',
  clientStartedAt: '2026-03-01T10:00:00.000Z',
  clientEndedAt: '2026-03-01T10:30:00.000Z',
  deviceId: 'pad',
  toPage: 40,
  ...more,
})

const send = async (person: Person, sessions: api.ReadingSession[]) =>
  bodyOf(await person.call(api.recordReadingSessions, { body: { sessions } }))

test('READ-1 sessions are kept each for itself, and what is wrong with one is said of that one', async () => {
  await using server = await startServer()
  const { db } = server.context
  const [bookId = ''] = await addBooksTo(db, await addShelf(db), 1)
  const reader = await server.person('reader')
  const good = session(bookId, { activeDurationMs: 90_000_000, pagesRead: 39.6, deviceName: 'Pad' })
  const wrong: [api.RejectionReason, api.ReadingSession][] = [
    ['book_not_found', session(randomUUID())],
    ['invalid_time_range', session(bookId, { clientEndedAt: '2026-03-01T09:59:59.999Z' })],
    ['invalid_time_range', session(bookId, { clientStartedAt: '2026-06-30T23:59:60Z' })],
    ['invalid_percentage', session(bookId, { toPercentage: 1.01 })],
    ['invalid_measurement', session(bookId, { activeDurationMs: -1 })],
    ['invalid_measurement', session(bookId, { toPage: 1.5 })],
    ['invalid_measurement', session(bookId, { deviceId: 'a\u0007' })],
    ['invalid_progression', session(bookId, { r2Progression: '{"href":' })],
    ['duplicate_in_batch', { ...good, id: good.id.toUpperCase(), toPage: 90 }],
  ]

  const answer = await send(reader, [good, ...wrong.map(([, each]) => each)])

  expect(answer.accepted).toEqual([good.id])
  expect(answer.rejected).toEqual(wrong.map(([reason, { id }]) => ({ id, reason })))
  expect(answer.progress).toMatchObject([{ bookId, currentPage: 40 }])
  const [row] = await db.read.selectFrom('reading_log').selectAll().execute()
  expect(row).toMatchObject({
    id: good.id,
    series_name: 'Nemo',
    format: 'cbz',
    active_ms: 30 * 60_000,
    pages_read: 40,
    device_id: 'pad',
    started_at: good.clientStartedAt,
  })
})

test('READ-1 the same sessions again change nothing, and an id is one for each user', async () => {
  await using server = await startServer()
  const { db } = server.context
  const [bookId = ''] = await addBooksTo(db, await addShelf(db), 1)
  const [ana, ben] = [await server.person('reader'), await server.person('reader')]
  const sessions = [
    session(bookId, { id: randomUUID().toUpperCase() }),
    session(bookId, { kind: 'completed', clientEndedAt: '2026-03-02T10:00:00Z' }),
  ]
  const first = await send(ana, sessions)
  expect(
    await send(
      ana,
      sessions.map((each) => ({ ...each, toPage: 3 })),
    ),
  ).toEqual(first)
  expect(first.accepted).toEqual(sessions.map(({ id }) => id))
  expect(await send(ben, sessions)).toMatchObject({
    accepted: first.accepted,
    progress: [{ userId: ben.id, completed: true }],
  })
  const { length } = await db.read.selectFrom('reading_log').select('id').execute()
  expect(length).toBe(4)
  expect(bodyOf(await ana.call(api.readReadHistory, { params: { id: bookId } }))).toMatchObject({
    readCount: 1,
    entries: [{ startedAt: '2026-03-01T10:00:00.000Z', completedAt: '2026-03-02T10:00:00.000Z' }],
  })
})

test('500 sessions are taken at once, and no more', async () => {
  await using server = await startServer()
  const { db } = server.context
  const books = await addBooksTo(db, await addShelf(db), 100)
  const reader = await server.person('reader')
  const sessions = Array.from({ length: 500 }, (_, index) => session(books[index % 100] ?? ''))
  expect((await send(reader, sessions)).accepted).toHaveLength(500)
  const tooMany = await reader.call(api.recordReadingSessions, {
    body: { sessions: [...sessions, session(books[0] ?? '')] },
  })
  expect(errorOf(tooMany)).toMatchObject({ error: 'validation_failed' })
})

test('C12 sessions of a clock that is days ahead count as their arrival, in the order they were said', async () => {
  await using server = await startServer()
  const { db } = server.context
  const [bookId = ''] = await addBooksTo(db, await addShelf(db), 1)
  const reader = await server.person('reader')
  const ahead = (day: number, toPage: number) =>
    session(bookId, {
      id: `${9 - day}0000000-0000-4000-8000-000000000000`,
      toPage,
      clientStartedAt: `2126-01-0${day}T10:00:00Z`,
      clientEndedAt: `2126-01-0${day}T10:05:00Z`,
    })
  const { progress } = await send(reader, [ahead(2, 50), ahead(3, 70), ahead(1, 30)])
  expect(progress).toMatchObject([{ currentPage: 70 }])
  expect((progress[0]?.updatedAt ?? '9') < new Date(Date.now() + 1000).toISOString()).toBe(true)
  const rows = await db.read.selectFrom('reading_log').select(['started_at', 'at']).execute()
  expect(rows.map((row) => Date.parse(row.at) - Date.parse(row.started_at))).toEqual([300_000, 300_000, 300_000])
})

test('EVT-2 only the reader hears of their own progress, and of nothing that did not change it', async () => {
  await using server = await startServer()
  const { db } = server.context
  const shelf = await addShelf(db)
  const [bookId = ''] = await addBooksTo(db, shelf, 1)
  const reader = await server.person('reader')
  const once = session(bookId)
  await send(reader, [once, session(bookId, { clientEndedAt: '2026-03-01T11:00:00.000Z' })])
  await send(reader, [once])
  await send(reader, [session(bookId, { clientEndedAt: '2026-03-01T10:45:00.000Z', toPage: 3 })])
  await send(reader, [session(bookId, { clientEndedAt: '2026-03-01T12:00:00.000Z', deviceId: 'phone', toPage: 1 })])
  // They come with the figures, which are counted as soon as somebody asks for them.
  expect((await reader.call(api.readReadingStats, { query: {} })).ok).toBe(true)
  const entries = await db.read
    .selectFrom('event')
    .select(['type', 'user_id', 'library_id'])
    .where('type', '=', 'progress_updated')
    .execute()
  expect(entries).toEqual([{ type: 'progress_updated', user_id: reader.id, library_id: shelf.libraryId }])
})
