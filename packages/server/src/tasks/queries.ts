import { type ExpressionBuilder, type Insertable, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../database/database.ts'
import type { Flag } from '../database/flag.ts'
import { insertMany } from '../database/many.ts'
import { dialectOf } from '../database/transaction.ts'
import type { Schema } from '../database/schema.ts'
import type { WaitingWork } from './look-when-changed.ts'
import type { TaskTables } from './table.ts'

export type TaskRow = Selectable<TaskTables['task']>

/**
 * The value is written into the statement: SQLite uses a partial index only for a statement that states the condition
 * itself, not in a parameter.
 */
const pending = sql.lit<TaskRow['status']>('pending')
const no = sql.lit<Flag>(0)
const live = sql<boolean>`status in ('pending', 'processing')`
/** Beside `live`, which leads to the one task of a key: an index of all that wait would be walked in place of it. */
const waits = sql<boolean>`coalesce(status, '') = 'pending'`

/** False when a task with the same key and slot waits or runs already. */
export const insertTask = async (db: WriteDb, row: Insertable<TaskTables['task']>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('task')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const selectLiveTask = async (db: ReadDb, key: string): Promise<string | undefined> => {
  const row = await db.selectFrom('task').select('id').where('key', '=', key).where(live).executeTakeFirst()
  return row?.id
}

/** Nobody claims it before the transaction has ended; one that runs is neither found nor waited for. */
export const lockWaitingTask = async (db: WriteDb, key: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('task')
    .select('id')
    .where('key', '=', key)
    .where(live)
    .where(waits)
    .modifyEnd(dialectOf(db).unchangedRows)
    .executeTakeFirst()
  return row?.id
}

/** It locks the tasks with these keys that wait or run. */
export const lockLiveTasks = async (db: WriteDb, keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return
  await db
    .updateTable('task')
    .set(({ ref }) => ({ fence: ref('fence') }))
    .where('key', 'in', keys)
    .where(live)
    .execute()
}

/** It locks the task for the rest of the transaction. */
export const lockTask = (db: WriteDb, id: string): Promise<TaskRow | undefined> =>
  db
    .updateTable('task')
    .set(({ ref }) => ({ fence: ref('fence') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** It locks it only as long as it is run under this number. */
export const lockRun = async (db: WriteDb, id: string, fence: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('task')
    .set({ fence })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('status', '=', 'processing')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * The task is cancelled at once: later writes of its worker are refused. The worker keeps it until it has released it.
 */
export const updateCancelled = async (db: WriteDb, id: string, at: string): Promise<void> => {
  await db
    .updateTable('task')
    .set(({ eb }) => ({ status: 'cancelled', completed_at: at, fence: eb('fence', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export const updateForAnotherTry = async (db: WriteDb, id: string, at: string): Promise<void> => {
  await db
    .updateTable('task')
    .set({
      status: 'pending',
      is_due: 1,
      attempts: 0,
      interruptions: 0,
      scheduled_for: at,
      started_at: null,
      completed_at: null,
      progress: null,
      result: null,
      last_error: null,
    })
    .where('id', '=', id)
    .execute()
}

export const updateProgress = async (db: WriteDb, id: string, progress: string): Promise<void> => {
  await db.updateTable('task').set({ progress }).where('id', '=', id).execute()
}

// Claims

/**
 * It returns whether there is work now: it is asked before a transaction is begun for it, and each second of an idle
 * night. Where no types are named it is asked about all.
 */
export const selectWork = async (
  db: ReadDb,
  types: readonly string[] | undefined,
  now: string,
): Promise<WaitingWork> => {
  const meant = types ? sql`and ${ofTypes(types)}` : sql``
  const { rows } = await sql<{ due: string | null; later: string | null; next_at: string | null }>`select
    (select id from task where status = 'pending' and is_due = 1 ${meant} limit 1) as due,
    (select id from task where status = 'pending' and is_due = 0
      and (scheduled_for <= ${now} or created_at > ${minutesAfter(now, 10)}) limit 1) as later,
    (select min(scheduled_for) from task where status = 'pending' and is_due = 0) as next_at`.execute(db)
  const [row] = rows
  return { isDue: row?.due != null, isDueLater: row?.later != null, nextAt: row?.next_at ?? null }
}

/** A worker runs one, or did when it ended. */
export const isAnyTaskHeld = async (db: ReadDb): Promise<boolean> =>
  (await db.selectFrom('task').select('id').where('worker_id', 'is not', null).limit(1).executeTakeFirst()) !==
  undefined

/**
 * Nearly all tasks match: an index of types would lead through all that ever ran, so `coalesce` keeps the planner from
 * using it.
 */
const ofTypes = (types: readonly string[]) => sql<boolean>`coalesce(type, '') in (${sql.join(types)})`

/** A task that was to wait is due when its time has come, or when the clock has been set back since it was made. */
const isTimeFor = ({ or, eb }: ExpressionBuilder<Schema, 'task'>, now: string) =>
  or([eb('scheduled_for', '<=', now), eb('created_at', '>', minutesAfter(now, 10))])

const minutesAfter = (at: string, minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString()

export const updateDue = async (db: WriteDb, now: string): Promise<void> => {
  await db
    .updateTable('task')
    .set({ is_due: 1 })
    .where('status', '=', pending)
    .where('is_due', '=', no)
    .where((eb) => isTimeFor(eb, now))
    .execute()
}

/**
 * The worker claims the most urgent tasks that are due. A key whose task runs, or was cancelled and has not been released yet, is
 * left for later, and of two that wait the second is, so that nothing runs twice at once.
 */
export const claimTasks = async (
  db: WriteDb,
  { workerId, types, limit, at }: { workerId: string; types: readonly string[]; limit: number; at: string },
): Promise<TaskRow[]> => {
  const { rows } = await sql<TaskRow>`
    update task set status = 'processing', worker_id = ${workerId}, fence = fence + 1, attempts = attempts + 1,
      started_at = ${at}, progress = null
    where id in (
      select id from task as candidate where status = 'pending' and is_due = 1 and ${ofTypes(types)} and not exists (
        select 1 from task as held where held.key = candidate.key and held.worker_id is not null and held.key is not null
      ) and not exists (
        select 1 from task as earlier where earlier.key = candidate.key and earlier.key is not null
          and earlier.status in ('pending', 'processing') and coalesce(earlier.status, '') = 'pending'
          and coalesce(earlier.id, '') < candidate.id
      ) order by priority desc, scheduled_for, id limit ${limit} ${dialectOf(db).skipLocked}
    ) returning *`.execute(db)
  return rows.sort((one, other) => other.priority - one.priority || (one.id < other.id ? -1 : 1))
}

// The rest of this file ends runs.

export interface EndedRun {
  readonly id: string
  readonly fence: number
  readonly status: 'pending' | 'completed' | 'failed'
  readonly isDue: 0 | 1
  readonly attempts: number
  /** The latest that was reported: what was stored last may be half a second older. */
  readonly progress: string | null
  readonly lastError: string | null
  readonly result: string | null
  readonly scheduledFor: string
  readonly completedAt: string | null
  /** The task continues with this payload; null means with the one it has. */
  readonly payload: string | null
}

/** Answers which of them still were this worker's to end. */
export const updateEnded = async (db: WriteDb, runs: readonly EndedRun[]): Promise<Set<string>> => {
  if (runs.length === 0) return new Set()
  const values = runs.map(
    (run) => sql`(cast(${run.id} as text), cast(${run.fence} as bigint), cast(${run.status} as text),
      cast(${run.isDue} as bigint), cast(${run.attempts} as bigint), cast(${run.progress} as text),
      cast(${run.lastError} as text), cast(${run.result} as text), cast(${run.scheduledFor} as text),
      cast(${run.completedAt} as text), cast(${run.payload} as text))`,
  )
  const { rows } = await sql<{ id: string }>`
    with ended (id, fence, status, is_due, attempts, progress, last_error, result, scheduled_for, completed_at, payload)
      as (values ${sql.join(values)})
    update task set status = ended.status, is_due = ended.is_due, attempts = ended.attempts,
      progress = ended.progress, last_error = ended.last_error, result = ended.result, scheduled_for = ended.scheduled_for,
      completed_at = ended.completed_at, payload = coalesce(ended.payload, task.payload), worker_id = null
    from ended where task.id = ended.id and task.fence = ended.fence and task.status = 'processing'
    returning task.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** These tasks were cancelled while a worker had them, and it has released them. Undefined means all of them. */
export const updateLetGo = async (db: WriteDb, workerId: string, ids?: readonly string[]): Promise<void> => {
  if (ids?.length === 0) return
  const query = db
    .updateTable('task')
    .set({ worker_id: null })
    .where('worker_id', '=', workerId)
    .where('status', '=', 'cancelled')
  await (ids ? query.where('id', 'in', ids) : query).execute()
}

/** It returns those of `ids` that this worker may still run, with their fencing numbers. */
export const selectHeld = async (db: ReadDb, workerId: string): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('task')
    .select(['id', 'fence'])
    .where('worker_id', '=', workerId)
    .where('status', '=', 'processing')
    .execute()
  return new Map(rows.map(({ id, fence }) => [id, fence]))
}

// Workers

export const insertWorker = async (db: WriteDb, row: Insertable<TaskTables['worker']>): Promise<void> => {
  await db.insertInto('worker').values(row).execute()
}

/** False when this worker has been given up. */
export const updateHeartbeat = async (db: WriteDb, workerId: string, at: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('worker')
    .set(({ eb }) => ({ heartbeat: eb('heartbeat', '+', 1), heartbeat_at: at }))
    .where('id', '=', workerId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * It returns the workers that hold tasks, with what is known of them: a worker without a row has been given up before.
 */
export const selectHolders = (db: ReadDb) =>
  db
    .selectFrom(db.selectFrom('task').select('worker_id').where('worker_id', 'is not', null).distinct().as('holder'))
    .leftJoin('worker', 'worker.id', 'holder.worker_id')
    .select(['holder.worker_id as workerId', 'worker.heartbeat', 'worker.host', 'worker.pid', 'worker.process'])
    .execute()

/** False when it has given a sign of life since, or somebody else was first. */
export const deleteWorker = async (db: WriteDb, workerId: string, heartbeat?: number): Promise<boolean> => {
  let query = db.deleteFrom('worker').where('id', '=', workerId)
  if (heartbeat !== undefined) query = query.where('heartbeat', '=', heartbeat)
  const { numDeletedRows } = await query.executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Rows of workers that hold nothing. One that lives makes itself a new one when it takes something. */
export const deleteIdleWorkers = async (db: WriteDb, heartbeatBefore: string): Promise<void> => {
  await db
    .deleteFrom('worker')
    .where('heartbeat_at', '<', heartbeatBefore)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('task').select('task.id').whereRef('task.worker_id', '=', 'worker.id'))),
    )
    .execute()
}

export interface Release {
  readonly workerId: string
  /** Undefined: all it holds. */
  readonly ids?: readonly string[]
  /** It was interrupted, which counts; or it was handed back, which does not. */
  readonly interrupted: boolean
  readonly interruptionsMax: number
  readonly at: string
  readonly reason: string
}

/** All tasks of a worker go back to the queue, or fail if that has happened too often. It returns what they were. */
export const updateReleased = async (
  db: WriteDb,
  { workerId, ids, interrupted, interruptionsMax, at, reason }: Release,
): Promise<TaskRow[]> => {
  if (ids?.length === 0) return []
  const count = interrupted ? 1 : 0
  const among = ids ? sql` and id in (${sql.join(ids)})` : sql``
  const { rows } = await sql<TaskRow>`
    update task set fence = fence + 1, worker_id = null,
      attempts = case when attempts > 0 then attempts - 1 else 0 end,
      interruptions = interruptions + cast(${count} as bigint),
      is_due = 1,
      started_at = case when interruptions + ${count} > ${interruptionsMax} then started_at else null end,
      completed_at = case when interruptions + ${count} > ${interruptionsMax} then ${at} else null end,
      last_error = case when interruptions + ${count} > ${interruptionsMax} then ${reason} else last_error end,
      status = case when interruptions + ${count} > ${interruptionsMax} then 'failed' else 'pending' end
    where worker_id = ${workerId} and status = 'processing'${among} returning *`.execute(db)
  return rows
}

// Figures

/** It adds to what is there. Rows in order, so that two workers cannot each wait for what the other holds. */
export const addFigures = async (db: WriteDb, rows: readonly TaskTables['task_figure'][]): Promise<void> => {
  await db
    .insertInto('task_figure')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['hour', 'type']).doUpdateSet(({ eb, ref }) => ({
        succeeded: eb('task_figure.succeeded', '+', ref('excluded.succeeded')),
        failed: eb('task_figure.failed', '+', ref('excluded.failed')),
        retried: eb('task_figure.retried', '+', ref('excluded.retried')),
        items: eb('task_figure.items', '+', ref('excluded.items')),
        bytes: eb('task_figure.bytes', '+', ref('excluded.bytes')),
        duration_ms: eb('task_figure.duration_ms', '+', ref('excluded.duration_ms')),
        wait_ms: eb('task_figure.wait_ms', '+', ref('excluded.wait_ms')),
        shortest_ms: sql<number>`case when excluded.shortest_ms < task_figure.shortest_ms
          then excluded.shortest_ms else task_figure.shortest_ms end`,
        longest_ms: sql<number>`case when excluded.longest_ms > task_figure.longest_ms
          then excluded.longest_ms else task_figure.longest_ms end`,
      })),
    )
    .execute()
}

export const addDurations = async (db: WriteDb, rows: readonly TaskTables['task_duration'][]): Promise<void> => {
  if (rows.length === 0) return
  await db
    .insertInto('task_duration')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['hour', 'type', 'bucket'])
        .doUpdateSet(({ eb, ref }) => ({ count: eb('task_duration.count', '+', ref('excluded.count')) })),
    )
    .execute()
}

export const upsertLastErrors = async (db: WriteDb, rows: readonly TaskTables['task_last_error'][]): Promise<void> => {
  if (rows.length === 0) return
  await db
    .insertInto('task_last_error')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('type').doUpdateSet(({ ref }) => ({ message: ref('excluded.message'), at: ref('excluded.at') })),
    )
    .execute()
}

export const addTotals = async (db: WriteDb, succeeded: number, failed: number): Promise<void> => {
  await db
    .updateTable('task_total')
    .set(({ eb }) => ({ succeeded: eb('succeeded', '+', succeeded), failed: eb('failed', '+', failed) }))
    .execute()
}

/** Totals start again from here. */
export const markRestart = async (db: WriteDb): Promise<void> => {
  await db
    .updateTable('task_total')
    .set(({ ref }) => ({ succeeded_before: ref('succeeded'), failed_before: ref('failed') }))
    .execute()
}

export const deleteFigures = async (db: WriteDb, figuresBefore: string, durationsBefore: string): Promise<void> => {
  await db.deleteFrom('task_figure').where('hour', '<', figuresBefore).execute()
  await db.deleteFrom('task_duration').where('hour', '<', durationsBefore).execute()
}

// Schedules

export const selectSchedules = (db: ReadDb, names: readonly string[]) =>
  db.selectFrom('schedule').selectAll().where('name', 'in', names).execute()

/** One that another node has written first stays. */
export const insertSchedules = (db: WriteDb, rows: readonly TaskTables['schedule'][]): Promise<void> =>
  insertMany(db, 'schedule', rows, 'is left as it is')

/** False when another node was first. */
export const updateSchedule = async (
  db: WriteDb,
  { name, pattern, checked_at }: TaskTables['schedule'],
  seen: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('schedule')
    .set({ pattern, checked_at })
    .where('name', '=', name)
    .where('checked_at', '=', seen)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

// Clean-up

/** When the latest finished tasks of a type were made, as far as that is not in the future. */
export const selectLatestRuns = async (
  db: ReadDb,
  type: string,
  notAfter: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('task')
    .select('created_at')
    .where('type', '=', type)
    .where('status', '=', 'completed')
    .where('created_at', '<=', notAfter)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ created_at }) => created_at)
}

/** The oldest ends among finished tasks, a few at a time. */
export const deleteFinished = async (db: WriteDb, completedBefore: string, limit: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('task')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('task')
        .select('id')
        .where('completed_at', '<', completedBefore)
        .where('worker_id', 'is', null)
        .orderBy('completed_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
