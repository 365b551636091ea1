import { Type } from 'typebox'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { defineTask, type TaskContext } from '../../tasks/define-task.ts'
import { listenersOf } from '../listeners/listeners.ts'
import { selectBooksAfter } from './books/queries.ts'
import { announceRefreshed } from './news.ts'
import { refresh, type Refreshed } from './refresh.ts'
import { selectMiscounted, selectSeriesAfter } from './series/queries.ts'
import { checkBooks } from './verify/check-books.ts'
import { checkSeries } from './verify/check-series.ts'
import { type Drift, idsIn, type Projection, projections } from './verify/drift.ts'

const checkedAtOnce = 200
const hour = 60 * 60 * 1000

/**
 * Works out again what is shown of every book and every series, and compares it with what is kept: columns, names, terms,
 * external ids, inherited ratings, search documents and counts. What differs is put right, and reported: there should be none.
 */
export const verifyCatalogue = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'verify_catalogue',
  priority: 20,
  endsWithinMs: 12 * hour,
  key: () => '',
  startable: { byHand: true },
  run: async (_, context) => {
    const drift = new Map<Projection, number>(projections.map((each) => [each, 0]))
    const books = await verify(context, drift, {
      select: selectBooksAfter,
      check: checkBooks,
      repair: (db, ids, now) => refresh(db, { books: ids, isInDoubt: true }, now),
    })
    const series = await verify(context, drift, {
      select: selectSeriesAfter,
      check: checkSeries,
      repair: (db, ids, now) => refresh(db, { series: ids, isInDoubt: true }, now),
    })
    await verifyCounts(context, drift)
    const total = [...drift.values()].reduce((sum, count) => sum + count, 0)
    const result = { books, series, drift: Object.fromEntries(drift) }
    if (total > 0)
      context.log.warn({ drift: result.drift }, 'The catalogue was not what follows from its sources; put right')
    return { result, items: books + series }
  },
})

interface Kind {
  readonly select: (db: ReadDb, after: string, limit: number) => Promise<readonly { readonly id: string }[]>
  readonly check: (db: ReadDb, ids: readonly string[], now: Date) => Promise<Drift>
  readonly repair: (db: WriteDb, ids: readonly string[], now: Date) => Promise<Refreshed>
}

/** Answers how many were looked at. */
const verify = async (
  { db, write, clock, signal }: TaskContext,
  counts: Map<Projection, number>,
  { select, check, repair }: Kind,
): Promise<number> => {
  let checked = 0
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const ids = (await select(db.readSlowly, after, checkedAtOnce)).map(({ id }) => id)
    const doubtful = idsIn(await check(db.readSlowly, ids, clock()))
    if (doubtful.length > 0) {
      const drift = await write(async (db) => {
        const now = clock()
        // What somebody was changing meanwhile is right by now.
        const drift = await check(db, doubtful, now)
        const wrong = idsIn(drift)
        if (wrong.length > 0) await announceRefreshed(db, await repair(db, wrong, now), now)
        return drift
      })
      for (const [projection, wrong] of drift) counts.set(projection, (counts.get(projection) ?? 0) + wrong.size)
    }
    checked += ids.length
    after = ids.at(-1) ?? ''
    if (ids.length < checkedAtOnce) return checked
  }
}

/** Libraries count what their series count. */
const verifyCounts = async ({ db, write, clock }: TaskContext, counts: Map<Projection, number>): Promise<void> => {
  if ((await selectMiscounted(db.readSlowly)).length === 0) return
  const wrong = await write(async (db) => {
    const ids = (await selectMiscounted(db)).map(({ id }) => id)
    if (ids.length > 0) for (const tell of listenersOf(db).librariesMiscounted) await tell(db, ids, clock())
    return ids.length
  })
  counts.set('counts', (counts.get('counts') ?? 0) + wrong)
}
