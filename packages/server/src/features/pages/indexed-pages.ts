import type { ReadDb } from '../../database/database.ts'
import type { Page } from '../../formats/book-format.ts'
import { unpackPages } from '../../formats/page-index.ts'
import { selectPageIndex } from './queries.ts'

/** The pages of a book as far as they are known: its file is not opened for them. */
export const readIndexedPages = async (db: ReadDb, bookId: string): Promise<readonly Page[]> => {
  const packed = await selectPageIndex(db, bookId)
  return packed ? unpackPages(packed) : []
}
