import { sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'

export interface LayerKey {
  readonly entity_id: string
  readonly source: string
}

export interface LayersToRead {
  readonly sources: readonly string[]
  readonly before: string
  /** Undefined: of all. */
  readonly libraryId?: string
}

/** What these sources said before then, a part at a time in the order of its key. */
export const selectLayersBefore = (
  db: ReadDb,
  { sources, before, libraryId }: LayersToRead,
  after: LayerKey,
  limit: number,
) =>
  db
    .selectFrom('metadata_layer')
    .innerJoin('file', 'file.book_id', 'metadata_layer.entity_id')
    .innerJoin('library', 'library.id', 'file.library_id')
    .select([
      'metadata_layer.entity_id',
      'metadata_layer.source',
      'metadata_layer.fields',
      'file.library_id',
      'file.root_id',
      'file.folder',
    ])
    .where('metadata_layer.source', 'in', sources)
    .where('metadata_layer.at', '<', before)
    .where(sql<boolean>`(metadata_layer.entity_id, metadata_layer.source) > (${after.entity_id}, ${after.source})`)
    .where('file.state', '=', sql.lit('present'))
    .where('library.deleted_at', 'is', null)
    .$if(libraryId !== undefined, (query) => query.where('file.library_id', '=', libraryId ?? ''))
    .orderBy('metadata_layer.entity_id')
    .orderBy('metadata_layer.source')
    .limit(limit)
    .execute()

export type LayerBefore = Awaited<ReturnType<typeof selectLayersBefore>>[number]

/** What was read in them stays until they are read again; after whatever somebody waits for. */
export const updateFilesPending = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  if (bookIds.length === 0) return
  await db
    .updateTable('file')
    .set({ analysis: 'pending', crashes: 0 })
    .where('book_id', 'in', bookIds)
    .where('analysis', '=', 'done')
    .execute()
}

/** No file has such a size: the next scan sees another one there and reads it. */
export const updateSidecarsUnknown = async (
  db: WriteDb,
  {
    rootId,
    folders,
    ending,
  }: { readonly rootId: string; readonly folders: readonly string[]; readonly ending: string },
): Promise<void> => {
  await db
    .updateTable('sidecar')
    .set({ size: -1 })
    .where('root_id', '=', rootId)
    .where('folder', 'in', folders)
    .where('name', 'like', `%${ending}`)
    .execute()
}
