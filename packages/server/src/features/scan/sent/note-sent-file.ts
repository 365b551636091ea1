import type { Database } from '../../../database/database.ts'
import { cannotBeSaved } from '../../../platform/errors.ts'
import { insertSentFile, selectSentFiles } from './queries.ts'

/** Every correction makes another file of a book, if somebody fetches it: after so many no more are known. */
const knownMax = 100

/** KOReader will ask about the file that was sent, which is none of ours: the book is known by it from now on. */
export const noteSentFile = async (db: Database, bookId: string, koreader: string, now: Date): Promise<void> => {
  const sent = await selectSentFiles(db.read, bookId)
  if (sent.includes(koreader) || sent.length >= knownMax) return
  await db
    .write((db) => insertSentFile(db, { bookId, koreader, at: now.toISOString() }))
    .catch((error: unknown) => {
      // Whoever downloads has the file all the same.
      if (!cannotBeSaved(error)) throw error
    })
}
