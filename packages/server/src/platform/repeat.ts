import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from './log.ts'

export interface Repeating {
  /** The work is done now, or once more when it is under way. */
  wake(): void
  /** The promise resolves when the run under way has ended. */
  stop(): Promise<void>
}

/** One that waits for a database that does not answer is not waited for. */
const stopMs = 2000

interface RepeatOptions {
  readonly work: () => Promise<unknown>
  readonly everyMs: number
  /** While this is so, the work is done only when it is woken. */
  readonly sleeps?: () => boolean
  readonly log: Log
  /** The log says with it what failed. */
  readonly trouble: string
}

const second = 1000

/** Whatever waits for seconds ends in the same moment of a second: an idle process wakes up once for all of it. */
const untilNext = (everyMs: number): number =>
  everyMs < second ? everyMs : everyMs - (Math.round(performance.now() + everyMs) % second)

/**
 * The work is done when woken and at least every `everyMs`, one run at a time. A run that fails is logged, once until one
 * succeeds.
 */
export const repeat = ({ work, everyMs, sleeps = () => false, log, trouble }: RepeatOptions): Repeating => {
  const state = { again: false, stopped: false, failed: false }
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const runOnce = async (): Promise<void> => {
    try {
      await work()
      state.failed = false
    } catch (err) {
      if (!state.failed) log.warn({ err }, trouble)
      state.failed = true
    }
  }

  const run = async (): Promise<void> => {
    do {
      state.again = false
      await runOnce()
    } while (state.again && !state.stopped && !state.failed)
    running = undefined
    if (!state.stopped && !sleeps()) timer = setTimeout(start, untilNext(everyMs))
  }

  const start = (): void => {
    clearTimeout(timer)
    running = run()
  }

  timer = setTimeout(start, 0)

  return {
    wake: () => {
      if (state.stopped) return
      if (running) state.again = true
      else start()
    },
    stop: async () => {
      state.stopped = true
      clearTimeout(timer)
      await Promise.race([running, delay(stopMs, undefined, { ref: false })])
    },
  }
}
