import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from './log.ts'

export interface Repeating {
  /** It looks now, or once more when a look is under way. */
  wake(): void
  /** The promise resolves when the run under way has ended. */
  stop(): Promise<void>
}

/** One that waits for a database that does not answer is not waited for. */
const stopMs = 2000

interface RepeatOptions {
  readonly look: () => Promise<unknown>
  readonly everyMs: number
  readonly log: Log
  /** The log says with it what failed. */
  readonly trouble: string
}

/**
 * It looks when woken and at least every `everyMs`, one look at a time. A look that fails is logged, once until one
 * succeeds.
 */
export const repeat = ({ look, everyMs, log, trouble }: RepeatOptions): Repeating => {
  const state = { again: false, stopped: false, failed: false }
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  const lookOnce = async (): Promise<void> => {
    try {
      await look()
      state.failed = false
    } catch (err) {
      if (!state.failed) log.warn({ err }, trouble)
      state.failed = true
    }
  }

  const run = async (): Promise<void> => {
    do {
      state.again = false
      await lookOnce()
    } while (state.again && !state.stopped && !state.failed)
    looking = undefined
    if (!state.stopped) timer = setTimeout(start, everyMs)
  }

  const start = (): void => {
    clearTimeout(timer)
    looking = run()
  }

  timer = setTimeout(start, 0)

  return {
    wake: () => {
      if (state.stopped) return
      if (looking) state.again = true
      else start()
    },
    stop: async () => {
      state.stopped = true
      clearTimeout(timer)
      await Promise.race([looking, delay(stopMs, undefined, { ref: false })])
    },
  }
}
