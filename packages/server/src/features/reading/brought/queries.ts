import type { WriteDb } from '../../../database/database.ts'

/** It returns the books they were of. */
export const deleteEntries = async (db: WriteDb, userId: string, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .deleteFrom('reading_log')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .returning('book_id')
    .execute()
  return rows.map(({ book_id }) => book_id)
}

/** One that nothing is known from any more, and that its user has said nothing of. */
export const deleteUnusedDevice = async (db: WriteDb, userId: string, id: string): Promise<void> => {
  await db
    .deleteFrom('device')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('given_name', 'is', null)
    .where('merged_into', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reading_log')
            .select('reading_log.id')
            .where('reading_log.user_id', '=', userId)
            .where('reading_log.device_id', '=', id),
        ),
      ),
    )
    .execute()
}

/** Nobody counts for a reader of whom nothing is known any more. */
export const deleteUnusedZone = async (db: WriteDb, userId: string): Promise<void> => {
  await db
    .deleteFrom('figure_zone')
    .where('user_id', '=', userId)
    .where(({ not, exists, selectFrom, and }) =>
      and(
        (['reading_log', 'stated_completion'] as const).map((table) =>
          not(exists(selectFrom(table).select(`${table}.id`).where(`${table}.user_id`, '=', userId))),
        ),
      ),
    )
    .execute()
}
