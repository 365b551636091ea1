import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { updateMany } from '../../database/many.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import {
  libraryByLibrary,
  narrowedTo,
  seesWholeLibraries,
  seesWholeSeries,
  type Viewer,
  visibleLibraries,
  visibleTo,
} from '../visibility/visibility.ts'
import type { BookTables } from './table.ts'

type BookRow = Selectable<BookTables['book']>

export interface BookFilter {
  readonly libraryId?: string | undefined
  readonly seriesId?: string | undefined
  /** Also those whose file is missing. */
  readonly includeDeleted?: boolean | undefined
}
export type BookOrder = Order<'name' | 'createdAt' | 'updatedAt' | 'number'>

/** What a list shows of a book's own row. */
const listed = [
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

const columnOf = {
  name: 'book.sort_key',
  createdAt: 'book.created_at',
  updatedAt: 'book.updated_at',
  number: 'book.position_key',
} as const

/** The state stands in the statement itself, as it does in the indexes. */
const within = (db: ReadDb, viewer: Viewer, { libraryId, seriesId }: BookFilter, state: State) =>
  db
    .selectFrom('book')
    .where('book.state', '=', sql.lit(state))
    .where(visibleTo(libraryId === undefined ? viewer : narrowedTo(viewer, libraryId), 'book'))
    .$if(seriesId !== undefined, (query) => query.where('book.series_id', '=', seriesId ?? ''))

type State = 'present' | 'missing'

export const selectBooks = async (
  db: ReadDb,
  viewer: Viewer,
  filter: BookFilter,
  { order: { field, direction }, paging: { limit, offset } }: { order: BookOrder; paging: Paging },
): Promise<ListedBook[]> => {
  const states: readonly State[] = filter.includeDeleted ? ['present', 'missing'] : ['present']
  const isSplit = filter.libraryId === undefined && filter.seriesId === undefined
  const sights = isSplit ? libraryByLibrary(viewer) : [viewer]
  const [first, ...others] = states.flatMap((state) =>
    sights.map((sight) => within(db, sight, filter, state).select(listed)),
  )
  if (!first) return []
  const ordered = (query: typeof first) => query.orderBy(columnOf[field], direction).orderBy('book.id', direction)
  if (others.length === 0) return ordered(first).limit(limit).offset(offset).execute()
  // Each part has an index in this order. Merged are no more rows of each than the page can need: left to itself
  // PostgreSQL would read all of them and sort.
  const cut = (query: typeof first) =>
    db
      .selectFrom(
        ordered(query)
          .limit(offset + limit)
          .as('book'),
      )
      .selectAll()
  const merged = others.reduce((query, other) => query.unionAll(cut(other)), cut(first))
  return db
    .selectFrom(merged.as('book'))
    .selectAll()
    .orderBy(columnOf[field], direction)
    .orderBy('book.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Kept numbers where the viewer sees all of what was counted; else it is counted. */
export const countBooks = async (db: ReadDb, viewer: Viewer, filter: BookFilter): Promise<number> => {
  const present = (await keptCount(db, viewer, filter)) ?? (await countState(db, viewer, filter, 'present'))
  return filter.includeDeleted ? present + (await countState(db, viewer, filter, 'missing')) : present
}

const keptCount = async (db: ReadDb, viewer: Viewer, filter: BookFilter): Promise<number | undefined> => {
  const { libraryId, seriesId } = filter
  if (seriesId !== undefined)
    return seesWholeSeries(viewer) ? keptOfSeries(db, viewer, { libraryId, seriesId }) : undefined
  if (!seesWholeLibraries(viewer)) return undefined
  const row = await db
    .selectFrom('library')
    .select(({ fn }) => fn.sum<number | string | null>('library.book_count').as('count'))
    .where(visibleLibraries(viewer))
    .$if(libraryId !== undefined, (query) => query.where('library.id', '=', libraryId ?? ''))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

const keptOfSeries = async (
  db: ReadDb,
  viewer: Viewer,
  { libraryId, seriesId }: { libraryId: string | undefined; seriesId: string },
): Promise<number> => {
  const row = await db
    .selectFrom('series')
    .select('series.book_count')
    .where('series.id', '=', seriesId)
    .where(visibleTo(viewer, 'series'))
    .$if(libraryId !== undefined, (query) => query.where('series.library_id', '=', libraryId ?? ''))
    .executeTakeFirst()
  return row?.book_count ?? 0
}

const countState = async (db: ReadDb, viewer: Viewer, filter: BookFilter, state: State): Promise<number> => {
  const { count } = await within(db, viewer, filter, state)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** What a book shows of its library, its series and its file, in one statement for all of a page. */
const surroundings = (db: ReadDb) =>
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

export type BookSurroundings = Awaited<ReturnType<ReturnType<typeof surroundings>['executeTakeFirstOrThrow']>>

export const selectSurroundings = async (
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BookSurroundings>> => {
  if (ids.length === 0) return new Map()
  const rows = await surroundings(db).where('book.id', 'in', ids).execute()
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

export const deleteBooks = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db.deleteFrom('book').where('id', 'in', ids).execute()
}

/** They keep everything, for when they come back. */
export const markMissing = async (db: WriteDb, ids: readonly string[], at: string): Promise<void> => {
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
