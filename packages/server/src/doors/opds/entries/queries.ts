import type { FileFormat } from '@carrel/api'
import { sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { shownOfOneSeries, tellsSeries, type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'

/** An entry shows more of a book than lists do; one statement reads it for a whole page. */
const descriptions = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('book')
    .leftJoin('series', (join) => join.onRef('series.id', '=', 'book.series_id').on(tellsSeries(viewer)))
    .leftJoin('file', 'file.book_id', 'book.id')
    .select([
      'book.id',
      'book.metadata',
      'file.name as file_name',
      'file.size as file_size',
      'file.state as file_state',
      'file.analysis',
    ])
    .select([
      shownOfOneSeries<string | null>(viewer, 'publisher').as('series_publisher'),
      shownOfOneSeries<string | null>(viewer, 'language').as('series_language'),
    ])
    .select(({ selectFrom }) =>
      selectFrom('page_index').select('page_index.book_id').whereRef('page_index.book_id', '=', 'book.id').as('paged'),
    )
    .select(({ selectFrom }) =>
      selectFrom('book_merge')
        .select('book_merge.into_book_id')
        .whereRef('book_merge.into_book_id', '=', 'book.id')
        .where('book_merge.is_format', '=', sql.lit(1))
        .limit(1)
        .as('has_several_files'),
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

/** The further files of books (C21), in one statement for a whole page. */
export const selectFurtherFiles = async (db: ReadDb, bookIds: readonly string[]): Promise<readonly FurtherFile[]> =>
  bookIds.length === 0
    ? []
    : db
        .selectFrom('book_merge')
        .innerJoin('file', 'file.book_id', 'book_merge.book_id')
        .innerJoin('book', 'book.id', 'book_merge.book_id')
        .select(['book_merge.into_book_id as bookId', 'file.id', 'file.name', 'file.size', 'book.format'])
        .where('book_merge.into_book_id', 'in', bookIds)
        .where('book_merge.is_format', '=', sql.lit(1))
        .where('file.state', '=', sql.lit('present'))
        .where('file.size', '>', 0)
        .orderBy('file.name')
        .execute()

interface FurtherFile {
  readonly bookId: string
  readonly id: string
  readonly name: string
  readonly size: number
  readonly format: FileFormat
}

/** The pages of those that have some, packed (`formats/page-index.ts`). */
export const selectPackedPages = async (
  db: ReadDb,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await db.selectFrom('page_index').select(['book_id', 'pages']).where('book_id', 'in', bookIds).execute()
  return new Map(rows.map(({ book_id, pages }) => [book_id, pages]))
}
