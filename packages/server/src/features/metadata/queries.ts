import type { WriteDb } from '../../database/database.ts'

export const deleteLayers = async (db: WriteDb, entityIds: readonly string[]): Promise<void> => {
  if (entityIds.length === 0) return
  await db.deleteFrom('metadata_layer').where('entity_id', 'in', entityIds).execute()
}
