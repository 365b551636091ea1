import type { Insertable } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import type { ScanTables } from '../table.ts'

const previewsKept = 20

export const insertPreview = async (db: WriteDb, preview: Insertable<ScanTables['scan_preview']>): Promise<void> => {
  const old = await db
    .selectFrom('scan_preview')
    .select('id')
    .where('library_id', '=', preview.library_id)
    .orderBy('created_at', 'desc')
    .offset(previewsKept)
    .limit(100)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('scan_preview').where('id', 'in', ids).execute()
  await db.insertInto('scan_preview').values(preview).execute()
}

export const selectPreview = (db: ReadDb, id: string) =>
  db.selectFrom('scan_preview').selectAll().where('id', '=', id).executeTakeFirst()
