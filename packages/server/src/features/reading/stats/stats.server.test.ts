import { randomUUID } from 'node:crypto'
import * as api from '@carrel/api'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { naiveStats, withoutCovers } from '../../../../test/naive-stats.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addBooksTo, addSeriesTo, addShelf } from '../../../../test/reading-content.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'
import { testDialect } from '../../../../test/test-database.ts'
import { workOn } from '../../../../test/work.ts'
import { enqueue } from '../../../tasks/queue.ts'
import type { ReadBook } from '../book.ts'
import { type NewLogEntry, record } from '../log/record.ts'
import { countUpToNow, rebuildProjections } from '../reading.ts'
import { recountFigures } from '../tasks.ts'

const isSqlite = testDialect === 'sqlite'
const now = new Date('2026-11-21T10:00:00.000Z')
const minute = 60_000

let server: TestServer
let books: readonly ReadBook[]

beforeAll(async () => {
  server = await startServer({ clock: () => now })
  const { db } = server.context
  const shelf = await addShelf(db)
  const other = { ...shelf, seriesId: await addSeriesTo(db, shelf.libraryId, 'Other') }
  const paged = await addBooksTo(db, shelf, 2)
  const flowing = await addBooksTo(db, other, 2, { page_count: 0, format: 'epub' })
  books = [...paged, ...flowing].map((id, index) => ({
    id,
    seriesId: index < 2 ? shelf.seriesId : other.seriesId,
    seriesName: index < 2 ? 'Nemo' : 'Other',
    libraryId: shelf.libraryId,
    format: index < 2 ? 'cbz' : 'epub',
    pageCount: index < 2 ? 200 : 0,
    isPresent: true,
  }))
})
afterAll(() => server[Symbol.asyncDispose]())

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe']

interface StatsCase {
  readonly day: number
  readonly minutes: number
  readonly spent: number
  readonly how: 'measured' | 'position' | 'completed' | 'read' | 'reset'
  readonly deviceId: string
  readonly page: number
  readonly pagesRead: number | null
  readonly book: number
}

/** Days on which clocks are changed, a day that Samoa never had, a leap day, ends of weeks, months and years. */
const days = [
  '2011-12-29',
  '2011-12-30',
  '2011-12-31',
  '2024-02-29',
  '2025-03-30',
  '2025-10-26',
  '2025-12-31',
  '2026-01-01',
  '2026-03-08',
  '2026-11-01',
]

const someSaid = fc.record<StatsCase>({
  day: fc.nat({ max: days.length - 1 }),
  minutes: fc.oneof(fc.nat({ max: 1439 }), fc.nat({ max: 40 })),
  spent: fc.nat({ max: 12 }),
  how: fc.oneof(
    { arbitrary: fc.constantFrom('measured' as const, 'position' as const), weight: 12 },
    { arbitrary: fc.constantFrom('completed' as const, 'read' as const, 'reset' as const), weight: 1 },
  ),
  deviceId: fc.constantFrom('pad', 'apikey:1', 'ua:1'),
  page: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 200 })),
  pagesRead: fc.option(fc.nat({ max: 30 })),
  book: fc.nat({ max: 3 }),
})

const entryFrom = ({ day, minutes, spent, how, deviceId, page, pagesRead, book }: StatsCase): NewLogEntry => {
  const about = books[book]
  if (!about) throw new Error('There is no such book')
  const started = Date.parse(days[day] ?? '') + minutes * minute
  const ended = started + (how === 'measured' ? spent * minute : 0)
  return {
    id: randomUUID(),
    book: about,
    kind: how === 'reset' ? 'reset' : how === 'completed' || how === 'read' ? 'completed' : 'progress',
    source: how === 'measured' ? 'session' : how === 'read' ? 'mark' : 'put',
    page: how === 'reset' || how === 'read' || about.pageCount === 0 ? null : page,
    percentage: how === 'reset' || how === 'read' ? null : page / 200,
    deviceId,
    activeMs: how === 'measured' ? spent * 50_000 : null,
    pagesRead: how === 'measured' ? pagesRead : null,
    time: { started, ended },
  }
}

const someWindow = fc
  .tuple(fc.nat({ max: days.length - 1 }), fc.nat({ max: days.length - 1 }), fc.nat({ max: 1440 }), fc.boolean())
  .map(([one, other, minutes, exact]) => {
    const [from = '', to = ''] = [days[Math.min(one, other)], days[Math.max(one, other)]]
    if (!exact) return { from, to }
    const at = (day: string, more: number) => new Date(Date.parse(day) + more * minute).toISOString()
    return { from: at(from, minutes), to: at(to, 1440 + minutes) }
  })

