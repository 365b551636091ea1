import type { WriteDb } from '../../database/database.ts'
import { lockPluginNamed, raiseRevision, updatePluginRow } from './queries.ts'

export interface BroughtConfig {
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
}

const none = '{}'
const configBytesMax = 64 * 1024

export const isUnset = (config: string): boolean => config === none

/** A plugin of the same name is set as it was at another server, unless it has been set here. It returns the ids of those that were. */
export const bringConfigs = async (
  db: WriteDb,
  brought: readonly BroughtConfig[],
  now: Date,
): Promise<readonly { readonly id: string; readonly config: string }[]> => {
  const done: { id: string; config: string }[] = []
  for (const { name, config } of brought) {
    const text = JSON.stringify(config)
    const plugin = await lockPluginNamed(db, name)
    if (plugin?.config !== none || text === none || Buffer.byteLength(text) > configBytesMax) continue
    await updatePluginRow(db, plugin.id, { config: text, updated_at: now.toISOString() })
    await raiseRevision(db, plugin.id)
    done.push({ id: plugin.id, config: text })
  }
  return done
}

/** One that has been set otherwise since stays so. */
export const takeConfigsBack = async (
  db: WriteDb,
  brought: readonly { readonly id: string; readonly config: string }[],
  now: Date,
): Promise<void> => {
  for (const { id, config } of brought) {
    const plugin = await lockPluginNamed(db, { id })
    if (plugin?.config !== config) continue
    await updatePluginRow(db, id, { config: none, updated_at: now.toISOString() })
    await raiseRevision(db, id)
  }
}
