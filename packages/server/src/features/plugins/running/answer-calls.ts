import type { Context } from '../../../context.ts'
import { wakeAfterCommit } from '../../../database/transaction.ts'
import { PluginFault } from '../../../plugins/fault.ts'
import type { CallOptions } from '../../../plugins/peer.ts'
import { type CallReply, faultForReply } from './calls.ts'
import {
  type CallRow,
  deleteOldCalls,
  endCall,
  hasOldCalls,
  pictureMethod,
  selectWaitingCalls,
  takeCalls,
} from '../queries.ts'

interface Answerers {
  readonly call: (
    ref: { readonly pluginId: string; readonly userId?: string | undefined },
    method: string,
    params: unknown,
    options: CallOptions,
  ) => Promise<unknown>
  readonly attempt: (trial: 'check' | 'start', pluginId: string, deadlineMs: number) => Promise<unknown>
  readonly picture: (params: unknown) => Promise<unknown>
}

const callsAtOnceMax = 16
const picturesAtOnceMax = 6
/** After this time nobody waits for the answer. */
const keptMs = 60_000
const sweepEveryMs = 30_000

/** The worker's end of `askPlugin`. */
export const answerCalls = ({ db, log, clock }: Pick<Context, 'db' | 'log' | 'clock'>, answerers: Answerers) => {
  const calls = { underWay: new Set<Promise<void>>(), atOnceMax: callsAtOnceMax, arePictures: false }
  const pictures = { underWay: new Set<Promise<void>>(), atOnceMax: picturesAtOnceMax, arePictures: true }
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

  const takeFrom = async ({ underWay, atOnceMax, arePictures }: typeof calls): Promise<void> => {
    const room = atOnceMax - underWay.size
    if (room <= 0) return
    const ids = await selectWaitingCalls(db.read, { arePictures, limit: room })
    if (ids.length === 0) return
    const taken = await db.write((db) => takeCalls(db, ids))
    for (const row of taken) {
      const answering = answer(row)
        .catch((err: unknown) => log.warn({ err }, 'The answer of a plugin could not be handed back'))
        .finally(() => underWay.delete(answering))
      underWay.add(answering)
    }
  }

  return {
    isIdle: () => calls.underWay.size + pictures.underWay.size === 0,
    sweep,
    check: async (): Promise<void> => {
      await takeFrom(calls)
      await takeFrom(pictures)
    },
    settled: async (): Promise<void> => {
      await Promise.all([...calls.underWay, ...pictures.underWay])
    },
  }
}

const replyTo = async (row: CallRow, answerers: Answerers, now: Date): Promise<CallReply> => {
  const deadlineMs = Date.parse(row.ends_at) - now.getTime()
  if (deadlineMs <= 0) return { result: null, fault: null }
  try {
    const result = await resultOf(row, answerers, deadlineMs)
    return { result: JSON.stringify(result ?? null), fault: null }
  } catch (error) {
    const fault = error instanceof PluginFault ? error : new PluginFault('UNAVAILABLE', 'It could not be asked.')
    return { result: null, fault: faultForReply(fault) }
  }
}

const resultOf = (row: CallRow, { call, attempt, picture }: Answerers, deadlineMs: number): Promise<unknown> => {
  const { plugin_id: pluginId, user_id, method } = row
  const params = JSON.parse(row.params) as unknown
  if (method === 'check' || method === 'start') return attempt(method, pluginId, deadlineMs)
  if (method === pictureMethod) return picture(params)
  return call({ pluginId, userId: user_id ?? undefined }, method, params, { deadlineMs })
}
