import {
  type BookCondition,
  bookFacets,
  bookOrders,
  type SeriesCondition,
  seriesFacets,
  seriesOrders,
} from '@carrel/api'
import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, ReadDb } from '../src/database/database.ts'
import type { DatabaseAddress } from '../src/database/open.ts'
import { insertMany } from '../src/database/many.ts'
import { asGathered } from '../src/catalogue/lists/books/lists.ts'
import { type BookOrder, books } from '../src/catalogue/lists/books/queries.ts'
import type { Selection } from '../src/catalogue/lists/queries.ts'
import { series as seriesLists, type SeriesOrder } from '../src/catalogue/lists/series/queries.ts'
import { selectNeighbours, selectRelated } from '../src/features/books/queries.ts'
import { countVisibleBooks, selectRelated as selectSeriesResources } from '../src/features/series/queries.ts'
import type { Viewer } from '../src/catalogue/visibility/visibility.ts'
import { type Cursor, narrow } from '../src/filtering/filtering.ts'
import { newId } from '../src/platform/ids.ts'
import { pagingOf } from '../src/platform/paging.ts'
import { addBooks, type AddedLibrary, type AddedSeries, addLibrary, addManySeries } from './content.ts'
import { plansOfMillion } from './plans-of-a-million.ts'
import { plansOf, slowSteps, statementsOf } from './plans.ts'
import { startServer, type TestServer } from './start-server.ts'

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const paging = pagingOf(3, 50)
const total = 10_000

const addTags = async (db: Database, names: readonly string[]): Promise<string[]> => {
  const at = '2026-11-01T10:00:00.000Z'
  const rows = names.map((name) => ({
    id: newId(),
    name,
    name_key: name,
    sort_key: name,
    name_text: name,
    description: null,
  }))
  await db.write((db) =>
    insertMany(
      db,
      'sharing_tag',
      rows.map((row) => ({ ...row, created_at: at, updated_at: at })),
    ),
  )
  return rows.map(({ id }) => id)
}

type Ask = (db: ReadDb) => Promise<unknown>

const directions = ['asc', 'desc'] as const
const seriesFields = [...new Set(Object.values(seriesOrders))].filter((field) => field !== 'relevance')
const bookFields = [...new Set(Object.values(bookOrders))].filter((field) => field !== 'relevance')

/** Every list there is, in every order, with and without a library. */
const pagesAskedFor = (viewer: Viewer, all: readonly string[]): Ask[] => {
  const [libraryId = ''] = all
  const { libraries } = viewer.rule
  const libraryIds = all.filter(
    (id) => (libraries === 'all' || libraries.includes(id)) && !viewer.deletedLibraries.includes(id),
  )
  const filters: Selection[] = [{}, { libraryId }]
  // When it is counted for each viewer, the number of books is an order without an index.
  const isSorted = ({ field }: SeriesOrder) =>
    (field !== 'bookCount' && field !== 'released') || viewer.rule.ageCeiling === null
  return directions.flatMap((direction) => [
    ...seriesFields
      .map((field): SeriesOrder => ({ field, direction, from: '7' }))
      .filter((order, at) => isSorted(order) && isAsked(order, at))
      .flatMap((order) =>
        [{}, { libraryId }].map(
          (selection): Ask =>
            (db) =>
              seriesLists.select(db, viewer, selection, { order, paging, total, libraryIds }),
        ),
      ),
    ...bookFields
      .map((field): BookOrder => ({ field, direction, from: '7' }))
      .filter(isAsked)
      .flatMap((order) =>
        [...filters, ...(sortedWhenMissing.has(order.field) ? withMissing(filters) : [])].map(
          (selection): Ask =>
            (db) =>
              books.select(db, viewer, selection, { order, paging, total, libraryIds }),
        ),
      ),
    (db) => selectNeighbours(db, viewer, { id: libraryId, series_id: libraryId, position_key: '1' }),
    (db) => books.count(db, viewer, { libraryId }),
    (db) => books.countByLibrary(db, viewer, {}),
    (db) => seriesLists.count(db, viewer, { libraryId }),
    (db) => seriesLists.countByLibrary(db, viewer, {}),
    // A query for a few libraries reads only their series, and combines them.
    ...(libraries === 'all'
      ? [seriesLists, books].map((lists) => (db: ReadDb) => lists.countFirstLetters(db, viewer, {}))
      : []),
    (db) =>
      books.select(
        db,
        viewer,
        { seriesId: libraryId },
        { order: { field: 'place', direction }, paging, total, libraryIds },
      ),
  ])
}

