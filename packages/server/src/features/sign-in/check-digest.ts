import type { ApiKeyDto } from '@carrel/api'
import { nameKey } from '../../platform/text/sort-key.ts'
import { findKeyByMd5 } from '../api-keys/api-keys.ts'
import { selectUserByName } from '../users/users.ts'
import type { PasswordContext } from './check-password.ts'
import { type Try, tryOnce } from './throttle.ts'

/** A user name with the digest of one of their API keys. What fails counts as a password that was wrong (AUTH-5). */
export const checkDigest = async (
  { db, clock }: Pick<PasswordContext, 'db' | 'clock'>,
  { username, digest }: { readonly username: string; readonly digest: string },
  network: string,
): Promise<{ key: ApiKeyDto; attempt: Try } | undefined> => {
  const name = username.trim()
  const user = await selectUserByName(db.read, name)
  const attempt = { account: user?.id ?? nameKey(name), userId: user?.id, network }
  return tryOnce({ db, clock }, attempt, async () => {
    const key = await findKeyByMd5(db.read, digest.toLowerCase(), clock())
    return user && key?.userId === user.id ? { key, attempt } : undefined
  })
}
