import type { ReadDb } from '../../../database/database.ts'
import { readerOf, type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'

/** They are for a viewer from whom whole series may be hidden, but no single book. */
export const selectStoredCountsOfLibraries = async (
  db: ReadDb,
  viewer: Viewer,
  libraryIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('series_progress')
    .innerJoin('series', 'series.id', 'series_progress.series_id')
    .select(({ fn }) => ['series.library_id', fn.sum<number>('series_progress.read_count').as('read')])
    .where('series_progress.user_id', '=', readerOf(viewer))
    .where('series.library_id', 'in', libraryIds)
    .where(visibleTo(viewer, 'series'))
    .groupBy('series.library_id')
    .execute()
  return new Map(rows.map(({ library_id, read }) => [library_id, read]))
}

/** It is for a viewer from whom some books of a series may be hidden. */
export const countReadOfLibraries = async (
  db: ReadDb,
  viewer: Viewer,
  libraryIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('read_progress')
    .innerJoin('book', 'book.id', 'read_progress.book_id')
    .select(({ fn }) => ['book.library_id', fn.countAll<number>().as('read')])
    .where('read_progress.user_id', '=', readerOf(viewer))
    .where('read_progress.completed', '=', 1)
    .where('book.library_id', 'in', libraryIds)
    .where('book.state', '=', 'present')
    .where(visibleTo(viewer, 'book'))
    .groupBy('book.library_id')
    .execute()
  return new Map(rows.map(({ library_id, read }) => [library_id, read]))
}
