import { Type } from 'typebox'
import { AppError } from '../../../platform/errors.ts'
import { defineTask } from '../../../tasks/define-task.ts'
import { readViewer } from '../../viewers/viewers.ts'
import { type BadEntry, entriesIn, type HistoryEntry } from './entries.ts'
import { selectImport, selectParts } from './queries.ts'
import { takeInEntries } from './take-in.ts'

const hour = 60 * 60 * 1000

/** Takes in a large history, from where it was left. */
export const importHistory = defineTask(Type.Object({ importId: Type.String() }), {
  type: 'import_reading_history',
  priority: 200,
  endsWithinMs: 6 * hour,
  key: ({ importId }) => importId,
  run: async ({ importId }, { db, write, clock, signal, progress }) => {
    const row = await selectImport(db.read, importId)
    if (!row || row.completed_at !== null) return { result: { skipped: 'There is nothing to take in.' } }
    const entries = readable((await selectParts(db.readSlowly, importId)).join(''))
    const viewer = await readViewer(db.read, row.user_id, false)
    const total = entries.length
    const onEntries = (current: number): void => progress({ current, total, message: null })
    const { added } = await takeInEntries({ db, write, now: clock(), signal, onEntries }, { viewer, row, entries })
    return { result: { entries: total, added }, items: total }
  },
})

/** A file that cannot be read at all is reported where its sender looks. */
const readable = (text: string): readonly (HistoryEntry | BadEntry)[] => {
  try {
    return entriesIn(text)
  } catch (error) {
    if (error instanceof AppError) return [{ position: 0, fault: error.message }]
    throw error
  }
}
