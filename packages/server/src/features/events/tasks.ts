import { removeOldFacts } from '../../events/retention.ts'
import { defineCleanUp, removeInBatches } from '../../tasks/clean-up.ts'

/**
 * It deletes facts that no client gets any more when it comes back. The limit on their number holds whatever the clock
 * says.
 */
export const cleanUpEvents = defineCleanUp('cleanup_events', async (tools, now) => ({
  facts: await removeInBatches(tools, await removeOldFacts(tools.db.readSlowly, now)),
}))
