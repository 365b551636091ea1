import type { WriteDb } from '../../../database/database.ts'
import type { Fault } from '../../../formats/book-format.ts'

/** One decoder more that a book has ended; answers how many by now. */
export const addCrash = async (db: WriteDb, bookId: string): Promise<number> => {
  const row = await db
    .updateTable('file')
    .set(({ eb }) => ({ crashes: eb('crashes', '+', 1) }))
    .where('book_id', '=', bookId)
    .returning('crashes')
    .executeTakeFirst()
  return row?.crashes ?? 0
}

export const updateQuarantined = async (db: WriteDb, bookId: string, fault: Fault, at: string): Promise<void> => {
  await db
    .updateTable('file')
    .set({ analysis: 'quarantined', fault_code: fault.code, fault_message: fault.message, fault_at: at })
    .where('book_id', '=', bookId)
    .execute()
}
