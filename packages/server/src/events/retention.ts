import type { ReadDb, WriteDb } from '../database/database.ts'
import { deleteEventsUpTo, selectLastNumber, selectNumberBefore } from './queries.ts'

/** A client that was away no longer than this, and missed no more than this, misses nothing. */
export const numbersKept = 100_000
const eventsKeptMs = 24 * 60 * 60 * 1000

/**
 * It returns a function that removes events beyond the limit and, if `now` is given, those that are too old; a few at a
 * time.
 */
export const removeOldEvents = async (
  db: ReadDb,
  now: Date | undefined,
): Promise<(db: WriteDb, limit: number) => Promise<number>> => {
  const tooMany = (await selectLastNumber(db)) - numbersKept
  const tooOld = now ? await selectNumberBefore(db, new Date(now.getTime() - eventsKeptMs).toISOString()) : 0
  const upTo = Math.max(tooMany, tooOld)
  return (db, limit) => deleteEventsUpTo(db, upTo, limit)
}
