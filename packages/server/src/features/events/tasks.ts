import { Type } from 'typebox'
import { removeOldFacts } from '../../events/retention.ts'
import { isClockSteady, removeInBatches } from '../../tasks/clean-up.ts'
import { defineTask } from '../../tasks/define-task.ts'

/** Facts that no client is told any more when it comes back. */
export const cleanUpEvents = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'cleanup_events',
  priority: 100,
  endsWithinMs: 30 * 60 * 1000,
  key: () => '',
  startable: { byHand: true },
  run: async ({ byHand }, tools) => {
    const now = tools.clock()
    const byAge = byHand || (await isClockSteady(tools.db.read, 'cleanup_events', now))
    const remove = await removeOldFacts(tools.db.readSlowly, byAge ? now : undefined)
    const removed = await removeInBatches(tools, remove)
    return { result: { removed }, items: removed }
  },
})
