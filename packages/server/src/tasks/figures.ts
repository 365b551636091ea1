import type { WriteDb } from '../database/database.ts'
import { bucketOf } from './durations.ts'
import { addDurations, addFigures, addTotals, upsertLastErrors } from './queries.ts'

/** It is the outcome of a run, as the figures count it. */
export interface RunFigures {
  readonly type: string
  readonly how: 'succeeded' | 'failed' | 'retried'
  readonly durationMs: number
  readonly waitMs: number
  readonly items: number
  readonly bytes: number
  readonly error: string | null
}

/** The call belongs in the transaction that ends the runs, at its end: other workers wait for these rows. */
export const recordFigures = async (db: WriteDb, runs: readonly RunFigures[], now: Date): Promise<void> => {
  if (runs.length === 0) return
  const at = now.toISOString()
  const hour = hourOf(at)
  const byType = [...Map.groupBy(runs, ({ type }) => type)].sort(([one], [other]) => (one < other ? -1 : 1))
  await addFigures(
    db,
    byType.map(([type, ofType]) => ({ hour, type, ...sumOf(ofType) })),
  )
  await addDurations(
    db,
    byType.flatMap(([type, ofType]) => countDurations(ofType).map((each) => ({ hour, type, ...each }))),
  )
  await upsertLastErrors(
    db,
    byType.flatMap(([type, ofType]) => {
      const message = ofType.findLast(({ error }) => error !== null)?.error
      return message == null ? [] : [{ type, message, at }]
    }),
  )
  const count = (how: RunFigures['how']) => runs.filter((run) => run.how === how).length
  await addTotals(db, count('succeeded'), count('failed'))
}

export const hourOf = (at: string): string => `${at.slice(0, 13)}:00:00.000Z`

const sumOf = (runs: readonly RunFigures[]) => {
  const ended = runs.filter(({ how }) => how !== 'retried')
  const sum = (read: (run: RunFigures) => number) => ended.reduce((total, run) => total + read(run), 0)
  const durations = ended.map(({ durationMs }) => durationMs)
  return {
    succeeded: sum(({ how }) => (how === 'succeeded' ? 1 : 0)),
    failed: sum(({ how }) => (how === 'failed' ? 1 : 0)),
    retried: runs.length - ended.length,
    items: sum(({ items }) => items),
    bytes: sum(({ bytes }) => bytes),
    duration_ms: sum(({ durationMs }) => durationMs),
    wait_ms: sum(({ waitMs }) => waitMs),
    // The start value lets the first run be shorter, whatever it took.
    shortest_ms: durations.length > 0 ? Math.min(...durations) : Number.MAX_SAFE_INTEGER,
    longest_ms: Math.max(0, ...durations),
  }
}

const countDurations = (runs: readonly RunFigures[]) =>
  [
    ...Map.groupBy(
      runs.filter(({ how }) => how !== 'retried'),
      ({ durationMs }) => bucketOf(durationMs),
    ),
  ]
    .map(([bucket, ofBucket]) => ({ bucket, count: ofBucket.length }))
    .sort((one, other) => one.bucket - other.bucket)
