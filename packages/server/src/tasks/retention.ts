import type { WriteDb } from '../database/database.ts'
import { hourOf } from './figures.ts'
import { forgetIdleWorkers } from './lease.ts'
import { deleteFigures, deleteFinished } from './queries.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour
/** Percentiles are of the last day. */
const durationsKeptMs = 2 * day

const before = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString()

/** Clean-ups look at when they last ran, and at the time before. */
const tasksKeptDaysMin = 3

/** A few at a time; answers how many. */
export const removeFinishedTasks = (db: WriteDb, now: Date, days: number, limit: number): Promise<number> =>
  deleteFinished(db, before(now, Math.max(days, tasksKeptDaysMin) * day), limit)

export const removeOldFigures = async (db: WriteDb, now: Date, days: number): Promise<void> => {
  await deleteFigures(db, hourOf(before(now, days * day)), hourOf(before(now, durationsKeptMs)))
  await forgetIdleWorkers(db, now)
}
