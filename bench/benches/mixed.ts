import { setTimeout as delay } from 'node:timers/promises'
import { addressOf, savePreference } from '../../packages/api/src/index.ts'
import { requestBytes } from '../connection.ts'
import { type Node, spawnNode } from '../engine/spawn-node.ts'
import type { Bench, Figure } from '../figure.ts'
import type { Installation } from '../installation.ts'
import { readEventLoopDelayMs } from '../liveness.ts'
import { putLoad } from '../load.ts'
import { quantile } from '../statistics.ts'

const rounds = 3
const writers = 4
const writesEach = 1000
const tooLongMs = 60_000
/** A worker runs this many at once. */
const writingTasks = 4
const settleMs = 2000
const loopDelay = { max: 10 }

interface Round {
  readonly perSecond: number
  readonly latenciesMs: readonly number[]
  readonly loopDelayMs: number
}

/**
 * These changes over HTTP read before they write, alone, and while a worker process writes all it can to the same
 * database.
 */
export const mixed: Bench = {
  names: ['mixed'],
  run: async ({ installation }) => {
    await using node = await spawnNode(installation)
    const port = await node.ask('listen', undefined)
    await node.ask('superviseWorker', undefined)
    await delay(settleMs)
    const alone: Round[] = []
    const beside: Round[] = []
    await runRound(port, installation)
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await runRound(port, installation))
      beside.push(await besideWriters(node, () => runRound(port, installation)))
    }
    return [
      ...figuresOf('mixed alone', alone),
      ...figuresOf('mixed beside a worker', beside, loopDelay),
      ratioOf(beside, alone),
    ]
  },
}

const besideWriters = async (node: Node, run: () => Promise<Round>): Promise<Round> => {
  await node.ask('enqueue', { task: 'writing', count: writingTasks, each: writingTasks })
  await delay(settleMs)
  const result = await run()
  if (!(await node.ask('anyLive', undefined))) throw new Error('The worker did not write all the while')
  await node.ask('stopWriting', undefined)
  await delay(settleMs)
  return result
}

/** A single answer that is not 200 ends the bench. */
const runRound = async (port: number, { token }: Installation): Promise<Round> => {
  await readEventLoopDelayMs(port)
  const { perSecond, latenciesMs } = await putLoad({
    port,
    connections: writers,
    durationMs: tooLongMs,
    requestsMax: writesEach,
    request: (index, lane) => {
      const input = { params: { key: `bench.mixed.${lane}` }, body: { value: index } }
      return requestBytes({ method: 'PUT', path: addressOf(savePreference, input), headers: token, body: input.body })
    },
    check: ({ status, body }) => {
      if (status !== 200) throw new Error(`Expected 200, got ${status} ${body.toString()}`)
    },
  })
  return { perSecond, latenciesMs, loopDelayMs: await readEventLoopDelayMs(port) }
}

const figuresOf = (name: string, results: readonly Round[], gate?: Figure['gate']): Figure[] => [
  { name: `${name}, writes per second`, unit: '/s', values: results.map(({ perSecond }) => perSecond) },
  { name: `${name}, answer, median`, unit: 'ms', values: results.map((each) => quantile(each.latenciesMs, 0.5)) },
  { name: `${name}, answer, 99 %`, unit: 'ms', values: results.map((each) => quantile(each.latenciesMs, 0.99)) },
  {
    name: `${name}, event loop delay, 99 %`,
    unit: 'ms',
    values: results.map(({ loopDelayMs }) => loopDelayMs),
    ...(gate && { gate }),
  },
]

const ratioOf = (beside: readonly Round[], alone: readonly Round[]): Figure => ({
  name: 'mixed beside a worker to alone, by time',
  unit: 'ratio',
  values: beside.map(({ perSecond }, round) => perSecond / (alone[round]?.perSecond ?? Number.NaN)),
})
