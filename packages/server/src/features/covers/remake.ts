import { Type } from 'typebox'
import type { WriteDb } from '../../database/database.ts'
import { defineTask } from '../../tasks/define-task.ts'
import { enqueue } from '../../tasks/queue.ts'
import { selectBooksAfter } from './queries.ts'
import { queueCovers, startMakingCovers } from './record.ts'

const booksAtOnce = 250

/** It makes the covers of all books again, as when their size has changed; what people have chosen stays. */
export const remakeCovers = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'remake_covers',
  priority: 20,
  endsWithinMs: 60 * 60 * 1000,
  key: () => 'all',
  startable: { byHand: true },
  run: async (_, { db, write, clock, signal }) => {
    let queued = 0
    for (let after = ''; ;) {
      signal.throwIfAborted()
      const ids = await selectBooksAfter(db.readSlowly, after, booksAtOnce)
      const last = ids.at(-1)
      if (last === undefined) break
      await write((db) => queueCovers(db, ids, clock()))
      queued += ids.length
      after = last
    }
    await write((db) => startMakingCovers(db, clock()))
    return { result: { wanted: queued }, items: queued }
  },
})

export const startRemakingCovers = async (db: WriteDb, now: Date): Promise<void> => {
  await enqueue(db, remakeCovers, { byHand: true }, { now })
}
