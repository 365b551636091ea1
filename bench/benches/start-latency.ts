import { setTimeout as delay } from 'node:timers/promises'
import type { BareStarterAnswers } from '../engine/bare-starter.ts'
import { spawnChild } from '../engine/child.ts'
import { type Node, spawnNode } from '../engine/spawn-node.ts'
import type { Bench } from '../figure.ts'
import { quantile } from '../statistics.ts'

const tries = 300
const pauseMsMax = 200
const firstMsMax = 20_000
const settleMs = 300
const soon = { max: 100 }

/** Nothing waits; a task is enqueued by a server, and begins in its worker process. In turns with a message to an idle process. */
export const startLatency: Bench = {
  names: ['start-latency'],
  run: async ({ installation }) => {
    await using node = await spawnNode(installation)
    await using bare = await spawnChild<BareStarterAnswers>('bare-starter.ts', installation.directory)
    await node.ask('superviseWorker', undefined)
    await awaitWorker(node)
    const stamped: { taskId: string; requestedAt: number; committedAt: number }[] = []
    const bareMs: number[] = []
    for (let each = 0; each < tries; each += 1) {
      await delay(Math.random() * pauseMsMax)
      stamped.push(await node.ask('enqueueStamped', undefined))
      await delay(Math.random() * pauseMsMax)
      bareMs.push(await bare.ask('messageMs', undefined))
    }
    await delay(settleMs)
    const beganAt = await node.ask('readStamps', { taskIds: stamped.map(({ taskId }) => taskId) })
    const since = (measure: 'requestedAt' | 'committedAt') =>
      stamped.map((each, index) => (beganAt[index] ?? Number.NaN) - each[measure]).sort((one, other) => one - other)
    const [all, afterCommit] = [since('requestedAt'), since('committedAt')]
    bareMs.sort((one, other) => one - other)
    return [
      { name: 'start-latency, median', unit: 'ms', values: [quantile(all, 0.5)] },
      { name: 'start-latency, 99 %', unit: 'ms', values: [quantile(all, 0.99)], gate: soon },
      { name: 'start-latency from the commit on, median', unit: 'ms', values: [quantile(afterCommit, 0.5)] },
      { name: 'start-latency from the commit on, 99 %', unit: 'ms', values: [quantile(afterCommit, 0.99)] },
      { name: 'start-latency bare message, median', unit: 'ms', values: [quantile(bareMs, 0.5)] },
      { name: 'start-latency bare message, 99 %', unit: 'ms', values: [quantile(bareMs, 0.99)] },
    ]
  },
}

/** It waits until a first task has been done. */
const awaitWorker = async (node: Node): Promise<void> => {
  const startedAt = performance.now()
  await node.ask('enqueueStamped', undefined)
  while (await node.ask('anyLive', undefined)) {
    if (performance.now() - startedAt > firstMsMax) throw new Error('The worker does not begin')
    await delay(settleMs)
  }
}
