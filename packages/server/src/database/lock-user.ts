import type { WriteDb } from './db.ts'
import { dialectOf, lockedUsersIn } from './transaction.ts'

/** Whoever changes what belongs to a user locks their row first, so that two such changes do not meet. */
export const lockUser = async (db: WriteDb, id: string): Promise<void> => {
  const locked = lockedUsersIn(db)
  if (locked.has(id)) return
  await dialectOf(db).lockRow(db, 'user', id)
  locked.add(id)
}
