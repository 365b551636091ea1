import type { WriteDb } from '../../database/database.ts'
import { lockUser } from '../users/users.ts'
import { deleteProjections, refileFacts, selectReadersOf, selectSeriesOf } from './log/queries.ts'
import { recountProgress } from './queries.ts'
import { rebuildBooks } from './rebuild.ts'

/**
 * Within the transaction that finds that two books are one: all that was read in `fromBookId` was read in `toBookId`, and
 * both logs are folded as one. The first has no history after this.
 */
export const moveHistory = async (db: WriteDb, fromBookId: string, toBookId: string): Promise<void> => {
  const readers = await selectReadersOf(db, fromBookId)
  for (const userId of readers) await lockUser(db, userId)
  for (const userId of readers) {
    await refileFacts(db, userId, fromBookId, toBookId)
    await deleteProjections(db, userId, [fromBookId])
    await rebuildBooks(db, userId, [toBookId])
  }
  await recountProgress(db, { seriesIds: await selectSeriesOf(db, [fromBookId, toBookId]) })
}
