import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The monitor counts its own pause as delay, and wakes the process this often. */
const resolutionMs = 100
/** Nobody who looks regularly waits longer between two looks. */
const keptMs = 2 * 60 * 1000

export interface EventLoopWatch {
  /** It is the event loop delay in the process since the last call, 99th percentile; 0 at the first. */
  delayMs(): number
  stop(): void
}

/** Watches from one look to the next, and only while somebody looks: an idle process should sleep. */
export const watchEventLoop = (): EventLoopWatch => {
  const monitor = monitorEventLoopDelay({ resolution: resolutionMs })
  let rest: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearTimeout(rest)
    rest = undefined
    monitor.disable()
  }

  return {
    delayMs: () => {
      const isWatched = rest !== undefined
      const delay = isWatched ? Math.max(0, Math.round(monitor.percentile(99) / 10_000 - resolutionMs * 100) / 100) : 0
      monitor.reset()
      if (!isWatched) monitor.enable()
      clearTimeout(rest)
      rest = setTimeout(stop, keptMs).unref()
      return delay
    },
    stop,
  }
}
