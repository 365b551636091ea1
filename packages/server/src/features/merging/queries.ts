import type { ReadDb } from '../../database/database.ts'

export const selectBooksOf = async (
  db: ReadDb,
  seriesIds: readonly string[],
  limit: number,
): Promise<readonly string[]> => {
  const rows = await db.selectFrom('book').select('id').where('series_id', 'in', seriesIds).limit(limit).execute()
  return rows.map(({ id }) => id)
}