/** The orders most asked for in both directions, the others in one: they are the same index from its other end. */
const isAsked = ({ field, direction }: { field: string; direction: string }, at: number): boolean =>
  ['name', 'createdAt', 'updatedAt'].includes(field) || direction === (at % 2 ? 'asc' : 'desc')

/** The other orders sort the missing books, which are few. */
const sortedWhenMissing = new Set<BookOrder['field']>(['name', 'createdAt', 'updatedAt'])
const withMissing = (selections: readonly Selection[]) => selections.map((each) => ({ ...each, includeDeleted: true }))

test('W16 W1 every page of series and books is read in the order of an index, whoever asks', async () => {
  await using server = await startServer()
  const { db, config } = server.context
  const [family = '', secret = ''] = await addTags(db, ['Family', 'Secret'])
  const libraries: string[] = []
  for (let number = 0; number < 4; number += 1) {
    const library = await addLibrary(db, { name: `Library ${number}`, path: `/data/${number}` })
    libraries.push(library.id)
    const titles = Array.from({ length: 25 }, (_, index) => ({
      title: `Series ${number}-${index}`,
      age_rating: index,
      sharingTags: [...(index % 4 ? [family] : []), ...(index % 5 ? [] : [secret])],
    }))
    for (const series of await addManySeries(db, library, titles))
      await addBooks(
        db,
        series,
        Array.from({ length: 100 }, (_, index) => ({ age_rating: index % 20 })),
      )
  }
  const [first = '', second = '', third = ''] = libraries
  const viewer = (rule: Partial<Viewer['rule']>, deletedLibraries: string[] = []): Viewer => ({
    userId: '',
    rule: { ...everything, ...rule },
    deletedLibraries,
    seesPaths: false,
  })
  const viewers = [
    viewer({}),
    viewer({}, [third]),
    viewer({ libraries: [first, second] }),
    viewer({ libraries: [first] }),
    viewer({ libraries: Array.from({ length: 9 }, () => first) }),
    viewer({ ageCeiling: 12, includeUnrated: true }),
    viewer({ allowTags: [family], denyTags: [secret] }),
    viewer({ libraries: [first, second], ageCeiling: 12, allowTags: [family], denyTags: [secret] }),
  ]
  const questions = viewers.flatMap((each) => pagesAskedFor(each, libraries))
  const statements = (await Promise.all(questions.map(statementsOf))).flat()

  const plans = await plansOf(config.database, statements)

  expect(plans.length).toBeGreaterThan(200)
  const slow = plans
    .map(({ sql, steps }) => ({ sql, steps, slow: slowSteps(steps) }))
    .filter(({ slow }) => slow.length > 0)
  expect(slow).toEqual([])
  expect(await slowOfMillion(config.database, statements)).toEqual([])
})

/**
 * PostgreSQL, left to itself, may read all that it has to count; SQLite's plans for a million are among those above.
 */
const slowOfMillion = async (address: DatabaseAddress, statements: readonly CompiledQuery[]) => {
  if (address.kind === 'sqlite') return []
  const pages = statements.filter(({ sql }) => !sql.includes('count(*)'))
  expect(pages.length).toBeGreaterThan(0)
  return (await plansOfMillion(address.url, pages)).filter(({ slow }) => slow.length > 0)
}

/** Common conditions on books have an index to go through. */
const covered: readonly BookCondition[] = [
  { title: { operator: 'contains', value: 'the' } },
  { format: { operator: 'is', value: 'cbz' } },
  { readStatus: { operator: 'is', value: 'unread' } },
  { readStatus: { operator: 'is', value: 'in_progress' } },
  { genre: { operator: 'is', value: 'horror' } },
  { author: { operator: 'isNot', value: 'somebody' } },
  { pageCount: { operator: 'gte', value: 100 } },
  { dateAdded: { operator: 'after', value: '2026-01-01' } },
  { hasError: { operator: 'isTrue' } },
  { inReadList: { operator: 'isFalse' } },
]
/** PostgreSQL has no index for these: every book is looked at. */
const uncovered: readonly BookCondition[] = [
  { path: { operator: 'contains', value: 'the' } },
  { summary: { operator: 'contains', value: 'the' } },
  { titleSort: { operator: 'contains', value: 'the' } },
]

