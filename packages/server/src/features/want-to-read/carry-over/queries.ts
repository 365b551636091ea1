import { sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'

/** Whoever wanted any of these wants the series that stays, at the place they had given it. In the transaction of the merge. */
export const carryWantedOver = async (db: WriteDb, fromIds: readonly string[], intoId: string): Promise<void> => {
  await db
    .updateTable('want_to_read')
    .set({ series_id: intoId })
    .where('series_id', 'in', fromIds)
    .where(
      'id',
      'in',
      sql<string>`(select id from (
        select id, row_number() over (
          partition by user_id order by case when series_id = ${intoId} then 0 else 1 end, position, id
        ) as place
        from want_to_read where series_id in (${sql.join([intoId, ...fromIds])})
      ) as wanted where place = 1)`,
    )
    .execute()
}
