import { sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'

/**
 * A user's reader settings for one of these pass to the series that stays, unless they have some for it. The call
 * belongs in the transaction of the merge.
 */
export const carryReaderSettingsOver = async (
  db: WriteDb,
  fromIds: readonly string[],
  intoId: string,
): Promise<void> => {
  await db
    .updateTable('reader_setting')
    .set({ series_id: intoId, subject: intoId })
    .where('series_id', 'in', fromIds)
    .where(
      sql<boolean>`(user_id, series_id) in (select user_id, series_id from (
        select user_id, series_id, row_number() over (
          partition by user_id order by case when series_id = ${intoId} then 0 else 1 end, updated_at desc, series_id
        ) as place
        from reader_setting where series_id in (${sql.join([intoId, ...fromIds])})
      ) as said where place = 1)`,
    )
    .execute()
}
