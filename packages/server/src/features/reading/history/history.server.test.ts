import { randomUUID } from 'node:crypto'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addBooksTo, addShelf } from '../../../../test/reading-content.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'
import { insertMany } from '../../../database/many.ts'
import { rebuildProjections } from '../reading.ts'
import { checkAllReading, importHistory } from '../tasks.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
let server: TestServer
let shelf: { libraryId: string; seriesId: string }
let books: string[]

beforeAll(async () => {
  server = await startServer({ clock: () => now })
  const { db } = server.context
  shelf = await addShelf(db, 'The Wire')
  books = await addBooksTo(db, shelf, 4)
  await db.write(async (db) => {
    await insertMany(db, 'book_fingerprint', [
      { kind: 'file', value: 'a1b2', book_id: books[0] ?? '', at: now.toISOString() },
    ])
    await insertMany(db, 'series_name', [{ series_id: shelf.seriesId, key: 'wire' }])
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const statsOf = async (person: Person) =>
  bodyOf(await person.call(api.readReadingStats, { query: { from: '2010-01-01', granularity: 'month' } }))
const historyOf = async (person: Person, id = books[0] ?? '') =>
  bodyOf(await person.call(api.readReadHistory, { params: { id } }))

const send = async (person: Person, text: string, type = 'application/json'): Promise<api.ReadingImport> => {
  const response = await fetch(`${server.url}/api/v1/user/reading-history`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.accessToken}`, 'content-type': type },
    body: text,
  })
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as api.ReadingImport
}

const fileOf = async (person: Person, format: api.HistoryFormat): Promise<string> => {
  const response = await fetch(`${server.url}/api/v1/user/reading-history?format=${format}`, {
    headers: { authorization: `Bearer ${person.accessToken}` },
  })
  expect(response.headers.get('content-disposition')).toContain(`reading-history.${format}`)
  return response.text()
}

const sat = (bookId: string, from: string, to: string, more: Partial<api.ReadingSession> = {}): api.ReadingSession => ({
  id: randomUUID(),
  bookId,
  kind: 'progress',
  clientStartedAt: from,
  clientEndedAt: to,
  deviceId: 'pad',
  deviceName: '=Pad, "mine"',
  activeDurationMs: 60_000,
  pagesRead: 10,
  ...more,
})

const readSome = async (person: Person): Promise<void> => {
  const [first = '', second = ''] = books
  const sessions = [
    sat(first, '2026-03-01T10:00:00.000Z', '2026-03-01T10:30:00.000Z', { toPage: 40 }),
    sat(first, '2026-03-02T10:00:00.000Z', '2026-03-02T10:30:00.000Z', { toPage: 200 }),
    sat(second, '2026-04-02T10:00:00.000Z', '2026-04-02T10:30:00.000Z', { toPage: 20 }),
  ]
  bodyOf(await person.call(api.recordReadingSessions, { body: { sessions } }))
}

test('READ-3 C15 what a user says of when they have read a book counts there, and moves no position', async () => {
  const { db } = server.context
  const reader = await server.person('reader')
  await readSome(reader)
  const params = { id: books[0] ?? '' }
  const position = bodyOf(await reader.call(api.readProgress, { params }))
  const added = bodyOf(
    await reader.call(api.addReadCompletion, { params, body: { completedAt: '2015-08-02T12:00:00+02:00' } }),
  )
  expect(added).toMatchObject({ startedAt: '2015-08-02T10:00:00.000Z', completedAt: '2015-08-02T10:00:00.000Z' })
  const months = async () =>
    (await statsOf(reader)).periods.map(({ bucket, booksFinished, sessions }) => [bucket, booksFinished, sessions])
  const asRead = [
    ['2026-03-01', 1, 2],
    ['2026-04-01', 0, 1],
  ]
  expect(await months()).toEqual([['2015-08-01', 1, 0], ...asRead])

  const moved = bodyOf(
    await reader.call(api.changeReadCompletion, {
      params: { ...params, completionId: added.id },
      body: { completedAt: '2014-01-02T12:00:00Z' },
    }),
  )
  expect(moved).toMatchObject({ startedAt: '2014-01-02T12:00:00.000Z' })
  const [latest] = (await historyOf(reader)).entries
  const corrected = {
    params: { ...params, completionId: latest?.id ?? '' },
    body: { completedAt: '2026-04-05T10:00:00Z' },
  }
  bodyOf(await reader.call(api.changeReadCompletion, corrected))
  const after = [
    ['2014-01-01', 1, 0],
    ['2026-03-01', 0, 2],
    ['2026-04-01', 1, 1],
  ]
  expect(await months()).toEqual(after)
  expect(await historyOf(reader)).toMatchObject({ readCount: 2, lastCompletedAt: '2026-04-05T10:00:00.000Z' })
  await rebuildProjections({ db, write: db.write }, reader.id)
  expect(await months()).toEqual(after)
  expect((await historyOf(reader)).readCount).toBe(2)

  await reader.call(api.deleteReadCompletion, { params: { ...params, completionId: moved.id } })
  expect(await months()).toEqual(after.slice(1))
  expect(bodyOf(await reader.call(api.readProgress, { params }))).toEqual(position)
  for (const body of [
    { completedAt: '2027-01-01T00:00:00Z' },
    { completedAt: '2020-01-01T00:00:00Z', startedAt: '2020-01-02T00:00:00Z' },
  ])
    expect(errorOf(await reader.call(api.addReadCompletion, { params, body }))).toMatchObject({
      error: 'validation_failed',
    })
  const gone = await reader.call(api.changeReadCompletion, corrected)
  expect(errorOf(gone)).toMatchObject({ error: 'not_found' })
})

test.each(['json', 'csv'] as const)('a whole history goes out as %s and comes in again, once', async (format) => {
  const reader = await server.person('reader')
  await readSome(reader)
  const params = { id: books[2] ?? '' }
  await reader.call(api.addReadCompletion, { params, body: { completedAt: '2015-08-02T12:00:00Z' } })
  await reader.call(api.markBookRead, { params: { id: books[3] ?? '' } })
  await reader.call(api.markBookUnread, { params: { id: books[3] ?? '' } })
  const file = await fileOf(reader, format)

  const heir = await server.person('reader')
  const report = await send(heir, file, format === 'csv' ? 'text/csv' : 'application/json')
  expect(report).toMatchObject({ entries: 6, added: 6, known: 0, unmatched: 0, completedAt: now.toISOString() })
  expect(await statsOf(heir)).toEqual(await statsOf(reader))
  expect((await historyOf(heir)).entries).toEqual((await historyOf(reader)).entries)
  const positions = async (person: Person) =>
    bodyOf(await person.call(api.listProgress, {})).data.map((each) => ({ ...each, id: '', userId: '' }))
  expect(await positions(heir)).toEqual(await positions(reader))

  expect(await send(heir, file)).toMatchObject({ added: 0, known: 6 })
  expect(await statsOf(heir)).toEqual(await statsOf(reader))
})

test('histories of other servers are matched by hash, then path, then title; the rest is named', async () => {
  const reader = await server.person('reader')
  const entries = [
    { fileHash: 'A1B2', title: 'Something else', date: '2019-05-04', completed: true },
    { series: 'Wire, The', title: 'no. 2', date: '2020-01-01T10:00:00Z', page: 20 },
    { title: 'No. 3', date: '2020-01-01T11:00:00Z', percentage: 0.5 },
    { fileHash: 'ffff', series: 'The Wire', title: 'No. 9', date: '2020-01-01T11:00:00Z', page: 3 },
    { title: 'No. 3', date: 'some day', page: 3 },
    { date: '2020-01-01', page: 3 },
    { title: 'No. 3', date: '2020-01-01' },
    { title: 'No. 3', date: '2020-02-30', page: 3 },
  ]
  const first = await send(reader, JSON.stringify(entries))
  expect(first).toMatchObject({ entries: 8, matchedBy: { hash: 1, path: 0, title: 2 }, added: 3, unmatched: 5 })
  expect(first.examples.map(({ place, reason }) => [place, reason])).toEqual([
    [4, 'no_book'],
    [5, 'invalid'],
    [6, 'invalid'],
    [7, 'invalid'],
    [8, 'invalid'],
  ])
  expect((await historyOf(reader)).entries).toMatchObject([{ completedAt: '2019-05-04T12:00:00.000Z' }])
  expect(await send(reader, JSON.stringify({ entries }))).toMatchObject({ added: 0, known: 3 })
  expect((await statsOf(reader)).summary).toMatchObject({ sessions: 3, sessionsWithoutPages: 3, booksFinished: 1 })
  for (const text of ['', '{"entries":3}', '[1', 'title,page\nNo. 3,4\n', 'date\n"a'])
    await expect(send(reader, text)).rejects.toThrow('400')
})

test('A3 C15 HTTP-3 of books that somebody may no longer see their history says nothing, and their figures no more than sums', async () => {
  const { db } = server.context
  const [reader, admin] = [await server.person('reader'), await server.person('admin')]
  await readSome(reader)
  await db.write((db) =>
    db.updateTable('series').set({ title: 'A later title' }).where('id', '=', shelf.seriesId).execute(),
  )
  const access = { libraries: [], ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [], groups: [] }
  bodyOf(await admin.call(api.updateUser, { params: { id: reader.id }, body: { access } }))
  const file = await fileOf(reader, 'json')
  for (const hidden of ['The Wire', 'a1b2', 'No. 1', 'A later title']) expect(file).not.toContain(hidden)
  expect((await statsOf(reader)).series).toMatchObject([{ seriesId: null, seriesName: null, booksFinished: 1 }])
  const report = await send(reader, JSON.stringify([{ fileHash: 'a1b2', date: '2019-01-01', page: 3 }]))
  expect(report).toMatchObject({ added: 0, examples: [{ reason: 'no_book' }] })
  const left = await reader.call(api.readTimeLeft, { params: { id: books[0] ?? '' } })
  expect(errorOf(left)).toMatchObject({ error: 'not_found' })
  await db.write((db) => db.updateTable('series').set({ title: 'The Wire' }).where('id', '=', shelf.seriesId).execute())
})

test('a large history is taken in by a task, from where it was left', async () => {
  const reader = await server.person('reader')
  const entries = Array.from({ length: 1500 }, (_, index) => ({
    fileHash: 'a1b2',
    date: new Date(Date.parse('2018-01-01T10:00:00Z') + index * 3_600_000).toISOString(),
    page: 1 + (index % 100),
    deviceName: 'A name that makes it long enough to be a large one',
  }))
  const accepted = await send(reader, JSON.stringify(entries))
  expect(accepted).toMatchObject({ completedAt: null, added: 0 })
  await expect(send(reader, JSON.stringify(entries))).rejects.toThrow('409')
  await using _ = workOn(server, [importHistory])
  const params = { id: accepted.id }
  await expect
    .poll(async () => bodyOf(await reader.call(api.readReadingImport, { params })))
    .toMatchObject({ completedAt: now.toISOString(), entries: 1500, added: 1500, matchedBy: { hash: 1500 } })
  expect((await statsOf(reader)).summary).toMatchObject({ sessions: 1500 })
  const stranger = await server.person('admin')
  expect(errorOf(await stranger.call(api.readReadingImport, { params }))).toMatchObject({ error: 'not_found' })
})

test('an administrator deletes what another has read, and reads none of it', async () => {
  const [reader, other, admin] = [
    await server.person('reader'),
    await server.person('reader'),
    await server.person('admin'),
  ]
  await readSome(reader)
  await readSome(other)
  const stats = await statsOf(other)
  expect((await statsOf(admin)).summary.sessions).toBe(0)
  expect(await fileOf(admin, 'json')).not.toContain('The Wire')
  await admin.call(api.deleteReadingLog, { params: { id: reader.id } })
  expect((await statsOf(reader)).summary).toMatchObject({ sessions: 0, booksFinished: 0, books: 0 })
  expect(bodyOf(await reader.call(api.listProgress, {})).total).toBe(0)
  expect((await historyOf(reader)).readCount).toBe(0)
  expect(await statsOf(other)).toEqual(stats)
  const nobody = await admin.call(api.deleteReadingLog, { params: { id: randomUUID() } })
  expect(errorOf(nobody)).toMatchObject({ error: 'not_found' })
  // They can begin again.
  await readSome(reader)
  expect(await statsOf(reader)).toEqual(stats)
})

test('READ-1 every night what is kept is compared with the logs, made right where it is not, and that is said', async () => {
  const { db } = server.context
  const [spoilt, sums, sound] = [
    await server.person('reader'),
    await server.person('reader'),
    await server.person('reader'),
  ]
  for (const person of [spoilt, sums, sound]) await readSome(person)
  const right = await statsOf(sound)
  await using _ = workOn(server, [checkAllReading])
  const admin = await server.person('admin')
  const repairs = async () => bodyOf(await admin.call(api.listReadingRepairs, {})).data
  const check = async () => {
    const { taskId: id } = bodyOf(await admin.call(api.startTask, { body: { taskType: 'check_reading' } }))
    await expect.poll(async () => bodyOf(await admin.call(api.readTask, { params: { id } })).status).toBe('completed')
  }
  await check()
  expect(await repairs()).toEqual([])

  await db.write(async (db) => {
    await db.updateTable('read_progress').set({ page: 7 }).where('user_id', '=', spoilt.id).execute()
    await db.deleteFrom('read_completion').where('user_id', '=', spoilt.id).execute()
    await db
      .updateTable('reading_figure')
      .set({ measured_ms: 1 })
      .where('user_id', '=', sums.id)
      .where('subject', '=', 'all')
      .execute()
  })
  server.forgive('What was kept of reading was not what the log says: it was made again')
  await check()
  expect(await repairs()).toMatchObject([
    { userId: sums.id, books: 0, figures: true },
    { userId: spoilt.id, books: 2 },
  ])
  for (const person of [spoilt, sums, sound]) expect(await statsOf(person)).toEqual(right)
  expect((await historyOf(spoilt)).readCount).toBe(1)
  await check()
  expect(await repairs()).toHaveLength(2)

  // A snapshot that is wrong shows in nothing, until something late comes in.
  const heads = await db.read.selectFrom('reading_head').selectAll().where('user_id', '=', sound.id).limit(1).execute()
  const rows = heads.map(({ user_id, book_id, at, entry_id }) => ({ user_id, book_id, at, entry_id, state: '{}' }))
  await db.write((db) => insertMany(db, 'reading_snapshot', rows))
  await check()
  expect(await repairs()).toMatchObject([{ userId: sound.id, books: 1, figures: false }, {}, {}])
  expect(await db.read.selectFrom('reading_snapshot').where('user_id', '=', sound.id).selectAll().execute()).toEqual([])
  expect(await statsOf(sound)).toEqual(right)
})

test('READ-3 what was read before there were figures is in them once they are made from the log', async () => {
  const { db } = server.context
  const reader = await server.person('reader')
  await readSome(reader)
  const right = await statsOf(reader)
  await db.write(async (db) => {
    for (const table of ['reading_session', 'reading_figure', 'figure_zone'] as const)
      await db.deleteFrom(table).where('user_id', '=', reader.id).execute()
  })
  expect((await statsOf(reader)).summary.sessions).toBe(0)
  await rebuildProjections({ db, write: db.write }, reader.id)
  expect(await statsOf(reader)).toEqual(right)
})
