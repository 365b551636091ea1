import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { beforeEach, expect, test } from 'vitest'
import { type Carrel, claim, startCarrel, type Visitor, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { emptyWriteLedger, missingFrom } from './numbered-writes.ts'
import { type PatroniCluster, requirePatroni, startPatroniCluster } from './patroni/cluster.ts'
import { acknowledgedAgain, numbersOf, withPerson, writeOn } from './preference-writers.ts'

beforeEach(async (context) => {
  await requirePatroni(context.skip)
})

/** It asks again and again, and notes the longest time without an answer. */
const readOn = ({ call }: Visitor) => {
  const stopping = new AbortController()
  const noted = { longestMs: 0, refused: new Set<number>() }
  const run = async (): Promise<void> => {
    let lastAt = performance.now()
    while (!stopping.signal.aborted) {
      const { ok, status } = await call(api.readPreferences, {})
      const now = performance.now()
      if (ok) {
        noted.longestMs = Math.max(noted.longestMs, now - lastAt)
        lastAt = now
      } else noted.refused.add(status)
      await delay(20)
    }
  }
  const over = run()
  return {
    noted,
    stop: async (): Promise<void> => {
      stopping.abort()
      await over
    },
  }
}

/** Nobody may be without an answer for longer. */
const longestMs = 15_000

interface Change {
  readonly what: string
  make(cluster: PatroniCluster, primary: string): Promise<void>
}

const changes: readonly Change[] = [
  {
    what: 'the primary hands over',
    make: (cluster, primary) => cluster.switchOver(primary),
  },
  {
    what: 'PostgreSQL is killed on the node that leads',
    make: (cluster, primary) => cluster.kill(primary, 'postgres'),
  },
  {
    what: 'the node that leads is killed with all that runs on it',
    make: (cluster, primary) => cluster.kill(primary, 'node'),
  },
]

test('E2 P-12 P-1 three PostgreSQL under Patroni behind HAProxy: whoever leads is killed or hands over under load, and nothing is lost', async () => {
  const rounds = times(1, 10, 3)
  await using cluster = await startPatroniCluster()
  await using one = await temporaryFolder()
  await using two = await temporaryFolder()
  const env = { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false', CARREL_DATABASE_URL: cluster.url }
  await using first = await startCarrel({ cwd: one.path, env })
  await using second = await startCarrel({ cwd: two.path, env })
  const servers: readonly Carrel[] = [first, second]
  const ana = await claim(first)
  const ledger = emptyWriteLedger()
  const stops = Array.from({ length: 6 }, (_, index) =>
    writeOn(withPerson(index % 2 === 0 ? first : second, ana), ledger, `writer-${index}`),
  )

  const refused = new Set<number>()
  for (const { what, make } of changes) {
    let [slowestRead, slowestWrite] = [0, 0]
    const before = ledger.acknowledged.length
    for (let round = 0; round < rounds; round += 1) {
      await cluster.whole()
      await acknowledgedAgain(ledger)
      const primary = await cluster.primary()
      const readers = servers.map((server) => readOn(withPerson(server, ana)))
      const changedAt = performance.now()
      await make(cluster, primary)
      await waitUntil('another node to lead', async () => (await cluster.primary()) !== primary)
      await acknowledgedAgain(ledger)
      slowestWrite = Math.max(slowestWrite, performance.now() - changedAt)
      for (const { noted, stop } of readers) {
        await stop()
        slowestRead = Math.max(slowestRead, noted.longestMs)
        for (const status of noted.refused) refused.add(status)
      }
      await cluster.restart(primary)
    }
    // The writers go on: what they are told from now on may come after what is read.
    const acknowledged = [...ledger.acknowledged]
    const lost = missingFrom(await numbersOf(ana), acknowledged, ledger.sent)
    const told = { id: 'E2', tries: rounds, lost: lost.length, limit: longestMs, unit: 'ms' }
    tell({ ...told, what: `Patroni: ${what}; the longest time without an answer`, figure: slowestRead })
    tell({
      ...told,
      what: `Patroni: ${what}, ${acknowledged.length - before} acknowledgements; until changes are taken`,
      figure: slowestWrite,
    })
    expect(lost).toEqual([])
  }
  await Promise.all(stops.map((stop) => stop()))

  await cluster.whole()
  expect(missingFrom(await numbersOf(ana), ledger.acknowledged, ledger.sent)).toEqual([])
  expect([...refused, ...ledger.refused.keys()].filter((status) => status !== 503)).toEqual([])
  for (const server of servers) {
    await waitUntil('it to be ready', async () => (await server.call(api.readReadiness, {})).status === 200)
    expect(server.stdout()).not.toContain('UnhandledPromiseRejection')
  }
})
