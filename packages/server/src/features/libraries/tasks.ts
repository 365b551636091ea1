import { Type } from 'typebox'
import { defineTask, type TaskContext } from '../../tasks/define-task.ts'
import { forgetHiddenBooks, hideBooks, emptySeries, forgetSeries } from '../../catalogue/shown/shown.ts'
import type { WriteDb } from '../../database/database.ts'
import { deleteLibrary, updateLibrary } from './queries.ts'

const Payload = Type.Object({ libraryId: Type.String() })
type Payload = { libraryId: string }

/** Rows that one transaction changes: others wait for it (pins W1). */
const batch = 200
const hour = 60 * 60 * 1000

const inBatches = async (
  { write, signal }: TaskContext,
  { libraryId }: Payload,
  change: (db: WriteDb, libraryId: string, limit: number) => Promise<number>,
): Promise<number> => {
  let total = 0
  for (;;) {
    signal.throwIfAborted()
    const changed = await write((db) => change(db, libraryId, batch))
    total += changed
    if (changed === 0) return total
  }
}

const hide = async (context: TaskContext, payload: Payload): Promise<number> => {
  const books = await inBatches(context, payload, hideBooks)
  await inBatches(context, payload, emptySeries)
  return books
}

/** Takes what is in a deleted library out of the indexes; it has been out of sight since it was deleted. */
export const hideLibrary = defineTask(Payload, {
  type: 'hide_library',
  priority: 200,
  endsWithinMs: hour,
  key: ({ libraryId }) => libraryId,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async (payload, context) => {
    const books = await hide(context, payload)
    await context.write((db) => updateLibrary(db, payload.libraryId, { book_count: 0, series_count: 0 }))
    return { result: { books }, items: books }
  },
})

/** Removes a deleted library with all that is known of its content, for ever. */
export const forgetLibrary = defineTask(Payload, {
  type: 'forget_library',
  priority: 100,
  endsWithinMs: 6 * hour,
  key: ({ libraryId }) => libraryId,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async (payload, context) => {
    await hide(context, payload)
    const books = await inBatches(context, payload, (db, libraryId, limit) =>
      forgetHiddenBooks(db, { libraryId, limit, now: context.clock() }),
    )
    const series = await inBatches(context, payload, (db, libraryId, limit) =>
      forgetSeries(db, { libraryId, limit, now: context.clock() }),
    )
    await context.write((db) => deleteLibrary(db, payload.libraryId))
    return { result: { books, series }, items: books }
  },
})
