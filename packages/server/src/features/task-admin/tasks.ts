import { defineCleanUp, removeInBatches } from '../../tasks/clean-up.ts'
import { removeFinishedTasks, removeOldFigures } from '../../tasks/retention.ts'
import type { Context } from '../../context.ts'

interface TaskAdminContext {
  readonly settings: Context['settings']
}

/** Finished tasks and their figures, after as many days as the setting says. */
export const cleanUpTasks = defineCleanUp('cleanup_tasks', async (context, now, { settings }: TaskAdminContext) => {
  if (!now) return undefined
  const days = settings.get('metrics.task_retention_days')
  await context.write((db) => removeOldFigures(db, now, days))
  return { tasks: await removeInBatches(context, (db, limit) => removeFinishedTasks(db, now, days, limit)) }
})
