import type { Database } from '../../database/database.ts'
import type { Log } from '../../platform/log.ts'
import type { OwnTrust } from './own-trust.ts'
import { selectSealed, updatePluginRow } from './queries.ts'
import { isSealedAnew, seal, type Secrets, unseal } from './sealing.ts'

/** When the secret of the installation has been changed: what was sealed under the former one is sealed under the new one. */
export const sealAnew = async (
  db: Pick<Database, 'write'>,
  secrets: Secrets,
  { log, own }: { readonly log: Log; readonly own: Pick<OwnTrust, 'sealAnew'> },
): Promise<void> => {
  if (secrets.formerSecret === undefined) return
  try {
    await own.sealAnew()
    const count = await db.write(async (db) => {
      let count = 0
      for (const { id, env, credentials, oauth_client_secret } of await selectSealed(db)) {
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
    log.info({ count }, 'The secrets of plugins are sealed under the new key; CARREL_SECRET_KEY_FORMER can go')
  } catch (err) {
    log.warn({ err }, 'The secrets of plugins could not be sealed under the new key; they are at the next start')
  }
}

type Sealed = 'env' | 'credentials' | 'oauth_client_secret'

const anew = (name: Sealed, sealed: string | null, secrets: Secrets): Record<string, string> => {
  if (sealed === null || isSealedAnew(secrets, sealed)) return {}
  const value = unseal(secrets, sealed)
  return value === undefined ? {} : { [name]: seal(secrets, value) }
}
