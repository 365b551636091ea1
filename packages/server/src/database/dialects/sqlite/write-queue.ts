import { AppError } from '../../../platform/errors.ts'
import type { NamedWriteCall, WriteOutcome } from './named-write-messages.ts'

const writersWaitingMax = 1000
/** They hold the lock together: somebody else who wants to write waits for all of them. */
const sharingMax = 64

interface WaitingCall {
  readonly call: NamedWriteCall
  readonly resolve: (outcome: WriteOutcome) => void
  readonly reject: (error: unknown) => void
}

type Turn = { readonly begin: () => void } | { readonly calls: WaitingCall[] }

/** Whose turn it is to write: one transaction after the other, and named writes that wait at the same time in one together. */
export interface WriteQueue {
  /** It resolves when the connection is the caller's, until they call `end`. */
  take(): Promise<void>
  end(): void
  run(call: NamedWriteCall): Promise<WriteOutcome>
}

export const writeQueue = (
  runTogether: (calls: readonly NamedWriteCall[]) => Promise<readonly WriteOutcome[]>,
): WriteQueue => {
  const turns: Turn[] = []
  let waiting = 0
  let isTaken = false

  const requireRoom = (): void => {
    if (waiting >= writersWaitingMax)
      throw new AppError('unavailable', 'Too many changes at once. Try again in a moment.', { retryAfterSeconds: 1 })
    waiting += 1
  }
  const next = (): void => {
    const turn = turns.shift()
    isTaken = turn !== undefined
    if (!turn) return
    if ('begin' in turn) {
      waiting -= 1
      turn.begin()
    } else void share(turn.calls)
  }
  const share = async (calls: readonly WaitingCall[]): Promise<void> => {
    waiting -= calls.length
    try {
      const outcomes = await runTogether(calls.map(({ call }) => call))
      for (const [index, { resolve, reject }] of calls.entries()) {
        const outcome = outcomes[index]
        if (outcome) resolve(outcome)
        else reject(new Error('A write was not answered'))
      }
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
    next()
  }
  const join = (waitingCall: WaitingCall): void => {
    const open = turns.find((turn) => 'calls' in turn && turn.calls.length < sharingMax)
    if (open && 'calls' in open) open.calls.push(waitingCall)
    else turns.push({ calls: [waitingCall] })
  }

  return {
    take: async () => {
      if (!isTaken) {
        isTaken = true
        return
      }
      requireRoom()
      await new Promise<void>((resolve) => turns.push({ begin: resolve }))
    },
    end: next,
    run: async (call) => {
      requireRoom()
      return new Promise<WriteOutcome>((resolve, reject) => {
        join({ call, resolve, reject })
        if (!isTaken) next()
      })
    },
  }
}
