import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { beforeEach, expect, test } from 'vitest'
import { claim, startCarrel, type Visitor, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { emptyWriteLedger, missingFrom, type WriteLedger } from './numbered-writes.ts'
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

interface Trial {
  readonly cluster: PatroniCluster
  /** The same person at each of the servers. */
  readonly visitors: readonly Visitor[]
  readonly ledger: WriteLedger
}

/** It returns how long nobody was answered, how long no change was taken, and with what reads were refused. */
const makeOnce = async (make: Change['make'], { cluster, visitors, ledger }: Trial) => {
  await cluster.whole()
  await acknowledgedAgain(ledger)
  const primary = await cluster.primary()
  const readers = visitors.map(readOn)
  const changedAt = performance.now()
  await make(cluster, primary)
  await waitUntil('another node to lead', async () => (await cluster.primary()) !== primary)
  await acknowledgedAgain(ledger)
  const writeMs = performance.now() - changedAt
  for (const { stop } of readers) await stop()
  await cluster.restart(primary)
  return {
    writeMs,
    readMs: Math.max(...readers.map(({ noted }) => noted.longestMs)),
    refused: readers.flatMap(({ noted }) => [...noted.refused]),
  }
}

test('E2 P-12 P-1 three PostgreSQL under Patroni behind HAProxy: whoever leads is killed or hands over under load, and nothing is lost', async () => {
  const rounds = times(1, 10, 3)
  await using cluster = await startPatroniCluster()
  await using one = await temporaryFolder()
  await using two = await temporaryFolder()
  const env = { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false', CARREL_DATABASE_URL: cluster.url }
  await using first = await startCarrel({ cwd: one.path, env })
  await using second = await startCarrel({ cwd: two.path, env })
  const ana = await claim(first)
  const visitors = [ana, withPerson(second, ana)]
  const ledger = emptyWriteLedger()
  const stops = Array.from({ length: 6 }, (_, index) =>
    writeOn(index % 2 === 0 ? ana : withPerson(second, ana), ledger, `writer-${index}`),
  )

  const refused = new Set<number>()
  for (const { what, make } of changes) {
    const before = ledger.acknowledged.length
    const made: Awaited<ReturnType<typeof makeOnce>>[] = []
    while (made.length < rounds) made.push(await makeOnce(make, { cluster, visitors, ledger }))
    for (const status of made.flatMap((each) => each.refused)) refused.add(status)
    // The writers go on: what they are told from now on may come after what is read.
    const acknowledged = [...ledger.acknowledged]
    const lost = missingFrom(await numbersOf(ana), acknowledged, ledger.sent)
    const told = { id: 'E2', tries: rounds, lost: lost.length, limit: longestMs, unit: 'ms' }
    const readMs = Math.max(...made.map((each) => each.readMs))
    const writeMs = Math.max(...made.map((each) => each.writeMs))
    tell({ ...told, what: `Patroni: ${what}; the longest time without an answer`, figure: readMs })
    tell({
      ...told,
      what: `Patroni: ${what}, ${acknowledged.length - before} acknowledgements; until changes are taken`,
      figure: writeMs,
    })
    expect(lost).toEqual([])
  }
  await Promise.all(stops.map((stop) => stop()))

  await cluster.whole()
  expect(missingFrom(await numbersOf(ana), ledger.acknowledged, ledger.sent)).toEqual([])
  expect([...refused, ...ledger.refused.keys()].filter((status) => status !== 503)).toEqual([])
  for (const server of [first, second]) {
    await waitUntil('it to be ready', async () => (await server.call(api.readReadiness, {})).status === 200)
    expect(server.stdout()).not.toContain('UnhandledPromiseRejection')
  }
})