const someQuestion = fc
  .record({
    window: someWindow,
    granularity: fc.constantFrom(...api.readingStatsGranularities),
    sort: fc.constantFrom(...api.readingStatsSorts),
    timezone: fc.constantFrom(...zones),
  })
  // Days of more than ten years are refused.
  .map((each) =>
    each.window.from < '2012-02' && each.window.to > '2020' ? { ...each, granularity: 'week' as const } : each,
  )

/** The whole log, and which of it ended a book. */
const saidBy = async ({ id }: Person) => {
  const { read } = server.context.db
  return {
    log: await read.selectFrom('reading_log').selectAll().where('user_id', '=', id).execute(),
    completions: await read
      .selectFrom('read_completion')
      .select(['id', 'completed_at'])
      .where('user_id', '=', id)
      .execute(),
  }
}

const endOf = ({ time }: NewLogEntry): number => time?.ended ?? 0

const ask = async (person: Person, query: object) =>
  withoutCovers(bodyOf(await person.call(api.readReadingStats, { query })))

test('READ-3 C15 whatever is said in whatever order, every figure is what a count of the whole log comes to', async () => {
  const { db } = server.context
  await fc.assert(
    fc.asyncProperty(
      fc.array(someSaid, { minLength: 1, maxLength: 40, size: 'max' }),
      fc.constantFrom(...zones),
      fc.array(someQuestion, { minLength: 4, maxLength: 4 }),
      fc.infiniteStream(fc.nat()),
      fc.nat({ max: days.length - 3 }),
      async (actions, own, questions, chances, since) => {
        const reader = await server.person('reader')
        bodyOf(await reader.call(api.updateProfile, { body: { timeZone: own } }))
        const entries = actions
          // Three days are so short that many entries are near each other.
          .map((each) => ({ entry: entryFrom({ ...each, day: since + (each.day % 3) }), rank: chances.next().value }))
          .sort((one, other) => one.rank - other.rank)
          .map(({ entry }) => entry)
        // What comes as it happens makes sessions longer, and what comes late changes them.
        if (chances.next().value % 2 === 0) entries.sort((one, other) => endOf(one) - endOf(other))
        for (let from = 0; from < entries.length; from += 7) {
          const chance = chances.next().value % 3
          const batch = entries.slice(from, from + 7)
          await db.write((db) => record(db, reader.id, batch, { now, countsLater: chance > 0 }))
          if (chance > 1) await countUpToNow(db, reader.id, now)
        }

        const expectAll = async () => {
          const log = await saidBy(reader)
          for (const { window, granularity, sort, timezone } of [
            ...questions,
            ...questions.map((each) => ({ ...each, timezone: own })),
          ]) {
            const answer = await ask(reader, { ...window, granularity, sort, timezone, seriesLimit: 50 })
            const expected = naiveStats(log, { ...window, granularity, sort, timezone })
            expect(answer).toEqual(expected)
          }
        }
        await expectAll()
        await rebuildProjections({ db, write: db.write }, reader.id)
        await expectAll()
      },
    ),
    { numRuns: isSqlite ? 8 : 3, endOnFailure: true },
  )
})

