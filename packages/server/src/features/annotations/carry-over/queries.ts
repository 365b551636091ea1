import type { WriteDb } from '../../../database/database.ts'

/** What was marked in these books stands in the one that stays. In the transaction of the merge. */
export const carryMarksOver = async (db: WriteDb, fromIds: readonly string[], intoId: string): Promise<void> => {
  for (const kind of ['bookmark', 'annotation'] as const)
    await db.updateTable(kind).set({ book_id: intoId }).where('book_id', 'in', fromIds).execute()
}
