import { readingStatsSorts } from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { plansOf, statementsOf } from '../../../test/plans.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import type { ReadDb } from '../../database/database.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { selectFinishedBooks, selectSeriesCompletions } from './completions/queries.ts'
import { selectLogWithin, selectNeighbours, selectSessionsAfter } from './reading-sessions/queries.ts'
import {
  countBooksReadAgain,
  countBooksOfSeries,
  selectActiveDays,
  selectCoverage,
  selectEdgeSessions,
  selectLastRead,
  selectOwnPaces,
  selectPaces,
  selectPeriodSums,
  selectSeriesSums,
  selectSeriesSumsAmongFirst,
  selectSliverSums,
  selectSums,
} from './stats/queries.ts'
import type { Plan } from './stats/window.ts'
import { selectFinishedBook, selectTermSums } from './stats/year/queries.ts'

let server: TestServer
let userId: string
let bookIds: string[]
beforeAll(async () => {
  server = await startServer()
  const { db } = server.context
  bookIds = await addBooks(
    db,
    await addSeries(db, await addLibrary(db)),
    Array.from({ length: 40 }, () => ({})),
  )
  userId = (await server.person('reader')).id
})
afterAll(() => server[Symbol.asyncDispose]())

const edge = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' }
const pieces = [
  { scale: 'year' as const, from: '2020-01-01', to: '2026-01-01' },
  { scale: 'month' as const, from: '2026-01-01', to: '2026-11-01' },
  { scale: 'day' as const, from: '2026-11-02', to: '2026-11-20' },
]
const cursor = { startedAt: edge.from, id: '' }

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const viewers = (): Viewer[] =>
  [everything, { ...everything, libraries: ['a'], ageCeiling: 12, allowTags: ['t'] }].map((rule) => ({
    userId,
    rule,
    deletedLibraries: [],
    seesPaths: false,
  }))

type Ask = (db: ReadDb) => Promise<unknown>

/** Statistics, calendar, coverage, pace and time left, of sums and of what is left at the edges. */
const figuresAsked = (plan: Plan): Ask[] => [
  (db) => selectPeriodSums(db, plan),
  (db) => selectSliverSums(db, userId, plan.byPeriod.slivers),
  (db) => selectSums(db, plan),
  (db) => selectPaces(db, plan),
  ...readingStatsSorts.flatMap((sort): Ask[] => [
    (db) => selectSeriesSums(db, plan, { sort, limit: 10 }),
    (db) => selectSeriesSumsAmongFirst(db, plan, { sort, limit: 10 }),
  ]),
  (db) => countBooksReadAgain(db, plan),
  (db) => countBooksOfSeries(db, plan, ['s', 't']),
  (db) => selectEdgeSessions(db, userId, { edge, after: cursor, limit: 2000 }),
  (db) => selectLastRead(db, userId, ['d', 'e'], edge),
  (db) => selectCoverage(db, userId),
  (db) => selectActiveDays(db, userId),
  (db) => selectOwnPaces(db, userId, [[bookIds[0] ?? '', edge.from]]),
  // How it is found out that an age hides all books of a series is the catalogue's: content-plans looks at that.
  ...viewers()
    .slice(0, 1)
    .map(
      (viewer): Ask =>
        (db) =>
          selectTermSums(db, viewer, plan, { kind: 'genre', limit: 5 }),
    ),
  ...viewers().flatMap((viewer): Ask[] => [
    (db) => selectTermSums(db, viewer, plan, { kind: 'person', limit: 5 }),
    (db) => selectFinishedBook(db, viewer, edge, 'first'),
    (db) => selectFinishedBook(db, viewer, edge, 'last'),
  ]),
]

/** A write of progress reads these. */
const neighboursAsked = (): Ask[] => {
  const [bookId = ''] = bookIds
  const stretches = bookIds.slice(0, 3).map((id) => ({ bookId: id, ...edge }))
  return [
    (db) => selectNeighbours(db, userId, stretches),
    (db) => selectLogWithin(db, userId, stretches),
    (db) => selectSessionsAfter(db, { userId, bookId }, cursor, 100),
    (db) => selectSessionsAfter(db, { userId }, cursor, 100),
  ]
}

/** Steps that read whole tables, or whole indexes, of what people have read. */
const wholes = (steps: readonly string[]): string[] =>
  steps.filter(
    (step) =>
      /^SCAN (?:reading_|read_|stated_|session|entry|one|done|said|device|book|series)/.test(step) ||
      /Seq Scan on (?:"?reading_|read_|stated_|device|book|series)/.test(step),
  )

test('W16 W1 no figure and no write of progress reads through what others have read, or all that one has read', async () => {
  const { database } = server.context.config
  const slivers = [edge, edge].map((each) => ({ ...each, counted: '2026-10-01', belongs: '2026-11-01' }))
  const of = { userId, from: edge.from }
  const plans = [
    { ...of, edges: [edge], pieces, byPeriod: { edges: [edge], pieces: pieces.slice(2), slivers: [] } },
    { ...of, edges: [], pieces, byPeriod: { edges: [], pieces, slivers } },
    { ...of, edges: [edge], pieces: [], byPeriod: { edges: [edge], pieces: [], slivers: [] } },
  ]
  const ofSeries = viewers().flatMap((viewer): Ask[] => [
    (db) => selectSeriesCompletions(db, viewer, 's'),
    (db) => selectFinishedBooks(db, viewer, { seriesId: 's', afterId: '', limit: 25 }),
  ])
  const questions = [...plans.flatMap(figuresAsked), ...neighboursAsked(), ...ofSeries]
  const statements = (await Promise.all(questions.map(statementsOf))).flat()
  const allPlans = await plansOf(database, statements)
  expect(allPlans.length).toBeGreaterThanOrEqual(questions.length - 1)
  expect(allPlans.filter(({ steps }) => wholes(steps).length > 0)).toEqual([])
  // One reader's, and of them no more than the window, the book or the page.
  const keyed = /user_id=\?|user_id = /
  const own = allPlans.filter(({ sql }) => /reading_figure|reading_session/.test(sql))
  expect(own.filter(({ steps }) => !steps.some((step) => keyed.test(step)))).toEqual([])
})
