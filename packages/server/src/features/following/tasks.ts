import { Type } from 'typebox'
import type { WriteDb } from '../../database/database.ts'
import { defineCleanUp } from '../../tasks/clean-up.ts'
import { defineTask } from '../../tasks/define-task.ts'
import { enqueue } from '../../tasks/queue.ts'
import { anyToTell, deleteOldArrivals, deleteOldNotifications } from './notifications/queries.ts'
import { tellOf } from './notifications/tell.ts'

export { deliverWebhook } from './webhook/deliver.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

/** It runs after a library has been scanned and analysed, and notifies those who follow what has grown. */
export const tellFollowers = defineTask(Type.Object({ libraryId: Type.String() }), {
  type: 'tell_followers',
  priority: 120,
  endsWithinMs: hour,
  key: ({ libraryId }) => libraryId,
  runsAgain: true,
  subject: ({ libraryId }) => ({ libraryId }),
  quiet: true,
  run: async ({ libraryId }, context) => {
    const told = await tellOf(libraryId, context)
    return { result: { told }, items: told }
  },
})

/** The call belongs in the transaction that ends the analysis of a library. */
export const startTelling = async (db: WriteDb, libraryId: string, now: Date): Promise<void> => {
  if (await anyToTell(db, libraryId)) await enqueue(db, tellFollowers, { libraryId }, { now })
}

const keptDays = 90
const keptMax = 1000
const removedAtOnce = 500

export const cleanUpNotifications = defineCleanUp('cleanup_notifications', async ({ write, signal }, now) => {
  if (!now) return undefined
  const before = new Date(now.getTime() - keptDays * day).toISOString()
  const all = async (remove: (db: WriteDb) => Promise<number>): Promise<number> => {
    for (let removed = 0; ;) {
      signal.throwIfAborted()
      const some = await write(remove)
      removed += some
      if (some < removedAtOnce) return removed
    }
  }
  return {
    notifications: await all((db) => deleteOldNotifications(db, { before, keptMax, limit: removedAtOnce })),
    arrivals: await all((db) => deleteOldArrivals(db, before, removedAtOnce)),
  }
})
