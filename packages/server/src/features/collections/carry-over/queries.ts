import { type Selectable, sql } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import type { CollectionTables } from '../table.ts'

type MemberRow = Selectable<CollectionTables['collection_series']>

/**
 * The series that stays is in every collection that had one of these, at its place. It returns where they all stood. In
 * the transaction of the merge.
 */
export const carryCollectionsOver = async (
  db: WriteDb,
  fromIds: readonly string[],
  intoId: string,
): Promise<readonly MemberRow[]> => {
  const before = await db
    .selectFrom('collection_series')
    .selectAll()
    .where('series_id', 'in', [intoId, ...fromIds])
    .execute()
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
  return before
}

/** The series returns to the collections that have not lost the one that stayed since then. */
export const giveCollectionsBack = async (db: WriteDb, before: readonly MemberRow[], intoId: string): Promise<void> => {
  const still = await db.selectFrom('collection_series').selectAll().where('series_id', '=', intoId).execute()
  const holding = new Set(still.map(({ collection_id }) => collection_id))
  const back = before.filter(({ series_id, collection_id }) => series_id !== intoId && holding.has(collection_id))
  const own = new Set(before.filter(({ series_id }) => series_id === intoId).map(({ collection_id }) => collection_id))
  const lent = [...new Set(back.map(({ collection_id }) => collection_id))].filter((id) => !own.has(id))
  if (lent.length > 0)
    await db
      .deleteFrom('collection_series')
      .where('series_id', '=', intoId)
      .where('collection_id', 'in', lent)
      .execute()
  await insertMany(db, 'collection_series', back, 'is left as it is')
}
