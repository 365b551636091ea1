import { sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'

/** Whoever reads one of these in a way of their own reads the series that stays so, unless they have one for it. In the transaction of the merge. */
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
