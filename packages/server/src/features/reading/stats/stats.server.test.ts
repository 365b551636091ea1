import { randomUUID } from 'node:crypto'
import * as api from '@carrel/api'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { naiveStats } from '../../../../test/naive-stats.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addBooksTo, addSeriesTo, addShelf } from '../../../../test/reading-content.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'
import { testDialect } from '../../../../test/test-database.ts'
import { workOn } from '../../../../test/work.ts'
import type { ReadBook } from '../book.ts'
import { type NewFact, record } from '../log/record.ts'
import { rebuildProjections } from '../reading.ts'
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

interface Said {
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

const someSaid = fc.record<Said>({
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

const factFrom = ({ day, minutes, spent, how, deviceId, page, pagesRead, book }: Said): NewFact => {
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

const someQuestion = fc.record({
  window: someWindow,
  granularity: fc.constantFrom(...api.readingStatsGranularities),
  sort: fc.constantFrom(...api.readingStatsSorts),
  timezone: fc.constantFrom(...zones),
})

const ask = async (person: Person, query: object) => bodyOf(await person.call(api.readReadingStats, { query }))

test('READ-3 C15 whatever is said in whatever order, every figure is what a count of the whole log comes to', async () => {
  const { db } = server.context
  await fc.assert(
    fc.asyncProperty(
      fc.array(someSaid, { minLength: 1, maxLength: 40, size: 'max' }),
      fc.constantFrom(...zones),
      fc.array(someQuestion, { minLength: 4, maxLength: 4 }),
      fc.infiniteStream(fc.nat()),
      async (said, own, questions, chances) => {
        const reader = await server.person('reader')
        bodyOf(await reader.call(api.updateProfile, { body: { timeZone: own } }))
        const facts = said
          .map((each) => ({ fact: factFrom(each), rank: chances.next().value }))
          .sort((one, other) => one.rank - other.rank)
          .map(({ fact }) => fact)
        for (let from = 0; from < facts.length; from += 7)
          await db.write((db) => record(db, reader.id, facts.slice(from, from + 7), now))

        const expectAll = async () => {
          const log = await db.read.selectFrom('reading_session').selectAll().where('user_id', '=', reader.id).execute()
          const completions = await db.read
            .selectFrom('read_completion')
            .select(['id', 'completed_at'])
            .where('user_id', '=', reader.id)
            .execute()
          for (const { window, granularity, sort, timezone } of [
            ...questions,
            ...questions.map((each) => ({ ...each, timezone: own })),
          ]) {
            const answer = await ask(reader, { ...window, granularity, sort, timezone, seriesLimit: 50 })
            const expected = naiveStats({ log, completions }, { ...window, granularity, sort, timezone })
            expect(answer).toEqual(expected)
          }
        }
        await expectAll()
        await rebuildProjections({ db, write: db.write }, reader.id)
        await expectAll()
      },
    ),
    { numRuns: isSqlite ? 20 : 4, endOnFailure: true },
  )
}, 120_000)
