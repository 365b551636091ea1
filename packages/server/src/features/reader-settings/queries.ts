import type { ReaderLevel, ReaderSettings } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'

/** Settings belong to a level, and to one subject of that level. */
export interface Subject {
  readonly level: ReaderLevel
  readonly id: string
}

/** It returns the settings of those subjects that have any. */
export const selectSettings = async (
  db: ReadDb,
  userId: string,
  subjects: readonly Subject[],
): Promise<(Subject & { readonly values: ReaderSettings })[]> => {
  const rows = await db
    .selectFrom('reader_setting')
    .select(['level', 'subject', 'settings'])
    .where('user_id', '=', userId)
    .where(({ or, and, eb }) =>
      or(subjects.map(({ level, id }) => and([eb('level', '=', level), eb('subject', '=', id)]))),
    )
    .execute()
  return rows.map(({ level, subject, settings }) => ({
    level,
    id: subject,
    values: JSON.parse(settings) as ReaderSettings,
  }))
}

export const upsertSettings = async (
  db: WriteDb,
  userId: string,
  { level, id, values }: Subject & { readonly values: ReaderSettings },
  at: string,
): Promise<void> => {
  const row = {
    user_id: userId,
    level,
    subject: id,
    library_id: level === 'library' ? id : null,
    series_id: level === 'series' ? id : null,
    settings: JSON.stringify(values),
    updated_at: at,
  }
  await insertMany(db, 'reader_setting', [row], {
    keys: ['user_id', 'level', 'subject'],
    sets: ['settings', 'updated_at'],
  })
}

export const deleteSettings = async (db: WriteDb, userId: string, { level, id }: Subject): Promise<void> => {
  await db
    .deleteFrom('reader_setting')
    .where('user_id', '=', userId)
    .where('level', '=', level)
    .where('subject', '=', id)
    .execute()
}

export const deleteReaderSettingsOf = async (
  db: WriteDb,
  userId: string,
  deviceIds: readonly string[],
): Promise<void> => {
  await db
    .deleteFrom('reader_setting')
    .where('user_id', '=', userId)
    .where('level', '=', 'device')
    .where('subject', 'in', deviceIds)
    .execute()
}

export const countSettings = async (db: ReadDb, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('reader_setting')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}
