import type { Kysely, KyselyPlugin } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../../test/content.ts'
import { plansOf, slowSteps, statementsOf } from '../../../../test/plans.ts'
import { startServer } from '../../../../test/start-server.ts'
import { everything } from '../../../../test/visible-world.ts'
import type { ReadDb } from '../../../database/database.ts'
import type { Schema } from '../../../database/schema.ts'
import { newId } from '../../../platform/ids.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { batchRows, bookBatches, seriesBatches } from './batches.ts'
import {
  countSeries,
  selectBooksOfSeriesAfter,
  selectCollectionNames,
  selectOpinions,
  selectReadListNames,
  selectRestOfSeries,
  selectSeriesAfter,
} from './queries.ts'

const server = await startServer()
afterAll(() => server[Symbol.asyncDispose]())
const { db, config } = server.context

const somebody = (rule: Partial<Viewer['rule']> = {}): Viewer => ({
  userId: newId(),
  rule: { ...everything, ...rule },
  deletedLibraries: [],
  seesPaths: true,
})

test('W1 however much there is, a batch is all that is in memory, and costs the same statements', async () => {
  const library = await addLibrary(db, { name: 'Large', path: '/data/large' })
  const count = 2 * batchRows + 50
  const many = await addManySeries(
    db,
    library,
    Array.from({ length: count }, (_, index) => ({
      title: index % 2 ? 'Same' : `Series ${index}`,
      key: String(index),
      book_count: 1,
    })),
  )
  // One series goes over several batches, and the next begin within one.
  const [long, short, next] = many
  if (!long || !short || !next) throw new Error('There are no series')
  for (const [series, length] of [
    [long, count],
    [short, 3],
    [next, 2],
  ] as const)
    await addBooks(
      db,
      series,
      Array.from({ length }, (_, index) => ({ title: `Book ${index}`, number: index % 100 })),
    )
  let [rowsMax, statements] = [0, 0]
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      statements += 1
      rowsMax = Math.max(rowsMax, result.rows.length)
      return Promise.resolve(result)
    },
  }
  const counted: ReadDb = (db.readSlowly as Kysely<Schema>).withPlugin(counting)
  const viewer = somebody({ ageCeiling: 18, includeUnrated: true })
  const part = { libraryId: library.id, narrowed: undefined }
  const seen = async <Item extends { readonly shown: { readonly id: string } }>(batches: AsyncGenerator<Item[]>) => {
    const ids: string[] = []
    let number = 0
    statements = 0
    for await (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(batchRows)
      ids.push(...batch.map(({ shown }) => shown.id))
      number += 1
    }
    return { ids, perBatch: statements / number, number }
  }
  await db.write((db) => db.updateTable('series').set({ book_count: 1 }).where('library_id', '=', library.id).execute())
  const reader = somebody()
  const series = await seen(seriesBatches(counted, reader, part))
  expect(new Set(series.ids)).toEqual(new Set(many.map(({ id }) => id)))
  expect([series.ids.length, series.number]).toEqual([count, 3])
  expect(series.perBatch).toBeLessThanOrEqual(7)
  // A user who does not see all of them sees three.
  expect((await seen(seriesBatches(counted, viewer, part))).ids).toHaveLength(3)
  const books = await seen(bookBatches(counted, viewer, part))
  expect([books.ids.length, new Set(books.ids).size, books.number]).toEqual([count + 5, count + 5, 3])
  expect(books.perBatch).toBeLessThanOrEqual(7)
  expect(rowsMax).toBeLessThanOrEqual(batchRows)
  const rows = await db.read
    .selectFrom('book')
    .innerJoin('series', 'series.id', 'book.series_id')
    .select('book.id')
    .where('book.library_id', '=', library.id)
    .orderBy('series.sort_key')
    .orderBy('series.id')
    .orderBy('book.position_key')
    .orderBy('book.id')
    .execute()
  expect(books.ids).toEqual(rows.map(({ id }) => id))
})

test('W16 W1 each batch is read in the order of an index, whoever it is for', async () => {
  const [first, second] = [
    await addLibrary(db, { name: 'One', path: '/data/1' }),
    await addLibrary(db, { name: 'Two', path: '/data/2' }),
  ]
  for (const library of [first, second])
    for (const series of await addManySeries(
      db,
      library,
      Array.from({ length: 10 }, (_, index) => ({ title: `Series ${index}` })),
    ))
      await addBooks(
        db,
        series,
        Array.from({ length: 30 }, () => ({})),
      )
  const tag = newId()
  const viewers = [
    somebody(),
    { ...somebody(), deletedLibraries: [second.id] },
    somebody({ libraries: [first.id, second.id] }),
    somebody({ libraries: Array.from({ length: 9 }, () => first.id) }),
    somebody({ ageCeiling: 12, includeUnrated: true, allowTags: [tag], denyTags: [tag] }),
  ]
  const part = { libraryId: first.id, narrowed: undefined }
  const cursor = { sort_key: 's', id: newId() }
  const limit = batchRows
  const questions = viewers.flatMap((viewer) => [
    ...[undefined, cursor].flatMap((after) => [
      (db: ReadDb) => selectSeriesAfter(db, viewer, part, { after, limit }),
      (db: ReadDb) => selectBooksOfSeriesAfter(db, viewer, part, { after, limit }),
    ]),
    (db: ReadDb) =>
      selectRestOfSeries(db, viewer, part, { after: { series_id: newId(), position_key: '1', id: newId() }, limit }),
  ])
  const plans = await plansOf(config.database, (await Promise.all(questions.map(statementsOf))).flat())
  expect(plans.length).toBeGreaterThanOrEqual(25)
  const slow = plans.map((plan) => ({ ...plan, slow: slowSteps(plan.steps) })).filter(({ slow }) => slow.length > 0)
  expect(slow).toEqual([])

  // The query does not search for the books of a series among all the books of its library either.
  const child = somebody({ ageCeiling: 12, libraries: [first.id] })
  const counts = await statementsOf((db) => countSeries(db, child, part))
  const steps = (await plansOf(config.database, counts)).flatMap((plan) => plan.steps)
  expect(
    [...plans.flatMap((plan) => plan.steps), ...steps].filter((step) => /book .*\(library_id=/.test(step)),
  ).toEqual([])

  const ids = [newId(), newId()]
  const beside = [
    (db: ReadDb) => selectOpinions(db, somebody(), 'series', ids),
    (db: ReadDb) => selectOpinions(db, somebody(), 'book', ids),
    (db: ReadDb) => selectCollectionNames(db, ids),
    (db: ReadDb) => selectReadListNames(db, ids),
  ]
  const besidePlans = await plansOf(config.database, (await Promise.all(beside.map(statementsOf))).flat())
  expect(besidePlans.flatMap(({ steps }) => steps.filter((step) => /^SCAN \w+$|Seq Scan/.test(step)))).toEqual([])
})
