import type { SeriesExportDto } from '@carrel/api'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { dialectOf } from '../../database/transaction.ts'
import type { ExportTables } from './table.ts'

export type ExportRow = Selectable<ExportTables['series_export']>

/** Each export comes with the state of its task. */
const exports = (db: ReadDb) =>
  db
    .selectFrom('series_export')
    .leftJoin('task', 'task.id', 'series_export.task_id')
    .selectAll('series_export')
    .select(['task.status as task_status', 'task.progress as task_progress', 'task.started_at as task_started_at'])

export type ShownExport = Awaited<ReturnType<ReturnType<typeof exports>['executeTakeFirstOrThrow']>>

/** The newest export comes first. */
export const selectExports = (db: ReadDb, userId: string, limit: number): Promise<ShownExport[]> =>
  exports(db)
    .where('series_export.user_id', '=', userId)
    .orderBy('series_export.created_at', 'desc')
    .orderBy('series_export.id', 'desc')
    .limit(limit)
    .execute()

export const selectExport = (db: ReadDb, userId: string, id: string): Promise<ShownExport | undefined> =>
  exports(db).where('series_export.user_id', '=', userId).where('series_export.id', '=', id).executeTakeFirst()

export const selectWork = (db: ReadDb, id: string): Promise<ExportRow | undefined> =>
  db.selectFrom('series_export').selectAll().where('id', '=', id).executeTakeFirst()

/** The lock keeps others from removing it meanwhile. */
export const lockExport = (db: WriteDb, id: string) =>
  db
    .selectFrom('series_export')
    .select(['id', 'file_name'])
    .where('id', '=', id)
    .modifyEnd(dialectOf(db).lockedRows('series_export'))
    .executeTakeFirst()

export const insertExport = async (db: WriteDb, row: Insertable<ExportTables['series_export']>): Promise<void> => {
  await db.insertInto('series_export').values(row).execute()
}

export const updateExport = async (
  db: WriteDb,
  id: string,
  changes: Updateable<ExportTables['series_export']>,
): Promise<void> => {
  await db.updateTable('series_export').set(changes).where('id', '=', id).execute()
}

/** It returns the names of their files. */
export const deleteExports = async (db: WriteDb, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await db.deleteFrom('series_export').where('id', 'in', ids).returning('file_name').execute()
  return rows.flatMap(({ file_name }) => file_name ?? [])
}

export const countUnderWay = async (db: ReadDb, userId: string): Promise<number> => {
  const { count } = await exports(db)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('series_export.user_id', '=', userId)
    .where('series_export.completed_at', 'is', null)
    .where('task.status', 'in', ['pending', 'processing'])
    .executeTakeFirstOrThrow()
  return count
}

/** It reads a user's finished exports, the oldest first. */
export const selectEnded = async (db: ReadDb, userId: string): Promise<string[]> => {
  const rows = await exports(db)
    .clearSelect()
    .select('series_export.id')
    .where('series_export.user_id', '=', userId)
    .where(({ eb, or, not }) =>
      or([
        eb('series_export.completed_at', 'is not', null),
        eb('task.status', 'is', null),
        not(eb('task.status', 'in', ['pending', 'processing'])),
      ]),
    )
    .orderBy('series_export.created_at')
    .orderBy('series_export.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Everybody's finished ones but this, the oldest first, as many as must go for the rest to fit into so many bytes. */
export const selectTooMany = async (db: ReadDb, exceptId: string, bytesLeft: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, completed_at, sum(size) over (order by completed_at desc, id desc) as newer_and_this
      from series_export where completed_at is not null and id <> ${exceptId}
    ) as kept
    where newer_and_this > ${bytesLeft} order by completed_at, id`.execute(db)
  return rows.map(({ id }) => id)
}

export const selectExpired = async (db: ReadDb, now: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('series_export')
    .select('id')
    .where('expires_at', '<', now)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** It returns those of these file names that belong to an export. */
export const selectNamed = async (db: ReadDb, fileNames: readonly string[]): Promise<ReadonlySet<string>> => {
  if (fileNames.length === 0) return new Set()
  const rows = await db.selectFrom('series_export').select('file_name').where('file_name', 'in', fileNames).execute()
  return new Set(rows.flatMap(({ file_name }) => file_name ?? []))
}

const statusOf = ({ completed_at, task_status }: ShownExport): SeriesExportDto['status'] => {
  if (completed_at !== null || task_status === 'completed') return 'completed'
  if (task_status === 'processing') return 'running'
  // A task that nobody remembers any more was not finished in a month.
  return task_status ?? 'failed'
}

export const toExport = (row: ShownExport): SeriesExportDto => {
  const status = statusOf(row)
  const isUnderWay = status === 'pending' || status === 'running'
  return {
    id: row.id,
    exportType: row.export_type,
    format: row.format,
    fields: JSON.parse(row.fields) as string[],
    bookFields: JSON.parse(row.book_fields) as string[],
    libraryIds: row.library_ids === null ? [] : (JSON.parse(row.library_ids) as string[]),
    status,
    taskId: row.task_id,
    progress:
      isUnderWay && row.task_progress !== null ? (JSON.parse(row.task_progress) as SeriesExportDto['progress']) : null,
    rowCount: row.row_count,
    fileSizeBytes: row.size,
    error: status === 'failed' ? (row.error ?? 'It could not be made. Ask for it again.') : null,
    createdAt: row.created_at,
    startedAt: row.started_at ?? row.task_started_at,
    completedAt: row.completed_at,
    expiresAt: row.expires_at,
  }
}
