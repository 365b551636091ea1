import type { Preference } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'

export const selectPreferences = async (db: ReadDb, userId: string): Promise<Record<string, unknown>> => {
  const rows = await db
    .selectFrom('user_preference')
    .select(['key', 'value'])
    .where('user_id', '=', userId)
    .orderBy('key')
    .execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]))
}

export const selectPreference = async (db: ReadDb, userId: string, key: string): Promise<Preference | undefined> => {
  const row = await db
    .selectFrom('user_preference')
    .select(['value', 'updated_at'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && { key, value: JSON.parse(row.value) as unknown, updatedAt: row.updated_at }
}

export const countPreferences = async (db: ReadDb, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('user_preference')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export const upsertPreferences = async (
  db: WriteDb,
  userId: string,
  preferences: readonly { key: string; text: string }[],
  at: string,
): Promise<void> => {
  const rows = preferences.map(({ key, text }) => ({ user_id: userId, key, value: text, updated_at: at }))
  await db
    .insertInto('user_preference')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'key']).doUpdateSet(({ ref }) => ({
        value: ref('excluded.value'),
        updated_at: ref('excluded.updated_at'),
      })),
    )
    .execute()
}

export const deletePreference = async (db: WriteDb, userId: string, key: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('user_preference')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
