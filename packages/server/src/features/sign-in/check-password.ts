import type { Database } from '../../database/database.ts'
import type { PasswordHashing } from '../../platform/secrets/password-hash.ts'
import { nameKey } from '../../platform/text/sort-key.ts'
import { selectUserByName, type UserRow } from '../users/users.ts'
import { type Try, tryOnce } from './throttle.ts'

export interface PasswordContext {
  readonly db: Database
  readonly passwords: PasswordHashing
  readonly clock: () => Date
}

export interface CheckedPassword {
  readonly user: UserRow
  readonly attempt: Try
}

/**
 * The one place where a password is checked. An unknown user, a wrong password and an inactive user give the same
 * answer after the same work.
 */
export const checkPassword = async (
  { db, passwords, clock }: PasswordContext,
  spelled: string,
  password: string,
  network: string,
): Promise<CheckedPassword | undefined> => {
  // The name is trimmed before anything is counted: otherwise spaces would reveal which names exist.
  const name = spelled.trim()
  const user = await selectUserByName(db.read, name)
  const attempt = { account: user?.id ?? nameKey(name), userId: user?.id, network }
  return tryOnce({ db, clock }, attempt, async () => {
    const matches = await passwords.verify(user?.password_hash, password)
    return matches && user?.is_active ? { user, attempt } : undefined
  })
}
