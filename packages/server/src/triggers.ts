import type { Context } from './context.ts'
import { verifyCatalogue } from './catalogue/shown/tasks.ts'
import { cleanUpSearchWords } from './catalogue/search-index/tasks.ts'
import { backUp } from './features/backups/tasks.ts'
import { cleanUpCovers } from './features/covers/tasks.ts'
import { findDuplicates } from './features/duplicates/tasks.ts'
import { cleanUpBulkEdits } from './features/editing/tasks.ts'
import { cleanUpEvents } from './features/events/tasks.ts'
import { cleanUpExports } from './features/exports/tasks.ts'
import { cleanUpNotifications } from './features/following/tasks.ts'
import { checkDatabase } from './features/health/check-database.ts'
import { cleanUpImports } from './features/imports/clean-up.ts'
import { jobSchedules } from './features/matching/jobs/library-jobs.ts'
import { cleanUpPlugins } from './features/plugins/clean-up.ts'
import { checkAllReading } from './features/reading/tasks.ts'
import { librarySchedules } from './features/scan/schedules.ts'
import { cleanUpMissing } from './features/scan/tasks.ts'
import { watchLibraries, type WatchTiming } from './features/scan/watch/watch-libraries.ts'
import { cleanUpSessions } from './features/sessions/tasks.ts'
import { startWritingSidecars } from './features/sidecars/tasks.ts'
import { cleanUpSignInActivity } from './features/sign-in-activity/tasks.ts'
import { cleanUpTasks } from './features/task-admin/tasks.ts'
import { machineTimeZone } from './platform/time-zone.ts'
import type { TaskDefinition } from './tasks/define-task.ts'
import { enqueue } from './tasks/queue.ts'
import { runSchedules, type Schedule } from './tasks/schedule.ts'

/** These tasks run by themselves, at these times. */
export const fixedSchedules: readonly Schedule[] = [
  regularly('cleanup_sessions', '30 2 * * *', cleanUpSessions),
  // Both of these at once: a worker that rests starts one time an hour for them.
  regularly('cleanup_sign_in_activity', '5 * * * *', cleanUpSignInActivity),
  regularly('cleanup_events', '5 * * * *', cleanUpEvents),
  regularly('cleanup_tasks', '45 2 * * *', cleanUpTasks),
  regularly('cleanup_covers', '15 3 * * *', cleanUpCovers),
  regularly('cleanup_bulk_edits', '45 3 * * *', cleanUpBulkEdits),
  regularly('cleanup_exports', '0 4 * * *', cleanUpExports),
  regularly('cleanup_imports', '5 4 * * *', cleanUpImports),
  regularly('cleanup_notifications', '50 3 * * *', cleanUpNotifications),
  regularly('cleanup_missing', '30 3 * * *', cleanUpMissing),
  regularly('check_reading', '15 1 * * *', checkAllReading),
  regularly('cleanup_plugins', '10 4 * * *', cleanUpPlugins),
  regularly('check_database', '20 2 * * *', checkDatabase),
  regularly('verify_catalogue', '40 1 * * *', verifyCatalogue),
  regularly('cleanup_search_words', '0 4 * * *', cleanUpSearchWords),
  {
    name: 'write_sidecars',
    pattern: () => '*/10 * * * *',
    timeZone: serverTimeZone,
    fire: startWritingSidecars,
  },
]

let timeZone: string | undefined

/** It takes time to find out, which no start waits for. */
function serverTimeZone(): string {
  timeZone ??= machineTimeZone() ?? 'UTC'
  return timeZone
}

function regularly(name: string, pattern: string, definition: TaskDefinition<{ byHand: boolean }>): Schedule {
  return {
    name,
    pattern: () => pattern,
    timeZone: serverTimeZone,
    fire: (db, now) => enqueue(db, definition, { byHand: false }, { now }),
  }
}

/** The times of these schedules are settings. */
export const chosenSchedules = ({ settings }: Pick<Context, 'settings'>): readonly Schedule[] => [
  {
    name: 'find_duplicates',
    pattern: () => settings.get('deduplication.cron_schedule'),
    timeZone: serverTimeZone,
    fire: (db, now) => enqueue(db, findDuplicates, {}, { now }),
  },
  {
    name: 'backup',
    pattern: () => settings.get('backup.cron_schedule'),
    timeZone: serverTimeZone,
    fire: (db, now) => enqueue(db, backUp, { byHand: false }, { now }),
  },
]

/** What starts tasks; absent fields have their usual value. */
export interface TriggerChoice {
  readonly schedules?: readonly Schedule[]
  /** False: libraries are not followed. */
  readonly watch?: Partial<WatchTiming> | false
}

export interface Triggers {
  stop(): Promise<void>
}

/**
 * Tasks that nobody asks for are enqueued here: those whose time has come, and scans of folders in which something has happened. It
 * runs beside a worker, not in it, so that a worker is needed only while there is a task.
 */
export const startTriggers = (context: Context, { schedules: chosen, watch = {} }: TriggerChoice = {}): Triggers => {
  const { db, log, clock, settings } = context
  if (machineTimeZone() === undefined) log.warn('TZ names no time zone such as Europe/Berlin: schedules go by UTC')
  const ofLibraries = librarySchedules(db, serverTimeZone())
  const ofJobs = jobSchedules(db)
  const all = async () => {
    await settings.freshen()
    const usual = [...fixedSchedules, ...chosenSchedules(context)]
    return chosen ?? [...usual, ...(await ofLibraries()), ...(await ofJobs())]
  }
  const ticking = runSchedules({ db, log, clock, schedules: all })
  const watching = watch === false ? undefined : watchLibraries(context, watch)
  return {
    stop: async () => {
      await Promise.all([ticking.stop(), watching?.stop()])
    },
  }
}
