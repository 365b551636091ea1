import type { TaskDto } from '@carrel/api'
import type { Flag } from '../database/flag.ts'

export interface TaskTables {
  task: {
    id: string
    type: string
    /** At most one task with the same key and slot is pending or processing. */
    key: string | null
    /** In the second slot another one with the same key waits behind one that runs. They never run at once. */
    slot: 0 | 1
    payload: string
    status: TaskDto['status']
    /** A pending task is due when it waits for nothing but a worker. */
    is_due: Flag
    priority: number
    attempts: number
    max_attempts: number
    /** It counts how often a worker died, or was given up, while it ran the task. */
    interruptions: number
    /**
     * It is raised whenever the right to run the task passes to somebody: a worker with an older number can no longer
     * write.
     */
    fence: number
    /** This worker runs the task; a cancelled task too has one, until it has been released. */
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
  /** A worker that holds tasks raises its heartbeat. Whoever sees it stand still for long takes them away. */
  worker: {
    id: string
    host: string
    pid: number
    /** It is when the process began, as the system counts: the number of a process can be used again. */
    process: string
    heartbeat: number
    started_at: string
    heartbeat_at: string
  }
  /** The ticks of a schedule have been dealt with up to this time. */
  schedule: { name: string; pattern: string; checked_at: string }
  /** It sums up the runs that ended in an hour. */
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
  /** It counts the durations of the runs that ended in an hour, in buckets (durations.ts). */
  task_duration: { hour: string; type: string; bucket: number; count: number }
  task_last_error: { type: string; message: string; at: string }
  /** It counts all runs that ever ended, and how many of them before the last restart. */
  task_total: {
    the_one: 1
    succeeded: number
    failed: number
    succeeded_before: number
    failed_before: number
  }
}
