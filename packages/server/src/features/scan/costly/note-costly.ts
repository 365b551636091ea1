import type { Database } from '../../../database/database.ts'
import type { Fault } from '../../../formats/book-format.ts'
import { cannotBeSaved } from '../../../platform/errors.ts'
import { crashesMax } from '../analysis/apply-analysis.ts'
import { addCrash, updateQuarantined } from './queries.ts'

/** A book has ended a decoder while somebody read it: three times, and nobody opens it any more until it is retried (LIB-7). */
export const noteCostly = (db: Pick<Database, 'write'>, bookId: string, fault: Fault, now: Date): Promise<void> =>
  db
    .write(async (db) => {
      if ((await addCrash(db, bookId)) >= crashesMax) await updateQuarantined(db, bookId, fault, now.toISOString())
    })
    .catch((error: unknown) => {
      // Whoever reads has an answer all the same.
      if (!cannotBeSaved(error)) throw error
    })
