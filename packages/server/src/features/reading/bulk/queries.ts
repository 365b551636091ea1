import type { ReadDb } from '../../../database/database.ts'

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
