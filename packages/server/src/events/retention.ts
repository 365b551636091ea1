import type { ReadDb, WriteDb } from '../database/database.ts'
import { deleteFactsUpTo, selectLastNumber, selectNumberBefore } from './queries.ts'

/** A client that was away no longer than this, and missed no more than this, misses nothing. */
export const numbersKept = 100_000
const factsKeptMs = 24 * 60 * 60 * 1000

/** Answers what removes the facts that are too many and, if there is a `now` to go by, too old; a few at a time. */
export const removeOldFacts = async (
  db: ReadDb,
  now: Date | undefined,
): Promise<(db: WriteDb, limit: number) => Promise<number>> => {
  const tooMany = (await selectLastNumber(db)) - numbersKept
  const tooOld = now ? await selectNumberBefore(db, new Date(now.getTime() - factsKeptMs).toISOString()) : 0
  const upTo = Math.max(tooMany, tooOld)
  return (db, limit) => deleteFactsUpTo(db, upTo, limit)
}
