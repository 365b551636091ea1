import type { ReadDb } from '../../database/database.ts'
import { shownOfOneSeries, tellsSeries, type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'

/** It reads the metadata of a book and its series. */
export const selectDescription = (db: ReadDb, viewer: Viewer, bookId: string) =>
  db
    .selectFrom('book')
    .leftJoin('series', (join) => join.onRef('series.id', '=', 'book.series_id').on(tellsSeries(viewer)))
    .select(['book.metadata', 'book.number', 'book.summary', 'book.updated_at'])
    .select([
      shownOfOneSeries<string | null>(viewer, 'title').as('series_title'),
      shownOfOneSeries<string | null>(viewer, 'publisher').as('series_publisher'),
      shownOfOneSeries<string | null>(viewer, 'language').as('series_language'),
    ])
    .where('book.id', '=', bookId)
    .where(visibleTo(viewer, 'book'))
    .executeTakeFirst()
