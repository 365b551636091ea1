import type { SidecarTarget } from '@carrel/api'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import { showsBooks, type Viewer, visibleLibraries, visibleTo } from '../../catalogue/visibility/visibility.ts'
import type { LibraryTables } from './table.ts'

export type LibraryRow = Selectable<LibraryTables['library']>
export type RootRow = Selectable<LibraryTables['library_root']>
export type LibraryOrder = Order<'name' | 'createdAt'>

const standing = (db: ReadDb, viewer: Viewer) =>
  db.selectFrom('library').where('library.deleted_at', 'is', null).where(visibleLibraries(viewer))

export const countLibraries = async (db: ReadDb, viewer: Viewer): Promise<number> => {
  const { count } = await standing(db, viewer)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const columnOf = { name: 'library.sort_key', createdAt: 'library.created_at' } as const

export const selectLibraries = (
  db: ReadDb,
  viewer: Viewer,
  { field, direction }: LibraryOrder,
  { limit, offset }: Paging,
): Promise<LibraryRow[]> =>
  standing(db, viewer)
    .selectAll('library')
    .orderBy(columnOf[field], direction)
    .orderBy('library.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()

/** Deleted ones too. */
export const selectLibrary = (db: ReadDb, id: string): Promise<LibraryRow | undefined> =>
  db.selectFrom('library').selectAll().where('id', '=', id).executeTakeFirst()

export const selectNames = (db: ReadDb): Promise<{ id: string; name: string }[]> =>
  db.selectFrom('library').select(['id', 'name']).where('deleted_at', 'is', null).execute()

export const selectRoots = async (db: ReadDb, libraryIds: readonly string[]): Promise<RootRow[]> => {
  if (libraryIds.length === 0) return []
  return db
    .selectFrom('library_root')
    .selectAll()
    .where('library_id', 'in', libraryIds)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** It returns all roots of a library, with those that no longer belong to it. */
export const selectAllRoots = (db: ReadDb, libraryId: string): Promise<RootRow[]> =>
  db
    .selectFrom('library_root')
    .selectAll()
    .where('library_id', '=', libraryId)
    .orderBy('position')
    .orderBy('id')
    .execute()

/** The library that has this folder, if one has. */
export const selectLibraryAt = async (db: ReadDb, path: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('library_root')
    .innerJoin('library', 'library.id', 'library_root.library_id')
    .select('library.id')
    .where('library_root.path', '=', path)
    .where('library_root.removed_at', 'is', null)
    .where('library.deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/** It says whether files lie in the root itself. */
export const hasFilesDirectly = async (db: ReadDb, rootId: string): Promise<boolean> =>
  (await db
    .selectFrom('file')
    .select('book_id')
    .where('root_id', '=', rootId)
    .where('folder', '=', '')
    .limit(1)
    .executeTakeFirst()) !== undefined

/** It returns the roots of all other libraries: a new root must not overlap with one. */
export const selectForeignRoots = (db: ReadDb, libraryId: string): Promise<{ name: string; path: string }[]> =>
  db
    .selectFrom('library_root')
    .innerJoin('library', 'library.id', 'library_root.library_id')
    .select(['library.name', 'library_root.path'])
    .where('library.deleted_at', 'is', null)
    .where('library.id', '<>', libraryId)
    .where('library_root.removed_at', 'is', null)
    .execute()

/** It counts books and series that this viewer sees; libraries without any are not in the answer. */
export const countVisible = async (db: ReadDb, viewer: Viewer, libraryIds: readonly string[]) => {
  if (libraryIds.length === 0) return { books: new Map<string, number>(), series: new Map<string, number>() }
  const books = await db
    .selectFrom('book')
    .select(({ fn }) => ['book.library_id', fn.countAll<number>().as('count')])
    .where('book.library_id', 'in', libraryIds)
    .where('book.state', '=', sql.lit('present'))
    .where(visibleTo(viewer, 'book'))
    .groupBy('book.library_id')
    .execute()
  const series = await db
    .selectFrom('series')
    .select(({ fn }) => ['series.library_id', fn.countAll<number>().as('count')])
    .where('series.library_id', 'in', libraryIds)
    .where('series.book_count', '>', sql.lit(0))
    .where(visibleTo(viewer, 'series'))
    .where(showsBooks(viewer))
    .groupBy('series.library_id')
    .execute()
  return { books: byLibrary(books), series: byLibrary(series) }
}

/** How many covers there is room for. */
const indexes = [0, 1, 2, 3] as const

/**
 * The first series of each library by name that this viewer sees: a question for each place, in one statement, since
 * both databases answer each from the index, and neither would one for all places at once.
 */
export const selectFirstSeries = async (
  db: ReadDb,
  viewer: Viewer,
  libraryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (libraryIds.length === 0) return new Map()
  const at = (index: number) => sql<string | null>`(select series.id from series
    where series.library_id = library.id and series.book_count > 0
      and ${visibleTo(viewer, 'series')} and ${showsBooks(viewer)}
    order by series.sort_key, series.id limit 1 offset ${sql.lit(index)})`
  const rows = await db
    .selectFrom('library')
    .select('library.id')
    .select(indexes.map((index) => at(index).as(`series_${index}`)))
    .where('library.id', 'in', libraryIds)
    .execute()
  return new Map(rows.map(({ id, ...first }) => [id, Object.values(first).filter((each) => each !== null)]))
}

const byLibrary = (rows: readonly { library_id: string; count: number }[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ library_id, count }) => [library_id, count]))

export const insertLibrary = async (
  db: WriteDb,
  library: Insertable<LibraryTables['library']>,
  roots: readonly Insertable<LibraryTables['library_root']>[],
): Promise<void> => {
  await db.insertInto('library').values(library).execute()
  await insertMany(db, 'library_root', roots)
}

export const updateLibrary = async (
  db: WriteDb,
  id: string,
  changes: Updateable<LibraryTables['library']>,
): Promise<void> => {
  await db.updateTable('library').set(changes).where('id', '=', id).execute()
}

export const insertRoots = (db: WriteDb, roots: readonly Insertable<LibraryTables['library_root']>[]): Promise<void> =>
  insertMany(db, 'library_root', roots)

export const updateRoot = async (
  db: WriteDb,
  id: string,
  changes: Updateable<LibraryTables['library_root']>,
): Promise<void> => {
  await db.updateTable('library_root').set(changes).where('id', '=', id).execute()
}

/** With its roots, its scans and what was held. */
export const deleteLibrary = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('library').where('id', '=', id).execute()
}

// What a scan has seen

interface RootState {
  readonly id: string
  readonly isAvailable: boolean
  /** Absent: not to be believed this time. */
  readonly device?: number
  readonly inode?: number
}

/** What a scan has seen of the roots. Answers whether the library was unavailable before. */
export const setRootStates = async (
  db: WriteDb,
  libraryId: string,
  roots: readonly RootState[],
  now: Date,
): Promise<boolean> => {
  const at = now.toISOString()
  for (const { id, isAvailable, device, inode } of roots) {
    await db
      .updateTable('library_root')
      .set({
        status: isAvailable ? 'available' : 'unavailable',
        checked_at: at,
        ...(device !== undefined && inode !== undefined && { device, inode }),
      })
      .where('id', '=', id)
      .execute()
  }
  const library = await db.selectFrom('library').select('status').where('id', '=', libraryId).executeTakeFirst()
  await db
    .updateTable('library')
    .set(({ selectFrom }) => ({
      status: sql<'available' | 'unavailable'>`case when exists ${selectFrom('library_root')
        .select('id')
        .where('library_id', '=', libraryId)
        .where('removed_at', 'is', null)
        .where('status', '=', 'unavailable')} then 'unavailable' else 'available' end`,
    }))
    .where('id', '=', libraryId)
    .execute()
  return library?.status === 'unavailable'
}

/** At the end of a scan: what is counted while books come and go is set right. */
export const recountLibrary = (db: WriteDb, libraryId: string, at: string): Promise<void> =>
  recount(db, libraryId, { last_scanned_at: at, updated_at: at })

export const recount = async (
  db: WriteDb,
  libraryId: string,
  also: { readonly last_scanned_at?: string; readonly updated_at?: string } = {},
): Promise<void> => {
  const ofLibrary = db.selectFrom('series').where('library_id', '=', libraryId).where('book_count', '>', 0)
  const { series, books } = await ofLibrary
    .select(({ fn }) => [fn.countAll<number>().as('series'), fn.sum<number | null>('book_count').as('books')])
    .executeTakeFirstOrThrow()
  await db
    .updateTable('library')
    .set({ series_count: series, book_count: books ?? 0, ...also })
    .where('id', '=', libraryId)
    .execute()
}

/** The counts follow as books come and go; a library that is deleted counts nothing any more. */
export const addToCounts = async (
  db: WriteDb,
  libraryId: string,
  { books, series }: { readonly books: number; readonly series: number },
): Promise<void> => {
  if (books === 0 && series === 0) return
  await db
    .updateTable('library')
    .set((library) => ({
      book_count: library('book_count', '+', books),
      series_count: library('series_count', '+', series),
    }))
    .where('id', '=', libraryId)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Libraries whose sidecars are written by themselves, and up to when they have been. */
export const selectSidecarLibraries = (db: ReadDb) =>
  db
    .selectFrom('library')
    .select(['id', 'sidecars', 'sidecars_at'])
    .where('sidecars', '!=', 'none')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

/** Unless something else has been chosen meanwhile. */
export const noteSidecars = async (db: WriteDb, id: string, target: SidecarTarget, at: string): Promise<void> => {
  await db.updateTable('library').set({ sidecars_at: at }).where('id', '=', id).where('sidecars', '=', target).execute()
}
