import type { WriteDb } from '../database/database.ts'
import { dialectOf, wakeAfterCommit } from '../database/transaction.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import type { TaskDefinition } from './define-task.ts'
import { announceTasks } from './news.ts'
import {
  insertTask,
  lockLiveTasks,
  lockTask,
  lockWaitingTask,
  selectLiveTask,
  type TaskRow,
  updateCancelled,
  updateForAnotherTry,
} from './queries.ts'

export interface Enqueued {
  readonly taskId: string
  /** There was one with the same key, waiting or running: that one is meant. */
  readonly alreadyRunning: boolean
}

interface When {
  readonly now: Date
  /** The task does not run earlier. Undefined means at once. */
  readonly notBefore?: Date
}

/** The task that was in the way may end at the very moment it is looked for. */
const triesMax = 5

/**
 * The call belongs in the transaction that makes the task necessary: the task exists if and only if that is committed.
 */
export const enqueue = async <Payload>(
  db: WriteDb,
  definition: TaskDefinition<Payload>,
  payload: Payload,
  { now, notBefore }: When,
): Promise<Enqueued> => {
  const key = keyOf(definition, payload)
  const subject = definition.subject?.(payload) ?? {}
  const at = now.toISOString()
  const row = {
    id: newId(now.getTime()),
    type: definition.type,
    key: key ?? null,
    slot: 0 as const,
    payload: JSON.stringify(payload),
    status: 'pending' as const,
    is_due: notBefore && notBefore > now ? (0 as const) : (1 as const),
    priority: definition.priority,
    attempts: 0,
    max_attempts: definition.attemptsMax,
    interruptions: 0,
    fence: 0,
    library_id: subject.libraryId ?? null,
    series_id: subject.seriesId ?? null,
    book_id: subject.bookId ?? null,
    created_at: at,
    scheduled_for: (notBefore ?? now).toISOString(),
  }
  const add = async (slot: TaskRow['slot']): Promise<boolean> => {
    const isNew = await insertTask(db, { ...row, slot })
    if (isNew && !definition.quiet) await announceTasks(db, [{ task: row, status: 'pending' }], now)
    if (isNew) wakeAfterCommit(db, 'tasks')
    return isNew
  }
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (await add(0)) return { taskId: row.id, alreadyRunning: false }
    if (key === undefined) continue
    const taskId = definition.runsAgain ? await holdWaitingTask(db, key) : await selectLiveTask(db, key)
    if (taskId !== undefined) return { taskId, alreadyRunning: true }
    if (definition.runsAgain && (await add(1))) return { taskId: row.id, alreadyRunning: true }
  }
  throw new AppError('unavailable', 'The queue is busy. Try again in a moment.', { retryAfterSeconds: 1 })
}

const keyOf = <Payload>({ type, key }: TaskDefinition<Payload>, payload: Payload): string | undefined =>
  key && `${type} ${key(payload)}`

/** It must not begin before this transaction has ended: it would not see what that leaves to it. */
const holdWaitingTask = async (db: WriteDb, key: string): Promise<string | undefined> => {
  const taskId = await lockWaitingTask(db, key)
  // A worker that has passed it by meanwhile looks again.
  if (taskId !== undefined) wakeAfterCommit(db, 'tasks')
  return taskId
}

/**
 * Such tasks that run cannot end before this transaction does, so that their last look sees what is left to them here. The call
 * comes first in the transaction, because a task locks itself before all else too.
 */
export const holdTasks = <Payload>(
  db: WriteDb,
  definition: TaskDefinition<Payload>,
  payloads: readonly Payload[],
): Promise<void> =>
  lockLiveTasks(
    db,
    payloads.flatMap((payload) => keyOf(definition, payload) ?? []),
  )

export const cancelTask = async (db: WriteDb, id: string, now: Date): Promise<void> => {
  const task = await requireTask(db, id)
  if (task.status !== 'pending' && task.status !== 'processing')
    throw new AppError('conflict', `This task is ${task.status}: there is nothing to cancel.`, {
      reason: 'not_running',
    })
  await updateCancelled(db, id, now.toISOString())
  await announceTasks(db, [{ task, status: 'cancelled' }], now)
  wakeAfterCommit(db, 'tasks')
}

export const retryTask = async (db: WriteDb, id: string, now: Date): Promise<void> => {
  const task = await requireTask(db, id)
  if (task.status !== 'failed' && task.status !== 'cancelled')
    throw new AppError('conflict', `This task is ${task.status}: only one that failed or was cancelled can run again.`)
  if (task.worker_id !== null)
    throw new AppError('conflict', 'This task is still coming to its end. Try again shortly.', {
      reason: 'running_already',
    })
  const sameRuns = () =>
    new AppError('conflict', 'Another task is doing the same already.', { reason: 'running_already' })
  if (task.key !== null && (await selectLiveTask(db, task.key)) !== undefined) throw sameRuns()
  await updateForAnotherTry(db, id, now.toISOString()).catch((error: unknown) => {
    // It was enqueued at this moment, by a transaction of which nothing was seen yet.
    throw dialectOf(db).isDuplicate(error) ? sameRuns() : error
  })
  await announceTasks(db, [{ task, status: 'pending' }], now)
  wakeAfterCommit(db, 'tasks')
}

const requireTask = async (db: WriteDb, id: string): Promise<TaskRow> => {
  const task = await lockTask(db, id)
  if (!task) throw notFound('task')
  return task
}
