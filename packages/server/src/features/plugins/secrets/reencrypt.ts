import type { Database } from '../../../database/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { OwnTrust } from './own-trust.ts'
import { selectEncrypted, updatePluginRow } from '../queries.ts'
import { isReencrypted, encrypt, type Secrets, decrypt } from './encryption.ts'

/** When the secret of the installation has been changed: what was encrypted under the former one is encrypted under the new one. */
export const reencrypt = async (
  db: Pick<Database, 'write'>,
  secrets: Secrets,
  { log, own }: { readonly log: Log; readonly own: Pick<OwnTrust, 'reencrypt'> },
): Promise<void> => {
  if (secrets.formerSecret === undefined) return
  try {
    await own.reencrypt()
    const count = await db.write(async (db) => {
      let count = 0
      for (const { id, env, credentials, oauth_client_secret } of await selectEncrypted(db)) {
        const changes = {
          ...anew('env', env, secrets),
          ...anew('credentials', credentials, secrets),
          ...anew('oauth_client_secret', oauth_client_secret, secrets),
        }
        if (Object.keys(changes).length === 0) continue
        await updatePluginRow(db, id, changes)
        count += 1
      }
      return count
    })
    log.info({ count }, 'The secrets of plugins are encrypted under the new key; CARREL_SECRET_KEY_FORMER can go')
  } catch (err) {
    log.warn({ err }, 'The secrets of plugins could not be encrypted under the new key; they are at the next start')
  }
}

type Encrypted = 'env' | 'credentials' | 'oauth_client_secret'

const anew = (name: Encrypted, encrypted: string | null, secrets: Secrets): Record<string, string> => {
  if (encrypted === null || isReencrypted(secrets, encrypted)) return {}
  const value = decrypt(secrets, encrypted)
  return value === undefined ? {} : { [name]: encrypt(secrets, value) }
}
