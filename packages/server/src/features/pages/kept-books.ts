import type { Database } from '../../database/database.ts'
import { BoundedMap } from '../../platform/limits.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { type ReadableBook, requireSound } from './readable-book.ts'

const keptMax = 2000

interface Kept extends Pick<Viewer, 'rule' | 'deletedLibraries'> {
  readonly book: ReadableBook
  readonly mark: number
}

/**
 * Who turns pages asks for the same book again and again. What was answered holds for the same viewer, with the same
 * rights, until anybody commits anything; then it is asked again. Where the database does not say when that is, it is
 * asked each time.
 */
export const keptBooks = (db: Pick<Database, 'read' | 'commitMark'>) => {
  const books = new BoundedMap<Kept>(keptMax)

  return (viewer: Viewer, bookId: string): ReadableBook | Promise<ReadableBook> => {
    // Before it is read: what is committed meanwhile makes it old at once.
    const mark = db.commitMark()
    if (mark === undefined) return requireSound(db.read, viewer, bookId)
    const { userId, rule, deletedLibraries } = viewer
    const key = `${userId} ${bookId}`
    const kept = books.get(key)
    if (kept?.mark === mark && kept.rule === rule && kept.deletedLibraries === deletedLibraries) return kept.book
    return requireSound(db.read, viewer, bookId).then((book) => {
      books.set(key, { book, mark, rule, deletedLibraries })
      return book
    })
  }
}
