import { type Selectable, sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import type { SeriesStatusTables } from '../table.ts'

type StatusRow = Selectable<SeriesStatusTables['series_status']>

/**
 * A user's status for one of these passes to the series that stays, unless they have set one for it. It returns all
 * former statuses. The call belongs in the transaction of the merge.
 */
export const carryStatusOver = async (
  db: WriteDb,
  fromIds: readonly string[],
  intoId: string,
): Promise<readonly StatusRow[]> => {
  const before = await db
    .selectFrom('series_status')
    .selectAll()
    .where('series_id', 'in', [intoId, ...fromIds])
    .execute()
  if (before.length === 0) return before
  await db
    .updateTable('series_status')
    .set({ series_id: intoId })
    .where('series_id', 'in', fromIds)
    .where(
      sql<boolean>`(user_id, series_id) in (select user_id, series_id from (
        select user_id, series_id, row_number() over (
          partition by user_id order by case when series_id = ${intoId} then 0 else 1 end, updated_at desc, series_id
        ) as place
        from series_status where series_id in (${sql.join([intoId, ...fromIds])})
      ) as said where place = 1)`,
    )
    .execute()
  return before
}

/** It undoes the merge for statuses: a status set since then for the series that stayed stays with it. */
export const giveStatusBack = async (db: WriteDb, before: readonly StatusRow[], intoId: string): Promise<void> => {
  if (before.length === 0) return
  const now = await db
    .selectFrom('series_status')
    .select(['user_id', 'updated_at'])
    .where('series_id', '=', intoId)
    .where('user_id', 'in', [...new Set(before.map(({ user_id }) => user_id))])
    .execute()
  const ofParts = before.filter(({ series_id }) => series_id !== intoId)
  const hadOne = new Set(before.filter(({ series_id }) => series_id === intoId).map(({ user_id }) => user_id))
  const isCarried = (standing: Pick<StatusRow, 'user_id' | 'updated_at'>): boolean =>
    !hadOne.has(standing.user_id) &&
    ofParts.some(({ user_id, updated_at }) => user_id === standing.user_id && updated_at === standing.updated_at)
  const carried = now.filter(isCarried).map(({ user_id }) => user_id)
  if (carried.length > 0)
    await db.deleteFrom('series_status').where('series_id', '=', intoId).where('user_id', 'in', carried).execute()
  const stillSay = new Set(now.map(({ user_id }) => user_id))
  const back = ofParts.filter(({ user_id }) => stillSay.has(user_id))
  await insertMany(db, 'series_status', back, 'is left as it is')
}
