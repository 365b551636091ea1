import { Type } from 'typebox'
import { defineTask, type TaskContext } from '../../tasks/define-task.ts'
import { applyAll, type ApplyResources } from './apply/apply.ts'
import { undoAll } from './apply/undo.ts'
import { type RunRow, selectRun, updateRun } from './queries.ts'
import { forgetParts, readSource } from './read-source.ts'
import { SourceFault } from './records.ts'

/** A task that is run once more after its last write has nothing to do: by then somebody may have asked for the next. */
const stateOf = { read: 'reading', apply: 'applying', undo: 'undoing' } as const

const day = 24 * 60 * 60 * 1000

/** Reads a store of another server, takes over what is in it, or takes that back; each goes on where it was left. */
export const importFromServer = defineTask(
  Type.Object({
    importId: Type.String(),
    act: Type.Union([Type.Literal('read'), Type.Literal('apply'), Type.Literal('undo')]),
  }),
  {
    type: 'import_from_server',
    priority: 150,
    endsWithinMs: day,
    // The task that has read may not have come to its end when what it read is asked for.
    key: ({ importId, act }) => `${importId} ${act}`,
    run: async ({ importId, act }, context, resources: ApplyResources) => {
      const run = await selectRun(context.db.read, importId)
      if (run?.busy !== 1 || run.state !== stateOf[act])
        return { result: { skipped: 'There is nothing to do for this import.' } }
      if (act === 'read') return readOrTell(run, context, resources)
      const count = act === 'apply' ? await applyAll(run, context, resources) : await undoAll(run, context, resources)
      if (typeof count === 'object') return { putOff: { until: count.waitsUntil, payload: { importId, act } } }
      return { result: { count }, items: count }
    },
  },
)

/** What is wrong with a store is no fault of ours: it stands where whoever asked looks. */
const readOrTell = async (run: RunRow, context: TaskContext, resources: ApplyResources) => {
  try {
    const { records } = await readSource(run, context, resources)
    return { result: { records }, items: records }
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error
    const { code, message } = error
    await forgetParts(run.id, context)
    context.log.warn({ err: error, importId: run.id }, 'A store of another server cannot be read')
    await context.write((db) =>
      updateRun(db, run.id, { state: 'failed', busy: null, fault_code: code, fault_message: message }),
    )
    return { result: { fault: code } }
  }
}
