import type { Insertable, Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany, updateMany } from '../../database/many.ts'
import type { Paging } from '../../platform/paging.ts'
import type { MetadataTables } from './table.ts'

export const selectLayers = async (
  db: ReadDb,
  entityIds: readonly string[],
): Promise<Selectable<MetadataTables['metadata_layer']>[]> =>
  entityIds.length === 0
    ? []
    : db.selectFrom('metadata_layer').selectAll().where('entity_id', 'in', entityIds).execute()

export const upsertLayers = (
  db: WriteDb,
  rows: readonly Insertable<MetadataTables['metadata_layer']>[],
): Promise<void> =>
  insertMany(db, 'metadata_layer', rows, {
    keys: ['entity_id', 'source'],
    sets: ['fields', 'at', 'by_user_id'],
  })

/** These layers are written field by field, with who has said each field. */
export const upsertSpokenLayers = (
  db: WriteDb,
  rows: readonly Insertable<MetadataTables['metadata_layer']>[],
): Promise<void> =>
  insertMany(db, 'metadata_layer', rows, {
    keys: ['entity_id', 'source'],
    sets: ['fields', 'said', 'at', 'by_user_id'],
  })

/** These sources are written field by field. */
export const selectSpokenLayers = async (db: ReadDb, entityIds: readonly string[]) =>
  entityIds.length === 0
    ? []
    : db
        .selectFrom('metadata_layer')
        .selectAll()
        .where('entity_id', 'in', entityIds)
        .where((eb) => eb.or([eb('source', 'in', ['user', 'lock']), eb('source', 'like', 'plugin:%')]))
        .execute()

export const selectNamesOfUsers = async (db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('user').select(['id', 'username']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

/** All that is kept of books or series by their ids, for those that are forgotten. */
export const deleteLayersOf = async (db: WriteDb, entityIds: readonly string[]): Promise<void> => {
  if (entityIds.length === 0) return
  await db.deleteFrom('metadata_layer').where('entity_id', 'in', entityIds).execute()
  await db.deleteFrom('metadata_change').where('entity_id', 'in', entityIds).execute()
  await deleteExternalIds(db, entityIds)
}

export const deleteExternalIds = async (db: WriteDb, entityIds: readonly string[]): Promise<void> => {
  if (entityIds.length > 0) await db.deleteFrom('external_id').where('entity_id', 'in', entityIds).execute()
}

export const selectExternalIds = async (db: ReadDb, entityIds: readonly string[]) =>
  entityIds.length === 0 ? [] : db.selectFrom('external_id').selectAll().where('entity_id', 'in', entityIds).execute()

export const countChanges = async (db: ReadDb, entityId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('metadata_change')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('entity_id', '=', entityId)
    .executeTakeFirstOrThrow()
  return count
}

/** The newest first. */
export const selectChanges = (db: ReadDb, entityId: string, { limit, offset }: Paging) =>
  db
    .selectFrom('metadata_change')
    .leftJoin('user', 'user.id', 'metadata_change.by_user_id')
    .selectAll('metadata_change')
    .select('user.username')
    .where('metadata_change.entity_id', '=', entityId)
    .orderBy('metadata_change.at', 'desc')
    .orderBy('metadata_change.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const selectChange = (db: ReadDb, entityId: string, id: string) =>
  db.selectFrom('metadata_change').selectAll().where('id', '=', id).where('entity_id', '=', entityId).executeTakeFirst()

export const selectChangesById = async (db: ReadDb, ids: readonly string[]) =>
  ids.length === 0 ? [] : db.selectFrom('metadata_change').selectAll().where('id', 'in', ids).execute()

export const selectUndoneBy = async (
  db: ReadDb,
  entityIds: readonly string[],
  undoing: readonly string[],
): Promise<string[]> => {
  if (undoing.length === 0) return []
  const rows = await db
    .selectFrom('metadata_change')
    .select('id')
    .where('entity_id', 'in', entityIds)
    .where('undone_by', 'in', undoing)
    .execute()
  return rows.map(({ id }) => id)
}

/** By what they were taken back; null: they hold again. */
export const updateUndoneBy = async (
  db: WriteDb,
  undone: readonly { readonly id: string; readonly undone_by: string | null }[],
): Promise<void> => updateMany(db, 'metadata_change', { keys: { id: 'text' }, columns: { undone_by: 'text' } }, undone)

/** What files said of books goes with what was in the files. */
export const forgetFileLayers = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  if (bookIds.length === 0) return
  await db.deleteFrom('metadata_layer').where('entity_id', 'in', bookIds).where('source', 'like', 'file:%').execute()
}

/** What the files and paths of its books said of a series. */
export const forgetDerivedLayers = async (db: WriteDb, seriesIds: readonly string[]): Promise<void> => {
  if (seriesIds.length === 0) return
  await db
    .deleteFrom('metadata_layer')
    .where('entity_id', 'in', seriesIds)
    .where((eb) => eb.or([eb('source', 'like', 'file:%'), eb('source', '=', 'path')]))
    .execute()
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

export const insertChanges = (
  db: WriteDb,
  rows: readonly Insertable<MetadataTables['metadata_change']>[],
): Promise<void> => insertMany(db, 'metadata_change', rows)

/** A file may name the same id twice. */
export const insertExternalIds = (
  db: WriteDb,
  rows: readonly Insertable<MetadataTables['external_id']>[],
): Promise<void> => insertMany(db, 'external_id', rows, 'is left as it is')

export const deleteChanges = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await db.deleteFrom('metadata_change').where('id', 'in', ids).execute()
}
