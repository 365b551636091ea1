import { addressOf, type Preference, readPreference, savePreference } from '../../packages/api/src/index.ts'
import { type Reply, requestBytes } from '../connection.ts'
import type { CommitLoop } from '../databases/database.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import type { Installation } from '../installation.ts'
import { readEventLoopDelayMs } from '../liveness.ts'
import { runCommits } from '../run-commits.ts'
import { ratios, type Round, runOnce } from '../rounds.ts'
import type { ServerProcess } from '../server-process.ts'
import { quantile } from '../statistics.ts'

const rounds = 7
const roundMs = 1500
const writersMany = 16
/**
 * With one writer, a server that makes more commits than the bare database has commits that did not wait for the disk.
 */
const notFasterThanTheDisk = { max: 1.15 }

interface Comparison {
  readonly limit: Round[]
  readonly ours: Round[]
  readonly loopDelaysMs: number[]
}

export const durableWrites: Bench = {
  names: ['write.durable'],
  run: async ({ installation, database }) => {
    await using commits = await database.openCommits(installation.directory)
    const acknowledged = new Map<string, unknown>()
    const one: Comparison = { limit: [], ours: [], loopDelaysMs: [] }
    const many: Comparison = { limit: [], ours: [], loopDelaysMs: [] }
    await using server = await installation.start()
    const setup = { server, installation, commits, acknowledged }
    const warmUp: Comparison = { limit: [], ours: [], loopDelaysMs: [] }
    await compareOnce(setup, writersMany, warmUp)
    for (let round = 0; round < rounds; round += 1) {
      await compareOnce(setup, 1, one)
      await compareOnce(setup, writersMany, many)
    }
    await server.kill()
    await requireAllKept(installation, acknowledged)
    return [
      ...figuresOf(`write.durable 1`, one, notFasterThanTheDisk),
      ...figuresOf(`write.durable ${writersMany}`, many),
    ]
  },
}

interface WriteContext {
  readonly server: ServerProcess
  readonly installation: Installation
  readonly commits: CommitLoop
  /** The key is a preference, the value the one that the server last acknowledged. */
  readonly acknowledged: Map<string, unknown>
}

const compareOnce = async (
  { server, installation, commits, acknowledged }: WriteContext,
  writers: number,
  { limit, ours, loopDelaysMs }: Comparison,
): Promise<void> => {
  limit.push(await runCommits(commits, writers, roundMs))
  await readEventLoopDelayMs(server.port)
  const sent: number[] = []
  const load = {
    port: server.port,
    connections: writers,
    request: (index: number, lane: number) => {
      sent[lane] = index
      return saveRequest(installation, lane, index)
    },
    check: (reply: Reply, lane: number) => {
      requireSaved(reply, lane, sent[lane])
      acknowledged.set(keyOf(lane), sent[lane])
    },
  }
  ours.push(await runOnce({ pid: server.pid, load }, roundMs))
  loopDelaysMs.push(await readEventLoopDelayMs(server.port))
}

const keyOf = (lane: number): string => `bench.lane.${lane}`

const saveRequest = ({ token }: Installation, lane: number, value: number): Buffer => {
  const input = { params: { key: keyOf(lane) }, body: { value } }
  return requestBytes({ method: 'PUT', path: addressOf(savePreference, input), headers: token, body: input.body })
}

const requireSaved = ({ status, body }: Reply, lane: number, value: unknown): void => {
  const saved = JSON.parse(body.toString()) as Partial<Preference>
  if (status === 200 && saved.key === keyOf(lane) && saved.value === value) return
  throw new Error(`Expected ${keyOf(lane)} to be ${String(value)}, got ${status} ${body.toString()}`)
}

/** After a kill, everything that was acknowledged must be there. */
const requireAllKept = async (installation: Installation, acknowledged: Map<string, unknown>): Promise<void> => {
  await using server = await installation.start()
  for (const [key, value] of acknowledged) {
    const path = addressOf(readPreference, { params: { key } })
    const { body } = await exchangeOnce(server.port, requestBytes({ path, headers: installation.token }))
    const preference = JSON.parse(body.toString()) as Partial<Preference>
    if (preference.value !== value)
      throw new Error(`${key} was ${String(value)} before the kill, now ${body.toString()}`)
  }
}

const figuresOf = (name: string, { limit, ours, loopDelaysMs }: Comparison, gate?: Figure['gate']): Figure[] => [
  { name: `${name} bare commits per second`, unit: '/s', values: limit.map(({ perSecond }) => perSecond) },
  { name: `${name} writes per second`, unit: '/s', values: ours.map(({ perSecond }) => perSecond) },
  { name: `${name} of bare commits`, unit: '× limit', values: ratios(ours, limit, 'perSecond'), ...(gate && { gate }) },
  { name: `${name} CPU per write`, unit: 'µs', values: ours.map(({ cpuUsPerRequest }) => cpuUsPerRequest) },
  { name: `${name} time to answer, median`, unit: 'ms', values: ours.map((each) => quantile(each.latenciesMs, 0.5)) },
  { name: `${name} time to answer, 99 %`, unit: 'ms', values: ours.map((each) => quantile(each.latenciesMs, 0.99)) },
  { name: `${name} event loop delay, 99 %`, unit: 'ms', values: loopDelaysMs },
]
