import { type Selectable, sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import type { SeriesStatusTables } from '../table.ts'

type StatusRow = Selectable<SeriesStatusTables['series_status']>

/**
 * What somebody said of one of these they say of the series that stays, unless they have said something of it. Answers
 * what was said of all of them. In the transaction of the merge.
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

/** When the merge is taken back: what was said since then of the one that stayed stays said of it. */
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
