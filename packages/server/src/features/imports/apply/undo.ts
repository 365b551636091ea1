import type { TaskContext } from '../../../tasks/define-task.ts'
import { countEffects, deleteEffect, type RunRow, selectLastEffect, selectRun, updateRun } from '../queries.ts'
import type { ApplyResources } from './step.ts'
import { madeLibraries } from './libraries.ts'
import { steps } from './steps.ts'

/** The last is taken back first. What is taken back is forgotten in the same transaction: it goes on wherever it was ended. */
export const undoAll = async (run: RunRow, task: TaskContext, resources: ApplyResources): Promise<number> => {
  const total = await countEffects(task.db.readSlowly, run.id)
  let current = 0
  for (;;) {
    task.signal.throwIfAborted()
    const effect = await selectLastEffect(task.db.read, run.id)
    if (!effect) break
    const step = [madeLibraries, ...steps].find(({ name }) => name === effect.step)
    if (!step) throw new Error(`Nobody knows how to take back ${effect.step}`)
    await task.write(async (db) => {
      // It is what the step itself has said.
      const latest = (await selectRun(db, run.id)) ?? run
      await step.undo(db, { run: latest, now: task.clock(), resources }, JSON.parse(effect.done) as never)
      await deleteEffect(db, run.id, effect.place)
    })
    current += 1
    task.progress({ current, total, message: 'undoing' })
  }
  await task.write((db) =>
    updateRun(db, run.id, {
      state: 'undone',
      busy: null,
      cursor: null,
      taken: '{}',
      applied_at: null,
      undone_at: task.clock().toISOString(),
    }),
  )
  return total
}
