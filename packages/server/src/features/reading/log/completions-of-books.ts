import type { ReadDb } from '../../../database/database.ts'
import type { Completions } from '../reading-sessions/queries.ts'
import type { Completion } from './fold.ts'
import { selectRemoved, selectStated } from './queries.ts'

interface CompletionsOfBook {
  /** Figures use these counts. */
  readonly counted: Completions
  /** These are the rows as they are stored. */
  readonly rows: readonly CompletionRow[]
}

interface CompletionRow {
  readonly user_id: string
  readonly id: string
  readonly book_id: string
  readonly started_at: string
  readonly completed_at: string
}

/**
 * It reads the completions the folds have found, less those the user has removed, plus those they have entered: for all
 * these books, in two statements.
 */
export const completionsOfBooks = async (
  db: ReadDb,
  userId: string,
  folded: ReadonlyMap<string, readonly Completion[]>,
): Promise<ReadonlyMap<string, CompletionsOfBook>> => {
  const ids = [...folded.values()].flatMap((completions) => completions.map(({ entryId }) => entryId))
  const removed = await selectRemoved(db, userId, ids)
  const statedOf = Map.groupBy(await selectStated(db, userId, [...folded.keys()]), ({ book_id }) => book_id)
  return new Map(
    [...folded].map(([bookId, completions]) => {
      const stated = statedOf.get(bookId) ?? []
      const statedIds = new Set(stated.map(({ id }) => id))
      // A client has chosen the id of a completion that its user has entered: that one stays.
      const derived = completions.filter(({ entryId }) => !removed.has(entryId) && !statedIds.has(entryId))
      const rowOf = (id: string, started_at: string, completed_at: string): CompletionRow => ({
        user_id: userId,
        id,
        book_id: bookId,
        started_at,
        completed_at,
      })
      return [
        bookId,
        {
          counted: {
            derived: new Set(derived.map(({ entryId }) => entryId)),
            stated: stated.map(({ id, completed_at, series_id, series_name, format }) => ({
              id,
              completedAt: completed_at,
              about: { seriesId: series_id, seriesName: series_name, format },
            })),
          },
          rows: [
            ...derived.map(({ entryId, startedAt, completedAt }) => rowOf(entryId, startedAt, completedAt)),
            ...stated.map(({ id, started_at, completed_at }) => rowOf(id, started_at, completed_at)),
          ],
        },
      ] as const
    }),
  )
}
