import type { Database } from '../../database/database.ts'
import { cachedAnswers, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { type ReadableBook, requireSound } from './readable-book.ts'

const keptMax = 2000

/** A user who turns pages asks for the same book again and again. */
export const cachedBooks = (db: Pick<Database, 'read' | 'commitMark'>) => {
  const kept = cachedAnswers<ReadableBook>(db, keptMax)
  return (viewer: Viewer, bookId: string): ReadableBook | Promise<ReadableBook> =>
    kept(viewer, bookId, () => requireSound(db.read, viewer, bookId))
}