test('READ-3 C15 the first series of many years are those of a count of the whole log, also until the sums are made again', async () => {
  const { db } = server.context
  const shelf = await addShelf(db, 'Many')
  const chance = fc.sample(
    fc.record({ book: fc.nat({ max: 39 }), day: fc.nat({ max: 1200 }), ms: fc.nat({ max: 9 }) }),
    { numRuns: 400, seed: 20261122 },
  )
  const many: ReadBook[] = []
  for (let index = 0; index < 40; index += 1) {
    const seriesId = await addSeriesTo(db, shelf.libraryId, `Series ${index}`)
    const [id = ''] = await addBooksTo(db, { ...shelf, seriesId }, 1)
    const about = { seriesId, seriesName: `Series ${index}`, libraryId: shelf.libraryId }
    many.push({ id, ...about, format: 'cbz', pageCount: 200, isPresent: true })
  }
  const reader = await server.person('reader')
  const entries = chance.flatMap(({ book, day, ms }, index) => {
    const started = Date.parse('2023-02-01T10:00:00.000Z') + day * 1440 * minute + index * 100
    const about = many[book]
    const time = { started, ended: started + minute }
    const more = { page: 20 * (ms + 1), percentage: null, deviceId: 'pad', pagesRead: ms, time } as const
    return about
      ? ({ id: randomUUID(), book: about, kind: 'progress', source: 'session', activeMs: ms * 1000, ...more } as const)
      : []
  })
  for (let from = 0; from < entries.length; from += 50)
    await db.write((db) => record(db, reader.id, entries.slice(from, from + 50), { now }))
  const facts = await saidBy(reader)

  const expectAll = async () => {
    for (const from of ['2022-12-31', '2023-06-01', '2023-12-31', '2024-12-31'])
      for (const sort of api.readingStatsSorts)
        for (const seriesLimit of [1, 3, 10]) {
          const question = { from, to: '2026-02-01', granularity: 'month', sort, timezone: 'UTC' } as const
          const expected = naiveStats(facts, question)
          const answer = await ask(reader, { ...question, seriesLimit })
          expect(answer).toEqual({ ...expected, series: expected.series.slice(0, seriesLimit) })
        }
  }
  await expectAll()

  await db.write(async (db) => {
    await db
      .updateTable('figure_zone')
      .set({ built_start: '', built_id: '' })
      .where('user_id', '=', reader.id)
      .execute()
    await enqueue(db, recountFigures, { userId: reader.id }, { now })
  })
  await expectAll()
  await using _ = workOn(server, [recountFigures])
  const key = `recount_reading_figures ${reader.id}`
  const live = () =>
    db.read
      .selectFrom('task')
      .select('id')
      .where('key', '=', key)
      .where('status', 'in', ['pending', 'processing'])
      .execute()
  expect(await live()).toHaveLength(1)
  await expect.poll(live).toEqual([])
  const zone = await db.read
    .selectFrom('figure_zone')
    .select('built_id')
    .where('user_id', '=', reader.id)
    .executeTakeFirst()
  expect(zone).toEqual({ built_id: null })
  await expectAll()
})

const sat = (bookId: string, from: string, to: string, more: Partial<api.ReadingSession> = {}): api.ReadingSession => ({
  id: randomUUID(),
  bookId,
  kind: 'progress',
  clientStartedAt: from,
  clientEndedAt: to,
  deviceId: 'pad',
  deviceName: 'Pad',
  activeDurationMs: Date.parse(to) - Date.parse(from),
  ...more,
})

test('READ-3 C15 measured and estimated time stand apart, and what nobody could say is counted as such', async () => {
  const { db } = server.context
  const shelf = await addShelf(db, 'Pale Fire')
  const [bookId = ''] = await addBooksTo(db, shelf, 1)
  const reader = await server.person('reader')
  const withAgent = server.callWith({ authorization: `Bearer ${reader.accessToken}`, 'user-agent': 'KOReader/2026' })
  const sessions = [
    // One session in two parts, over midnight in Berlin; the second begins on a page that was read.
    sat(bookId, '2026-10-24T21:50:00.000Z', '2026-10-24T21:58:00.000Z', { pagesRead: 20, toPage: 20 }),
    sat(bookId, '2026-10-24T22:01:00.000Z', '2026-10-24T22:30:00.000Z', { pagesRead: 21, toPage: 40 }),
    sat(bookId, '2026-10-25T09:00:00.000Z', '2026-10-25T09:10:00.000Z', { deviceId: 'phone', toPage: 41 }),
  ]
  bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions } }))
  for (const [at, currentPage] of [
    ['2026-10-25T10:00:00.000Z', 60],
    ['2026-10-25T10:02:00.000Z', 61],
    ['2026-10-25T10:06:30.000Z', 62],
    ['2026-10-25T20:00:00.000Z', 200],
  ] as const)
    await withAgent(api.saveProgress, { params: { id: bookId }, body: { currentPage, at } })

  const stats = await ask(reader, { from: '2026-10-24', to: '2026-10-25', timezone: 'Europe/Berlin' })

  const measured = { measuredMs: 37 * minute, inferredMs: 0, totalMs: 37 * minute }
  const estimated = { measuredMs: 10 * minute, inferredMs: 6.5 * minute, totalMs: 16.5 * minute }
  expect(stats).toMatchObject({
    from: '2026-10-23T22:00:00.000Z',
    to: '2026-10-25T23:00:00.000Z',
    summary: {
      books: 1,
      booksFinished: 1,
      duration: { measuredMs: 47 * minute, inferredMs: 6.5 * minute, totalMs: 53.5 * minute },
      pagesRead: 40,
      sessions: 4,
      sessionsWithoutDuration: 1,
      sessionsWithoutPages: 3,
    },
    periods: [
      { bucket: '2026-10-24', booksFinished: 0, duration: measured, pagesRead: 40, sessions: 1 },
      { bucket: '2026-10-25', booksFinished: 1, duration: estimated, pagesRead: 0, sessions: 3 },
    ],
    series: [{ seriesId: shelf.seriesId, seriesName: 'Pale Fire', books: 1 }],
    formats: [{ format: 'cbz', sessions: 4 }],
    devices: [
      { deviceName: 'KOReader', lastReadAt: '2026-10-25T20:00:00.000Z', sessions: 2 },
      { deviceId: 'phone', deviceName: 'Pad', lastReadAt: '2026-10-25T09:10:00.000Z', sessions: 1 },
      { deviceId: 'pad', deviceName: 'Pad', lastReadAt: '2026-10-24T22:30:00.000Z', sessions: 1 },
    ],
  })
  expect(bodyOf(await reader.call(api.readReadingCoverage, {}))).toEqual({
    firstReadAt: '2026-10-24T21:50:00.000Z',
    lastReadAt: '2026-10-25T20:00:00.000Z',
  })
  const stranger = await server.person('admin')
  expect(await ask(stranger, { from: '2026-10-24' })).toMatchObject({ summary: { sessions: 0 }, periods: [] })
  expect(bodyOf(await stranger.call(api.readReadingCoverage, {}))).toEqual({ firstReadAt: null, lastReadAt: null })

  // A deleted series keeps its name.
  await db.write(async (db) => {
    await db.deleteFrom('book').where('id', '=', bookId).execute()
    await db.deleteFrom('series').where('id', '=', shelf.seriesId).execute()
  })
  await rebuildProjections({ db, write: db.write }, reader.id)
  expect(await ask(reader, { from: '2026-10-24', to: '2026-10-25', timezone: 'Europe/Berlin' })).toEqual(stats)
})

