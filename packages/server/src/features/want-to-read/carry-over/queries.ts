import { type Selectable, sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import type { WantToReadTables } from '../table.ts'

type WantedRow = Selectable<WantToReadTables['want_to_read']>

const columnOf = { series: 'series_id', book: 'book_id' } as const

/**
 * A user who wanted any of these wants the one that stays, at the position they had given it. It returns the former
 * entries of those that go. The call belongs in the transaction of the merge.
 */
export const carryWantedOver = async (
  db: WriteDb,
  entity: 'series' | 'book',
  fromIds: readonly string[],
  intoId: string,
): Promise<readonly WantedRow[]> => {
  const column = columnOf[entity]
  const before = await db.selectFrom('want_to_read').selectAll().where(column, 'in', fromIds).execute()
  await db
    .updateTable('want_to_read')
    .set({ [column]: intoId })
    .where(column, 'in', fromIds)
    .where(
      'id',
      'in',
      sql<string>`(select id from (
        select id, row_number() over (
          partition by user_id order by case when ${sql.ref(column)} = ${intoId} then 0 else 1 end, position, id
        ) as place
        from want_to_read where ${sql.ref(column)} in (${sql.join([intoId, ...fromIds])})
      ) as wanted where place = 1)`,
    )
    .execute()
  await db.deleteFrom('want_to_read').where(column, 'in', fromIds).execute()
  return before
}

/** A user who still wants the one that stayed gets their former entries back. */
export const giveWantedBack = async (
  db: WriteDb,
  entity: 'series' | 'book',
  before: readonly WantedRow[],
  intoId: string,
): Promise<void> => {
  if (before.length === 0) return
  const column = columnOf[entity]
  const userIds = [...new Set(before.map(({ user_id }) => user_id))]
  const still = await db
    .selectFrom('want_to_read')
    .select('user_id')
    .where(column, '=', intoId)
    .where('user_id', 'in', userIds)
    .execute()
  const wanting = new Set(still.map(({ user_id }) => user_id))
  const back = before.filter(({ user_id }) => wanting.has(user_id))
  if (back.length === 0) return
  const ids = back.map(({ id }) => id)
  await db.deleteFrom('want_to_read').where(column, '=', intoId).where('id', 'in', ids).execute()
  await insertMany(db, 'want_to_read', back, 'is left as it is')
}
