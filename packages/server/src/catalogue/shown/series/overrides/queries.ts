import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { insertMany, runInParts } from '../../../../database/many.ts'
import { newId } from '../../../../platform/ids.ts'
import type { SeriesTables } from '../../table.ts'

export type OverrideRow = Selectable<SeriesTables['series_override']>

/** It returns the overrides of these books in this library. What somebody has put into a series of another one is kept for when it is there again. */
export const selectOverridesOfBooks = (
  db: ReadDb,
  libraryId: string,
  bookIds: readonly string[],
): Promise<readonly OverrideRow[]> =>
  runInParts(bookIds, (part) =>
    db
      .selectFrom('series_override')
      .selectAll()
      .where('book_id', 'in', part)
      .where('library_id', '=', libraryId)
      .execute(),
  )

export const selectOverridesOfFolders = async (
  db: ReadDb,
  libraryId: string,
  folders: readonly string[],
): Promise<readonly OverrideRow[]> =>
  folders.length === 0
    ? []
    : db
        .selectFrom('series_override')
        .selectAll()
        .where('library_id', '=', libraryId)
        .where('folder', 'is not', null)
        .where('folder', 'in', folders)
        .execute()

/** All folders of a library that somebody has put into a series. */
export const selectFollowedFolders = async (db: ReadDb, libraryId: string) => {
  const rows = await db
    .selectFrom('series_override')
    .select(['id', 'folder'])
    .where('library_id', '=', libraryId)
    .where('folder', 'is not', null)
    .execute()
  return rows.flatMap(({ id, folder }) => (folder === null ? [] : [{ id, folder }]))
}

export const selectOverridesById = (db: ReadDb, ids: readonly string[]): Promise<readonly OverrideRow[]> =>
  runInParts(ids, (part) => db.selectFrom('series_override').selectAll().where('id', 'in', part).execute())

/** Books that have come through the overrides of these folders. */
export const selectOverridesThrough = async (db: ReadDb, ids: readonly string[]): Promise<readonly OverrideRow[]> =>
  ids.length === 0 ? [] : db.selectFrom('series_override').selectAll().where('through_id', 'in', ids).execute()

type NewOverride = Pick<OverrideRow, 'library_id' | 'series_id' | 'book_id' | 'folder' | 'at' | 'by_user_id'>

/** What somebody has just put somewhere: nothing has come through another, or from another folder, yet. */
export const newOverride = (override: NewOverride, now: Date): OverrideRow => ({
  id: newId(now.getTime()),
  folder_before: null,
  through_id: null,
  ...override,
})

export const insertOverrides = (db: WriteDb, rows: readonly OverrideRow[]): Promise<void> =>
  insertMany(db, 'series_override', rows)

export const deleteOverrides = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await runInParts(ids, (part) => db.deleteFrom('series_override').where('id', 'in', part).execute())
}

export const updateFollowedFolder = async (db: WriteDb, id: string, folder: string): Promise<void> => {
  await db
    .updateTable('series_override')
    .set(({ ref }) => ({ folder, folder_before: ref('folder') }))
    .where('id', '=', id)
    .execute()
}

/** A book that takes the place of another one is where somebody has put that one, unless it was put somewhere itself. */
export const handOverride = async (db: WriteDb, fromBookId: string, toBookId: string): Promise<void> => {
  await db
    .updateTable('series_override')
    .set({ book_id: toBookId })
    .where('book_id', '=', fromBookId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('series_override as own')
            .select('own.id')
            .where('own.book_id', '=', toBookId)
            .whereRef('own.library_id', '=', 'series_override.library_id'),
        ),
      ),
    )
    .execute()
}

/** These series as far as they exist, and what others have become part of, by the id that each had. */
export const selectHeirs = async (
  db: ReadDb,
  libraryId: string,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (seriesIds.length === 0) return new Map()
  const merged = await db
    .selectFrom('series_merge')
    .select(['part_id', 'into_series_id'])
    .where('library_id', '=', libraryId)
    .where('part_id', 'in', seriesIds)
    .execute()
  const there = await db.selectFrom('series').select('id').where('id', 'in', seriesIds).execute()
  return new Map([
    ...merged.flatMap(({ part_id, into_series_id }) => (part_id === null ? [] : [[part_id, into_series_id] as const])),
    ...there.map(({ id }) => [id, id] as const),
  ])
}
