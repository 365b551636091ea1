import type { ReadDb, WriteDb } from '../../database/database.ts'

export interface Failures {
  readonly key: string
  readonly failures: number
  readonly lastFailedAt: string
}

export const selectFailures = (db: ReadDb, keys: readonly string[]): Promise<Failures[]> =>
  db
    .selectFrom('sign_in_failure')
    .select(['key', 'failures', 'last_failed_at as lastFailedAt'])
    .where('key', 'in', keys)
    .execute()

/** The database does the counting, so that failures at the same moment all count. */
export const countFailure = async (db: WriteDb, keys: readonly string[], at: string): Promise<void> => {
  await db
    .insertInto('sign_in_failure')
    .values(keys.map((key) => ({ key, failures: 1, last_failed_at: at })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ eb, ref }) => ({
        failures: eb('sign_in_failure.failures', '+', 1),
        last_failed_at: ref('excluded.last_failed_at'),
      })),
    )
    .execute()
}

export const deleteFailuresOf = async (db: WriteDb, keys: readonly string[]): Promise<void> => {
  await db.deleteFrom('sign_in_failure').where('key', 'in', keys).execute()
}

export const deleteFailuresBefore = async (db: WriteDb, time: string): Promise<void> => {
  await db.deleteFrom('sign_in_failure').where('last_failed_at', '<', time).execute()
}

export interface SeenAt {
  readonly userId: string
  readonly network: string
}

/** Nothing is stored for a user who has been deleted meanwhile. */
export const saveKnownNetworks = async (db: WriteDb, seen: readonly SeenAt[], at: string): Promise<void> => {
  const ids = [...new Set(seen.map(({ userId }) => userId))]
  const rows = await db.selectFrom('user').select('id').where('id', 'in', ids).execute()
  const standing = new Set(rows.map(({ id }) => id))
  const values = seen.filter(({ userId }) => standing.has(userId))
  if (values.length === 0) return
  await db
    .insertInto('known_network')
    .values(values.map(({ userId, network }) => ({ user_id: userId, network, seen_at: at })))
    .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet({ seen_at: at }))
    .execute()
}

export const deleteNetworksBefore = async (db: WriteDb, time: string): Promise<void> => {
  await db.deleteFrom('known_network').where('seen_at', '<', time).execute()
}

export const hasComeFrom = async (db: ReadDb, { userId, network }: SeenAt): Promise<boolean> => {
  const row = await db
    .selectFrom('known_network')
    .select('network')
    .where('user_id', '=', userId)
    .where('network', '=', network)
    .executeTakeFirst()
  return row !== undefined
}
