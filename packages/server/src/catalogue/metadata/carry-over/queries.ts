import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'

export const selectUserLayers = (db: ReadDb, entityIds: readonly string[]) =>
  db.selectFrom('metadata_layer').selectAll().where('source', '=', 'user').where('entity_id', 'in', entityIds).execute()

interface SpokenLayer {
  readonly entityId: string
  readonly fields: object
  readonly origins: object
  readonly at: string
  readonly by: string | null
}

export const saveUserLayer = (db: WriteDb, { entityId, fields, origins, at, by }: SpokenLayer): Promise<void> =>
  insertMany(
    db,
    'metadata_layer',
    [
      {
        entity_id: entityId,
        source: 'user',
        fields: JSON.stringify(fields),
        said: JSON.stringify(origins),
        at,
        by_user_id: by,
      },
    ],
    { keys: ['entity_id', 'source'], sets: ['fields', 'said', 'at', 'by_user_id'] },
  )

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

interface Merge {
  readonly id: string
  readonly entityId: string
  readonly at: string
  readonly by: string | null
  readonly changes: readonly object[]
  readonly words: object
}

export const insertMerge = (db: WriteDb, { id, entityId, at, by, changes, words }: Merge): Promise<void> =>
  insertMany(db, 'metadata_change', [
    {
      id,
      entity_id: entityId,
      at,
      by_user_id: by,
      source: 'user',
      reason: 'merge',
      changes: JSON.stringify(changes),
      said_before: JSON.stringify(words),
      undone_by: null,
    },
  ])

export const selectExternalIdsOf = (db: ReadDb, entityIds: readonly string[]) =>
  db.selectFrom('external_id').selectAll().where('entity_id', 'in', entityIds).orderBy('external_id').execute()

export const insertExternalIds = (db: WriteDb, rows: Awaited<ReturnType<typeof selectExternalIdsOf>>): Promise<void> =>
  insertMany(db, 'external_id', rows, 'is left as it is')

export const deleteExternalIdsOf = async (db: WriteDb, entityIds: readonly string[]): Promise<void> => {
  await db.deleteFrom('external_id').where('entity_id', 'in', entityIds).execute()
}
