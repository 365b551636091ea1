import type { Database } from '../../database/database.ts'
import { full } from '../../platform/errors.ts'
import { type ClientSetting, countClientSettings, deleteClientSettings, upsertClientSettings } from './queries.ts'

export { type ClientSetting, everybody, selectClientSettings } from './queries.ts'

/** Other applications may store this many settings, for one user or for all. */
const settingsMax = 1000

export const saveClientSettings = async (
  db: Database,
  owner: string,
  settings: readonly ClientSetting[],
): Promise<undefined> => {
  if (settings.length === 0) return undefined
  await db.write(async (db) => {
    await upsertClientSettings(db, owner, settings)
    if ((await countClientSettings(db, owner)) <= settingsMax) return
    throw full(settingsMax, `There are ${settingsMax} of these settings already. Delete some first.`)
  })
  return undefined
}

export const removeClientSettings = async (
  db: Database,
  owner: string,
  keys: readonly string[],
): Promise<undefined> => {
  if (keys.length > 0) await db.write((db) => deleteClientSettings(db, owner, keys))
  return undefined
}
