import type { TaskDto } from '@carrel/api'
import type { Flag } from '../database/flag.ts'

export interface TaskTables {
  task: {
    id: string
    type: string
    /** At most one task with the same key is pending or processing. */
    key: string | null
    payload: string
    status: TaskDto['status']
    /** Of a pending task: it waits for nothing but a worker. */
    is_due: Flag
    priority: number
    attempts: number
    max_attempts: number
    /** How often a worker died, or was given up, while it ran. */
    interruptions: number
    /** Raised whenever the right to run it goes to somebody: who holds an older number can no longer write. */
    fence: number
    /** Who runs it; also of a cancelled task, until its worker has let go. */
    worker_id: string | null
    progress: string | null
    library_id: string | null
    series_id: string | null
    book_id: string | null
    last_error: string | null
    result: string | null
    created_at: string
    scheduled_for: string
    started_at: string | null
    completed_at: string | null
  }
  /** A worker that holds tasks raises its beat. Whoever sees it stand still for long takes them away. */
  worker: {
    id: string
    host: string
    pid: number
    /** When the process began, as the system counts: a number can be given to a process anew. */
    process: string
    beat: number
    started_at: string
    beat_at: string
  }
  /** Up to when the ticks of a schedule have been dealt with. */
  schedule: { name: string; pattern: string; checked_at: string }
  /** What ended in an hour. */
  task_figure: {
    hour: string
    type: string
    succeeded: number
    failed: number
    retried: number
    items: number
    bytes: number
    duration_ms: number
    wait_ms: number
    shortest_ms: number
    longest_ms: number
  }
  /** How long what ended in an hour took, in buckets (durations.ts). */
  task_duration: { hour: string; type: string; bucket: number; count: number }
  task_last_error: { type: string; message: string; at: string }
  /** All that ever ended, and what of it before the last restart. */
  task_total: {
    the_one: 1
    succeeded: number
    failed: number
    succeeded_before: number
    failed_before: number
  }
}
