import { sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import { showsBooks, type Viewer, visibleTo } from '../visibility/visibility.ts'

export const selectSeriesTitle = async (db: ReadDb, viewer: Viewer, id: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('series')
    .select('title')
    .where('id', '=', id)
    .where(visibleTo(viewer, 'series'))
    .where(showsBooks(viewer))
    .executeTakeFirst()
  return row?.title
}

/** The files of the books of a series that a viewer may see, in their order. */
export const selectFilesOfSeries = (db: ReadDb, viewer: Viewer, seriesId: string, limit: number) =>
  db
    .selectFrom('book')
    .innerJoin('file', 'file.book_id', 'book.id')
    .innerJoin('library_root', 'library_root.id', 'file.root_id')
    .select([
      'book.id',
      'file.root_id',
      'file.folder',
      'file.name',
      'file.size',
      'file.modified_us',
      'file.is_folder',
      'library_root.path as root_path',
    ])
    .where('book.series_id', '=', seriesId)
    .where('book.state', '=', sql.lit('present'))
    .where('file.state', '=', sql.lit('present'))
    .where(visibleTo(viewer, 'book'))
    .orderBy('book.position_key')
    .orderBy('book.id')
    .limit(limit)
    .execute()
