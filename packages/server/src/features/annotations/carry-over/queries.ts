import type { WriteDb } from '../../../database/database.ts'
import { updateMany } from '../../../database/many.ts'

const kinds = ['bookmark', 'annotation'] as const

/** Where somebody had marked something before a merge. */
export interface CarriedMark {
  readonly kind: (typeof kinds)[number]
  readonly id: string
  readonly user_id: string
  readonly book_id: string
}

/** What was marked in these books stands in the one that stays. Answers where it was. In the transaction of the merge. */
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

/** When the merge is taken back: what has been marked since then stays where it was marked. */
export const giveMarksBack = async (db: WriteDb, carried: readonly CarriedMark[]): Promise<void> => {
  for (const kind of kinds) {
    const rows = carried.filter((mark) => mark.kind === kind).map(({ id, book_id }) => ({ id, book_id }))
    await updateMany(db, kind, { keys: { id: 'text' }, columns: { book_id: 'text' } }, rows)
  }
}
