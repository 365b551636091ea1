import type { ReadDb } from '../../../database/database.ts'

/** Tasks of these keys that run, or wait for nothing but a worker. */
export const selectLiveTasks = (db: ReadDb, keys: readonly string[]) =>
  db
    .selectFrom('task')
    .select(['id', 'type', 'status', 'progress'])
    .where('key', 'in', keys)
    .where('status', 'in', ['pending', 'processing'])
    .where('is_due', '=', 1)
    .execute()

/** Moves while any worker holds tasks. */
export const selectHeartbeats = async (db: ReadDb): Promise<string> => {
  const rows = await db.selectFrom('worker').select(['id', 'heartbeat']).orderBy('id').execute()
  return rows.map(({ id, heartbeat }) => `${id} ${heartbeat}`).join(',')
}
