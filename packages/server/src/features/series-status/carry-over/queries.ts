import { sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'

/** What somebody said of one of these they say of the series that stays, unless they have said something of it. In the transaction of the merge. */
export const carryStatusOver = async (db: WriteDb, fromIds: readonly string[], intoId: string): Promise<void> => {
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
}
