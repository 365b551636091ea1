import type { WriteDb } from './db.ts'
import { dialectOf } from './transaction.ts'

/** Whoever changes what belongs to a user locks their row first, so that two such changes do not meet. */
export const lockUser = (db: WriteDb, id: string): Promise<void> => dialectOf(db).lockRow(db, 'user', id)
