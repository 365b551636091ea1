import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import { insertExternalIds } from '../queries.ts'

/** All that is kept of series by their ids. */
export const selectAllOf = async (db: ReadDb, entityIds: readonly string[]) => ({
  layers: await db.selectFrom('metadata_layer').selectAll().where('entity_id', 'in', entityIds).execute(),
  changes: await db.selectFrom('metadata_change').selectAll().where('entity_id', 'in', entityIds).execute(),
  externalIds: await selectExternalIdsOf(db, entityIds),
})

export type AllOf = Awaited<ReturnType<typeof selectAllOf>>

export const insertAllOf = async (db: WriteDb, { layers, changes, externalIds }: AllOf): Promise<void> => {
  await insertMany(db, 'metadata_layer', layers)
  await insertMany(db, 'metadata_change', changes)
  await insertExternalIds(db, externalIds)
}

export const selectExternalIdsOf = (db: ReadDb, entityIds: readonly string[]) =>
  db.selectFrom('external_id').selectAll().where('entity_id', 'in', entityIds).orderBy('external_id').execute()
