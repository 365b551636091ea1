import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { updateMany } from '../../database/many.ts'
import { type Viewer, visibleTo } from '../visibility/visibility.ts'
import type { BookTables } from './table.ts'

type BookRow = Selectable<BookTables['book']>

/** What a list shows of a book's own row. */
export const listed = [
  'book.id',
  'book.library_id',
  'book.series_id',
  'book.state',
  'book.title',
  'book.title_sort',
  'book.sort_key',
  'book.position_key',
  'book.number',
  'book.volume',
  'book.chapter',
  'book.format',
  'book.size',
  'book.page_count',
  'book.analysed',
  'book.reading_direction',
  'book.summary',
  'book.cover_version',
  'book.placeholder',
  'book.created_at',
  'book.updated_at',
] as const

type Bare<Name extends string> = Name extends `${string}.${infer Column}` ? Column : never
export type ListedBook = Pick<BookRow, Bare<(typeof listed)[number]> & keyof BookRow>

/** Those of them that are there and that this viewer sees, in the order they are given in. */
export const selectBooksByIds = async (db: ReadDb, viewer: Viewer, ids: readonly string[]): Promise<ListedBook[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('book')
    .select(listed)
    .where('book.id', 'in', ids)
    .where('book.state', '=', sql.lit('present'))
    .where(visibleTo(viewer, 'book'))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** What a book shows of its library, its series and its file, in one statement for all of a page. */
const surroundings = (db: ReadDb, userId: string) =>
  db
    .selectFrom('book')
    .leftJoin('library', 'library.id', 'book.library_id')
    .leftJoin('series', 'series.id', 'book.series_id')
    .leftJoin('file', 'file.book_id', 'book.id')
    .leftJoin('library_root', 'library_root.id', 'file.root_id')
    .select([
      'book.id',
      'library.name as library_name',
      'library.reading_direction as library_direction',
      'series.title as series_title',
      'series.reading_direction as series_direction',
      'file.folder',
      'file.name as file_name',
      'file.file_hash',
      'file.koreader_hash',
      'file.fault_message',
      'library_root.path as root_path',
    ])
    .select(({ selectFrom }) =>
      selectFrom('want_to_read')
        .select('want_to_read.id')
        .where('want_to_read.user_id', '=', userId)
        .whereRef('want_to_read.book_id', '=', 'book.id')
        .as('wanted_id'),
    )

export type BookSurroundings = Awaited<ReturnType<ReturnType<typeof surroundings>['executeTakeFirstOrThrow']>>

export const selectSurroundings = async (
  db: ReadDb,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BookSurroundings>> => {
  if (ids.length === 0) return new Map()
  const rows = await surroundings(db, userId).where('book.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Also one that is missing; one of a deleted library does not exist. */
export const selectBook = (
  db: ReadDb,
  viewer: Viewer,
  id: string,
): Promise<(ListedBook & Pick<BookRow, 'metadata' | 'locks'>) | undefined> =>
  db
    .selectFrom('book')
    .select([...listed, 'book.metadata', 'book.locks'])
    .where('book.id', '=', id)
    .where('book.state', '<>', 'hidden')
    .where(visibleTo(viewer, 'book'))
    .executeTakeFirst()

type Place = Pick<BookRow, 'id' | 'series_id' | 'position_key'>

/** The present books next to one, whether it is present itself or not. */
export const selectNeighbours = async (
  db: ReadDb,
  viewer: Viewer,
  { id, series_id, position_key }: Place,
): Promise<{ before: ListedBook | undefined; after: ListedBook | undefined }> => {
  const beside = (sign: '<' | '>') => {
    const direction = sign === '<' ? 'desc' : 'asc'
    return db
      .selectFrom('book')
      .select(listed)
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

/** Those of these that the viewer may see, be their files missing or not. */
export const selectVisibleIds = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('book')
    .select('book.id')
    .where('book.id', 'in', ids)
    .where('book.state', '<>', 'hidden')
    .where(visibleTo(viewer, 'book'))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const selectBookIds = async (
  db: ReadDb,
  libraryId: string,
  state: BookRow['state'],
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('book')
    .select('id')
    .where('library_id', '=', libraryId)
    .where('state', '=', sql.lit(state))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const updateHidden = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db.updateTable('book').set({ state: 'hidden' }).where('id', 'in', ids).execute()
}

/** What has become part of these, and part of nothing else. */
export const selectPartsOf = async (db: ReadDb, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('book_merge').select('book_id').where('into_book_id', 'in', ids).execute()
  return rows.map(({ book_id }) => book_id)
}

/** Others that change them come before or after, where the database lets them overlap. */
export const lockBooks = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db
    .updateTable('book')
    .set(({ ref }) => ({ state: ref('state') }))
    .where('id', 'in', ids)
    .execute()
}

/** To those who may see them, or to nobody: books that have become part of another one. */
export const updateState = async (
  db: WriteDb,
  ids: readonly string[],
  { state, missingSince, at }: { state: BookRow['state']; missingSince: string | null; at: string },
): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('book')
    .set({ state, missing_since: missingSince, updated_at: at })
    .where('id', 'in', ids)
    .execute()
}

export const deleteBooks = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db.deleteFrom('book').where('id', 'in', ids).execute()
}

/** They keep everything, for when they come back. */
export const markMissing = async (db: WriteDb, ids: readonly string[], at: string): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('book')
    .set({ state: 'missing', missing_since: at, updated_at: at })
    .where('id', 'in', ids)
    .where('state', '=', 'present')
    .execute()
}

/** A book without a rating of its own has its series' (W9). */
export const inheritRatings = async (db: WriteDb, seriesIds: readonly string[]): Promise<void> => {
  if (seriesIds.length === 0) return
  await db
    .updateTable('book')
    .set(({ selectFrom }) => ({
      age_rating: selectFrom('series').select('series.own_age_rating').whereRef('series.id', '=', 'book.series_id'),
    }))
    .where('series_id', 'in', seriesIds)
    .where('own_age_rating', 'is', null)
    .execute()
}

/** Whatever has become of their files. Answers how many. */
export const moveBooks = async (
  db: WriteDb,
  fromSeriesIds: readonly string[],
  intoSeriesId: string,
  at: string,
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('book')
    .set({ series_id: intoSeriesId, updated_at: at })
    .where('series_id', 'in', fromSeriesIds)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Those of them that have not gone elsewhere since. Answers how many. */
export const moveBooksBack = async (
  db: WriteDb,
  { mergeId, intoSeriesId, at }: { readonly mergeId: string; readonly intoSeriesId: string; readonly at: string },
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('book')
    .set(({ selectFrom }) => ({
      series_id: selectFrom('merged_series_book')
        .select(sql<string>`merged_series_book.series_id`.as('series_id'))
        .where('merged_series_book.merge_id', '=', mergeId)
        .whereRef('merged_series_book.book_id', '=', 'book.id'),
      updated_at: at,
    }))
    .where('series_id', '=', intoSeriesId)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('merged_series_book')
        .select('merged_series_book.book_id')
        .where('merged_series_book.merge_id', '=', mergeId),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

// Covers

export interface BookCover {
  readonly id: string
  readonly coverId: string | null
  readonly placeholder: string | null
}

const coverShape = { keys: { id: 'text' }, columns: { cover_id: 'text', placeholder: 'text' } } as const

/** What stands for books from now on; whoever has kept the old picture learns by its version. */
export const setBookCovers = async (db: WriteDb, covers: readonly BookCover[]): Promise<void> => {
  if (covers.length === 0) return
  await updateMany(
    db,
    'book',
    coverShape,
    covers.map(({ id, coverId, placeholder }) => ({ id, cover_id: coverId, placeholder })),
  )
  const ids = covers.map(({ id }) => id)
  await db
    .updateTable('book')
    .set(({ eb }) => ({ cover_version: eb('cover_version', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

export const setBookLocks = async (db: WriteDb, id: string, locks: readonly string[]): Promise<void> => {
  await db
    .updateTable('book')
    .set({ locks: JSON.stringify(locks) })
    .where('id', '=', id)
    .execute()
}

/** The names of locked fields, as JSON. */
export const setLocksOfBooks = (
  db: WriteDb,
  rows: readonly { readonly id: string; readonly locks: string }[],
): Promise<void> => updateMany(db, 'book', { keys: { id: 'text' }, columns: { locks: 'text' } }, rows)
