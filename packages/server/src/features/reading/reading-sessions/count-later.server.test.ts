import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { folderInMemory } from '../../../../test/folder-in-memory.ts'
import { day, type MovableClock, minute, movableClock } from '../../../../test/movable-clock.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addBooksTo, addShelf } from '../../../../test/reading-content.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'
import { makeDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import type { Database } from '../../../database/database.ts'
import { openDatabase } from '../../../database/open.ts'
import { namedWritesFile } from '../../../named-writes-file.ts'
import { readViewer } from '../../viewers/viewers.ts'
import { rebuildProjections } from '../reading.ts'
import { recordSessions } from '../record-sessions.ts'
import { type Reader, saveProgress } from '../progress/progress.ts'
import { selectUncountedReaders } from './queries.ts'

let time: MovableClock
let directory: string
let database: TestDatabase
let server: TestServer
/** It writes as the server does, and nobody in it counts: so is a process that is killed right after it has answered. */
let killed: Database
let shelf: Awaited<ReturnType<typeof addShelf>>
let bookIds: string[]
let person: Person
beforeAll(async () => {
  time = movableClock()
  directory = await mkdtemp(join(await folderInMemory(), 'carrel-test-'))
  database = await makeDatabase(directory)
  server = await startAgain()
  killed = await openDatabase(database.address, server.context.log, () => undefined, { namedWritesFile })
  shelf = await addShelf(killed)
  bookIds = await addBooksTo(killed, shelf, 3)
})
beforeEach(async () => {
  person = await server.person('reader')
})
afterAll(async () => {
  await killed.close()
  await server[Symbol.asyncDispose]()
  await database.remove()
  await rm(directory, { recursive: true, force: true })
})

const startAgain = () => startServer({ clock: time.clock, address: database.address })

const readerWith = async (deviceId = 'tablet'): Promise<Reader> => ({
  viewer: await readViewer(killed.read, person.id, false),
  device: { id: deviceId, name: null },
  now: time.clock(),
})

let sessions = 0
const idOfSession = (): string => `00000000-0000-7000-8000-${String((sessions += 1)).padStart(12, '0')}`

/** Ten pages in ten minutes, measured by the device. */
const sit = async (db: Database, toPage: number, bookId = bookIds[0] ?? ''): Promise<void> => {
  const ended = time.clock().getTime() - day + sessions * 15 * minute
  const session: api.ReadingSession = {
    id: idOfSession(),
    bookId,
    kind: 'progress',
    clientStartedAt: new Date(ended - 10 * minute).toISOString(),
    clientEndedAt: new Date(ended).toISOString(),
    activeDurationMs: 10 * minute,
    pagesRead: 10,
    toPage,
  }
  const { accepted } = await recordSessions(db, await readerWith(), [session])
  expect(accepted).toEqual([session.id])
}

const uncountedIn = ({ read }: Database): Promise<{ book_id: string }[]> =>
  read.selectFrom('reading_head').select('book_id').where('uncounted_from', 'is not', null).execute()

const countedOf = async (userId: string) => {
  const { read } = killed
  const of = (table: 'reading_session' | 'reading_figure') =>
    read.selectFrom(table).selectAll().where('user_id', '=', userId).execute()
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
  return { sessions: sorted(await of('reading_session')), figures: sorted(await of('reading_figure')) }
}

test('W1 READ-1 what a process had answered and not yet counted when it was killed, the next one counts', async () => {
  await server[Symbol.asyncDispose]()
  await sit(killed, 10)
  for (const [index, page] of [20, 30, 40].entries()) {
    time.pass(minute)
    await saveProgress(killed, await readerWith('apikey:1'), bookIds[1 + (index % 2)] ?? '', { currentPage: page })
  }
  expect((await uncountedIn(killed)).map(({ book_id }) => book_id).sort()).toEqual([...bookIds].sort())
  expect(await countedOf(person.id)).toEqual({ sessions: [], figures: [] })

  server = await startAgain()

  await expect.poll(() => uncountedIn(killed)).toEqual([])
  const counted = await countedOf(person.id)
  expect(counted.sessions).toHaveLength(3)
  await rebuildProjections({ db: killed, write: killed.write }, person.id)
  expect(await countedOf(person.id)).toEqual(counted)
})

/** Each answer says how far it knows what was read. */
const answers: Readonly<Record<string, (reader: Person) => Promise<unknown>>> = {
  figures: async (reader) => bodyOf(await reader.call(api.readReadingStats, { query: {} })).summary.pagesRead,
  'figures of a window that is asked for again': async (reader) => {
    const query = { from: '2026-01-01', to: '2026-12-31' }
    return bodyOf(await reader.call(api.readReadingStats, { query })).summary.pagesRead
  },
  year: async (reader) => bodyOf(await reader.call(api.readReadingYear, { query: {} })).summary.pagesRead,
  calendar: async (reader) =>
    bodyOf(await reader.call(api.readReadingCalendar, { query: {} })).days.reduce((sum, day) => sum + day.pagesRead, 0),
  pace: async (reader) => bodyOf(await reader.call(api.readReadingPace, {})).formats[0]?.pages ?? 0,
}

test.for(Object.entries(answers))('READ-1 READ-2 nobody is shown less than was acknowledged: %s', async ([, ask]) => {
  for (const page of [10, 20, 30, 40, 50]) await sit(killed, page)
  expect(await ask(person)).toBe(50)
  await sit(killed, 60)
  expect(await ask(person)).toBe(60)
})

test('READ-1 READ-2 the same holds for where reading ends, and for the time that is left', async () => {
  const endOf = async () => bodyOf(await person.call(api.readReadingCoverage, {})).lastReadAt
  await sit(killed, 10)
  expect(await endOf()).not.toBeNull()
  const before = await endOf()
  for (const page of [20, 30, 40]) await sit(killed, page)
  expect(await endOf()).not.toBe(before)

  await sit(killed, 50)
  const [params, query] = [{ id: bookIds[0] ?? '' }, {}]
  expect(bodyOf(await person.call(api.readTimeLeft, { params })).timeLeftMs).toBe(150 * minute)
  await sit(killed, 60)
  expect(bodyOf(await person.call(api.readOpenBooks, { query })).books[0]?.timeLeftMs).toBe(140 * minute)
  await sit(killed, 70)
  const ahead = await person.call(api.readSeriesAhead, { params: { id: shelf.seriesId } })
  expect(bodyOf(ahead).timeLeftMs).toBe(530 * minute)
})

test('READ-1 READ-2 many books and many readers are counted part by part, each of them once', async () => {
  const others = [await server.person('reader'), await server.person('reader')]
  await expect.poll(() => uncountedIn(killed)).toEqual([])
  const many = await addBooksTo(killed, shelf, 20)
  await server[Symbol.asyncDispose]()
  const reader = await readerWith()
  for (const bookId of many) await saveProgress(killed, reader, bookId, { currentPage: 2 })
  for (const { id } of others) {
    const viewer = await readViewer(killed.read, id, false)
    await saveProgress(killed, { ...reader, viewer }, many[0] ?? '', { currentPage: 3 })
  }
  const readers = [person.id, ...others.map(({ id }) => id)].sort()
  const first = await selectUncountedReaders(killed.read, '', 2)
  expect([...first, ...(await selectUncountedReaders(killed.read, first.at(-1) ?? '', 2))]).toEqual(readers)

  server = await startAgain()
  await expect.poll(() => uncountedIn(killed)).toEqual([])
  expect((await countedOf(person.id)).sessions).toHaveLength(20)
  for (const { id } of others) expect((await countedOf(id)).sessions).toHaveLength(1)
})

test('READ-1 READ-2 what is read is counted a moment later, though nobody asks', async () => {
  const params = { id: bookIds[0] ?? '' }
  bodyOf(await person.call(api.saveProgress, { params, body: { currentPage: 7 } }))
  await expect.poll(async () => (await countedOf(person.id)).sessions).toHaveLength(1)
  expect(await uncountedIn(killed)).toEqual([])
})
