import { sql } from 'kysely'
import { type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../../database/database.ts'

/** The book and those that come before it in its series, as far as the viewer sees them; none where there is no such book. */
export const selectIdsUpTo = async (db: ReadDb, viewer: Viewer, bookId: string): Promise<string[]> => {
  const last = await db
    .selectFrom('book')
    .select(['series_id', 'position_key', 'id'])
    .where('book.id', '=', bookId)
    .where('book.state', '=', sql.lit('present'))
    .where(visibleTo(viewer, 'book'))
    .executeTakeFirst()
  if (!last) return []
  const rows = await db
    .selectFrom('book')
    .select('book.id')
    .where('book.series_id', '=', last.series_id)
    .where('book.state', '=', sql.lit('present'))
    .where(({ and, eb, or }) =>
      or([
        eb('book.position_key', '<', last.position_key),
        and([eb('book.position_key', '=', last.position_key), eb('book.id', '<=', last.id)]),
      ]),
    )
    .where(visibleTo(viewer, 'book'))
    .orderBy('book.position_key')
    .orderBy('book.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** It reads a user's state in each of these books: the point of the history, and whether the book is read by now. */
export const selectStandings = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
): Promise<Map<string, { readonly historyId: string; readonly isRead: boolean }>> => {
  const rows = await db
    .selectFrom('read_progress')
    .select(['book_id', 'entry_id', 'completed', 'rereading'])
    .where('user_id', '=', userId)
    .where('book_id', 'in', bookIds)
    .execute()
  return new Map(
    rows.map(({ book_id, entry_id, completed, rereading }) => [
      book_id,
      { historyId: entry_id, isRead: completed === 1 && rereading === 0 },
    ]),
  )
}

export const selectPointsById = (db: ReadDb, userId: string, ids: readonly string[]) =>
  db
    .selectFrom('reading_log')
    .select(['id', 'book_id', 'kind', 'page', 'percentage', 'page_count', 'finishes', 'locator'])
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute()
