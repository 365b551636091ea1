import { type Insertable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { showsBooks, type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'
import type { ScanTables } from '../table.ts'

const previewsKept = 20

export const insertPreview = async (db: WriteDb, preview: Insertable<ScanTables['scan_preview']>): Promise<void> => {
  const old = await db
    .selectFrom('scan_preview')
    .select('id')
    .where('library_id', '=', preview.library_id)
    .orderBy('created_at', 'desc')
    .offset(previewsKept)
    .limit(100)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('scan_preview').where('id', 'in', ids).execute()
  await db.insertInto('scan_preview').values(preview).execute()
}

export const selectPreview = (db: ReadDb, id: string) =>
  db.selectFrom('scan_preview').selectAll().where('id', '=', id).executeTakeFirst()

/** What is known of the books of these files, and perhaps of some more that are called alike in another of the folders. */
export const selectBooksNamed = (
  db: ReadDb,
  rootId: string,
  files: readonly { readonly folder: string; readonly name: string }[],
) =>
  db
    .selectFrom('file')
    .innerJoin('book', 'book.id', 'file.book_id')
    .leftJoin('book_claim', 'book_claim.book_id', 'book.id')
    .select(['book.id', 'book.series_id', 'book.state', 'book.analysed', 'file.folder', 'file.name'])
    .select('book_claim.claims')
    .where('file.root_id', '=', rootId)
    .where('file.folder', 'in', [...new Set(files.map(({ folder }) => folder))])
    .where('file.name', 'in', [...new Set(files.map(({ name }) => name))])
    .where('file.state', '=', sql.lit('present'))
    .execute()

export const selectSeriesAfter = (db: ReadDb, libraryId: string, after: string, limit: number) =>
  db
    .selectFrom('series')
    .select(['id', 'key', 'name', 'book_count'])
    .where('library_id', '=', libraryId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** What people, plugins and what lies beside books say of series; what books say of them is asked of these. */
export const selectSpokenLayers = (db: ReadDb, seriesIds: readonly string[]) =>
  db
    .selectFrom('metadata_layer')
    .select(['entity_id', 'source', 'fields'])
    .where('entity_id', 'in', seriesIds)
    .where('source', 'not like', 'file:%')
    .execute()

/** Keys of series that have become part of others. */
export const selectMergedKeysAfter = (db: ReadDb, libraryId: string, after: string, limit: number) =>
  db
    .selectFrom('series_merge')
    .select(['key', 'into_series_id'])
    .where('library_id', '=', libraryId)
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute()

/** It returns the series among these that this viewer sees. */
export const selectVisibleSeries = (db: ReadDb, viewer: Viewer, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('series')
        .select(['id', 'title', 'book_count as bookCount'])
        .where('id', 'in', ids)
        .where(visibleTo(viewer, 'series'))
        .where(showsBooks(viewer))
        .orderBy('sort_key')
        .orderBy('id')
        .execute()
