import { rm } from 'node:fs/promises'
import type { WriteDb } from '../../../database/database.ts'
import { userFolder } from '../running/launch.ts'
import { deleteStored } from '../queries.ts'

interface PluginUser {
  readonly pluginId: string
  readonly userId: string
}

/** It deletes what a plugin has stored at its host for a user. */
export const forgetStored = async (db: WriteDb, { pluginId, userId }: PluginUser): Promise<void> => {
  await deleteStored(db, { pluginId, owner: userId })
}

/** It deletes the folder a plugin has for a user. */
export const forgetFolder = (dataDir: string, { pluginId, userId }: PluginUser): Promise<void> =>
  rm(userFolder(dataDir, pluginId, userId), { recursive: true, force: true })
