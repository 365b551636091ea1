import { removeOldFacts } from '../../events/retention.ts'
import { defineCleanUp, removeInBatches } from '../../tasks/clean-up.ts'

/** Facts that no client is told any more when it comes back. Too many are too many whatever the clock says. */
export const cleanUpEvents = defineCleanUp('cleanup_events', async (tools, now) => ({
  facts: await removeInBatches(tools, await removeOldFacts(tools.db.readSlowly, now)),
}))
