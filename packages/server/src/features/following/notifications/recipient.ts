import type { ReadDb } from '../../../database/database.ts'
import { effectivePermissions, selectUser, type UserRow } from '../../users/users.ts'

/** What is sent, or fetched with a key, goes to whoever might ask for it themselves at that moment. */
export const findRecipient = async (db: ReadDb, userId: string): Promise<UserRow | undefined> => {
  const user = await selectUser(db, userId)
  return user?.is_active === 1 && effectivePermissions(user).includes('progress:read') ? user : undefined
}
