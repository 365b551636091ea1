import type { TaskDto } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'
import { readFailure } from '../../tasks/failure.ts'
import type { TaskRow } from '../../tasks/queries.ts'
import { seesEverything, type Viewer, visibleLibraries, visibleTo } from '../../catalogue/visibility/visibility.ts'

/** Whoever saw a library that is being deleted hears of its tasks. */
const withDeleted = (viewer: Viewer): Viewer => ({ ...viewer, deletedLibraries: [] })

/** It returns whether no task is hidden from the viewer. */
export const seesAllTasks = (viewer: Viewer): boolean => seesEverything(withDeleted(viewer))

/** Tasks about nothing that is hidden from somebody; undefined: the server itself asks. */
const visibleTasks = (viewer: Viewer | undefined): RawBuilder<boolean> => {
  if (viewer === undefined || seesAllTasks(viewer)) return sql<boolean>`true`
  const viewerOfDeleted = withDeleted(viewer)
  return sql<boolean>`(
    (task.library_id is null or exists (
      select 1 from library where library.id = task.library_id and ${visibleLibraries(viewerOfDeleted)}))
    and (task.series_id is null or exists (
      select 1 from series where series.id = task.series_id and ${visibleTo(viewerOfDeleted, 'series')}))
    and (task.book_id is null or exists (
      select 1 from book where book.id = task.book_id and ${visibleTo(viewerOfDeleted, 'book')})))`
}

export interface TaskFilter {
  readonly status?: TaskDto['status'] | undefined
  readonly taskType?: string | undefined
  readonly libraryId?: string | undefined
}

const matching = (db: ReadDb, viewer: Viewer, { status, taskType, libraryId }: TaskFilter) => {
  let query = db.selectFrom('task').where(visibleTasks(viewer))
  if (status !== undefined) query = query.where('status', '=', status)
  if (taskType !== undefined) query = query.where('type', '=', taskType)
  if (libraryId !== undefined) query = query.where('library_id', '=', libraryId)
  return query
}

export const countTasks = async (db: ReadDb, viewer: Viewer, filter: TaskFilter): Promise<number> => {
  const { count } = await matching(db, viewer, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectTasks = async (
  db: ReadDb,
  viewer: Viewer,
  filter: TaskFilter,
  { limit, offset }: Paging,
): Promise<TaskDto[]> => {
  const rows = await matching(db, viewer, filter)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toTaskDto)
}

export const selectTask = async (db: ReadDb, viewer: Viewer, id: string): Promise<TaskDto | undefined> => {
  const row = await matching(db, viewer, {}).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toTaskDto(row)
}

const toTaskDto = (row: TaskRow): TaskDto => ({
  id: row.id,
  taskType: row.type,
  status: row.status,
  priority: row.priority,
  attempts: row.attempts,
  maxAttempts: row.max_attempts,
  progress: row.progress === null ? null : (JSON.parse(row.progress) as TaskDto['progress']),
  libraryId: row.library_id,
  seriesId: row.series_id,
  bookId: row.book_id,
  ...readFailure(row.last_error),
  result: row.result === null ? null : (JSON.parse(row.result) as unknown),
  createdAt: row.created_at,
  scheduledFor: row.scheduled_for,
  startedAt: row.started_at,
  completedAt: row.completed_at,
})

export interface StatusCount {
  readonly type: string
  readonly status: TaskDto['status']
  readonly count: number
}

export const countByTypeAndStatus = (db: ReadDb, viewer: Viewer): Promise<StatusCount[]> =>
  matching(db, viewer, {})
    .select(({ fn }) => ['type', 'status', fn.countAll<number>().as('count')])
    .groupBy(['type', 'status'])
    .execute()

/** Processing tasks by type, of workers that have given no sign of life since then. */
export const countStaleByType = (
  db: ReadDb,
  heartbeatBefore: string,
  viewer?: Viewer,
): Promise<{ type: string; count: number }[]> =>
  db
    .selectFrom('task')
    .where(visibleTasks(viewer))
    .leftJoin('worker', 'worker.id', 'task.worker_id')
    .select(({ fn }) => ['task.type', fn.countAll<number>().as('count')])
    .where('task.worker_id', 'is not', null)
    .where('task.status', '=', 'processing')
    .where(({ or, eb }) => or([eb('worker.id', 'is', null), eb('worker.heartbeat_at', '<', heartbeatBefore)]))
    .groupBy('task.type')
    .execute()

export const selectQueue = async (
  db: ReadDb,
  viewer?: Viewer,
): Promise<{ pending: number; processing: number; oldestPendingAt: string | null }> => {
  const row = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('task')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('status', '=', 'pending')
        .where(visibleTasks(viewer))
        .as('pending'),
      selectFrom('task')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('status', '=', 'processing')
        .where(visibleTasks(viewer))
        .as('processing'),
      // Ids are made in the order of time.
      selectFrom('task')
        .select('created_at')
        .where('status', '=', 'pending')
        .where(visibleTasks(viewer))
        .orderBy('id')
        .limit(1)
        .as('oldestPendingAt'),
    ])
    .executeTakeFirstOrThrow()
  return { pending: row.pending ?? 0, processing: row.processing ?? 0, oldestPendingAt: row.oldestPendingAt }
}

export const countCompletedSince = async (db: ReadDb, since: string, viewer?: Viewer): Promise<number> => {
  const { count } = await db
    .selectFrom('task')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('completed_at', '>=', since)
    .where(visibleTasks(viewer))
    .where('status', 'in', ['completed', 'failed'])
    .executeTakeFirstOrThrow()
  return count
}

const sums = (db: ReadDb) =>
  db
    .selectFrom('task_figure')
    .select(({ fn }) => [
      fn.sum<number>('succeeded').as('succeeded'),
      fn.sum<number>('failed').as('failed'),
      fn.sum<number>('retried').as('retried'),
      fn.sum<number>('items').as('items'),
      fn.sum<number>('bytes').as('bytes'),
      fn.sum<number>('duration_ms').as('durationMs'),
      fn.sum<number>('wait_ms').as('waitMs'),
      fn.min('shortest_ms').as('shortestMs'),
      fn.max('longest_ms').as('longestMs'),
    ])

export type Sums = Awaited<ReturnType<ReturnType<typeof sums>['executeTakeFirstOrThrow']>>

export const selectSumsByType = (db: ReadDb, since: string): Promise<(Sums & { type: string })[]> =>
  sums(db).select('type').where('hour', '>=', since).groupBy('type').orderBy('type').execute()

export const selectSumsByPeriod = (
  db: ReadDb,
  { since, granularity, taskType }: { since: string; granularity: 'hour' | 'day'; taskType: string | undefined },
): Promise<(Sums & { period: string })[]> => {
  const period = sql<string>`substr(hour, 1, ${sql.lit(granularity === 'hour' ? 13 : 10)})`
  let query = sums(db).select(period.as('period')).where('hour', '>=', since)
  if (taskType !== undefined) query = query.where('type', '=', taskType)
  return query.groupBy(period).orderBy(period).execute()
}

export const selectDurations = (db: ReadDb, since: string) =>
  db
    .selectFrom('task_duration')
    .select(({ fn }) => ['type', 'bucket', fn.sum<number>('count').as('count')])
    .where('hour', '>=', since)
    .groupBy(['type', 'bucket'])
    .execute()

export const selectLastErrors = (db: ReadDb) => db.selectFrom('task_last_error').selectAll().execute()

export const selectTotals = (db: ReadDb) => db.selectFrom('task_total').selectAll().executeTakeFirstOrThrow()
