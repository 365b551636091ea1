import { sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'

/** Whoever follows one of these follows the series that stays, which is also what has arrived in them. In the transaction of the merge. */
export const carryFollowsOver = async (db: WriteDb, fromIds: readonly string[], intoId: string): Promise<void> => {
  await db
    .updateTable('series_follow')
    .set({ series_id: intoId })
    .where('series_id', 'in', fromIds)
    .where(
      sql<boolean>`(user_id, series_id) in (select user_id, series_id from (
        select user_id, series_id, row_number() over (
          partition by user_id order by case when series_id = ${intoId} then 0 else 1 end, followed_at, series_id
        ) as place
        from series_follow where series_id in (${sql.join([intoId, ...fromIds])})
      ) as followed where place = 1)`,
    )
    .execute()
  await db.updateTable('arrival').set({ series_id: intoId }).where('series_id', 'in', fromIds).execute()
}
