import { removeOldEvents } from '../../events/retention.ts'
import { defineCleanUp, removeInBatches } from '../../tasks/clean-up.ts'

/**
 * It deletes events that no client gets any more when it comes back. The limit on their number holds whatever the clock
 * says.
 */
export const cleanUpEvents = defineCleanUp('cleanup_events', async (context, now) => ({
  events: await removeInBatches(context, await removeOldEvents(context.db.readSlowly, now)),
}))
