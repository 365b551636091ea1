import { Type } from 'typebox'
import { defineTask } from '../../tasks/define-task.ts'
import { checkReading } from './upkeep/check.ts'
import { countHeads } from './log/heads/queries.ts'
import { rebuildProjections } from './reading.ts'
export { importHistory } from './history/tasks.ts'
export { recountFigures } from './reading-sessions/tasks.ts'

const hour = 60 * 60 * 1000

/** Positions, completions and counts, all made again from the log: for when somebody doubts them. */
export const rebuildReading = defineTask(Type.Object({}), {
  type: 'rebuild_reading',
  priority: 50,
  endsWithinMs: 12 * hour,
  key: () => '',
  startable: {},
  run: async (_, { db, write, signal, progress }) => {
    const headCount = await countHeads(db.readSlowly)
    let done = 0
    const books = await rebuildProjections({
      db,
      write,
      signal,
      onBooks: (count) => {
        done += count
        progress({ current: done, total: Math.max(headCount, done), message: null })
      },
    })
    return { result: { books }, items: books }
  },
})

/** It runs every night: see `check.ts`. */
export const checkAllReading = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'check_reading',
  priority: 20,
  endsWithinMs: 12 * hour,
  key: () => '',
  startable: { byHand: true },
  run: async (_, { db, write, log, signal, clock }) => {
    const checked = await checkReading({ db, write, log, signal, clock })
    return { result: checked, items: checked.books }
  },
})
