import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import type { FollowingTables } from '../table.ts'

export type WebhookRow = Selectable<FollowingTables['webhook']>

export const selectWebhook = (db: ReadDb, userId: string): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhook').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** It returns those of these users who have an active webhook. */
export const selectActiveAmong = async (db: ReadDb, userIds: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('webhook')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('active', '=', 1)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

export const upsertWebhook = async (db: WriteDb, row: WebhookRow): Promise<void> => {
  const { user_id: _, ...changes } = row
  await db
    .insertInto('webhook')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes))
    .execute()
}

export const removeWebhook = async (db: WriteDb, userId: string): Promise<void> => {
  await db.deleteFrom('webhook').where('user_id', '=', userId).execute()
}

/** The row must still be the webhook that was called, not one that has replaced it. */
export const noteDelivered = async (db: WriteDb, { user_id, salt }: WebhookRow, at: string): Promise<void> => {
  await db
    .updateTable('webhook')
    .set({ failures: 0, last_delivered_at: at, last_problem: null })
    .where('user_id', '=', user_id)
    .where('salt', '=', salt)
    .execute()
}

export const noteFailed = async (
  db: WriteDb,
  { user_id, salt }: WebhookRow,
  { at, problem, ends, failuresMax }: { at: string; problem: string; ends: boolean; failuresMax: number },
): Promise<void> => {
  await db
    .updateTable('webhook')
    .set(({ eb, ref }) => ({
      failures: eb('failures', '+', 1),
      last_failed_at: at,
      last_problem: problem,
      active: ends
        ? (0 as const)
        : eb
            .case()
            .when('failures', '>=', failuresMax - 1)
            .then(0 as const)
            .else(ref('active'))
            .end(),
    }))
    .where('user_id', '=', user_id)
    .where('salt', '=', salt)
    .execute()
}
