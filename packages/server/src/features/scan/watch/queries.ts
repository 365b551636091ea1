import { sql } from 'kysely'
import type { FileFormat } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../../database/database.ts'

export interface RootToWatch {
  readonly id: string
  readonly path: string
  readonly libraryId: string
  readonly formats: readonly FileFormat[] | null
  readonly exclude: readonly string[]
}

export const selectRootsToWatch = async (db: ReadDb): Promise<RootToWatch[]> => {
  const rows = await db
    .selectFrom('library')
    .innerJoin('library_root', 'library_root.library_id', 'library.id')
    .select(['library_root.id', 'library_root.path', 'library.id as libraryId', 'library.formats', 'library.exclude'])
    .where('library.deleted_at', 'is', null)
    .where('library.watch', '=', 1)
    .where('library_root.removed_at', 'is', null)
    .orderBy('library_root.id')
    .execute()
  return rows.map(({ formats, exclude, ...row }) => ({
    ...row,
    formats: formats === null ? null : (JSON.parse(formats) as FileFormat[]),
    exclude: JSON.parse(exclude) as string[],
  }))
}

export interface NewestScan {
  readonly id: string
  readonly isRunning: boolean
  /** It has looked, or will. */
  readonly counts: boolean
  /** Empty: all of the library. */
  readonly paths: readonly string[]
}

export const selectNewestScan = async (db: ReadDb, libraryId: string): Promise<NewestScan | undefined> => {
  const row = await db
    .selectFrom('scan')
    .select(['id', 'status', 'paths'])
    .where('library_id', '=', libraryId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      isRunning: row.status === 'pending' || row.status === 'processing',
      counts: row.status !== 'failed' && row.status !== 'cancelled',
      paths: row.paths === null ? [] : (JSON.parse(row.paths) as string[]),
    }
  )
}

/** When all of a library was last scanned, or is to be; its beginning when it never was. */
export const selectLastWholeScan = async (db: ReadDb, libraryId: string): Promise<string | undefined> => {
  const scan = await db
    .selectFrom('scan')
    .select('created_at')
    .where('library_id', '=', libraryId)
    .where('paths', 'is', null)
    .where('status', 'not in', ['failed', 'cancelled'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (scan) return scan.created_at
  const library = await db.selectFrom('library').select('created_at').where('id', '=', libraryId).executeTakeFirst()
  return library?.created_at
}

/** Where files lie that are listed and could not be read yet, as long as nothing is about to look at them or read them. */
export const selectUnreadFolders = async (db: ReadDb, libraryId: string, limit: number) => {
  const busy = await db
    .selectFrom('task')
    .select('id')
    .where('key', 'in', [`scan_library ${libraryId}`, `analyse_library ${libraryId}`])
    .where('status', 'in', ['pending', 'processing'])
    .limit(1)
    .executeTakeFirst()
  if (busy) return undefined
  return db
    .selectFrom('file')
    .select(['root_id as rootId', 'folder'])
    .distinct()
    .where('library_id', '=', libraryId)
    .where('analysis', '=', sql.lit('pending'))
    .where('state', '=', sql.lit('present'))
    .limit(limit)
    .execute()
}

/** Scans of single folders come by the thousand: the oldest are forgotten, but for one whose removals wait for a word. */
export const deleteOldScans = async (db: WriteDb, libraryId: string, maxRows: number): Promise<void> => {
  const last = await db
    .selectFrom('scan')
    .select('created_at')
    .where('library_id', '=', libraryId)
    .orderBy('created_at', 'desc')
    .offset(maxRows)
    .limit(1)
    .executeTakeFirst()
  if (!last) return
  await db
    .deleteFrom('scan')
    .where('library_id', '=', libraryId)
    .where('created_at', '<=', last.created_at)
    .where('paths', 'is not', null)
    .where('completed_at', 'is not', null)
    .where('id', 'not in', ({ selectFrom }) => selectFrom('held_change').select('scan_id'))
    .execute()
}
