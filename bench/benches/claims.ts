import { setTimeout as delay } from 'node:timers/promises'
import type { BareQueue } from '../databases/database.ts'
import { type Node, spawnNode } from '../engine/spawn-node.ts'
import type { Bench, Figure } from '../figure.ts'
import type { Installation } from '../installation.ts'
import { cpuUsOf } from '../process-figures.ts'

const tasksCount = 20_000
const each = 1000
const singly = 300
const rounds = 2
const crews = [1, 2, 4]
const kinds = ['quiet', 'telling'] as const
const pollMs = 5
const tooLongMs = 120_000

interface Round {
  readonly perSecond: number
  readonly cpuUsPerTask: number
}

/** Tasks that do nothing, by worker processes as they are, beside a loop that takes and finishes ten a commit. */
export const claims: Bench = {
  names: ['claims', 'enqueue'],
  run: async ({ installation, database }) => {
    await using node = await spawnNode(installation)
    await using queue = await database.openQueue(installation.directory)
    const bare: number[] = []
    const singles: number[] = []
    const thousands: number[] = []
    const measured = new Map<string, Round[]>()
    const trials = kinds.flatMap((kind) => crews.map((crew) => ({ kind, crew })))
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await runBare(queue))
      for (const { kind, crew } of trials) {
        singles.push(await enqueuePerSecond(node, { task: kind, count: singly, each: 1 }))
        thousands.push(await enqueuePerSecond(node, { task: kind, count: tasksCount, each }))
        const name = `claims ${kind}, ${crew} ${crew === 1 ? 'process' : 'processes'}`
        measured.set(name, [...(measured.get(name) ?? []), await runCrew(installation, node, crew)])
      }
    }
    return [
      { name: 'claims bare', unit: 'tasks/s', values: bare },
      ...[...measured].flatMap(([name, results]) => figuresOf(name, results, bare)),
      { name: 'enqueue, one a transaction', unit: '/s', values: singles },
      { name: `enqueue, ${each} a transaction`, unit: '/s', values: thousands },
    ]
  },
}

const enqueuePerSecond = async (
  node: Node,
  what: { readonly task: (typeof kinds)[number]; readonly count: number; readonly each: number },
): Promise<number> => (what.count * 1000) / (await node.ask('enqueue', what))

const runBare = async (queue: BareQueue): Promise<number> => {
  await queue.fill(tasksCount)
  const startedAt = performance.now()
  while ((await queue.claimTen()) > 0);
  return (tasksCount * 1000) / (performance.now() - startedAt)
}

/** It runs until nothing is left, and every task was run once. */
const runCrew = async (installation: Installation, node: Node, crew: number): Promise<Round> => {
  const workers = await Promise.all(Array.from({ length: crew }, () => spawnNode(installation)))
  await using stack = new AsyncDisposableStack()
  for (const worker of workers) stack.use(worker)
  const count = await node.ask('countWaiting', undefined)
  const cpuOf = () => workers.reduce((sum, { pid }) => sum + cpuUsOf(pid), 0)
  const cpuBefore = cpuOf()
  const startedAt = performance.now()
  await Promise.all(workers.map((worker) => worker.ask('startWork', undefined)))
  while (await node.ask('anyLive', undefined)) {
    if (performance.now() - startedAt > tooLongMs) throw new Error('The workers do not get done')
    await delay(pollMs)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const cpuUs = cpuOf() - cpuBefore
  const completed = await node.ask('countCompleted', undefined)
  if (completed !== count) throw new Error(`Of ${count} tasks ${completed} were completed at the first try`)
  await Promise.all(workers.map((worker) => worker.ask('stopWork', undefined)))
  await node.ask('clear', undefined)
  return { perSecond: count / seconds, cpuUsPerTask: cpuUs / count }
}

const figuresOf = (name: string, results: readonly Round[], bare: readonly number[]): Figure[] => [
  { name: `${name}, tasks per second`, unit: '/s', values: results.map(({ perSecond }) => perSecond) },
  {
    name: `${name}, of bare`,
    unit: '× limit',
    values: results.map(({ perSecond }, round) => perSecond / (bare[round] ?? Number.NaN)),
  },
  { name: `${name}, CPU per task`, unit: 'µs', values: results.map(({ cpuUsPerTask }) => cpuUsPerTask) },
]
