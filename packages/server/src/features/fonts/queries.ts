import type { FontDto } from '@carrel/api'
import type { Insertable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { FontTables } from './table.ts'

export const selectFonts = (db: ReadDb, userId: string): Promise<FontDto[]> =>
  db
    .selectFrom('user_font')
    .select(['id', 'name', 'format', 'size', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('name_key')
    .execute()

export const selectFont = (
  db: ReadDb,
  userId: string,
  id: string,
): Promise<{ format: FontDto['format']; name: string } | undefined> =>
  db
    .selectFrom('user_font')
    .select(['format', 'name'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()

export const selectBytes = async (db: ReadDb, userId: string, id: string): Promise<Uint8Array | undefined> => {
  const row = await db
    .selectFrom('user_font')
    .select('bytes')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.bytes
}

export const insertFont = async (db: WriteDb, row: Insertable<FontTables['user_font']>): Promise<void> => {
  await db.insertInto('user_font').values(row).execute()
}

export const deleteFont = async (db: WriteDb, userId: string, id: string): Promise<void> => {
  await db.deleteFrom('user_font').where('id', '=', id).where('user_id', '=', userId).execute()
}
