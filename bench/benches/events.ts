import { setTimeout as delay } from 'node:timers/promises'
import { streamEvents } from '../../packages/api/src/index.ts'
import type { BareFanOutAnswers } from '../engine/bare-fan-out.ts'
import { type Child, spawnChild } from '../engine/child.ts'
import type { ListenerAnswers } from '../engine/listeners.ts'
import { type Node, spawnNode } from '../engine/spawn-node.ts'
import { mixedEvent, visibleOfTen } from '../engine/tasks.ts'
import type { Bench, Figure } from '../figure.ts'
import type { Installation } from '../installation.ts'
import { readEventLoopDelayMs } from '../liveness.ts'
import { cpuUsOf, pssBytesOf } from '../process-figures.ts'
import { quantile } from '../statistics.ts'

const sizes = [1000, 5000]
const rounds = 3
const streamsPerUser = 20
const profiles = ['admin', 'reader', 'child'] as const
/** Events that all may see, one a transaction, the next when everybody has the last. */
const single = { batches: 1, each: 1, times: 40 }
/** Events are committed as fast as possible; the bare server knows all at once, and writes once. */
const burst = { batches: 20, each: 10, times: 3 }
const settleMs = 1000

type Volley = typeof single
type Counts = Readonly<Record<(typeof profiles)[number], number>>

/** A server of one kind with its listeners in another process. */
interface Audience {
  readonly pid: number
  readonly listeners: Child<ListenerAnswers>
  readonly bytesPerListener: number
  /** It returns the time just before the announcement. */
  announce(volley: Volley): Promise<number>
  loopDelayMs(): Promise<number>
}

interface Round {
  readonly lagsMs: readonly number[]
  readonly perSecond: number
  readonly cpuUs: number
  readonly loopDelayMs: number
}

export const events: Bench = {
  names: ['events'],
  run: async ({ installation }) => {
    await using stack = new AsyncDisposableStack()
    const node = stack.use(await spawnNode(installation))
    const port = await node.ask('listen', undefined)
    const keys = await node.ask('makeViewers', {
      each: Math.ceil(Math.max(...sizes) / profiles.length / streamsPerUser),
    })
    const figures: Figure[] = []
    for (const size of sizes) {
      await using opened = new AsyncDisposableStack()
      const counts = countsOf(size)
      const ours = await gatherOurs({ node, port, keys, counts, installation }, opened)
      const bare = await gatherBare(counts, installation, opened)
      for (const [name, volley] of Object.entries({ single, burst })) {
        const results = await compare(ours, bare, counts, volley)
        figures.push(...figuresOf(`events ${size} ${name}`, results))
        if (volley === single) figures.push(...lagFiguresOf(`events ${size} ${name}`, results))
      }
      figures.push(
        { name: `events ${size} memory per client`, unit: 'kB', values: [ours.bytesPerListener / 1000] },
        { name: `events ${size} memory per client, bare`, unit: 'kB', values: [bare.bytesPerListener / 1000] },
      )
    }
    return figures
  },
}

const countsOf = (size: number): Counts => {
  const third = Math.floor(size / profiles.length)
  return { admin: size - 2 * third, reader: third, child: third }
}

interface OurSide {
  readonly node: Node
  readonly port: number
  readonly keys: Readonly<Record<keyof Counts, readonly string[]>>
  readonly counts: Counts
  readonly installation: Installation
}

const gatherOurs = async (
  { node, port, keys, counts, installation }: OurSide,
  opened: AsyncDisposableStack,
): Promise<Audience> => {
  const groups = profiles.map((profile) => ({
    path: streamEvents.path,
    headers: keys[profile].map((key) => ({ 'x-api-key': key })),
    count: counts[profile],
  }))
  const listeners = opened.use(await spawnChild<ListenerAnswers>('listeners.ts', installation.directory))
  const bytesPerListener = await bytesEach(node.pid, counts, () => listeners.ask('open', { port, groups }))
  return {
    pid: node.pid,
    listeners,
    bytesPerListener,
    announce: ({ batches, each }) => node.ask('announce', { batches, each }),
    loopDelayMs: () => readEventLoopDelayMs(port),
  }
}

