import type { WriteDb } from '../../../database/database.ts'
import { lockUser } from '../../../database/lock-user.ts'
import {
  noteRefiled,
  refileEntries,
  returnEntries,
  selectReadersOf,
  selectRefiledReaders,
  selectSeriesOf,
} from '../log/queries.ts'
import { recountProgress } from '../queries.ts'
import { rebuildBooks } from './rebuild.ts'

/**
 * The call belongs in the transaction that finds that two books are one: all that was read in `fromBookId` was read in
 * `toBookId`, and both logs are folded as one. The first has no history after this. In a merge it is stored which entries
 * belonged to which book. No rule of rows says this: where a reader stands is folded anew from both logs, and what was
 * removed since the merge goes back with its entry.
 */
export const moveHistory = async (
  db: WriteDb,
  fromBookId: string,
  toBookId: string,
  mergeId?: string,
): Promise<void> => {
  const readers = await selectReadersOf(db, fromBookId)
  for (const userId of readers) await lockUser(db, userId)
  for (const userId of readers) {
    if (mergeId !== undefined) await noteRefiled(db, { mergeId, userId, bookId: fromBookId })
    await refileEntries(db, userId, fromBookId, toBookId)
    await rebuildBooks(db, userId, [fromBookId, toBookId])
  }
  await recountProgress(db, { seriesIds: await selectSeriesOf(db, [fromBookId, toBookId]) })
}

/**
 * It undoes the move: entries about `fromBookId` before the merge belong to it again. Anything read since then was read
 * in `intoBookId`, and stays there.
 */
export const giveHistoryBack = async (
  db: WriteDb,
  { mergeId, fromBookId, intoBookId }: { mergeId: string; fromBookId: string; intoBookId: string },
): Promise<void> => {
  const readers = await selectRefiledReaders(db, mergeId, fromBookId)
  for (const userId of readers) await lockUser(db, userId)
  for (const userId of readers) {
    await returnEntries(db, { mergeId, userId, fromBookId, intoBookId })
    await rebuildBooks(db, userId, [fromBookId, intoBookId])
  }
  await recountProgress(db, { seriesIds: await selectSeriesOf(db, [fromBookId, intoBookId]) })
}
