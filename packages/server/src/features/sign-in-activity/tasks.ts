import { defineCleanUp, removeInBatches } from '../../tasks/clean-up.ts'
import type { TaskContext } from '../../tasks/define-task.ts'
import { deleteActivityUntil, selectTimeOfRank } from './queries.ts'

const keptMs = 90 * 24 * 60 * 60 * 1000
const goodMax = 100_000
const failedMax = 20_000

/** It deletes rows older than 90 days, and of failures and successes the oldest beyond the limit. */
export const cleanUpSignInActivity = defineCleanUp('cleanup_sign_in_activity', async (context, now) => {
  const old = now && new Date(now.getTime() - keptMs).toISOString()
  return {
    old: old ? await removeInBatches(context, (db, limit) => deleteActivityUntil(db, { until: old }, limit)) : 0,
    good: await removeBeyond(context, false, goodMax),
    failed: await removeBeyond(context, true, failedMax),
  }
})

const removeBeyond = async (context: TaskContext, hasFailed: boolean, max: number): Promise<number> => {
  const until = await selectTimeOfRank(context.db.readSlowly, hasFailed, max)
  if (until === undefined) return 0
  return removeInBatches(context, (db, limit) => deleteActivityUntil(db, { until, hasFailed }, limit))
}
