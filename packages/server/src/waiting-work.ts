import type { Context } from './context.ts'
import { isAnyCallWaiting } from './features/plugins/queries.ts'
import { lookWhenChanged } from './tasks/look-when-changed.ts'
import { isAnyTaskHeld, selectWork } from './tasks/queries.ts'

/**
 * It returns a function that tells whether a worker has anything to do now or within `soonMs`: a task is due, somebody waits for the
 * answer of a plugin, or tasks are held that may have to be taken from a worker that has died. Types of tasks that this program does not
 * know count too.
 */
export const lookForWaitingWork = ({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): ((soonMs?: number) => Promise<boolean>) => {
  const look = lookWhenChanged(db, async (now) => {
    const [work, isHeld, isAsked] = await Promise.all([
      selectWork(db.read, undefined, now),
      isAnyTaskHeld(db.read),
      isAnyCallWaiting(db.read),
    ])
    return { ...work, isDue: work.isDue || isHeld || isAsked }
  })
  return async (soonMs = 0) => {
    const now = clock().getTime()
    const { isDue, isDueLater, nextAt } = await look(new Date(now).toISOString())
    return isDue || isDueLater || (nextAt !== null && Date.parse(nextAt) <= now + soonMs)
  }
}
