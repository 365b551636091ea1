import type { WriteDb } from '../../database/database.ts'
import { enqueue } from '../../tasks/queue.ts'
import { deleteFaults, insertQueued } from './queries.ts'
import { makeCovers } from './tasks.ts'

/** Their covers are made, or made again, in the background. */
export const requestCovers = async (db: WriteDb, bookIds: readonly string[], now: Date): Promise<void> => {
  if (bookIds.length === 0) return
  await queueCovers(db, bookIds, now)
  await startMakingCovers(db, now)
}

/** `startMakingCovers` is due once all are noted: reading a library and making its covers want the same decoders. */
export const queueCovers = async (db: WriteDb, bookIds: readonly string[], now: Date): Promise<void> => {
  if (bookIds.length === 0) return
  await insertQueued(db, bookIds, now.toISOString())
  await deleteFaults(db, bookIds)
}

export const startMakingCovers = async (db: WriteDb, now: Date): Promise<void> => {
  await enqueue(db, makeCovers, { byHand: false }, { now })
}
