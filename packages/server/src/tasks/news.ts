import type { ServerEvent } from '@carrel/api'
import type { WriteDb } from '../database/database.ts'
import { announce } from '../events/outbox.ts'
import type { TaskRow } from './queries.ts'

export type Progress = Extract<ServerEvent, { type: 'task_progress' }>['progress']

/** It describes a change of a task. */
export interface TaskNews {
  readonly task: Pick<TaskRow, 'id' | 'type' | 'library_id' | 'series_id' | 'book_id'>
  readonly status: TaskRow['status']
  readonly progress?: Progress | undefined
  readonly error?: string | null
}

const nothingYet: Progress = { current: 0, total: 0, message: null }

/** It tells those who may see tasks, and the library if it is about one. */
export const announceTasks = (db: WriteDb, news: readonly TaskNews[], now: Date): Promise<void> =>
  announce(
    db,
    news.map(({ task, status, progress = nothingYet, error }) => ({
      event: {
        type: 'task_progress',
        taskId: task.id,
        taskType: task.type,
        status,
        progress,
        ...(task.library_id !== null && { libraryId: task.library_id }),
        ...(task.series_id !== null && { seriesId: task.series_id }),
        ...(task.book_id !== null && { bookId: task.book_id }),
        ...(error != null && { error }),
      },
      to: {
        permission: 'tasks:read',
        libraryId: task.library_id ?? undefined,
        // The counts cover the whole library.
        ...(task.library_id !== null && {
          audiences: [{ of: [{ libraryId: task.library_id, isWhole: true }], isSeen: true }],
        }),
      },
    })),
    now,
  )
