import type { Database } from '../../database/database.ts'
import { cachedAnswers, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { type ReadableBook, requireSound } from './readable-book.ts'

const keptMax = 2000

/** A user who turns pages asks for the same book again and again. */
export const cachedBooks = (db: Pick<Database, 'read' | 'changeMark'>) => {
  // Nothing in it is of the reader: pages are turned while their progress is saved.
  const cache = cachedAnswers<ReadableBook>({ changeMark: () => db.changeMark('') }, keptMax)
  return (viewer: Viewer, bookId: string): ReadableBook | Promise<ReadableBook> =>
    cache(viewer, bookId, () => requireSound(db.read, viewer, bookId))
}
