import { Cron } from 'croner'
import type { Database, WriteDb } from '../database/database.ts'
import type { Log } from '../platform/log.ts'
import { type Repeating, repeat } from '../platform/repeat.ts'
import { insertSchedule, selectSchedule, updateSchedule } from './queries.ts'

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

  const learn = (name: string, spec: string, checkedAt: string): ScheduleState => {
    const learnt = { spec, checkedAt, next: nextTick(spec, new Date(checkedAt)) }
    states.set(name, learnt)
    return learnt
  }

  const read = async (name: string, spec: string, now: Date): Promise<ScheduleState> => {
    const checkedAt = now.toISOString()
    await db.write((db) => insertSchedule(db, { name, pattern: spec, checked_at: checkedAt }))
    const stored = await selectSchedule(db.read, name)
    return learn(name, stored?.pattern ?? spec, stored?.checked_at ?? checkedAt)
  }

  const checkSchedule = async (schedule: Schedule, now: Date): Promise<void> => {
    const { name } = schedule
    const spec = `${schedule.pattern()} ${schedule.timeZone()}`
    const seen = states.get(name) ?? (await read(name, spec, now))
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
      for (const schedule of await schedules()) await checkSchedule(schedule, clock())
    },
    everyMs: pollMs,
    log,
    trouble: 'Schedules could not be looked at; trying again',
  })
}

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

const nextTick = (spec: string, after: Date): Date | null => {
  const fields = spec.split(' ')
  const timezone = fields.pop() ?? 'UTC'
  const pattern = fields.join(' ')
  return pattern === '' ? null : new Cron(pattern, { timezone, paused: true }).nextRun(after)
}
