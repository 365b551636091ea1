import { PluginFault } from '../../../plugins/fault.ts'
import type { Plugins } from '../../plugins/plugins.ts'
import type { Ask } from './asking.ts'
import type { Provider } from './providers.ts'

/** It is not asked any more for now; what it was not asked about waits for the next time. */
export class PluginIsAway extends Error {
  override readonly name = 'PluginIsAway'
}

/** It may be asked again after so many seconds: whoever asks gives their place to others meanwhile. */
export class MustWait extends Error {
  override readonly name = 'MustWait'
  readonly seconds: number

  constructor(seconds: number, message: string, options: ErrorOptions) {
    super(message, options)
    this.seconds = seconds
  }
}

/** Shorter pauses cost more than they spare: meanwhile more may be asked at once. */
const leastSeconds = 15
const mostSeconds = 3600

/** Asks at once or not at all. */
export const readyAsk =
  (plugins: Pick<Plugins, 'call'>, { id, displayName }: Provider, signal: AbortSignal): Ask =>
  async (method, params) => {
    try {
      return await plugins.call({ pluginId: id }, method, params, { signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof PluginFault)) throw error
      const { code, retryAfterSeconds } = error
      if (code === 'NOT_FOUND' || code === 'RPC_ERROR') throw error
      const message = `${displayName} has no answer (${code}): ${error.message}`
      const isForNow = code === 'RATE_LIMITED' || (code === 'UNAVAILABLE' && retryAfterSeconds !== undefined)
      if (!isForNow) throw new PluginIsAway(message, { cause: error })
      const seconds = Math.min(mostSeconds, Math.max(leastSeconds, retryAfterSeconds ?? 0))
      throw new MustWait(seconds, message, { cause: error })
    }
  }

/** What it does not know, or cannot say, is nothing. */
export const orNothing = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PluginFault) return undefined
    throw error
  }
}

const turnMs = 60 * 60 * 1000
/** In a row, without an answer. */
const waitsMax = 30

/** How far a task has come that asks about one thing after the other, as it is kept while it waits. */
export interface Turn {
  /** Nothing more is begun in this turn: others want their places too. */
  isOver(): boolean
  /** When it goes on. Fails when it has waited in vain too often. */
  until(halt: MustWait | undefined, now: Date): Date
}

export const takeTurn = (waits: { inVain: number }): Turn => {
  const startedAt = performance.now()
  return {
    isOver: () => performance.now() - startedAt > turnMs,
    until: (halt, now) => {
      if (!halt) return now
      if (waits.inVain >= waitsMax) throw new PluginIsAway(halt.message, { cause: halt })
      waits.inVain += 1
      return new Date(now.getTime() + halt.seconds * 1000)
    },
  }
}
