import { Type } from 'typebox'
import { isClockSteady, removeInBatches } from '../../tasks/clean-up.ts'
import { defineTask } from '../../tasks/define-task.ts'
import { removeFinishedTasks, removeOldFigures } from '../../tasks/retention.ts'
import type { Settings } from '../settings/settings.ts'

/** Finished tasks and their figures, after as many days as the setting says. */
export const cleanUpTasks = defineTask(Type.Object({ byHand: Type.Boolean() }), {
  type: 'cleanup_tasks',
  priority: 100,
  endsWithinMs: 30 * 60 * 1000,
  key: () => '',
  startable: { byHand: true },
  run: async ({ byHand }, tools, { settings }: { readonly settings: Settings }) => {
    const now = tools.clock()
    if (!byHand && !(await isClockSteady(tools.db.read, 'cleanup_tasks', now)))
      return { result: { skipped: 'The clock has made a leap: the next runs will show whether it can be believed.' } }
    const days = settings.get('metrics.task_retention_days')
    const tasks = await removeInBatches(tools, (db, limit) => removeFinishedTasks(db, now, days, limit))
    await tools.write((db) => removeOldFigures(db, now, days))
    return { result: { tasks }, items: tasks }
  },
})
