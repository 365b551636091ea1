import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { MetadataTables } from './table.ts'

export const selectLayers = async (
  db: ReadDb,
  entityIds: readonly string[],
): Promise<Selectable<MetadataTables['metadata_layer']>[]> =>
  entityIds.length === 0
    ? []
    : db.selectFrom('metadata_layer').selectAll().where('entity_id', 'in', entityIds).execute()

export const deleteLayersOf = async (db: WriteDb, entityIds: readonly string[]): Promise<void> => {
  if (entityIds.length > 0) await db.deleteFrom('metadata_layer').where('entity_id', 'in', entityIds).execute()
}

/** What files said of books goes with what was in the files. */
export const forgetFileLayers = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  if (bookIds.length === 0) return
  await db.deleteFrom('metadata_layer').where('entity_id', 'in', bookIds).where('source', 'like', 'file:%').execute()
}

export const forgetLayers = async (
  db: WriteDb,
  layers: readonly { readonly entityId: string; readonly source: string }[],
): Promise<void> => {
  for (const [source, each] of Map.groupBy(layers, (layer) => layer.source)) {
    const ids = each.map(({ entityId }) => entityId)
    await db.deleteFrom('metadata_layer').where('source', '=', source).where('entity_id', 'in', ids).execute()
  }
}
