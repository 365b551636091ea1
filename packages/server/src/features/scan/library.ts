import type { FileFormat } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'

/** A library as a scan needs it. */
export interface ScannedLibrary {
  readonly id: string
  readonly name: string
  readonly policy: string
  readonly numbering: 'file_order' | 'metadata' | 'filename' | 'smart'
  readonly titleFrom: 'filename' | 'metadata' | 'smart'
  readonly formats: readonly FileFormat[] | null
  readonly exclude: readonly string[]
  readonly roots: readonly ScannedRoot[]
  /** No longer part of it: what was there is elsewhere by now, or gone. */
  readonly removedRootIds: readonly string[]
  readonly bookCount: number
}

export interface ScannedRoot {
  readonly id: string
  readonly path: string
  readonly device: number | null
  readonly inode: number | null
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
    policy: (JSON.parse(row.grouping) as { policy: string }).policy,
    numbering: row.numbering,
    titleFrom: row.title_from,
    formats: row.formats === null ? null : (JSON.parse(row.formats) as FileFormat[]),
    exclude: JSON.parse(row.exclude) as string[],
    roots: all.filter(({ removed_at }) => removed_at === null),
    removedRootIds: all.filter(({ removed_at }) => removed_at !== null).map((root) => root.id),
    bookCount: row.book_count,
  }
}
