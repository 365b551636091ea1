import type { ReadDb } from '../../database/database.ts'
import { type Viewer, visibleTo } from '../../features/visibility/visibility.ts'

/** What an entry says of a book beyond what lists show, in one statement for all of a page. */
const descriptions = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('book')
    .leftJoin('series', 'series.id', 'book.series_id')
    .leftJoin('file', 'file.book_id', 'book.id')
    .select([
      'book.id',
      'book.metadata',
      'series.publisher as series_publisher',
      'series.language as series_language',
      'file.name as file_name',
    ])
    .select(({ selectFrom }) =>
      selectFrom('page_index').select('page_index.book_id').whereRef('page_index.book_id', '=', 'book.id').as('paged'),
    )
    .where(visibleTo(viewer, 'book'))

export type DescriptionRow = Awaited<ReturnType<ReturnType<typeof descriptions>['executeTakeFirstOrThrow']>>

export const selectDescriptions = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DescriptionRow>> => {
  if (ids.length === 0) return new Map()
  const rows = await descriptions(db, viewer).where('book.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
