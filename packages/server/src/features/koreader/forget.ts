import type { Database } from '../../database/database.ts'
import { forgetLog } from '../reading/reading.ts'
import { lockUser } from '../../database/lock-user.ts'
import { deleteSomeOf } from './queries.ts'

const rowsAtOnce = 1000

/**
 * It deletes all reading data of a user, including what KOReader has stored here: it would come back with the next
 * scan.
 */
export const forgetReading = async (db: Database, userId: string): Promise<undefined> => {
  await forgetLog(db, userId)
  for (let isMore = true; isMore;) {
    isMore = await db.write(async (db) => {
      await lockUser(db, userId)
      return deleteSomeOf(db, userId, rowsAtOnce)
    })
  }
  return undefined
}
