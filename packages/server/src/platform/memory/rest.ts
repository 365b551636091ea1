import { getHeapStatistics } from 'node:v8'

const checkEveryMs = 5000
/** It is a share of the time between two checks. */
const quietBelow = 0.02
const worthwhileBytes = 3 * 1024 * 1024

/**
 * A heap that has grown in a busy hour stays that large until something is allocated again. Where it is quiet it is
 * collected, each thread by itself, and what was in use goes back to the machine.
 */
export const restWhenQuiet = (): void => {
  const { gc } = globalThis
  // The launcher asks for it; whoever runs the sources does without.
  if (gc === undefined) return
  let busyUntilNow = performance.eventLoopUtilization()
  let afterRest = 0
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(busyUntilNow)
    busyUntilNow = performance.eventLoopUtilization()
    if (utilization > quietBelow || heapBytes() - afterRest < worthwhileBytes) return
    gc({ type: 'major', flavor: 'last-resort', execution: 'sync' })
    afterRest = heapBytes()
  }, checkEveryMs).unref()
}

const heapBytes = (): number => getHeapStatistics().total_heap_size
