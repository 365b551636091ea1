import type { Webhook, WebhookWithSecret } from '@carrel/api'
import type { Context } from '../../../context.ts'
import type { Database, ReadDb } from '../../../database/database.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { OutboundProblem, requireReachable } from '../../../platform/outbound.ts'
import { randomToken } from '../../../platform/secrets/tokens.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { lockUser } from '../../../database/lock-user.ts'
import { deliverWebhook, secretOf } from './deliver.ts'
import { removeWebhook, selectWebhook, upsertWebhook, type WebhookRow } from './queries.ts'

export const readWebhook = async (db: ReadDb, userId: string): Promise<Webhook | undefined> => {
  const row = await selectWebhook(db, userId)
  return row && toWebhook(row)
}

export const saveWebhook = async (
  { db, secret, settings }: Pick<Context, 'db' | 'secret' | 'settings'>,
  userId: string,
  { url, active, now }: { readonly url: string; readonly active: boolean; readonly now: Date },
): Promise<WebhookWithSecret> => {
  const address = reachable(url, settings.get('webhooks.allowed_hosts'))
  return db.write(async (db) => {
    await lockUser(db, userId)
    const before = await selectWebhook(db, userId)
    const isSame = before?.url === address
    const row: WebhookRow = {
      user_id: userId,
      url: address,
      active: active ? 1 : 0,
      // Somebody who got the secret with the old address cannot sign for the new one.
      salt: isSame ? before.salt : randomToken(),
      failures: 0,
      last_delivered_at: isSame ? before.last_delivered_at : null,
      last_failed_at: isSame ? before.last_failed_at : null,
      last_problem: null,
      updated_at: now.toISOString(),
    }
    await upsertWebhook(db, row)
    return { ...toWebhook(row), secret: secretOf(secret, row) }
  })
}

const reachable = (url: string, allowedHosts: readonly string[]): string => {
  try {
    return requireReachable(url, allowedHosts).href
  } catch (error) {
    if (error instanceof OutboundProblem) throw invalid('/url', error.message, { reason: 'address_refused' })
    throw error
  }
}

export const forgetWebhook = (db: Database, userId: string): Promise<undefined> =>
  db.write(async (db) => {
    await removeWebhook(db, userId)
    return undefined
  })

export const sendTest = (db: Database, userId: string, now: Date): Promise<{ taskId: string }> =>
  db.write(async (db) => {
    if (!(await selectWebhook(db, userId))) throw notFound('webhook')
    const { taskId } = await enqueue(db, deliverWebhook, { userId, notificationId: null }, { now })
    return { taskId }
  })

const toWebhook = (row: WebhookRow): Webhook => ({
  url: row.url,
  active: row.active === 1,
  failures: row.failures,
  lastDeliveredAt: row.last_delivered_at,
  lastFailedAt: row.last_failed_at,
  lastProblem: row.last_problem,
  updatedAt: row.updated_at,
})
