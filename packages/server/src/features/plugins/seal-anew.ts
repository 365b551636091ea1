import type { Database } from '../../database/database.ts'
import type { Log } from '../../platform/log.ts'
import { selectSealed, updatePluginRow } from './queries.ts'
import { isSealedAnew, seal, type Secrets, unseal } from './sealing.ts'

/** When the secret of the installation has been changed: what was sealed under the former one is sealed under the new one. */
export const sealAnew = async (db: Pick<Database, 'write'>, secrets: Secrets, log: Log): Promise<void> => {
  if (secrets.formerSecret === undefined) return
  try {
    const count = await db.write(async (db) => {
      let count = 0
      for (const { id, env, credentials } of await selectSealed(db)) {
        const changes = { ...anew('env', env, secrets), ...anew('credentials', credentials, secrets) }
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

const anew = (name: 'env' | 'credentials', sealed: string | null, secrets: Secrets): Record<string, string> => {
  if (sealed === null || isSealedAnew(secrets, sealed)) return {}
  const value = unseal(secrets, sealed)
  return value === undefined ? {} : { [name]: seal(secrets, value) }
}
