import type { ReadDb } from '../../database/database.ts'

export const selectDeletedLibraries = async (db: ReadDb): Promise<string[]> => {
  const rows = await db.selectFrom('library').select('id').where('deleted_at', 'is not', null).orderBy('id').execute()
  return rows.map(({ id }) => id)
}