test('READ-3 C15 weeks begin on Monday, and what makes no sense is refused', async () => {
  const reader = await server.person('reader')
  const [book] = books
  const sessions = [
    sat(book?.id ?? '', '2026-11-15T12:00:00.000Z', '2026-11-15T12:10:00.000Z'),
    sat(book?.id ?? '', '2026-11-16T00:00:00.000Z', '2026-11-16T00:10:00.000Z'),
  ]
  bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions } }))
  const weeks = await ask(reader, { granularity: 'week' })
  expect(weeks.periods.map(({ bucket, sessions }) => [bucket, sessions])).toEqual([
    ['2026-11-09', 1],
    ['2026-11-16', 1],
  ])
  expect([weeks.from, weeks.to]).toEqual(['2026-08-23T10:00:00.000Z', '2026-11-21T10:00:00.000Z'])
  const half = await ask(reader, { from: '2026-11-15T12:00:00Z', to: '2026-11-16T00:00:00Z' })
  expect(half.summary.sessions).toBe(1)
  for (const query of [
    { from: '2026-11-02', to: '2026-11-01T00:00:00Z' },
    { from: '2026-11-02', to: '2026-11-01' },
    { from: '2026-02-30' },
    { from: '2026-02-30T10:00:00Z' },
    { to: 'yesterday' },
    { timezone: 'Mars/Olympus' },
    { timezone: '+01:00' },
    { from: '2010-01-01', to: '2026-11-01' },
    { from: '0001-01-01', granularity: 'month' as const },
  ])
    expect(errorOf(await reader.call(api.readReadingStats, { query }))).toMatchObject({ error: 'validation_failed' })
})

test('READ-3 whoever moves has other days: their sums are made again, and meanwhile every figure is right', async () => {
  const { db } = server.context
  const reader = await server.person('reader')
  const [book] = books
  const late = () => sat(book?.id ?? '', '2026-11-10T23:30:00.000Z', '2026-11-10T23:40:00.000Z')
  bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions: [late()] } }))
  const dayOf = async () => (await ask(reader, { from: '2026-11-01' })).periods.map(({ bucket }) => bucket)
  expect(await dayOf()).toEqual(['2026-11-10'])
  bodyOf(await reader.call(api.updateProfile, { body: { timeZone: 'Asia/Tokyo' } }))
  expect(await dayOf()).toEqual(['2026-11-11'])
  const before = await db.read.selectFrom('figure_zone').selectAll().where('user_id', '=', reader.id).execute()
  bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions: [late()] } }))
  await using _ = workOn(server, [recountFigures])
  await expect
    .poll(() => db.read.selectFrom('figure_zone').selectAll().where('user_id', '=', reader.id).execute())
    .toEqual([{ ...before[0], zone: 'Asia/Tokyo' }])
  expect(await dayOf()).toEqual(['2026-11-11'])
  const rows = await db.read
    .selectFrom('reading_figure')
    .select(['start', 'sessions'])
    .where('user_id', '=', reader.id)
    .where('subject', '=', 'all')
    .where('scale', '=', 'day')
    .execute()
  expect(rows).toEqual([{ start: '2026-11-11', sessions: 1 }])
})

