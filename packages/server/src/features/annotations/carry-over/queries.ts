import type { WriteDb } from '../../../database/database.ts'
import { updateMany } from '../../../database/many.ts'

const kinds = ['bookmark', 'annotation'] as const

/** It says where somebody had marked something before a merge. */
export interface CarriedMark {
  readonly kind: (typeof kinds)[number]
  readonly id: string
  readonly user_id: string
  readonly book_id: string
}

/**
 * Marks in these books move to the one that stays. It returns where they were. The call belongs in the transaction of
 * the merge.
 */
export const carryMarksOver = async (
  db: WriteDb,
  fromIds: readonly string[],
  intoId: string,
): Promise<readonly CarriedMark[]> => {
  const carried: CarriedMark[] = []
  for (const kind of kinds) {
    const rows = await db
      .selectFrom(kind)
      .select(['id', 'user_id', 'book_id'])
      .where('book_id', 'in', fromIds)
      .orderBy('id')
      .execute()
    if (rows.length === 0) continue
    await db.updateTable(kind).set({ book_id: intoId }).where('book_id', 'in', fromIds).execute()
    carried.push(...rows.map((row) => ({ kind, ...row })))
  }
  return carried
}

/** It undoes the merge for marks: those made since then stay where they were made. */
export const giveMarksBack = async (db: WriteDb, carried: readonly CarriedMark[]): Promise<void> => {
  for (const kind of kinds) {
    const rows = carried.filter((mark) => mark.kind === kind).map(({ id, book_id }) => ({ id, book_id }))
    await updateMany(db, kind, { keys: { id: 'text' }, columns: { book_id: 'text' } }, rows)
  }
}
