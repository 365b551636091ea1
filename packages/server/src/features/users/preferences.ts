import { type Preference, preferenceBytesMax, preferencesMax } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'

export const readPreferences = async (
  db: ReadDb,
  userId: string,
): Promise<{ preferences: Record<string, unknown> }> => {
  const rows = await db
    .selectFrom('user_preference')
    .select(['key', 'value'])
    .where('user_id', '=', userId)
    .orderBy('key')
    .execute()
  return { preferences: Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown])) }
}

export const readPreference = async (db: ReadDb, userId: string, key: string): Promise<Preference> => {
  const row = await db
    .selectFrom('user_preference')
    .select(['value', 'updated_at'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row) throw notFound('preference')
  return { key, value: JSON.parse(row.value) as unknown, updatedAt: row.updated_at }
}

export const savePreferences = async (
  db: Database,
  userId: string,
  preferences: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> => {
  const updatedAt = now.toISOString()
  const rows = Object.entries(preferences).map(([key, value]) => ({
    user_id: userId,
    key,
    value: serialise(key, value),
    updated_at: updatedAt,
  }))
  if (rows.length === 0) return
  await db.write(async (db) => {
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
    await requireRoom(db, userId)
  })
}

export const removePreference = (db: Database, userId: string, key: string): Promise<undefined> =>
  db.write(async (db) => {
    const { numDeletedRows } = await db
      .deleteFrom('user_preference')
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw notFound('preference')
    return undefined
  })

const serialise = (key: string, value: unknown): string => {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > preferenceBytesMax) {
    throw invalid(`/${key}`, `The preference "${key}" is larger than ${preferenceBytesMax / 1024} KiB.`)
  }
  return text
}

const requireRoom = async (db: WriteDb, userId: string): Promise<void> => {
  const { count } = await db
    .selectFrom('user_preference')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (count > preferencesMax)
    throw new AppError('conflict', `You have ${preferencesMax} preferences already. Delete some first.`)
}
