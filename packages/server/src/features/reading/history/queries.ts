import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import { shownOfOneSeries, tellsSeries, type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'
import type { ReadingTables } from '../table.ts'

/** The next part of an export begins here. */
export interface After {
  readonly startedAt: string
  readonly id: string
}

export const selectEntriesInOrder = (db: ReadDb, userId: string, after: After, limit: number) =>
  db
    .selectFrom('reading_log')
    .leftJoin('device', (join) =>
      join.onRef('device.user_id', '=', 'reading_log.user_id').onRef('device.id', '=', 'reading_log.device_id'),
    )
    .selectAll('reading_log')
    .select('device.name as deviceName')
    .where('reading_log.user_id', '=', userId)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('reading_log.started_at', 'reading_log.id'), '>', tuple(after.startedAt, after.id)),
    )
    .orderBy('reading_log.started_at')
    .orderBy('reading_log.id')
    .limit(limit)
    .execute()

export const selectStatedInOrder = (db: ReadDb, userId: string, afterId: string, limit: number) =>
  db
    .selectFrom('stated_completion')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()

export interface NamedBook {
  readonly id: string
  readonly title: string
  /** Null where the viewer does not see it. */
  readonly series: string | null
  readonly fileHash: string | null
  readonly path: string | null
}

/** It reads by what names these books are found elsewhere, as far as the viewer sees them. */
export const selectNames = async (
  db: ReadDb,
  viewer: Viewer,
  bookIds: readonly string[],
): Promise<Map<string, NamedBook>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('book')
    .innerJoin('series', 'series.id', 'book.series_id')
    .leftJoin('file', (join) => join.onRef('file.book_id', '=', 'book.id').on('file.state', '=', 'present'))
    .select(['book.id', 'book.title', 'file.file_hash', 'file.folder', 'file.name'])
    .select(
      sql<string | null>`case when ${tellsSeries(viewer)} then ${shownOfOneSeries(viewer, 'title')} end`.as('series'),
    )
    .where('book.id', 'in', bookIds)
    .where('book.state', '<>', 'hidden')
    .where(visibleTo(viewer, 'book'))
    .execute()
  return new Map(
    rows.map(({ id, title, series, file_hash, folder, name }) => [
      id,
      {
        id,
        title,
        series,
        fileHash: file_hash,
        path: name === null || !viewer.seesPaths ? null : `${folder ?? ''}${name}`,
      },
    ]),
  )
}

