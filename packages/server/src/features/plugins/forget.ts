import { rm } from 'node:fs/promises'
import type { WriteDb } from '../../database/database.ts'
import { userFolder } from './launch.ts'
import { deleteStored } from './queries.ts'

interface Kept {
  readonly pluginId: string
  readonly userId: string
}

/** What a plugin has had us keep for a user. */
export const forgetStored = async (db: WriteDb, { pluginId, userId }: Kept): Promise<void> => {
  await deleteStored(db, { pluginId, owner: userId })
}

/** What it keeps in its folder for a user. */
export const forgetFolder = (dataDir: string, { pluginId, userId }: Kept): Promise<void> =>
  rm(userFolder(dataDir, pluginId, userId), { recursive: true, force: true })
