import type { Database } from '../../database/database.ts'
import { deleteReaderSettingsOf } from '../reader-settings/reader-settings.ts'
import { dropDevice } from '../reading/reading.ts'

/** It deletes a device and its settings, but not the reading done with it. */
export const forgetDevice = (db: Database, userId: string, id: string): Promise<undefined> =>
  db.write(async (db) => {
    const ids = await dropDevice(db, userId, id)
    await deleteReaderSettingsOf(db, userId, [...new Set([id, ...ids])])
    return undefined
  })
