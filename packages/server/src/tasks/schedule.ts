import { Cron } from 'croner'
import type { Database, WriteDb } from '../database/database.ts'
import type { Log } from '../platform/log.ts'
import { type Repeating, repeat } from '../platform/repeat.ts'
import { insertSchedules, selectSchedules, updateSchedule } from './queries.ts'

export interface Schedule {
  readonly name: string
  /** A cron pattern of five fields; empty: never. Asked again and again, as it may be a setting. */
  readonly pattern: () => string
  readonly timeZone: () => string
  readonly fire: (db: WriteDb, now: Date) => Promise<unknown>
}

export interface ScheduleOptions {
  readonly db: Database
  readonly log: Log
  readonly clock: () => Date
  /** It is called at every check, because some schedules come and go. */
  readonly schedules: () => Promise<readonly Schedule[]>
}

interface ScheduleState {
  readonly spec: string
  readonly checkedAt: string
  readonly next: Date | null
}

/** The times of schedules are minutes; a worker with nothing to do should sleep. */
const pollMs = 5000
/** The clocks of nodes may differ by less than this; a tick that was dealt with later than that never was. */
const clockBackMs = 10 * 60 * 1000

/**
 * It fires schedules. For each, the database knows up to when its ticks have been dealt with, and only one node can
 * move that forward: so a tick fires once, and of those that passed while nobody was there one is made up for.
 */
export const runSchedules = ({ db, log, clock, schedules }: ScheduleOptions): Repeating => {
  const states = new Map<string, ScheduleState>()

  const learn = (name: string, spec: string, checkedAt: string): void => {
    states.set(name, { spec, checkedAt, next: nextTick({ name, spec, checkedAt }, log) })
  }

  /** It learns what is stored of these, by one statement for all; what is not stored yet begins now. */
  const read = async (unknown: readonly Schedule[], now: Date): Promise<void> => {
    if (unknown.length === 0) return
    const names = unknown.map(({ name }) => name)
    const known = new Set((await learnStored(names)).map(({ name }) => name))
    const fresh = unknown.filter(({ name }) => !known.has(name))
    if (fresh.length === 0) return
    const checked_at = now.toISOString()
    const rows = fresh.map((schedule) => ({ name: schedule.name, pattern: specOf(schedule), checked_at }))
    await db.write((db) => insertSchedules(db, rows))
    // Another node may have been first.
    await learnStored(fresh.map(({ name }) => name))
  }

  const learnStored = async (names: readonly string[]) => {
    const stored = await selectSchedules(db.read, names)
    for (const { name, pattern, checked_at } of stored) learn(name, pattern, checked_at)
    return stored
  }

  const checkSchedule = async (schedule: Schedule, now: Date): Promise<void> => {
    const { name } = schedule
    const spec = specOf(schedule)
    const seen = states.get(name)
    if (!seen) return
    const isBack = Date.parse(seen.checkedAt) > now.getTime() + clockBackMs
    const isNew = seen.spec !== spec
    const isDue = !isNew && !isBack && seen.next !== null && seen.next <= now
    if (!isDue && !isNew && !isBack) return
    const checkedAt = now.toISOString()
    const isOurs = await db.write(async (db) => {
      if (!(await updateSchedule(db, { name, pattern: spec, checked_at: checkedAt }, seen.checkedAt))) return false
      if (isDue) await schedule.fire(db, now)
      return true
    })
    if (isOurs) learn(name, spec, checkedAt)
    else states.delete(name)
  }

  return repeat({
    work: async () => {
      const all = await schedules()
      const unknown = all.filter(({ name }) => !states.has(name))
      await read(unknown, clock())
      const failures: unknown[] = []
      for (const schedule of all) await checkSchedule(schedule, clock()).catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
    everyMs: pollMs,
    log,
    trouble: 'Schedules could not be looked at; trying again',
  })
}

const specOf = ({ pattern, timeZone }: Schedule): string => `${pattern()} ${timeZone()}`

/** Undefined when the pattern can be read, else what is wrong with it, as the end of a sentence. */
export const cronProblem = (pattern: string): string | undefined => {
  if (pattern.trim().split(/\s+/).length !== 5) return 'must have five fields, such as 0 4 * * *'
  try {
    const cron = new Cron(pattern, { paused: true })
    return cron.nextRun() === null ? 'never comes' : undefined
  } catch (error) {
    return `is not a cron pattern (${(error as Error).message})`
  }
}

/** What is stored may name a zone that this machine does not know; what is asked for instead takes its place, and other schedules go on. */
const nextTick = (
  { name, spec, checkedAt }: Readonly<Record<'name' | 'spec' | 'checkedAt', string>>,
  log: Log,
): Date | null => {
  const fields = spec.split(' ')
  const timezone = fields.pop() ?? 'UTC'
  const pattern = fields.join(' ')
  if (pattern === '') return null
  try {
    return new Cron(pattern, { timezone, paused: true }).nextRun(new Date(checkedAt))
  } catch (error) {
    log.warn({ name, times: spec, why: (error as Error).message }, 'The times of a schedule cannot be read')
    return null
  }
}
