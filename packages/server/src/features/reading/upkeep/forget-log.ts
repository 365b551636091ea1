import type { Database } from '../../../database/database.ts'
import { notFound } from '../../../platform/errors.ts'
import { selectUser } from '../../users/users.ts'
import { lockUser } from '../../../database/lock-user.ts'
import { deleteLogOfSome } from '../queries.ts'
import { rebuildProjections } from './rebuild.ts'

const rowsAtOnce = 500

/** It deletes the whole reading log of a user, and all that was made of it. Devices and settings stay. */
export const forgetLog = async (db: Database, userId: string): Promise<undefined> => {
  if (!(await selectUser(db.read, userId))) throw notFound('user')
  for (let isMore = true; isMore;) {
    isMore = await db.write(async (db) => {
      await lockUser(db, userId)
      return deleteLogOfSome(db, userId, rowsAtOnce)
    })
  }
  // Counts of series; and what may have been said meanwhile.
  await rebuildProjections({ db, write: db.write }, userId)
  return undefined
}
