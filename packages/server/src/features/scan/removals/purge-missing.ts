import { Type } from 'typebox'
import { defineCleanUp } from '../../../tasks/clean-up.ts'
import { defineTask, type TaskContext } from '../../../tasks/define-task.ts'
import { forgetBooks, refresh } from '../../../catalogue/shown/shown.ts'
import type { Context } from '../../../context.ts'
import { announceBooks } from '../../../catalogue/visibility/visibility.ts'
import { selectGoneBefore } from '../several-files/queries.ts'
import { selectLibrarySchedules, selectMissingBefore, selectSeriesOf } from '../queries.ts'

const batch = 200
const hour = 60 * 60 * 1000
const day = 24 * hour

/** Forgets books that have been missing for long, by somebody's word. Never part of a scan. */
export const purgeMissing = defineTask(Type.Object({ libraryId: Type.String(), olderThanDays: Type.Number() }), {
  type: 'purge_missing',
  priority: 100,
  endsWithinMs: hour,
  key: ({ libraryId }) => libraryId,
  subject: ({ libraryId }) => ({ libraryId }),
  run: async ({ libraryId, olderThanDays }, context) => {
    const books = await forgetMissing(context, libraryId, new Date(context.clock().getTime() - olderThanDays * day))
    return { result: { books }, items: books }
  },
})

/** The same in every library, where `trash.retention_days` says so. */
export const cleanUpMissing = defineCleanUp(
  'cleanup_missing',
  async (context, now, { settings }: { readonly settings: Context['settings'] }) => {
    const days = settings.get('trash.retention_days')
    if (!now) return undefined
    if (days === 0) return { books: 0 }
    let books = 0
    for (const { id } of await selectLibrarySchedules(context.db.read))
      books += await forgetMissing(context, id, new Date(now.getTime() - days * day))
    return { books }
  },
)

const forgetMissing = async (
  { db, write, clock, signal }: TaskContext,
  libraryId: string,
  before: Date,
): Promise<number> => {
  let forgotten = 0
  for (;;) {
    signal.throwIfAborted()
    const ids = await selectMissingBefore(db.read, libraryId, before.toISOString(), batch)
    if (ids.length === 0) break
    await write(async (db) => {
      const now = clock()
      await announceBooks(db, 'book_deleted', ids, now)
      const series = await selectSeriesOf(db, ids)
      await forgetBooks(db, ids, now)
      await refresh(db, { series }, now)
    })
    forgotten += ids.length
  }
  for (;;) {
    signal.throwIfAborted()
    const ids = await selectGoneBefore(db.read, libraryId, before.toISOString(), batch)
    if (ids.length === 0) return forgotten
    await write((db) => forgetBooks(db, ids, clock()))
  }
}
