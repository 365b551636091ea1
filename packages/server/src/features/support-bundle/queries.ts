import type { TaskDto } from '@carrel/api'
import { sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import { readFailure } from '../../tasks/failure.ts'

/** From there on it only matters that there are many, and counting on would take long. */
export const countedMax = 1_000_000

export const countRows = async (db: ReadDb, tables: readonly string[]): Promise<Record<string, number>> => {
  const counts = tables.map(
    (table) => sql`select ${sql.lit(table)} as name,
      (select count(*) from (select 1 from ${sql.table(table)} limit ${sql.lit(countedMax)}) as counted) as count`,
  )
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

export const countTasks = async (db: ReadDb): Promise<{ type: string; status: TaskDto['status']; count: number }[]> =>
  db
    .selectFrom('task')
    .select(({ fn }) => ['type', 'status', fn.countAll<number>().as('count')])
    .groupBy(['type', 'status'])
    .orderBy('type')
    .orderBy('status')
    .execute()

interface FailedTask {
  readonly type: string
  /** Its sentence and its values may name books and files: they stay here. */
  readonly code: string | null
  readonly reason: string | null
  readonly attempts: number
  readonly maxAttempts: number
  readonly interruptions: number
  readonly createdAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
}

export const selectFailedTasks = async (db: ReadDb, limit: number): Promise<FailedTask[]> => {
  const rows = await db
    .selectFrom('task')
    .select(['type', 'last_error', 'attempts', 'max_attempts', 'interruptions'])
    .select(['created_at', 'started_at', 'completed_at'])
    .where('status', '=', 'failed')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => {
    const { lastFailure } = readFailure(row.last_error)
    return {
      type: row.type,
      code: lastFailure?.code ?? null,
      reason: lastFailure?.reason ?? null,
      attempts: row.attempts,
      maxAttempts: row.max_attempts,
      interruptions: row.interruptions,
      createdAt: row.created_at,
      startedAt: row.started_at,
      endedAt: row.completed_at,
    }
  })
}
