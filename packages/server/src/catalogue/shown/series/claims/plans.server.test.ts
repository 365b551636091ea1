import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../../test/content.ts'
import { plansOf, slowSteps, statementsOf } from '../../../../../test/plans.ts'
import { startServer } from '../../../../../test/start-server.ts'
import { insertMany } from '../../../../database/many.ts'
import { selectFirstSummaries } from './queries.ts'

test('C20 the first summary of a series is found among those that there are, whatever all other books say', async () => {
  await using server = await startServer()
  const { db, config } = server.context
  const series = await addSeries(db, await addLibrary(db))
  const bookIds = await addBooks(
    db,
    series,
    Array.from({ length: 400 }, () => ({})),
  )
  const claimsAt = (at: number) =>
    at % 100 === 99 ? '{"tags":["a"],"summary":["true"]}' : '{"tags":["\\"summary\\":"]}'
  await db.write((db) =>
    insertMany(
      db,
      'book_claim',
      bookIds.map((book_id, at) => ({ book_id, claims: claimsAt(at), counted_in: series.id })),
    ),
  )

  const summaries = await selectFirstSummaries(db.read, [series.id])
  const [plan] = await plansOf(config.database, await statementsOf((db) => selectFirstSummaries(db, [series.id])))

  expect(summaries.map(({ id }) => id)).toEqual([bookIds[99]])
  expect(plan?.steps.join('\n')).toContain('book_claim_of_summary')
  expect(slowSteps(plan?.steps ?? []).filter((step) => !/ORDER BY|Sort|placed/.test(step))).toEqual([])
})
