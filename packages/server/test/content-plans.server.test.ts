import { expect, test } from 'vitest'
import type { Database, ReadDb } from '../src/database/database.ts'
import { insertMany } from '../src/database/many.ts'
import { type BookFilter, type BookOrder, selectBooks, selectSurroundings } from '../src/features/books/queries.ts'
import {
  countVisibleBooks,
  selectManySeries,
  selectSurroundings as selectSeriesSurroundings,
  type SeriesOrder,
} from '../src/features/series/queries.ts'
import type { Viewer } from '../src/features/visibility/visibility.ts'
import { newId } from '../src/platform/ids.ts'
import { pagingOf } from '../src/platform/paging.ts'
import { addBooks, addLibrary, addManySeries } from './content.ts'
import { plansOf, slowSteps, statementsOf } from './plans.ts'
import { startServer } from './start-server.ts'

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const paging = pagingOf(3, 50)

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

/** Every list there is, in every order, with and without a library. */
const pagesAskedFor = (viewer: Viewer, libraryId: string): Ask[] => {
  const orders = (['asc', 'desc'] as const).flatMap((direction): (BookOrder & SeriesOrder)[] =>
    (['name', 'createdAt', 'updatedAt'] as const).map((field) => ({ field, direction })),
  )
  const filters: BookFilter[] = [{}, { includeDeleted: true }, { libraryId }, { libraryId, includeDeleted: true }]
  return [
    ...orders.flatMap((order) => [
      ...[undefined, libraryId].map(
        (each): Ask =>
          (db) =>
            selectManySeries(db, viewer, each, { order, paging }),
      ),
      ...filters.map(
        (filter): Ask =>
          (db) =>
            selectBooks(db, viewer, filter, { order, paging }),
      ),
    ]),
    ...(['asc', 'desc'] as const).map(
      (direction): Ask =>
        (db) =>
          selectBooks(db, viewer, { seriesId: libraryId }, { order: { field: 'number', direction }, paging }),
    ),
  ]
}

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
  const asked = viewers.flatMap((each) => pagesAskedFor(each, first))
  const statements = (await Promise.all(asked.map(statementsOf))).flat()

  const plans = await plansOf(config.database, statements)

  expect(plans.length).toBeGreaterThan(200)
  const slow = plans
    .map(({ sql, steps }) => ({ sql, steps, slow: slowSteps(steps) }))
    .filter(({ slow }) => slow.length > 0)
  expect(slow).toEqual([])
})

test('W1 what a page shows beside its rows is found by ids', async () => {
  await using server = await startServer()
  const { db, config } = server.context
  const library = await addLibrary(db)
  const series = await addManySeries(
    db,
    library,
    Array.from({ length: 500 }, (_, index) => ({ title: `Series ${index}` })),
  )
  for (const each of series)
    await addBooks(
      db,
      each,
      Array.from({ length: 20 }, () => ({})),
    )
  const ids = series.slice(0, 50).map(({ id }) => id)
  const child: Viewer = { userId: '', rule: { ...everything, ageCeiling: 12 }, deletedLibraries: [], seesPaths: true }
  const everybody: Viewer = { ...child, rule: everything }
  const asked = [
    (db: ReadDb) => selectSurroundings(db, ids),
    (db: ReadDb) => selectSeriesSurroundings(db, everybody, ids),
    (db: ReadDb) => selectSeriesSurroundings(db, child, ids),
    (db: ReadDb) => countVisibleBooks(db, child, ids),
  ]
  const plans = await plansOf(config.database, (await Promise.all(asked.map(statementsOf))).flat())

  const whole = plans.flatMap(({ steps }) => steps.filter((step) => /^SCAN \w+$|Seq Scan/.test(step)))
  expect(whole).toEqual([])
})
