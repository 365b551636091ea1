import { sql } from 'kysely'
import type { WriteDb } from '../../database/database.ts'

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
        .where('status', '=', 'unavailable')} then 'unavailable' else 'available' end`,
    }))
    .where('id', '=', libraryId)
    .execute()
  return library?.status === 'unavailable'
}

/** At the end of a scan: what is counted while books come and go is set right. */
export const recountLibrary = async (db: WriteDb, libraryId: string, at: string): Promise<void> => {
  const ofLibrary = db.selectFrom('series').where('library_id', '=', libraryId).where('book_count', '>', 0)
  const { series, books } = await ofLibrary
    .select(({ fn }) => [fn.countAll<number>().as('series'), fn.sum<number | null>('book_count').as('books')])
    .executeTakeFirstOrThrow()
  await db
    .updateTable('library')
    .set({ series_count: series, book_count: Number(books ?? 0), last_scanned_at: at, updated_at: at })
    .where('id', '=', libraryId)
    .execute()
}