const gatherBare = async (counts: Counts, { directory }: Installation, opened: AsyncDisposableStack) => {
  const server = opened.use(await spawnChild<BareFanOutAnswers>('bare-fan-out.ts', directory))
  const port = await server.ask('listen', undefined)
  const groups = profiles.map((profile) => ({ path: `/${profile}`, headers: [{}], count: counts[profile] }))
  const listeners = opened.use(await spawnChild<ListenerAnswers>('listeners.ts', directory))
  const bytesPerListener = await bytesEach(server.pid, counts, () => listeners.ask('open', { port, groups }))
  return {
    pid: server.pid,
    listeners,
    bytesPerListener,
    announce: ({ batches, each }: Volley) =>
      server.ask('announce', {
        batches,
        groups: Object.fromEntries(profiles.map((profile) => [`/${profile}`, eventsFor(profile, each)])),
      }),
    loopDelayMs: async () => Number.NaN,
  }
}

const eventsFor = (profile: keyof Counts, each: number): object[] =>
  Array.from({ length: visibleOf(profile, each) }, (_, index) => ({
    timestamp: new Date().toISOString(),
    ...mixedEvent(index).event,
  }))

/** One event is seen by all. */
const visibleOf = (profile: keyof Counts, each: number): number =>
  each === 1 ? 1 : (visibleOfTen[profile] * each) / 10

const bytesEach = async (pid: number, counts: Counts, open: () => Promise<unknown>): Promise<number> => {
  const before = pssBytesOf(pid).own
  await open()
  await delay(settleMs)
  return (pssBytesOf(pid).own - before) / sizeOf(counts)
}

const sizeOf = (counts: Counts): number => profiles.reduce((sum, profile) => sum + counts[profile], 0)

const compare = async (ours: Audience, bare: Audience, counts: Counts, volley: Volley) => {
  const results = { ours: [] as Round[], bare: [] as Round[] }
  await runRound(ours, counts, volley)
  await runRound(bare, counts, volley)
  for (let round = 0; round < rounds; round += 1) {
    results.ours.push(await runRound(ours, counts, volley))
    results.bare.push(await runRound(bare, counts, volley))
  }
  return results
}

const runRound = async (audience: Audience, counts: Counts, volley: Volley): Promise<Round> => {
  const { pid, listeners, announce, loopDelayMs } = audience
  const perListener = profiles.map((profile) => volley.batches * visibleOf(profile, volley.each))
  const perVolley = profiles.reduce((sum, profile, index) => sum + counts[profile] * (perListener[index] ?? 0), 0)
  const lagsMs: number[] = []
  await loopDelayMs()
  const cpuBefore = cpuUsOf(pid)
  let spentMs = 0
  for (let time = 0; time < volley.times; time += 1) {
    await listeners.ask('expect', { events: perVolley })
    const startedAt = performance.now()
    const committingAt = await announce(volley)
    const lastAt = await listeners.ask('lastAt', undefined)
    spentMs += performance.now() - startedAt
    lagsMs.push(lastAt - committingAt)
    await listeners.ask('requireEach', { events: perListener })
  }
  const deliveries = perVolley * volley.times
  return {
    lagsMs,
    perSecond: (deliveries * 1000) / spentMs,
    cpuUs: (cpuUsOf(pid) - cpuBefore) / deliveries,
    loopDelayMs: await loopDelayMs(),
  }
}

const figuresOf = (name: string, { ours, bare }: Record<'ours' | 'bare', readonly Round[]>): Figure[] => {
  const ratio = (above: readonly Round[], below: readonly Round[], measure: 'perSecond' | 'cpuUs') =>
    above.map((round, index) => round[measure] / (below[index]?.[measure] ?? Number.NaN))
  return [
    { name: `${name} deliveries per second`, unit: '/s', values: ours.map(({ perSecond }) => perSecond) },
    { name: `${name} CPU per delivery`, unit: 'µs', values: ours.map(({ cpuUs }) => cpuUs) },
    { name: `${name} of bare node:http, by CPU`, unit: '× limit', values: ratio(bare, ours, 'cpuUs') },
    { name: `${name} of bare node:http, by time`, unit: '× limit', values: ratio(ours, bare, 'perSecond') },
    { name: `${name} event loop delay, 99 %`, unit: 'ms', values: ours.map(({ loopDelayMs }) => loopDelayMs) },
  ]
}

const lagFiguresOf = (name: string, { ours, bare }: Record<'ours' | 'bare', readonly Round[]>): Figure[] => {
  const lags = (side: readonly Round[], share: number) =>
    side.map(({ lagsMs }) =>
      quantile(
        lagsMs.toSorted((one, other) => one - other),
        share,
      ),
    )
  return [
    { name: `${name} commit to last client, median`, unit: 'ms', values: lags(ours, 0.5) },
    { name: `${name} commit to last client, 99 %`, unit: 'ms', values: lags(ours, 0.99) },
    { name: `${name} the same, bare, median`, unit: 'ms', values: lags(bare, 0.5) },
  ]
}
