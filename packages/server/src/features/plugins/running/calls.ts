import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/database.ts'
import { wakeAfterCommit } from '../../../database/transaction.ts'
import { newId } from '../../../platform/ids.ts'
import { limitConcurrency } from '../../../platform/limits.ts'
import { type FaultCode, PluginFault } from '../../../plugins/fault.ts'
import { type CallRow, deleteCall, insertCall, selectCall } from '../queries.ts'

/** It is the outcome of a call, as the row has it. */
export interface CallReply {
  readonly result: string | null
  readonly fault: string | null
}

interface Question {
  readonly pluginId: string
  readonly userId?: string
  /** One of the protocol; `check` and `start`, for whether it starts and answers; or `picture`. */
  readonly method: string
  readonly params?: unknown
  readonly deadlineMs: number
  /** Absent: as long as the answer has. */
  readonly takenWithinMs?: number
}

const pollMs = 500
/** The way there and back may add this much. */
const wayMs = 2000
const inLine = limitConcurrency({
  inFlightMax: 32,
  waitingMax: 64,
  busy: 'Too many wait for plugins already. Try again in a moment.',
})

/**
 * It asks a plugin from a process that answers requests: the question is a row, a worker takes it, asks and writes the
 * answer beside it. At most once: when the worker goes, nobody asks again but whoever asked.
 */
export const askPlugin = (context: Pick<Context, 'db' | 'clock'>, question: Question): Promise<unknown> =>
  inLine(() => askOnce(context, question))

export const askOnce = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { pluginId, userId, method, params, deadlineMs, takenWithinMs = deadlineMs }: Question,
): Promise<unknown> => {
  const now = clock()
  const id = newId(now.getTime())
  await db.write(async (db) => {
    await insertCall(db, {
      id,
      plugin_id: pluginId,
      user_id: userId ?? null,
      method,
      params: JSON.stringify(params ?? null),
      state: 'waiting',
      ends_at: new Date(now.getTime() + deadlineMs).toISOString(),
    })
    wakeAfterCommit(db, 'tasks')
  })
  try {
    const begunWithinMs = Math.min(takenWithinMs, deadlineMs + wayMs)
    return answerIn(await waitForEnd(db, id, { longestMs: deadlineMs + wayMs, begunWithinMs }))
  } finally {
    await db.write((db) => deleteCall(db, id))
  }
}

interface Patience {
  readonly longestMs: number
  /** A worker has it by then, or there is none. */
  readonly begunWithinMs: number
}

const waitForEnd = async (
  db: Database,
  id: string,
  { longestMs, begunWithinMs }: Patience,
): Promise<CallRow | undefined> => {
  const startedAt = performance.now()
  let leftMs = begunWithinMs
  for (;;) {
    // It starts to listen before the query, so that what happens meanwhile is not missed.
    const next = nextWake(db, Math.min(pollMs, Math.max(1, leftMs)))
    const row = await selectCall(db.read, id)
    leftMs = (row?.state === 'waiting' ? begunWithinMs : longestMs) - (performance.now() - startedAt)
    if (!row || row.state === 'ended' || leftMs <= 0) {
      next.forget()
      return row
    }
    await next.woken
  }
}

const nextWake = (db: Database, longestMs: number) => {
  const { promise: woken, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, longestMs)
  const stop = db.wakeUps.on('tasks', resolve)
  const forget = (): void => {
    clearTimeout(timer)
    stop()
    resolve()
  }
  void woken.then(forget)
  return { woken, forget }
}

const answerIn = (row: CallRow | undefined): unknown => {
  if (row?.state === 'waiting')
    throw new PluginFault('UNAVAILABLE', 'No worker is there to ask it.', { retryAfterSeconds: 10 })
  if (row?.fault != null) throw faultOfReply(row.fault)
  if (row?.result == null) throw new PluginFault('TIMEOUT', 'No answer came in time.')
  return JSON.parse(row.result)
}

export const faultForReply = ({ code, message, retryAfterSeconds }: PluginFault): string =>
  JSON.stringify({ code, message, retryAfterSeconds })

const faultOfReply = (text: string): PluginFault => {
  const { code, message, retryAfterSeconds } = JSON.parse(text) as {
    code: FaultCode
    message: string
    retryAfterSeconds?: number
  }
  return new PluginFault(code, message, { retryAfterSeconds })
}
