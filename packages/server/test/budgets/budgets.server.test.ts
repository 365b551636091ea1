import { Worker } from 'node:worker_threads'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { anyEventWithoutNumber } from '../../src/events/queries.ts'
import { countUpToNow } from '../../src/features/reading/reading.ts'
import { addBooks, addLibrary, addSeries } from '../content.ts'
import { type Person, startServer, type TestServer } from '../start-server.ts'
import { testDialect } from '../test-database.ts'

/** What one request may cost. `messages`: how often something is sent to a thread; there are none on PostgreSQL. */
interface Budget {
  readonly statements: number
  readonly commits: number
  readonly messages: number
}

type Costs = readonly [statements: number, commits: number, messages: number]

interface UseCase {
  readonly sqlite: Costs
  readonly postgres: Costs
  /** `time`: how often it was asked before. */
  readonly ask: (time: number) => Promise<{ readonly ok: boolean }>
}

let server: TestServer
let reader: Person
let seriesId: string
let bookIds: string[]
beforeAll(async () => {
  server = await startServer()
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Nemo' })
  seriesId = series.id
  bookIds = await addBooks(
    db,
    series,
    Array.from({ length: 60 }, () => ({ page_count: 200 })),
  )
  reader = await server.person('reader')
})
afterAll(() => server[Symbol.asyncDispose]())

const bookAt = (index: number): string => bookIds[index] ?? ''
const turn = (page: number) => reader.call(api.saveProgress, { params: { id: bookAt(0) }, body: { currentPage: page } })
const sessionAt = (time: number): api.ReadingSession => {
  const ended = new Date(Date.parse('2026-01-01T10:00:00.000Z') + time * 3_600_000).toISOString()
  const id = `00000000-0000-7000-8000-${String(time).padStart(12, '0')}`
  return { id, bookId: bookAt(1), kind: 'progress', clientStartedAt: ended, clientEndedAt: ended, toPage: 2 + time }
}

/** The one table: whoever makes a request dearer raises its figures here. */
const useCases: Readonly<Record<string, UseCase>> = {
  'W1 READ-1 a page is turned': { sqlite: [6, 1, 1], postgres: [7, 1, 0], ask: (time) => turn(10 + time) },
  'W1 READ-1 a reading session is recorded': {
    sqlite: [9, 1, 1],
    postgres: [10, 1, 0],
    ask: (time) => reader.call(api.recordReadingSessions, { body: { sessions: [sessionAt(time)] } }),
  },
  'W1 READ-1 a book is marked as read': {
    sqlite: [9, 1, 1],
    postgres: [10, 1, 0],
    ask: (time) => reader.call(api.markBookRead, { params: { id: bookAt(10 + time) } }),
  },
  'CAT-8 a book is rated': {
    sqlite: [4, 1, 1],
    postgres: [4, 1, 0],
    ask: (time) => reader.call(api.saveBookRating, { params: { id: bookAt(2) }, body: { rating: 10 + time } }),
  },
  'CAT-8 a series is rated': {
    sqlite: [6, 1, 1],
    postgres: [6, 1, 0],
    ask: (time) => reader.call(api.saveSeriesRating, { params: { id: seriesId }, body: { rating: 10 + time } }),
  },
  'CAT-8 somebody says how far they are in a series': {
    sqlite: [3, 1, 1],
    postgres: [3, 1, 0],
    ask: () => reader.call(api.saveReadingStatus, { params: { id: seriesId }, body: { status: 'paused' } }),
  },
  'CAT-8 somebody wants to read a book': {
    sqlite: [6, 1, 1],
    postgres: [7, 1, 0],
    ask: (time) => reader.call(api.addWantToRead, { body: { bookId: bookAt(30 + time) } }),
  },
  'W1 a preference is stored': {
    sqlite: [4, 1, 1],
    postgres: [5, 1, 0],
    ask: (time) => reader.call(api.savePreference, { params: { key: 'a.b' }, body: { value: time } }),
  },
  'who somebody is': { sqlite: [1, 0, 0], postgres: [1, 0, 0], ask: () => reader.call(api.readProfile, {}) },
  'LIB-1 one book': {
    sqlite: [5, 0, 0],
    postgres: [5, 0, 0],
    ask: () => reader.call(api.readBook, { params: { id: bookAt(3) } }),
  },
  'LIB-1 a page of books that is asked for again': {
    sqlite: [0, 0, 0],
    postgres: [0, 0, 0],
    ask: () => reader.call(api.listBooks, { query: { pageSize: 20 } }),
  },
  'LIB-1 a page of books that nobody has asked for': {
    sqlite: [4, 0, 0],
    postgres: [4, 0, 0],
    ask: (time) => reader.call(api.listBooks, { query: { pageSize: 5, page: 2 + time } }),
  },
  'READ-3 the figures of a reader': {
    sqlite: [13, 0, 12],
    postgres: [13, 0, 0],
    ask: () => reader.call(api.readReadingStats, { query: {} }),
  },
}

/** They are asked now and then, by the time that has passed, and not for a request. */
const aside =
  /"revision"|pg_current_snapshot|from "?change_mark|pg_notify|event_sequence|"event" where|sign_in_activity|waiting as|^select distinct "user_id" from "reading_head"/
const isBegin = (sql: string): boolean => /^(?:begin|start transaction)/.test(sql)

interface Command {
  readonly calls?: readonly unknown[]
  readonly sql?: string
}

/** What happens beside a request only adds: the least of several is what it costs by itself. */
const costOf = async (ask: UseCase['ask']): Promise<Budget> => {
  const costs: Budget[] = []
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  for (let time = 0; time < 6; time += 1) {
    // What was read before is counted, and told, before and not meanwhile.
    await countUpToNow(server.context.db, reader.id, server.context.clock())
    await expect.poll(() => anyEventWithoutNumber(server.context.db.read)).toBe(false)
    const from = server.logLines.length
    post.mockClear()
    expect((await ask(time)).ok).toBe(true)
    const commands = post.mock.calls.map(([command]) => command as Command)
    const statements = server.logLines
      .slice(from)
      .flatMap(({ sql }) => (typeof sql === 'string' && !aside.test(sql) && !isBegin(sql) ? sql.trim() : []))
    const isCommit = (sql: string | undefined): boolean => sql === 'commit'
    costs.push({
      statements: statements.filter((sql) => !isCommit(sql)).length,
      commits: statements.filter(isCommit).length + commands.filter(({ calls, sql }) => calls || isCommit(sql)).length,
      messages: commands.length,
    })
  }
  post.mockRestore()
  const leastOf = (figure: keyof Budget): number => Math.min(...costs.map((cost) => cost[figure]))
  return { statements: leastOf('statements'), commits: leastOf('commits'), messages: leastOf('messages') }
}

test.for(Object.entries(useCases))('%s costs no more than its budget, and no less', async ([, { ask, ...budgets }]) => {
  const [statements, commits, messages] = budgets[testDialect]
  expect(await costOf(ask)).toEqual({ statements, commits, messages })
})
