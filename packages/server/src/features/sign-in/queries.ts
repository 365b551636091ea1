import type { ReadDb, WriteDb } from '../../database/database.ts'

export interface Failures {
  readonly key: string
  readonly failures: number
  readonly blockedUntil: string
  readonly lastFailedAt: string
}

export const selectFailures = (db: ReadDb, keys: readonly string[]): Promise<Failures[]> =>
  db
    .selectFrom('sign_in_failure')
    .select(['key', 'failures', 'blocked_until as blockedUntil', 'last_failed_at as lastFailedAt'])
    .where('key', 'in', keys)
    .execute()

export const upsertFailures = async (db: WriteDb, failures: readonly Failures[]): Promise<void> => {
  const rows = failures.map((each) => ({
    key: each.key,
    failures: each.failures,
    blocked_until: each.blockedUntil,
    last_failed_at: each.lastFailedAt,
  }))
  await db
    .insertInto('sign_in_failure')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({
        failures: ref('excluded.failures'),
        blocked_until: ref('excluded.blocked_until'),
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
