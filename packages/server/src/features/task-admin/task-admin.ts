import type { ListAnswer, TaskDto, TaskMetrics, TaskMetricsHistory, TaskStats, TaskTypeMetrics } from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { Paging } from '../../platform/paging.ts'
import type { TaskDefinition } from '../../tasks/define-task.ts'
import { percentile } from '../../tasks/durations.ts'
import { readFailure } from '../../tasks/failure.ts'
import { cancelTask, enqueue, type Enqueued, retryTask } from '../../tasks/queue.ts'
import { seesWholeLibraries, type Viewer } from '../../catalogue/visibility/visibility.ts'
import {
  countByTypeAndStatus,
  countCompletedSince,
  countStaleByType,
  countTasks,
  seesAllTasks,
  selectDurations,
  selectLastErrors,
  selectQueue,
  selectSumsByPeriod,
  selectSumsByType,
  selectTask,
  selectTasks,
  selectTotals,
  type Sums,
  type TaskFilter,
} from './queries.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** A worker that works says so every five seconds. */
const staleAfterMs = 30_000
const recentMinutes = 5

export const listTasks = async (
  db: ReadDb,
  viewer: Viewer,
  filter: TaskFilter,
  paging: Paging,
): Promise<ListAnswer<TaskDto>> => {
  const total = await countTasks(db, viewer, filter)
  const tasks = paging.offset < total ? await selectTasks(db, viewer, filter, paging) : []
  return { total, data: tasks.map((task) => toldTo(viewer, task)) }
}

export const readTask = async (db: ReadDb, viewer: Viewer, id: string): Promise<TaskDto> => {
  const task = await selectTask(db, viewer, id)
  if (!task) throw notFound('task')
  return toldTo(viewer, task)
}

/** The counts of a task cover its whole library. */
const toldTo = (viewer: Viewer, task: TaskDto): TaskDto =>
  task.libraryId === null || seesWholeLibraries(viewer)
    ? task
    : { ...task, progress: null, result: null, lastError: null, lastFailure: null }

export const startNow = (
  db: Database,
  definitions: readonly TaskDefinition[],
  taskType: string,
  now: Date,
): Promise<Enqueued> => {
  const startable = definitions.filter((definition) => definition.startable !== undefined)
  const definition = startable.find(({ type }) => type === taskType)
  if (!definition) {
    const names = startable.map(({ type }) => type).join(', ')
    throw invalid('/taskType', `The tasks that can be started by hand are ${names}.`)
  }
  // The definition's own.
  return db.write((db) => enqueue(db, definition, definition.startable as never, { now }))
}

export const cancel = async (db: Database, viewer: Viewer, id: string, now: Date): Promise<TaskDto> => {
  await readTask(db.read, viewer, id)
  await db.write((db) => cancelTask(db, id, now))
  return readTask(db.read, viewer, id)
}

export const retry = async (db: Database, viewer: Viewer, id: string, now: Date): Promise<TaskDto> => {
  await readTask(db.read, viewer, id)
  await db.write((db) => retryTask(db, id, now))
  return readTask(db.read, viewer, id)
}

const before = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString()

export const readStats = async (db: ReadDb, viewer: Viewer, now: Date): Promise<TaskStats> => {
  const counted = await countByTypeAndStatus(db, viewer)
  const stale = await countStaleByType(db, before(now, staleAfterMs), viewer)
  const countsOf = (type?: string) => {
    const count = (status?: TaskDto['status']) =>
      counted
        .filter(
          (each) => (type === undefined || each.type === type) && (status === undefined || each.status === status),
        )
        .reduce((sum, each) => sum + each.count, 0)
    const ofType = stale.filter((each) => type === undefined || each.type === type)
    return {
      pending: count('pending'),
      processing: count('processing'),
      completed: count('completed'),
      failed: count('failed'),
      stale: ofType.reduce((sum, each) => sum + each.count, 0),
      total: count(),
    }
  }
  const types = [...new Set(counted.map(({ type }) => type))].sort()
  return { ...countsOf(), byType: Object.fromEntries(types.map((type) => [type, countsOf(type)])) }
}

const readQueue = async (db: ReadDb, now: Date, viewer?: Viewer): Promise<TaskMetrics['queue']> => {
  const { pending, processing, oldestPendingAt } = await selectQueue(db, viewer)
  const stale = await countStaleByType(db, before(now, staleAfterMs), viewer)
  return {
    pendingCount: pending,
    processingCount: processing,
    staleCount: stale.reduce((sum, { count }) => sum + count, 0),
    oldestPendingAgeMs: oldestPendingAt === null ? null : Math.max(0, now.getTime() - Date.parse(oldestPendingAt)),
  }
}

export interface TaskCounts {
  readonly queue: TaskMetrics['queue']
  /** The count starts at the last restart. */
  readonly succeeded: number
  readonly failed: number
}

export const readCounts = async (db: ReadDb, now: Date): Promise<TaskCounts> => {
  const totals = await selectTotals(db)
  return {
    queue: await readQueue(db, now),
    succeeded: totals.succeeded - totals.succeeded_before,
    failed: totals.failed - totals.failed_before,
  }
}

