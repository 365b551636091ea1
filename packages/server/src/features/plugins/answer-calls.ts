import type { Context } from '../../context.ts'
import { wakeAfterCommit } from '../../database/transaction.ts'
import { PluginFault } from '../../plugins/fault.ts'
import type { Asking } from '../../plugins/peer.ts'
import { type CallReply, faultForReply } from './calls.ts'
import { type CallRow, deleteOldCalls, endCall, hasOldCalls, selectWaitingCalls, takeCalls } from './queries.ts'

interface Answerers {
  readonly call: (
    ref: { readonly pluginId: string; readonly userId?: string | undefined },
    method: string,
    params: unknown,
    asking: Asking,
  ) => Promise<unknown>
  readonly attempt: (trial: 'check' | 'start', pluginId: string, deadlineMs: number) => Promise<unknown>
}

const atOnceMax = 16
/** Whoever asked is long gone. */
const keptMs = 60_000
const sweepEveryMs = 30_000

/** The worker's end of `askPlugin`. */
export const answerCalls = ({ db, log, clock }: Pick<Context, 'db' | 'log' | 'clock'>, answerers: Answerers) => {
  const underWay = new Set<Promise<void>>()
  let sweptAt = performance.now()

  const answer = async (row: CallRow): Promise<void> => {
    const reply = await replyTo(row, answerers, clock())
    await db.write(async (db) => {
      await endCall(db, row.id, reply)
      wakeAfterCommit(db, 'tasks')
    })
  }

  const sweep = async (): Promise<void> => {
    if (performance.now() - sweptAt < sweepEveryMs) return
    sweptAt = performance.now()
    const before = new Date(clock().getTime() - keptMs).toISOString()
    if (await hasOldCalls(db.read, before)) await db.write((db) => deleteOldCalls(db, before))
  }

  return {
    look: async (): Promise<void> => {
      await sweep()
      const room = atOnceMax - underWay.size
      if (room <= 0) return
      const ids = await selectWaitingCalls(db.read, room)
      if (ids.length === 0) return
      const taken = await db.write((db) => takeCalls(db, ids))
      for (const row of taken) {
        const answering = answer(row)
          .catch((err: unknown) => log.warn({ err }, 'The answer of a plugin could not be handed back'))
          .finally(() => underWay.delete(answering))
        underWay.add(answering)
      }
    },
    settled: async (): Promise<void> => {
      await Promise.all(underWay)
    },
  }
}

const replyTo = async (row: CallRow, { call, attempt }: Answerers, now: Date): Promise<CallReply> => {
  const { plugin_id: pluginId, user_id, method } = row
  const deadlineMs = Date.parse(row.ends_at) - now.getTime()
  if (deadlineMs <= 0) return { result: null, fault: null }
  try {
    const params = JSON.parse(row.params) as unknown
    const result =
      method === 'check' || method === 'start'
        ? await attempt(method, pluginId, deadlineMs)
        : await call({ pluginId, userId: user_id ?? undefined }, method, params, { deadlineMs })
    return { result: JSON.stringify(result ?? null), fault: null }
  } catch (error) {
    const fault = error instanceof PluginFault ? error : new PluginFault('UNAVAILABLE', 'It could not be asked.')
    return { result: null, fault: faultForReply(fault) }
  }
}
