import { type Insertable, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import type { Paging } from '../../platform/paging.ts'
import type { FileFormat, Grouping } from '@carrel/api'
import { type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'
import { namesOfRoots } from '../../catalogue/shown/shown.ts'
import type { ScannedLibrary } from './library.ts'
import type { ScanTables } from './table.ts'
import { figuresOf } from './walker/stored-text.ts'
import type { StoredFile, StoredFolder, StoredFolders, RowKind } from './walker/messages.ts'

// What a walk compares with

/** All that is known below a folder, row by row. */
export const selectStoredFiles = async (
  db: ReadDb,
  { rootId, below }: { rootId: string; below: string },
  after: StoredFile | undefined,
  limit: number,
): Promise<StoredFile[]> => {
  const [, folder = below, name = ''] = after ?? []
  const rows = await presentFiles(db, rootId)
    .where(sql<boolean>`(folder, name) > (${folder}, ${name})`)
    .where(isBelow(below))
    .orderBy('folder')
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map((row) => [
    row.book_id,
    row.folder,
    row.name,
    row.size,
    row.modified_us,
    row.changed_us,
    row.inode,
    row.device,
    row.is_folder,
  ])
}

const presentFiles = (db: ReadDb, rootId: string) =>
  db
    .selectFrom('file')
    .select(['book_id', 'folder', 'name', 'size', 'modified_us', 'changed_us', 'inode', 'device', 'is_folder'])
    .where('root_id', '=', rootId)
    .where('state', '=', sql.lit('present'))

/** The book that this folder is, if it is one: its row lies in the folder above. */
const selectFolderBook = async (db: ReadDb, rootId: string, below: string): Promise<StoredFolder[]> => {
  const slash = below.lastIndexOf('/', below.length - 2) + 1
  const folder = below.slice(0, slash)
  const rows = await presentFiles(db, rootId)
    .where('folder', '=', folder)
    .where('name', '=', below.slice(slash, -1))
    .where('is_folder', '=', 1)
    .execute()
  return rows.map(({ book_id, name, size, modified_us, changed_us, inode, device, is_folder }) => {
    const figures = figuresOf([folder, name, size, modified_us, changed_us, inode, device, is_folder])
    return [folder, 1, figures, `${book_id}/${device}`]
  })
}

const knownTables = {
  files: { table: sql`file`, id: sql`book_id`, isFolder: sql`is_folder`, isThere: sql`state = 'present'` },
  sidecars: { table: sql`sidecar`, id: sql`id`, isFolder: sql`0`, isThere: sql`true` },
} as const

/** The same folder by folder, as the walker compares it (`walker/stored-text.ts`): whole folders, of about so many rows. */
export const selectStoredFolders = async (
  db: ReadDb,
  { rootId, below, of }: { rootId: string; below: string; of: RowKind },
  after: string | undefined,
  rows: number,
): Promise<StoredFolders> => {
  const { table, id, isFolder, isThere } = knownTables[of]
  const isNext = after === undefined ? sql`folder >= ${below}` : sql`folder > ${after}`
  const those = sql`root_id = ${rootId} and ${isThere} and ${isNext} and ${isBelow(below)}`
  const ends = await sql<{ folder: string }>`
    select folder from ${table} where ${those} order by folder, name limit 1 offset ${rows - 1}`.execute(db)
  const last = ends.rows[0]?.folder
  // Were they gathered in another order, they would be compared one by one.
  const result = await sql<{ folder: string; count: number; figures: string; ids: string }>`
    select folder, count(*) as count,
      string_agg(concat_ws('/', name, size, modified_us, changed_us, inode, is_folder), '/') as figures,
      string_agg(concat_ws('/', id, device), '/') as ids
    from (
      select folder, name, size, modified_us, changed_us, inode, device, ${isFolder} as is_folder, ${id} as id
      from ${table} where ${those} and ${last === undefined ? sql`true` : sql`folder <= ${last}`}
      order by folder, name
    ) as known
    group by folder order by folder`.execute(db)
  const own = of === 'files' && below !== '' && after === undefined ? await selectFolderBook(db, rootId, below) : []
  return {
    folders: [
      ...own,
      ...result.rows.map(({ folder, count, figures, ids }): StoredFolder => [folder, count, figures, ids]),
    ],
    isLast: last === undefined,
  }
}

const isBelow = (below: string) => (below === '' ? sql<boolean>`true` : sql<boolean>`folder < ${afterFolder(below)}`)

/** All folders below `a/` come before this. */
export const afterFolder = (folder: string): string => `${folder.slice(0, -1)}0`

// Books and files

/** How often files have ended the decoder that read them. */
export const selectCrashes = async (db: ReadDb, bookIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await db.selectFrom('file').select(['book_id', 'crashes']).where('book_id', 'in', bookIds).execute()
  return new Map(rows.map(({ book_id, crashes }) => [book_id, crashes]))
}

const fingerprintColumns = {
  file: 'file_hash',
  content: 'content_hash',
  pages: 'pages_hash',
  koreader: 'koreader_hash',
} as const

/** What their files are known by now stays known, whatever comes in the place of the files. */
export const rememberFingerprints = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  if (bookIds.length === 0) return
  for (const [kind, column] of Object.entries(fingerprintColumns)) {
    await db
      .insertInto('book_fingerprint')
      .columns(['kind', 'value', 'book_id', 'at'])
      .expression(
        db
          .selectFrom('file')
          .select(({ ref }) => [sql.lit(kind).as('kind'), ref(column).as('value'), 'book_id', 'updated_at'])
          .where('book_id', 'in', bookIds)
          .where(column, 'is not', null),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

export const markFilesMissing = async (db: WriteDb, bookIds: readonly string[], at: string): Promise<void> => {
  await db.updateTable('file').set({ state: 'missing', updated_at: at }).where('book_id', 'in', bookIds).execute()
}

export interface NewScan {
  readonly id: string
  readonly libraryId: string
  readonly taskId: string
  readonly mode: 'changes' | 'full'
  readonly paths: readonly string[]
  readonly at: string
}

export const insertScan = async (db: WriteDb, { id, libraryId, taskId, mode, paths, at }: NewScan): Promise<void> => {
  await db
    .insertInto('scan')
    .values(({ selectFrom }) => ({
      id,
      library_id: libraryId,
      number: selectFrom('scan as other')
        .select(sql<number>`coalesce(max(other.number), 0) + 1`.as('next'))
        .where('other.library_id', '=', libraryId),
      task_id: taskId,
      mode,
      paths: paths.length === 0 ? null : JSON.stringify(paths),
      status: 'pending',
      phase: null,
      files_total: 0,
      files_processed: 0,
      books_added: 0,
      books_updated: 0,
      books_moved: 0,
      books_missing: 0,
      books_restored: 0,
      series_added: 0,
      error_count: 0,
      errors: '[]',
      divided: null,
      started_at: null,
      completed_at: null,
      created_at: at,
    }))
    .execute()
}

type ScanRow = Selectable<ScanTables['scan']>

export const updateScan = async (db: WriteDb, id: string, changes: Partial<Omit<ScanRow, 'id'>>): Promise<void> => {
  await db.updateTable('scan').set(changes).where('id', '=', id).execute()
}

/** Series that scans of this library have divided, and whose rest they have not placed: they were interrupted. */
export const selectDivided = async (db: ReadDb, libraryId: string): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('scan')
    .select('divided')
    .where('library_id', '=', libraryId)
    .where('divided', 'is not', null)
    .execute()
  return [...new Set(rows.flatMap(({ divided }) => JSON.parse(divided ?? '[]') as string[]))]
}

export const clearDivided = async (db: WriteDb, libraryId: string): Promise<void> => {
  await db
    .updateTable('scan')
    .set({ divided: null })
    .where('library_id', '=', libraryId)
    .where('divided', 'is not', null)
    .execute()
}

export const selectScanOfTask = (db: ReadDb, taskId: string): Promise<ScanRow | undefined> =>
  db.selectFrom('scan').selectAll().where('task_id', '=', taskId).orderBy('number', 'desc').limit(1).executeTakeFirst()

export const selectScan = (db: ReadDb, id: string): Promise<ScanRow | undefined> =>
  db.selectFrom('scan').selectAll().where('id', '=', id).executeTakeFirst()

export const selectScans = (
  db: ReadDb,
  libraryId: string,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
): Promise<ScanRow[]> =>
  db
    .selectFrom('scan')
    .selectAll()
    .where('library_id', '=', libraryId)
    .orderBy('number', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const countScans = async (db: ReadDb, libraryId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('scan')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('library_id', '=', libraryId)
    .executeTakeFirstOrThrow()
  return count
}

const filesToAnalyse = (db: ReadDb, libraryId: string) =>
  db
    .selectFrom('file')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('file.library_id', '=', libraryId)
    .where('file.analysis', '=', sql.lit('pending'))
    .where('file.state', '=', sql.lit('present'))

export const countToAnalyse = async (db: ReadDb, libraryId: string): Promise<number> =>
  (await filesToAnalyse(db, libraryId).executeTakeFirstOrThrow()).count

/** Only of books that this viewer sees. */
export const countVisibleToAnalyse = async (db: ReadDb, viewer: Viewer, libraryId: string): Promise<number> => {
  const { count } = await filesToAnalyse(db, libraryId)
    .innerJoin('book', 'book.id', 'file.book_id')
    .where(visibleTo(viewer, 'book'))
    .executeTakeFirstOrThrow()
  return count
}

// Removals

export const countPresent = async (db: ReadDb, libraryId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('book')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('library_id', '=', libraryId)
    .where('state', '=', sql.lit('present'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectSeriesOf = async (db: ReadDb, bookIds: readonly string[]): Promise<string[]> => {
  if (bookIds.length === 0) return []
  const rows = await db.selectFrom('book').select('series_id').distinct().where('id', 'in', bookIds).execute()
  return rows.map(({ series_id }) => series_id)
}

/** Books that have their file in this root; their further files are not counted. */
export const countInRoot = async (db: ReadDb, rootId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('file')
    .leftJoin('book_merge', 'book_merge.book_id', 'file.book_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('book_merge.book_id', 'is', null)
    .where('root_id', '=', rootId)
    .where('state', '=', sql.lit('present'))
    .executeTakeFirstOrThrow()
  return count
}

// Sidecars

export const upsertSidecars = (db: WriteDb, rows: readonly Insertable<ScanTables['sidecar']>[]): Promise<void> =>
  insertMany(db, 'sidecar', rows, {
    keys: ['root_id', 'folder', 'name'],
    sets: ['size', 'modified_us', 'changed_us', 'inode', 'device'],
  })

export const deleteSidecars = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await db.deleteFrom('sidecar').where('id', 'in', ids).execute()
}

export const selectBooksBeside = async (db: ReadDb, rootId: string, folders: readonly string[]) =>
  folders.length === 0
    ? []
    : db
        .selectFrom('file')
        .innerJoin('book', 'book.id', 'file.book_id')
        .select(['book.id', 'book.series_id', 'file.folder', 'file.name'])
        .where('file.root_id', '=', rootId)
        .where('file.folder', 'in', folders)
        .where('file.state', '=', sql.lit('present'))
        .orderBy('book.position_key')
        .execute()

/** The series that lie in these folders, by the folder. */
export const selectSeriesAt = async (
  db: ReadDb,
  libraryId: string,
  folders: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const paths = folders.filter((folder) => folder !== '').map((folder) => folder.slice(0, -1))
  if (paths.length === 0) return new Map()
  const rows = await db
    .selectFrom('series')
    .select(['id', 'path'])
    .where('library_id', '=', libraryId)
    .where('path', 'in', paths)
    .execute()
  const grouped = Map.groupBy(rows, ({ path }) => `${path}/`)
  return new Map([...grouped].map(([folder, series]) => [folder, series.map(({ id }) => id)]))
}

// What is to be read

/** Answers the last of them, or undefined when there were none. */
export const updateAllPending = async (
  db: WriteDb,
  libraryId: string,
  after: string,
  limit: number,
): Promise<string | undefined> => {
  const rows = await db
    .selectFrom('file')
    .select('id')
    .where('library_id', '=', libraryId)
    .where('state', '=', 'present')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await db.updateTable('file').set({ analysis: 'pending', crashes: 0 }).where('id', 'in', ids).execute()
  return ids.at(-1)
}

/** What could not be opened may be open by now: rights and storage change, and leave no trace on the file. */
export const updateUnreadablePending = async (db: WriteDb, libraryId: string): Promise<void> => {
  await db
    .updateTable('file')
    .set({ analysis: 'pending' })
    .where('library_id', '=', libraryId)
    .where('fault_code', '=', 'unreadable')
    .where('analysis', '=', 'failed')
    .where('state', '=', sql.lit('present'))
    .execute()
}

const filesToRead = (db: ReadDb, libraryId: string) =>
  db
    .selectFrom('file')
    .select(['id', 'book_id', 'root_id', 'folder', 'name', 'size', 'modified_us', 'changed_us', 'is_folder'])
    .where('library_id', '=', libraryId)
    .where('analysis', '=', sql.lit('pending'))
    .where('state', '=', sql.lit('present'))

export type FileToReadRow = Awaited<ReturnType<ReturnType<typeof filesToRead>['execute']>>[number]

/** What somebody has asked to see comes first. */
export const selectRequestedFiles = (db: ReadDb, libraryId: string, limit: number): Promise<FileToReadRow[]> =>
  filesToRead(db, libraryId).where('wanted_at', '>', '').orderBy('wanted_at', 'desc').limit(limit).execute()

export const selectFilesToRead = (
  db: ReadDb,
  libraryId: string,
  after: string,
  limit: number,
): Promise<FileToReadRow[]> =>
  filesToRead(db, libraryId).where('wanted_at', '=', '').where('id', '>', after).orderBy('id').limit(limit).execute()

/** Somebody waits for these books, so their files go before others of their library. */
export const markFilesRequested = async (db: WriteDb, bookIds: readonly string[], at: string): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('file')
    .set({ wanted_at: at })
    .where('book_id', 'in', bookIds)
    .where('analysis', '=', 'pending')
    .where('wanted_at', '=', '')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export const selectBookIdsAfter = async (
  db: ReadDb,
  libraryId: string,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('book')
    .select('id')
    .where('library_id', '=', libraryId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const selectScannedLibrary = async (db: ReadDb, id: string): Promise<ScannedLibrary | undefined> => {
  const row = await db
    .selectFrom('library')
    .select(['id', 'name', 'grouping', 'numbering', 'title_from', 'formats', 'exclude', 'book_count'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const all = await db
    .selectFrom('library_root')
    .select(['id', 'path', 'device', 'inode', 'removed_at'])
    .where('library_id', '=', id)
    .orderBy('position')
    .execute()
  return {
    id: row.id,
    name: row.name,
    grouping: JSON.parse(row.grouping) as Grouping,
    numbering: row.numbering,
    titleFrom: row.title_from,
    rootNames: namesOfRoots(all),
    formats: row.formats === null ? null : (JSON.parse(row.formats) as FileFormat[]),
    exclude: JSON.parse(row.exclude) as string[],
    roots: all.filter(({ removed_at }) => removed_at === null),
    removedRootIds: all.filter(({ removed_at }) => removed_at !== null).map((root) => root.id),
    bookCount: row.book_count,
  }
}

/** The files are read as if they had never been opened, and before others. */
export const updateToReadAgain = async (db: WriteDb, bookIds: readonly string[], at: string): Promise<void> => {
  if (bookIds.length === 0) return
  await db
    .updateTable('file')
    .set({ analysis: 'pending', crashes: 0, wanted_at: at, fault_code: null, fault_message: null, fault_at: null })
    .where('book_id', 'in', bookIds)
    .execute()
}

/** Libraries that are looked at by themselves. */
export const selectLibrarySchedules = (db: ReadDb) =>
  db
    .selectFrom('library')
    .select(['id', 'cron', 'time_zone', 'watch'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

export const selectMissingBefore = async (
  db: ReadDb,
  libraryId: string,
  before: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('book')
    .select('id')
    .where('library_id', '=', libraryId)
    .where('state', '=', sql.lit('missing'))
    .where('missing_since', '<', before)
    .orderBy('missing_since')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