export const readMetrics = (db: ReadDb, viewer: Viewer, retentionDays: number, now: Date): Promise<TaskMetrics> =>
  seesAllTasks(viewer) ? readAllMetrics(db, retentionDays, now) : readOwnMetrics(db, viewer, retentionDays, now)

/** It is for the server's administrators, whatever they see of libraries. */
export const readAllMetrics = async (db: ReadDb, retentionDays: number, now: Date): Promise<TaskMetrics> => {
  const sums = await selectSumsByType(db, before(now, retentionDays * day))
  const durations = Map.groupBy(await selectDurations(db, before(now, day)), ({ type }) => type)
  const errors = new Map((await selectLastErrors(db)).map((error) => [error.type, error]))
  const { queue, succeeded, failed } = await readCounts(db, now)
  const recent = await countCompletedSince(db, before(now, recentMinutes * minute))
  const executed = sums.reduce((sum, type) => sum + executedOf(type), 0)
  return {
    byType: sums.map((type) => metricsOf(type, durations.get(type.type) ?? [], errors.get(type.type))),
    queue,
    retention: String(retentionDays),
    summary: {
      avgDurationMs: average(
        sums.reduce((sum, { durationMs }) => sum + durationMs, 0),
        executed,
      ),
      avgQueueWaitMs: average(
        sums.reduce((sum, { waitMs }) => sum + waitMs, 0),
        executed,
      ),
      tasksPerMinute: recent / recentMinutes,
      totalExecuted: succeeded + failed,
      totalSucceeded: succeeded,
      totalFailed: failed,
    },
    updatedAt: now.toISOString(),
  }
}

/**
 * Stored figures cover all libraries: a viewer who does not see everything gets figures computed only from the tasks
 * they see.
 */
const readOwnMetrics = async (db: ReadDb, viewer: Viewer, retentionDays: number, now: Date): Promise<TaskMetrics> => {
  const { completed, failed } = await readStats(db, viewer, now)
  return {
    byType: [],
    queue: await readQueue(db, now, viewer),
    retention: String(retentionDays),
    summary: {
      avgDurationMs: 0,
      avgQueueWaitMs: 0,
      tasksPerMinute: (await countCompletedSince(db, before(now, recentMinutes * minute), viewer)) / recentMinutes,
      totalExecuted: completed + failed,
      totalSucceeded: completed,
      totalFailed: failed,
    },
    updatedAt: now.toISOString(),
  }
}

const executedOf = ({ succeeded, failed }: Sums): number => succeeded + failed

/** Averages are rounded to the hundredth: finer figures would only look exact. */
const average = (sum: number, count: number): number => (count === 0 ? 0 : Math.round((100 * sum) / count) / 100)

const metricsOf = (
  sums: Sums & { readonly type: string },
  durations: readonly { readonly bucket: number; readonly count: number }[],
  error: { readonly message: string; readonly at: string } | undefined,
): TaskTypeMetrics => {
  const executed = executedOf(sums)
  return {
    taskType: sums.type,
    executed,
    succeeded: sums.succeeded,
    failed: sums.failed,
    retried: sums.retried,
    itemsProcessed: sums.items,
    bytesProcessed: sums.bytes,
    avgDurationMs: average(sums.durationMs, executed),
    avgQueueWaitMs: average(sums.waitMs, executed),
    errorRatePct: average(100 * sums.failed, executed),
    // Items while it ran; a task that counts none is one itself.
    throughputPerSec: average(1000 * (sums.items > 0 ? sums.items : sums.succeeded), sums.durationMs),
    minDurationMs: executed === 0 ? 0 : sums.shortestMs,
    maxDurationMs: sums.longestMs,
    p50DurationMs: percentile(durations, 0.5),
    p95DurationMs: percentile(durations, 0.95),
    ...readFailure(error?.message ?? null),
    lastErrorAt: error?.at ?? null,
  }
}

interface TaskHistoryQuery {
  readonly days?: number
  readonly taskType?: string
  readonly granularity?: 'hour' | 'day'
}

export const readHistory = async (
  db: ReadDb,
  viewer: Viewer,
  { days = 7, taskType, granularity = 'hour' }: TaskHistoryQuery,
  now: Date,
): Promise<TaskMetricsHistory> => {
  const from = before(now, days * day)
  const periods = seesAllTasks(viewer) ? await selectSumsByPeriod(db, { since: from, granularity, taskType }) : []
  return {
    points: periods.map(({ period, ...sums }) => ({
      periodStart: granularity === 'hour' ? `${period}:00:00.000Z` : `${period}T00:00:00.000Z`,
      taskType: taskType ?? null,
      count: executedOf(sums),
      succeeded: sums.succeeded,
      failed: sums.failed,
      itemsProcessed: sums.items,
      bytesProcessed: sums.bytes,
      avgDurationMs: average(sums.durationMs, executedOf(sums)),
      minDurationMs: executedOf(sums) === 0 ? 0 : sums.shortestMs,
      maxDurationMs: sums.longestMs,
    })),
    from,
    to: now.toISOString(),
    granularity,
  }
}
