import type { WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'

export interface PagesToSave {
  readonly bookId: string
  /** Packed (`formats/page-index.ts`); null for a book without pages of its own. */
  readonly pages: Uint8Array | null
}

export const savePages = async (db: WriteDb, books: readonly PagesToSave[]): Promise<void> => {
  const gone = books.filter(({ pages }) => pages === null).map(({ bookId }) => bookId)
  if (gone.length > 0) await db.deleteFrom('page_index').where('book_id', 'in', gone).execute()
  await insertMany(
    db,
    'page_index',
    books.flatMap(({ bookId, pages }) => (pages ? [{ book_id: bookId, pages }] : [])),
    { keys: ['book_id'], sets: ['pages'] },
  )
}

/** Of a book that becomes another. */
export const takeOverPages = async (db: WriteDb, fromBookId: string, toBookId: string): Promise<void> => {
  await db.deleteFrom('page_index').where('book_id', '=', toBookId).execute()
  await db.updateTable('page_index').set({ book_id: toBookId }).where('book_id', '=', fromBookId).execute()
}
