import { createHmac } from 'node:crypto'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { ReadDb } from '../../../database/database.ts'
import { OutboundProblem, postOutbound } from '../../../platform/outbound.ts'
import { deriveKey } from '../../../platform/secrets/tokens.ts'
import { defineTask } from '../../../tasks/define-task.ts'
import { readViewer } from '../../viewers/viewers.ts'
import { selectNotifications } from '../notifications/queries.ts'
import { findRecipient } from '../notifications/recipient.ts'
import { noteDelivered, noteFailed, selectWebhook, type WebhookRow } from './queries.ts'

const minute = 60_000
/** The pauses between the tries are half a minute, two, eight, half an hour and an hour. */
const triesMax = 6
/** After this many failures in a row the receiver counts as gone. */
const failuresMax = 60
const gone = 410

const Payload = Type.Object({ userId: Type.String(), notificationId: Type.Union([Type.String(), Type.Null()]) })

/**
 * It sends one notification, or a test, to the address its reader has named: what they may see of it at that moment.
 */
export const deliverWebhook = defineTask(Payload, {
  type: 'deliver_webhook',
  priority: 150,
  attemptsMax: triesMax,
  endsWithinMs: 2 * minute,
  key: ({ userId, notificationId }) => `${userId} ${notificationId ?? 'test'}`,
  quiet: true,
  run: async (
    { userId, notificationId },
    { db, clock, signal, write },
    { secret, settings }: Pick<Context, 'secret' | 'settings'>,
  ) => {
    const webhook = await selectWebhook(db.read, userId)
    if (webhook?.active !== 1) return { result: { skipped: 'Nothing is sent to this user.' } }
    const message = await whatToSay(db.read, userId, notificationId)
    if (message === undefined) return { result: { skipped: 'There is nothing to tell any more.' } }
    const now = clock()
    const body = JSON.stringify(message)
    const headers = headersOf(webhook, { secret, body, now })
    const allowedHosts = settings.get('webhooks.allowed_hosts')
    const outcome = await post({ url: webhook.url, headers, body, allowedHosts, signal })
    const at = clock().toISOString()
    if (outcome.problem === undefined) {
      await write((db) => noteDelivered(db, webhook, at))
      return { result: { status: outcome.status }, items: 1, bytes: Buffer.byteLength(body) }
    }
    const { problem } = outcome
    const ends = outcome.status === gone
    await write((db) => noteFailed(db, webhook, { at, problem, ends, failuresMax }))
    if (ends) return { result: { status: gone } }
    throw new OutboundProblem(problem)
  },
})

const whatToSay = async (db: ReadDb, userId: string, notificationId: string | null): Promise<object | undefined> => {
  if (notificationId === null) return { type: 'test' }
  if (!(await findRecipient(db, userId))) return undefined
  const viewer = await readViewer(db, userId, false)
  const [notification] = await selectNotifications(db, viewer, { id: notificationId }, { limit: 1, offset: 0 })
  return notification
}

const post = async (
  outbound: Parameters<typeof postOutbound>[0],
): Promise<{ readonly status?: number; readonly problem?: string }> => {
  try {
    const status = await postOutbound(outbound)
    return status >= 200 && status < 300 ? { status } : { status, problem: `The address answers with ${status}.` }
  } catch (error) {
    if (error instanceof OutboundProblem && !outbound.signal.aborted) return { problem: error.message }
    throw error
  }
}

/** It is in no table: whoever copies the database can sign nothing. */
export const secretOf = (secret: string, { user_id, salt }: Pick<WebhookRow, 'user_id' | 'salt'>): string =>
  `whsec_${deriveKey(secret, `webhook ${user_id} ${salt}`).toString('base64url')}`

const headersOf = (
  webhook: WebhookRow,
  { secret, body, now }: { readonly secret: string; readonly body: string; readonly now: Date },
): Record<string, string> => {
  const seconds = Math.floor(now.getTime() / 1000)
  const signature = createHmac('sha256', secretOf(secret, webhook)).update(`${seconds}.${body}`).digest('hex')
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Carrel',
    'x-carrel-signature': `t=${seconds},v1=${signature}`,
  }
}
