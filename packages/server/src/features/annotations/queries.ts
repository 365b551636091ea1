import type { AnnotationDto, BookmarkDto, ExportedAnnotation, ReadiumLocator } from '@carrel/api'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'
import { shownOfOneSeries, tellsSeries, type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'
import type { AnnotationTables } from './table.ts'

export type Kind = keyof AnnotationTables

/** It names the user and the book. */
export interface Shelf {
  readonly userId: string
  readonly bookId: string
}

/** What each table holds, as the contract has it. */
export interface Marks {
  readonly bookmark: BookmarkDto
  readonly annotation: AnnotationDto
}

type BookmarkRow = Selectable<AnnotationTables['bookmark']>
type AnnotationRow = Selectable<AnnotationTables['annotation']>

export const countIn = async (db: ReadDb, kind: Kind, { userId, bookId }: Shelf): Promise<number> => {
  const { count } = await db
    .selectFrom(kind)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .executeTakeFirstOrThrow()
  return count
}

/** The count covers all books, hidden ones too. */
export const countOf = async (db: ReadDb, kind: Kind, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom(kind)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export const selectMarks = async <K extends Kind>(
  db: ReadDb,
  kind: K,
  { userId, bookId }: Shelf,
  { limit, offset }: Paging,
): Promise<Marks[K][]> => {
  const rows = await db
    .selectFrom<Kind>(kind)
    .selectAll()
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .orderBy('place')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => markOf(kind, row))
}

export const selectMark = async <K extends Kind>(
  db: ReadDb,
  kind: K,
  { userId, bookId }: Shelf,
  id: string,
): Promise<Marks[K] | undefined> => {
  const row = await db
    .selectFrom<Kind>(kind)
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .executeTakeFirst()
  return row && markOf(kind, row)
}

export const insertMark = async <K extends Kind>(
  db: WriteDb,
  kind: K,
  row: Insertable<AnnotationTables[K]>,
): Promise<void> => {
  await db
    .insertInto<Kind>(kind)
    .values(row as never)
    .execute()
}

export const updateMark = async <K extends Kind>(
  db: WriteDb,
  kind: K,
  id: string,
  changes: Updateable<AnnotationTables[K]>,
): Promise<void> => {
  await db
    .updateTable<Kind>(kind)
    .set(changes as never)
    .where('id', '=', id)
    .execute()
}

export const deleteMark = async (db: WriteDb, kind: Kind, { userId, bookId }: Shelf, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom(kind)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The next part of the export begins here. */
export interface ExportCursor {
  readonly bookId: string
  readonly place: number
  readonly id: string
}

/** The next annotations after one, book by book, of books this viewer sees. */
export const selectToExport = async (
  db: ReadDb,
  viewer: Viewer,
  after: ExportCursor,
  limit: number,
): Promise<{ exported: ExportedAnnotation; at: ExportCursor }[]> => {
  const rows = await db
    .selectFrom('annotation')
    .innerJoin('book', 'book.id', 'annotation.book_id')
    .leftJoin('series', (join) => join.onRef('series.id', '=', 'book.series_id').on(tellsSeries(viewer)))
    .selectAll('annotation')
    .select(['book.title', 'book.number', 'book.volume', 'book.chapter'])
    .select(['series.id as series_id', shownOfOneSeries<string | null>(viewer, 'title').as('series_title')])
    .where('annotation.user_id', '=', viewer.userId)
    .where('book.state', '!=', 'hidden')
    .where(visibleTo(viewer, 'book'))
    .where(
      sql<boolean>`(annotation.book_id, annotation.place, annotation.id) > (${after.bookId}, ${after.place}, ${after.id})`,
    )
    .orderBy('annotation.book_id')
    .orderBy('annotation.place')
    .orderBy('annotation.id')
    .limit(limit)
    .execute()
  return rows.map(({ title, number, volume, chapter, series_id, series_title, ...row }) => ({
    exported: {
      book: { id: row.book_id, title, seriesId: series_id, seriesTitle: series_title ?? '', number, volume, chapter },
      ...toAnnotation(row),
    },
    at: { bookId: row.book_id, place: row.place, id: row.id },
  }))
}

const toBookmark = ({ id, locator, note, created_at, updated_at }: BookmarkRow): BookmarkDto => ({
  id,
  locator: JSON.parse(locator) as ReadiumLocator,
  note,
  createdAt: created_at,
  updatedAt: updated_at,
})

const toAnnotation = (row: AnnotationRow): AnnotationDto => ({
  ...toBookmark(row),
  quote: row.quote,
  before: row.text_before,
  after: row.text_after,
  colour: row.colour,
})

/** A row is one of the table that it comes from. */
const markOf = <K extends Kind>(kind: K, row: object): Marks[K] =>
  (kind === 'bookmark' ? toBookmark(row as BookmarkRow) : toAnnotation(row as AnnotationRow)) as Marks[K]

/** It returns the ids of those that were not there. */
export const insertBrought = async <K extends Kind>(
  db: WriteDb,
  kind: K,
  rows: readonly Insertable<AnnotationTables[K]>[],
): Promise<string[]> => {
  if (rows.length === 0) return []
  const inserted = await db
    .insertInto<Kind>(kind)
    .values(rows as never)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return inserted.map(({ id }) => id)
}

/** Which of these stand in no part of their book and were not changed since they were brought, with when that was. */
export const selectWithoutPart = async (
  db: ReadDb,
  kind: Kind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom(kind)
    .select(['id', 'created_at'])
    .where('id', 'in', ids)
    .where('locator', 'like', '{"href":"",%')
    .whereRef('updated_at', '=', 'created_at')
    .execute()
  return new Map(rows.map(({ id, created_at }) => [id, created_at]))
}

/** A mark that was changed since it was brought stays. */
export const deleteBrought = async (db: WriteDb, kind: Kind, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await db.deleteFrom(kind).where('id', 'in', ids).whereRef('updated_at', '=', 'created_at').execute()
}
