import { sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'

/** The series that stays is in every collection that had one of these, at its place. In the transaction of the merge. */
export const carryCollectionsOver = async (db: WriteDb, fromIds: readonly string[], intoId: string): Promise<void> => {
  await db
    .updateTable('collection_series')
    .set({ series_id: intoId })
    .where(
      sql<boolean>`(collection_id, series_id) in (select collection_id, series_id from (
        select collection_id, series_id, row_number() over (
          partition by collection_id order by case when series_id = ${intoId} then 0 else 1 end, position, series_id
        ) as place
        from collection_series where series_id in (${sql.join([intoId, ...fromIds])})
      ) as members where place = 1 and series_id <> ${intoId})`,
    )
    .execute()
}
