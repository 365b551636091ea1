import type { ReadingStatus } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import type { Paging } from '../../platform/paging.ts'
import { listedTo, type Viewer } from '../../catalogue/visibility/visibility.ts'

export const upsertStatus = (
  db: WriteDb,
  { userId, seriesId, status, at }: { userId: string; seriesId: string; status: ReadingStatus; at: string },
): Promise<void> =>
  insertMany(db, 'series_status', [{ user_id: userId, series_id: seriesId, status, updated_at: at }], {
    keys: ['user_id', 'series_id'],
    sets: ['status', 'updated_at'],
  })

type Paused = { readonly userId: string; readonly seriesId: string; readonly at: string }

export const insertPaused = async (db: WriteDb, { userId, seriesId, at }: Paused): Promise<boolean> => {
  const rows = await db
    .insertInto('series_status')
    .values({ user_id: userId, series_id: seriesId, status: 'paused', updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('series_id')
    .execute()
  return rows.length > 0
}

/** It is deleted as it was written, and not where it was said anew. */
export const deletePaused = async (db: WriteDb, { userId, seriesId, at }: Paused): Promise<void> => {
  await db
    .deleteFrom('series_status')
    .where('user_id', '=', userId)
    .where('series_id', '=', seriesId)
    .where('status', '=', 'paused')
    .where('updated_at', '=', at)
    .execute()
}

export const deleteStatus = async (db: WriteDb, userId: string, seriesId: string): Promise<void> => {
  await db.deleteFrom('series_status').where('user_id', '=', userId).where('series_id', '=', seriesId).execute()
}

const marked = (db: ReadDb, viewer: Viewer, status: ReadingStatus | undefined) =>
  db
    .selectFrom('series_status')
    .innerJoin('series', 'series.id', 'series_status.series_id')
    .where('series_status.user_id', '=', viewer.userId)
    .where(listedTo(viewer, 'series'))
    .$if(status !== undefined, (query) => query.where('series_status.status', '=', status ?? 'reading'))

export const countMarked = async (db: ReadDb, viewer: Viewer, status: ReadingStatus | undefined): Promise<number> => {
  const { count } = await marked(db, viewer, status)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectMarkedIds = async (
  db: ReadDb,
  viewer: Viewer,
  status: ReadingStatus | undefined,
  { limit, offset }: Paging,
): Promise<string[]> => {
  const rows = await marked(db, viewer, status)
    .select('series_status.series_id')
    .orderBy('series_status.updated_at', 'desc')
    .orderBy('series_status.series_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ series_id }) => series_id)
}
