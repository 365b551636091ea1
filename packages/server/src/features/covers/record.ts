import type { WriteDb } from '../../database/database.ts'
import { enqueue } from '../../tasks/queue.ts'
import { deleteFaults, insertWanted } from './queries.ts'
import { makeCovers } from './tasks.ts'

/** Their covers are made, or made anew, in the background. */
export const wantCovers = async (db: WriteDb, bookIds: readonly string[], now: Date): Promise<void> => {
  if (bookIds.length === 0) return
  await insertWanted(db, bookIds, now.toISOString())
  await deleteFaults(db, bookIds)
  await enqueue(db, makeCovers, { byHand: false }, { now })
}
