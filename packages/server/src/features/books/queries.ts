import { bookColumns, type ListedBook } from '../../catalogue/lists/lists.ts'
import { oneShotColumns } from '../../catalogue/one-shots/one-shots.ts'
import { type Selectable, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import { cachedStatement } from '../../database/cached-statement.ts'
import {
  readerOf,
  type Sight,
  sightOf,
  tellsSeries,
  type Viewer,
  visibleTo,
  shownOfOneSeries,
} from '../../catalogue/visibility/visibility.ts'
import type { BookTables, SeriesTables } from '../../catalogue/shown/table.ts'

type BookRow = Selectable<BookTables['book']>

/** It returns the books that are there and that this viewer sees, in the order they are given in. */
export const selectBooksByIds = async (db: ReadDb, viewer: Viewer, ids: readonly string[]): Promise<ListedBook[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('book')
    .select(bookColumns)
    .where('book.id', 'in', ids)
    .where('book.state', '=', sql.lit('present'))
    .where(visibleTo(viewer, 'book'))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

type Direction = Selectable<SeriesTables['series']>['reading_direction']

const seesAll = { rule: { ageCeiling: null, includeUnrated: true } }

/** What a book shows of its library, its series and its file, in one statement for all of a page. */
const related = (db: ReadDb, reader: string, sight: Sight | undefined) =>
  db
    .selectFrom('book')
    .leftJoin('library', 'library.id', 'book.library_id')
    .leftJoin('series', (join) =>
      sight
        ? join.onRef('series.id', '=', 'book.series_id').on(tellsSeries(sight))
        : join.onRef('series.id', '=', 'book.series_id'),
    )
    .leftJoin('file', 'file.book_id', 'book.id')
    .leftJoin('library_root', 'library_root.id', 'file.root_id')
    .select([
      'book.id',
      'library.name as library_name',
      'library.reading_direction as library_direction',
      'series.id as series_id',
      'file.file_hash',
      'file.koreader_hash',
      'file.fault_message',
      'library_root.path as root_path',
    ])
    .select([
      shownOfOneSeries<string | null>(sight ?? seesAll, 'title').as('series_title'),
      shownOfOneSeries<Direction>(sight ?? seesAll, 'reading_direction').as('series_direction'),
    ])
    .select(oneShotColumns(sight))
    .select(({ selectFrom }) =>
      selectFrom('want_to_read')
        .select('want_to_read.id')
        .where('want_to_read.user_id', '=', reader)
        .whereRef('want_to_read.book_id', '=', 'book.id')
        .as('wanted_id'),
    )

export type RelatedToBook = Awaited<ReturnType<ReturnType<typeof related>['executeTakeFirstOrThrow']>>

export const selectRelated = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RelatedToBook>> => {
  if (ids.length === 0) return new Map()
  const rows = await relatedOf(db, { ids, reader: readerOf(viewer) }, sightOf(viewer))
  return new Map(rows.map((row) => [row.id, row]))
}

const relatedOf = cachedStatement(
  (db: ReadDb, { ids, reader }, sight: Sight | undefined) => related(db, reader, sight).where('book.id', 'in', ids),
  ['reader'],
  ['ids'],
)

/** The present files of a book (C21): its own, and those that lie beside it. */
export const selectFilesOfBook = (db: ReadDb, bookId: string): Promise<BookFileRow[]> => {
  const files = () =>
    db
      .selectFrom('file')
      .innerJoin('book', 'book.id', 'file.book_id')
      .select(['file.id', 'file.name', 'book.id as book_id', 'book.format', 'file.size'])
      .where('file.state', '=', sql.lit('present'))
  return files()
    .where('file.book_id', '=', bookId)
    .unionAll(
      files()
        .innerJoin('book_merge', 'book_merge.book_id', 'file.book_id')
        .where('book_merge.into_book_id', '=', bookId)
        .where('book_merge.is_format', '=', sql.lit(1)),
    )
    .orderBy('name')
    .execute()
}

type BookFileRow = Pick<BookRow, 'format'> & { readonly id: string; readonly book_id: string; readonly size: number }

type BookPosition = Pick<BookRow, 'id' | 'series_id' | 'position_key'>

/** The present books next to one, whether it is present itself or not. */
export const selectNeighbours = async (
  db: ReadDb,
  viewer: Viewer,
  { id, series_id, position_key }: BookPosition,
): Promise<{ before: ListedBook | undefined; after: ListedBook | undefined }> => {
  const beside = (sign: '<' | '>') => {
    const direction = sign === '<' ? 'desc' : 'asc'
    return db
      .selectFrom('book')
      .select(bookColumns)
      .where('book.state', '=', sql.lit('present'))
      .where(visibleTo(viewer, 'book'))
      .where('book.series_id', '=', series_id)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('book.position_key', 'book.id'), sign, tuple(position_key, id)))
      .orderBy('book.position_key', direction)
      .orderBy('book.id', direction)
      .limit(1)
      .executeTakeFirst()
  }
  return { before: await beside('<'), after: await beside('>') }
}