/** It returns those of these that exist but are hidden from the viewer. With a deleted library they are gone. */
export const selectHidden = async (
  db: ReadDb,
  viewer: Viewer,
  content: 'book' | 'series',
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(content)} where id in (${sql.join(ids)})
    and case when ${visibleTo({ ...viewer, deletedLibraries: [] }, content)} then 0 else 1 end = 1`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

const visibleBooks = (db: ReadDb, viewer: Viewer) =>
  db.selectFrom('book').where('book.state', '<>', 'hidden').where(visibleTo(viewer, 'book'))

/** A file may match by any hash a book ever had. */
export const selectByHash = async (
  db: ReadDb,
  viewer: Viewer,
  hashes: readonly string[],
): Promise<{ readonly key: string; readonly bookId: string }[]> =>
  hashes.length === 0
    ? []
    : visibleBooks(db, viewer)
        .innerJoin('book_fingerprint', 'book_fingerprint.book_id', 'book.id')
        .select(['book_fingerprint.value as key', 'book.id as bookId'])
        .distinct()
        .where('book_fingerprint.kind', 'in', ['file', 'content', 'koreader'])
        .where('book_fingerprint.value', 'in', hashes)
        .execute()

export interface BookPath {
  readonly folder: string
  readonly name: string
}

/** Files that lie there in any root. */
export const selectByPath = async (
  db: ReadDb,
  viewer: Viewer,
  paths: readonly BookPath[],
): Promise<(BookPath & { readonly bookId: string })[]> => {
  if (paths.length === 0) return []
  const ends = sql.join(paths.map(({ folder, name }) => sql`(${folder}, ${name})`))
  return visibleBooks(db, viewer)
    .innerJoin('file', 'file.book_id', 'book.id')
    .select(['file.folder', 'file.name', 'book.id as bookId'])
    .where('file.state', '=', 'present')
    .where(
      sql<boolean>`(file.root_id, file.folder, file.name) in
        (select library_root.id, column1, column2 from library_root cross join (values ${ends}) as ends)`,
    )
    .execute()
}

/** It reads books of the series with these names. */
export const selectBySeries = async (
  db: ReadDb,
  viewer: Viewer,
  keys: readonly string[],
  limit: number,
): Promise<{ readonly key: string; readonly title: string; readonly bookId: string }[]> =>
  keys.length === 0
    ? []
    : visibleBooks(db, viewer)
        .innerJoin('series_name', 'series_name.series_id', 'book.series_id')
        .select(['series_name.key', 'book.title', 'book.id as bookId'])
        .where('series_name.key', 'in', keys)
        .limit(limit)
        .execute()

export const selectByTitle = async (
  db: ReadDb,
  viewer: Viewer,
  sortKeys: readonly string[],
  limit: number,
): Promise<{ readonly key: string; readonly bookId: string }[]> =>
  sortKeys.length === 0
    ? []
    : visibleBooks(db, viewer)
        .select(['book.sort_key as key', 'book.id as bookId'])
        .where('book.state', '=', 'present')
        .where('book.sort_key', 'in', sortKeys)
        .limit(limit)
        .execute()

export type ImportRow = Selectable<ReadingTables['reading_import']>

export const insertImport = (db: WriteDb, row: ImportRow): Promise<void> => insertMany(db, 'reading_import', [row])

export const insertPart = (db: WriteDb, row: ReadingTables['reading_import_part']): Promise<void> =>
  insertMany(db, 'reading_import_part', [row])

export const selectImport = (db: ReadDb, id: string): Promise<ImportRow | undefined> =>
  db.selectFrom('reading_import').selectAll().where('id', '=', id).executeTakeFirst()

/** It finds an import that is still running, as far as anybody knows. */
export const selectUnfinished = (db: ReadDb, userId: string, now: Date): Promise<ImportRow | undefined> => {
  const ago = new Date(now.getTime() - abandonedAfterMs).toISOString()
  return db
    .selectFrom('reading_import')
    .leftJoin('task', 'task.id', 'reading_import.task_id')
    .selectAll('reading_import')
    .where('user_id', '=', userId)
    .where('reading_import.completed_at', 'is', null)
    .where(({ eb, or, and }) =>
      or([
        eb('task.status', 'in', ['pending', 'processing']),
        and([eb('task_id', 'is', null), eb('reading_import.created_at', '>', ago)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
}

/** An import without a task is finished within its request, unless the server was killed. */
const abandonedAfterMs = 10 * 60 * 1000

export const selectParts = async (db: ReadDb, importId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('reading_import_part')
    .select('entries')
    .where('import_id', '=', importId)
    .orderBy('place')
    .execute()
  return rows.map(({ entries }) => entries)
}

export const deleteParts = async (db: WriteDb, importId: string): Promise<void> => {
  await db.deleteFrom('reading_import_part').where('import_id', '=', importId).execute()
}

export const updateImport = async (
  db: WriteDb,
  id: string,
  change: Partial<Pick<ImportRow, 'report' | 'done' | 'completed_at' | 'task_id' | 'total'>>,
): Promise<void> => {
  await db.updateTable('reading_import').set(change).where('id', '=', id).execute()
}

/** It deletes all imports but the newest. */
export const deleteOldImports = async (db: WriteDb, userId: string, keep: number): Promise<void> => {
  await db
    .deleteFrom('reading_import')
    .where('user_id', '=', userId)
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('reading_import')
        .select('reading_import.id')
        .where('reading_import.user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('reading_import.id', 'desc')
        .limit(keep),
    )
    .execute()
}