/** SQLite has an index of these too, be they asked for alone or beside others. */
const long = ({ kind }: DatabaseAddress): readonly BookCondition[] =>
  kind === 'sqlite'
    ? [
        ...uncovered,
        ...uncovered.map((each) => ({ allOf: [each, { pageCount: { operator: 'gte', value: 9 } }] }) as const),
      ]
    : []

/** The same of series. */
const coveredOfSeries: readonly SeriesCondition[] = [
  { title: { operator: 'contains', value: 'the' } },
  { year: { operator: 'lt', value: 2000 } },
  { status: { operator: 'is', value: 'ended' } },
  { completion: { operator: 'isTrue' } },
  { genre: { operator: 'isNot', value: 'horror' } },
  { dateAdded: { operator: 'after', value: '2026-01-01' } },
]

/** Two thousand books of one library, for the tests that follow. */
let server: TestServer
let series: readonly AddedSeries[]
let library: AddedLibrary
beforeAll(async () => {
  server = await startServer()
  const { db } = server.context
  library = await addLibrary(db)
  series = await addManySeries(
    db,
    library,
    Array.from({ length: 100 }, (_, index) => ({ title: `Series ${index}` })),
  )
  for (const each of series)
    await addBooks(
      db,
      each,
      Array.from({ length: 20 }, () => ({})),
    )
})
afterAll(() => server[Symbol.asyncDispose]())

const everybody: Viewer = { userId: '', rule: everything, deletedLibraries: [], seesPaths: true }
const child: Viewer = { ...everybody, rule: { ...everything, ageCeiling: 12 } }

const booksWith = async (viewer: Viewer, condition: BookCondition): Promise<Selection> => ({
  narrowed: await asGathered(server.context.db, viewer, narrow({ condition }, { target: 'books', viewer }), {}),
})

/** Steps in which the rows of all books are read, be it one after the other or as an index leads to them. */
const readsRows = (steps: readonly string[]): string[] =>
  steps.filter((step) => /^SCAN book\b(?! USING COVERING INDEX)|Seq Scan on book\b/.test(step))
const readsSeries = (steps: readonly string[]): string[] =>
  steps.filter((step) => /^SCAN series\b(?! USING COVERING INDEX)|Seq Scan on series\b/.test(step))
/** The rows should be read in table order, not in the order of an index. */
const jumps = (steps: readonly string[]): string[] => steps.filter((step) => step.startsWith('SCAN book USING INDEX'))
const readsTable = (steps: readonly string[]): string[] =>
  steps.filter((step) => /^SCAN book$|Seq Scan on book\b/.test(step))

