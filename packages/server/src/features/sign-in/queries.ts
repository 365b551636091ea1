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

/** Counted by the database, so that failures at the same moment all count. */
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
