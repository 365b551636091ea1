import { type Selectable, sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import type { FollowingTables } from '../table.ts'

type FollowRow = Selectable<FollowingTables['series_follow']>

/**
 * Followers of one of these follow the series that stays, and its arrivals become arrivals of that series. It returns
 * who followed any of them. The call belongs in the transaction of the merge.
 */
export const carryFollowsOver = async (
  db: WriteDb,
  fromIds: readonly string[],
  intoId: string,
): Promise<readonly FollowRow[]> => {
  await db.updateTable('arrival').set({ series_id: intoId }).where('series_id', 'in', fromIds).execute()
  const before = await db
    .selectFrom('series_follow')
    .selectAll()
    .where('series_id', 'in', [intoId, ...fromIds])
    .execute()
  if (before.length === 0) return before
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
  return before
}

/**
 * It undoes the merge for followers: a user who still follows the series that stayed follows again what they had
 * followed.
 */
export const giveFollowsBack = async (db: WriteDb, before: readonly FollowRow[], intoId: string): Promise<void> => {
  if (before.length === 0) return
  const now = await db
    .selectFrom('series_follow')
    .select('user_id')
    .where('series_id', '=', intoId)
    .where('user_id', 'in', [...new Set(before.map(({ user_id }) => user_id))])
    .execute()
  const followed = new Set(before.filter(({ series_id }) => series_id === intoId).map(({ user_id }) => user_id))
  const carried = now.map(({ user_id }) => user_id).filter((userId) => !followed.has(userId))
  if (carried.length > 0)
    await db.deleteFrom('series_follow').where('series_id', '=', intoId).where('user_id', 'in', carried).execute()
  const stillFollow = new Set(now.map(({ user_id }) => user_id))
  const back = before.filter(({ series_id, user_id }) => series_id !== intoId && stillFollow.has(user_id))
  await insertMany(db, 'series_follow', back, 'is left as it is')
}
