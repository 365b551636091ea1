import { type Preference, preferenceBytesMax, preferencesMax } from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { countPreferences, deletePreference, selectPreference, upsertPreferences } from './queries.ts'

export const readPreference = async (db: ReadDb, userId: string, key: string): Promise<Preference> => {
  const preference = await selectPreference(db, userId, key)
  if (!preference) throw notFound('preference')
  return preference
}

export const savePreferences = async (
  db: Database,
  userId: string,
  preferences: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> => {
  const rows = Object.entries(preferences).map(([key, value]) => ({ key, text: textOf(key, value) }))
  if (rows.length === 0) return
  await db.write(async (db) => {
    await upsertPreferences(db, userId, rows, now.toISOString())
    if ((await countPreferences(db, userId)) <= preferencesMax) return
    throw new AppError('conflict', `You have ${preferencesMax} preferences already. Delete some first.`)
  })
}

export const removePreference = (db: Database, userId: string, key: string): Promise<undefined> =>
  db.write(async (db) => {
    if (!(await deletePreference(db, userId, key))) throw notFound('preference')
    return undefined
  })

const textOf = (key: string, value: unknown): string => {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > preferenceBytesMax) {
    throw invalid(`/${key}`, `The preference "${key}" is larger than ${preferenceBytesMax / 1024} KiB.`)
  }
  return text
}
