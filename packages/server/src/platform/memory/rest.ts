import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const checkEveryMs = 5000
/** It is a share of the time between two checks. */
const quietBelow = 0.02
const worthwhileBytes = 3 * 1024 * 1024

/** Who answers people waits for each collection, so the heap doubles between two of them: with a third, one answer in a hundred took half as long again. */
const answeringGrowsBy = 100
/** A decoder holds the pictures of strangers, and nobody waits for its collections. */
const decodingGrowsBy = 30

/**
 * The heaps of this process are collected when they have grown by so much, not when they have quadrupled: a rest after a busy hour
 * should look like one. This is not a flag of the command line, because V8 refuses what Node brings compiled where such a flag is
 * set: 40 ms of each start. Whoever calls this has loaded most of what it needs.
 */
const collectEarly = (growsByPercent: number): void => {
  setFlagsFromString(`--heap-growing-percent=${growsByPercent}`)
  // Eight seconds later V8 would collect twice more, for nothing.
  setFlagsFromString('--memory-reducer-gc-count=0')
}

export const collectEarlyInDecoder = (): void => collectEarly(decodingGrowsBy)

/**
 * A heap that has grown in a busy hour stays that large until something is allocated again. Where it is quiet it is
 * collected, each thread by itself, and what was in use goes back to the machine.
 */
export const restWhenQuiet = (): void => {
  let collect: Collector | undefined
  // Flags hold for all threads of a process.
  if (isMainThread) setTimeout(collectEarly, checkEveryMs, answeringGrowsBy).unref()
  let busyUntilNow = performance.eventLoopUtilization()
  let afterRest = 0
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(busyUntilNow)
    busyUntilNow = performance.eventLoopUtilization()
    if (utilization > quietBelow || heapBytes() - afterRest < worthwhileBytes) return
    collect ??= findCollector()
    if (!collect) return
    collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
    afterRest = heapBytes()
  }, checkEveryMs).unref()
}

type Collector = NonNullable<typeof globalThis.gc>

/**
 * A context that is made while the flag is set has it; without the flag everything is again as Node was compiled for. Flags are those of all
 * threads: where another one has taken the flag back in between there is no collector yet, and the next rest looks again.
 */
export const findCollector = (): Collector | undefined => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('globalThis.gc') as Collector | undefined
  setFlagsFromString('--no-expose-gc')
  return collect
}

const heapBytes = (): number => getHeapStatistics().total_heap_size
