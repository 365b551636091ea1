import { Type } from 'typebox'
import type { ReadDb, WriteDb } from '../database/database.ts'
import { defineTask, type TaskContext } from './define-task.ts'
import { selectLatestRuns } from './queries.ts'

const hour = 60 * 60 * 1000
/** A clean-up comes at least once a day, of which one has 25 hours, and is not always taken at once. */
const usualGapMs = 26 * hour
const clockBackMs = 10 * 60 * 1000

/** It counts what was removed of each kind, or is undefined if nothing was touched. */
type Removed = Readonly<Record<string, number>> | undefined

/**
 * A task that removes what is old. It is given the time, or nothing while the clock cannot be believed; somebody who
 * starts it by hand has looked at the clock.
 */
export const defineCleanUp = <Resources = unknown>(
  type: string,
  cleanUp: (context: TaskContext, now: Date | undefined, resources: Resources) => Promise<Removed>,
) =>
  defineTask(Type.Object({ byHand: Type.Boolean() }), {
    type,
    priority: 100,
    endsWithinMs: hour / 2,
    key: () => '',
    startable: { byHand: true },
    run: async ({ byHand }, context, resources: Resources) => {
      const now = context.clock()
      const isSteady = byHand || (await isClockSteady(context.db.read, type, now))
      const removed = await cleanUp(context, isSteady ? now : undefined, resources)
      if (!removed)
        return { result: { skipped: 'The clock has made a leap: the next runs show whether it can be believed.' } }
      return { result: removed, items: Object.values(removed).reduce((sum, count) => sum + count, 0) }
    },
  })

/**
 * It returns whether the clean-ups can trust the clock: it has gone from one run of this task to the next, and to now,
 * in steps of a day at most. A clock that was set a year ahead makes everything old at once.
 */
const isClockSteady = async (db: ReadDb, taskType: string, now: Date): Promise<boolean> => {
  const notAfter = new Date(now.getTime() + clockBackMs).toISOString()
  const [last, oneBefore] = await selectLatestRuns(db, taskType, notAfter, 2)
  if (last === undefined || oneBefore === undefined) return false
  return now.getTime() - Date.parse(last) <= usualGapMs && Date.parse(last) - Date.parse(oneBefore) <= usualGapMs
}

/** Rows that one transaction removes: others wait for it. */
const batch = 500

/** It removes a few at a time until there is nothing left to remove, or the task is told to stop. */
export const removeInBatches = async (
  { write, signal }: Pick<TaskContext, 'write' | 'signal'>,
  remove: (db: WriteDb, limit: number) => Promise<number>,
): Promise<number> => {
  let total = 0
  for (;;) {
    signal.throwIfAborted()
    const removed = await write((db) => remove(db, batch))
    total += removed
    if (removed < batch) return total
  }
}
