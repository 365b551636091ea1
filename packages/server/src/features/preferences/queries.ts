import type { Preference } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { cachedStatement } from '../../database/cached-statement.ts'
import { insertMany } from '../../database/many.ts'

export interface StoredPreference {
  readonly key: string
  /** It is JSON. */
  readonly value: string
}

export const selectPreferencesAfter = (
  db: ReadDb,
  userId: string,
  key: string,
  limit: number,
): Promise<StoredPreference[]> =>
  db
    .selectFrom('user_preference')
    .select(['key', 'value'])
    .where('user_id', '=', userId)
    .where('key', '>', key)
    .orderBy('key')
    .limit(limit)
    .execute()

const preferenceAt = cachedStatement(
  (db, { userId, key }) =>
    db
      .selectFrom('user_preference')
      .select(['value', 'updated_at'])
      .where('user_id', '=', userId)
      .where('key', '=', key),
  ['userId', 'key'],
)

export const selectPreference = async (db: ReadDb, userId: string, key: string): Promise<Preference | undefined> => {
  const [row] = await preferenceAt(db, { userId, key }, undefined)
  return row && { key, value: JSON.parse(row.value) as unknown, updatedAt: row.updated_at }
}

const preferencesOf = cachedStatement(
  (db, { userId }) =>
    db
      .selectFrom('user_preference')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId),
  ['userId'],
)

export const countPreferences = async (db: ReadDb, userId: string): Promise<number> => {
  const [row] = await preferencesOf(db, { userId }, undefined)
  return row?.count ?? 0
}

export const upsertPreferences = async (
  db: WriteDb,
  userId: string,
  preferences: readonly { key: string; text: string }[],
  at: string,
): Promise<void> => {
  const rows = preferences.map(({ key, text }) => ({ user_id: userId, key, value: text, updated_at: at }))
  await insertMany(db, 'user_preference', rows, { keys: ['user_id', 'key'], sets: ['value', 'updated_at'] })
}

export const deletePreference = async (db: WriteDb, userId: string, key: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('user_preference')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