test('days in a row, own pace and time left are worked out from what was measured', async () => {
  const { db } = server.context
  const shelf = await addShelf(db, 'Pace')
  const [bookId = '', other = '', untouched = ''] = await addBooksTo(db, shelf, 3)
  const [flowing = ''] = await addBooksTo(db, shelf, 1, { page_count: 0, format: 'epub' })
  const reader = await server.person('reader')
  const on = (day: string, id: string, more: Partial<api.ReadingSession>) =>
    sat(id, `2026-11-${day}T08:00:00.000Z`, `2026-11-${day}T08:30:00.000Z`, more)
  const sessions = [
    on('01', bookId, { pagesRead: 60, toPage: 60 }),
    on('02', bookId, { pagesRead: 40, toPage: 100 }),
    on('03', other, { toPage: 4 }),
    on('19', other, { toPage: 8 }),
    on('20', flowing, { toPercentage: 0.25 }),
  ]
  bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions } }))
  bodyOf(await reader.call(api.markBookRead, { params: { id: untouched } }))

  const calendar = bodyOf(await reader.call(api.readReadingCalendar, { query: { year: 2026 } }))
  expect(calendar).toMatchObject({
    currentStreak: { days: 2, from: '2026-11-19', to: '2026-11-20' },
    longestStreak: { days: 3, from: '2026-11-01', to: '2026-11-03' },
  })
  expect(
    calendar.days.map(({ bucket, sessions, booksFinished }) => [bucket.slice(8), sessions, booksFinished]),
  ).toEqual([
    ['01', 1, 0],
    ['02', 1, 0],
    ['03', 1, 0],
    ['19', 1, 0],
    ['20', 1, 0],
    ['21', 0, 1],
  ])
  const elsewhere = await reader.call(api.readReadingCalendar, { query: { year: 2026, timezone: 'Asia/Tokyo' } })
  expect(bodyOf(elsewhere)).toEqual(calendar)
  expect(bodyOf(await reader.call(api.readReadingPace, {}))).toEqual({
    formats: [{ format: 'cbz', pagesPerHour: 100, pages: 100, measuredMs: 60 * minute }],
  })
  const left = async (id: string) => bodyOf(await reader.call(api.readTimeLeft, { params: { id } }))
  expect(await left(bookId)).toEqual({ pagesLeft: 100, timeLeftMs: 60 * minute, basis: 'book' })
  expect(await left(other)).toEqual({ pagesLeft: 192, timeLeftMs: 115.2 * minute, basis: 'format' })
  expect(await left(flowing)).toEqual({ pagesLeft: null, timeLeftMs: 90 * minute, basis: 'book' })
  expect(await left(untouched)).toEqual({ pagesLeft: 0, timeLeftMs: 0, basis: null })
})

test('READ-3 figures are told of however many devices there were', async () => {
  const [bookId = ''] = await addBooksTo(server.context.db, await addShelf(server.context.db, 'Many devices'), 1)
  const reader = await server.person('reader')
  const sessions = Array.from({ length: 501 }, (_, index) =>
    sat(bookId, '2026-11-01T08:00:00.000Z', '2026-11-01T08:30:00.000Z', { deviceId: `device-${index}`, toPage: 4 }),
  )
  for (const part of [sessions.slice(0, 500), sessions.slice(500)])
    bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions: part } }))
  const { devices } = bodyOf(await reader.call(api.readReadingStats, { query: { from: '2026-11-01' } }))
  expect(new Set(devices.map(({ deviceName, lastReadAt }) => `${deviceName} ${lastReadAt}`))).toEqual(
    new Set(['Pad 2026-11-01T08:30:00.000Z']),
  )
  expect(devices).toHaveLength(501)
})