test('W16 W1 what is filtered, and facets and letters, are counted through an index, and few are found by their ids', async () => {
  const { config } = server.context
  const ids = series.map(({ id }) => id)
  const page = { order: { field: 'name', direction: 'asc' } as const, paging, libraryIds: [] }
  const stepsOf = async (questions: readonly Ask[]) =>
    plansOf(config.database, (await Promise.all(questions.map(statementsOf))).flat())
  const slow = async (questions: readonly Ask[], isSlow: (steps: readonly string[]) => string[]) =>
    (await stepsOf(questions)).filter(({ steps }) => isSlow(steps).length > 0)
  for (const viewer of [everybody, child]) {
    const counting = async (condition: BookCondition): Promise<Ask[]> => {
      const selection = await booksWith(viewer, condition)
      return [
        (db) => books.count(db, viewer, selection),
        (db) => books.selectSomeIds(db, viewer, selection, 1000),
        (db) => books.select(db, viewer, selection, { ...page, total: 4000 }),
      ]
    }
    const many = async (condition: BookCondition): Promise<Ask> => {
      const selection = await booksWith(viewer, condition)
      return (db) => books.select(db, viewer, selection, { ...page, total })
    }
    const countingSeries = (condition: SeriesCondition): Ask[] => {
      const selection = { narrowed: narrow({ condition }, { target: 'series', viewer }) }
      return [
        (db) => seriesLists.count(db, viewer, selection),
        (db) => seriesLists.selectSomeIds(db, viewer, selection, 1000),
      ]
    }
    const byIds: Ask = (db) => books.select(db, viewer, { ids }, { ...page, total: ids.length })
    const ofBooks = bookFacets.map(
      (facet): Ask =>
        (db) =>
          books.countFacet(db, viewer, {}, { facet, limit: 50 }),
    )
    const letters = [seriesLists, books].map((lists) => (db: ReadDb) => lists.countFirstLetters(db, viewer, {}))

    const ofAll = async (conditions: readonly BookCondition[]) => (await Promise.all(conditions.map(counting))).flat()
    expect(await slow(await ofAll(covered), readsRows)).toEqual([])
    expect(await slow(await ofAll(uncovered), jumps)).toEqual([])
    expect(await slow(await ofAll(long(config.database)), readsRows)).toEqual([])
    expect(await slow(coveredOfSeries.flatMap(countingSeries), readsSeries)).toEqual([])
    expect(await slow(await Promise.all([...covered, ...uncovered].map(many)), readsTable)).toEqual([])
    expect(await slow([byIds], readsRows)).toEqual([])
    expect(await slow(ofBooks, readsRows)).toEqual([])
    expect(await slow(letters, slowSteps)).toEqual([])
    const ofSeries = seriesFacets.map(
      (facet): Ask =>
        (db) =>
          seriesLists.countFacet(db, viewer, {}, { facet, limit: 50 }),
    )
    expect(await slow(ofSeries, readsRows)).toEqual([])
  }
})

test('W16 W1 far down every order is read from a row near the page, by a range of its index', async () => {
  const { config } = server.context
  const libraryIds = [library.id]
  const [text, number] = [{ text0: 'k', text1: 'k', text2: 'k' }, { number: 7 }]
  const near: Cursor = { offset: 5000, rank: 0, values: { id: 'k', ...text, ...number } }
  const page = { paging: { offset: 5100, limit: 50 }, total: 100_000, libraryIds, near }
  const from = '7'
  const questions = directions.flatMap((direction): Ask[] => [
    ...bookFields.map(
      (field): Ask =>
        (db) =>
          books.select(db, everybody, {}, { ...page, order: { field, direction, from } }),
    ),
    ...seriesFields.map(
      (field): Ask =>
        (db) =>
          seriesLists.select(db, everybody, {}, { ...page, order: { field, direction, from } }),
    ),
  ])
  const statements = (await Promise.all(questions.map(statementsOf))).flat()
  const plans = await plansOf(config.database, statements)
  const isRange = (step: string): boolean => /^SEARCH .*[<>]\(?\?|Index Cond: .*(?:ROW\(.*|\w) [<>]=/.test(step)

  expect(plans.length).toBeGreaterThanOrEqual(questions.length)
  expect(plans.filter(({ steps }) => !steps.some(isRange))).toEqual([])
  expect(await slowOfMillion(config.database, statements)).toEqual([])
})

test('W1 what a page shows beside its rows is found by ids', async () => {
  const { config } = server.context
  const ids = series.slice(0, 10).map(({ id }) => id)
  const questions = [
    (db: ReadDb) => selectRelated(db, child, ids),
    (db: ReadDb) => selectRelated(db, everybody, ids),
    (db: ReadDb) => selectSeriesResources(db, everybody, ids),
    (db: ReadDb) => selectSeriesResources(db, child, ids),
    (db: ReadDb) => countVisibleBooks(db, child, ids),
  ]
  const statements = (await Promise.all(questions.map(statementsOf))).flat()
  const plans = await plansOf(config.database, statements)

  const scans = plans.flatMap(({ steps }) => steps.filter((step) => /^SCAN \w+$|Seq Scan/.test(step)))
  expect(scans).toEqual([])
  expect(await slowOfMillion(config.database, statements)).toEqual([])
})
