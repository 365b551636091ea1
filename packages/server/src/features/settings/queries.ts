import type { SettingHistoryEntry, SettingValue } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { SettingKey } from './definitions.ts'

export interface StoredSetting {
  readonly value: SettingValue
  readonly updatedAt: string
  readonly updatedBy: Author
}

export interface Author {
  readonly id: string | null
  readonly username: string
}

export interface Change {
  readonly id: string
  readonly key: SettingKey
  readonly at: string
  readonly by: Author
  readonly oldValue: SettingValue
  readonly newValue: SettingValue
  readonly reason: string | undefined
}

export const selectStoredSettings = async (db: ReadDb): Promise<Map<string, StoredSetting>> => {
  const rows = await db.selectFrom('setting').selectAll().execute()
  return new Map(
    rows.map((row) => [
      row.key,
      {
        value: JSON.parse(row.value) as SettingValue,
        updatedAt: row.updated_at,
        updatedBy: { id: row.updated_by, username: row.updated_by_name },
      },
    ]),
  )
}

export const upsertSetting = async (db: WriteDb, { key, at, by, newValue }: Change): Promise<void> => {
  const row = { value: JSON.stringify(newValue), updated_at: at, updated_by: by.id, updated_by_name: by.username }
  await db
    .insertInto('setting')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
}

export const deleteSetting = async (db: WriteDb, key: SettingKey): Promise<void> => {
  await db.deleteFrom('setting').where('key', '=', key).execute()
}

export const insertChange = async (db: WriteDb, change: Change): Promise<void> => {
  const { id, key, at, by, oldValue, newValue, reason } = change
  await db
    .insertInto('setting_change')
    .values({
      id,
      key,
      at,
      by_id: by.id,
      by_name: by.username,
      old_value: JSON.stringify(oldValue),
      new_value: JSON.stringify(newValue),
      reason: reason ?? null,
    })
    .execute()
}

export const countChanges = async (db: ReadDb, key: SettingKey): Promise<number> => {
  const { count } = await db
    .selectFrom('setting_change')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return count
}

export const selectChanges = async (
  db: ReadDb,
  key: SettingKey,
  { limit, offset }: { limit: number; offset: number },
): Promise<SettingHistoryEntry[]> => {
  const rows = await db
    .selectFrom('setting_change')
    .selectAll()
    .where('key', '=', key)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({
    at: row.at,
    by: { id: row.by_id, username: row.by_name },
    oldValue: JSON.parse(row.old_value) as SettingValue,
    newValue: JSON.parse(row.new_value) as SettingValue,
    changeReason: row.reason,
  }))
}
