import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../packages/server/test/postgres.ts'
import { seed } from '../packages/server/test/seed.ts'
import { claim, signIn, startCarrel, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { randomFrom } from '../packages/server/test/smoke/random.ts'
import { startTcpProxy } from '../packages/server/test/smoke/tcp-proxy.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { emptyWriteLedger, missingFrom } from './numbered-writes.ts'
import { acknowledgedAgain, numbersOf, withPerson, writeOn } from './preference-writers.ts'

console.log(`The moments come from SEED=${seed}`)

let started: TestPostgres | undefined
beforeAll(async () => {
  started = await startPostgres({ isDurable: true })
}, 60_000)
afterAll(() => started?.stop())

const postgres = (): TestPostgres => {
  if (!started) throw new Error('It is there only while tests run')
  return started
}

const newDatabase = async (name: string): Promise<string> => {
  await postgres().createDatabase(name)
  return postgres().urlOf(name)
}

test('E2 P-12 P-1 PostgreSQL is killed again and again under writers at two nodes: nothing is lost, no node ends, and all go on by themselves', async () => {
  const random = randomFrom(seed)
  const rounds = times(3, 50, 12)
  const url = await newDatabase('killed')
  await using one = await temporaryFolder()
  await using two = await temporaryFolder()
  const env = { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false', CARREL_DATABASE_URL: url }
  await using first = await startCarrel({ cwd: one.path, env })
  await using second = await startCarrel({ cwd: two.path, env })
  const ana = await claim(first)
  const ledger = emptyWriteLedger()
  const stops = Array.from({ length: 6 }, (_, index) =>
    writeOn(withPerson(index % 2 === 0 ? first : second, ana), ledger, `writer-${index}`),
  )
  let slowest = 0
  await acknowledgedAgain(ledger)
  for (let round = 0; round < rounds; round += 1) {
    await delay(random() * 500)
    await postgres().kill()
    // Its children hold its memory for a moment longer.
    await waitUntil('it to start again', async () =>
      postgres()
        .resume()
        .then(
          () => true,
          () => false,
        ),
    )
    slowest = Math.max(slowest, await acknowledgedAgain(ledger))
  }
  await Promise.all(stops.map((stop) => stop()))

  const lost = missingFrom(await numbersOf(ana), ledger.acknowledged, ledger.sent)
  tell({
    id: 'E2',
    what: `kills of PostgreSQL beside ${ledger.acknowledged.length} acknowledgements; the slowest to go on`,
    tries: rounds,
    lost: lost.length,
    figure: slowest,
    limit: 5000,
    unit: 'ms',
  })
  expect(lost).toEqual([])
  expect([...ledger.refused.keys()].filter((status) => status !== 503)).toEqual([])
  for (const carrel of [first, second]) {
    expect((await carrel.call(api.readReadiness, {})).status).toBe(200)
    expect(carrel.stdout()).not.toContain('UnhandledPromiseRejection')
  }
})

test('E3 P-12 P-21 behind a network that swallows everything a node says 503 soon, is live all the time, and goes on when the network does', async () => {
  const rounds = times(1, 6, 2)
  const heldMs = times(6000, 60_000, 20_000)
  const direct = await newDatabase('swallowed')
  const url = new URL(direct)
  await using proxy = await startTcpProxy({ hostname: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  await using folder = await temporaryFolder()
  const env = { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false' }
  {
    // The schema is made without what is swallowed later in between.
    await using first = await startCarrel({ cwd: folder.path, env: { ...env, CARREL_DATABASE_URL: direct } })
    await claim(first)
  }
  await using carrel = await startCarrel({ cwd: folder.path, env: { ...env, CARREL_DATABASE_URL: url.href } })
  const ana = await signIn(carrel, 'ana')
  const ledger = emptyWriteLedger()
  let [slowestAnswer, slowestReady, slowestBack] = [0, 0, 0]
  for (let round = 0; round < rounds; round += 1) {
    const stop = writeOn(ana, ledger, `round-${round}`)
    await acknowledgedAgain(ledger)
    proxy.swallowAll()
    const swallowedAt = performance.now()
    await waitUntil('it to be unready', async () => (await carrel.call(api.readReadiness, {})).status === 503)
    slowestReady = Math.max(slowestReady, performance.now() - swallowedAt)
    while (performance.now() - swallowedAt < heldMs) {
      const askedAt = performance.now()
      const refused = await ana.call(api.readPreferences, {})
      slowestAnswer = Math.max(slowestAnswer, performance.now() - askedAt)
      expect(refused.status).toBe(503)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await carrel.call(api.readLiveness, {})).status).toBe(200)
    }
    proxy.letThrough()
    slowestBack = Math.max(slowestBack, await acknowledgedAgain(ledger))
    await waitUntil('it to be ready', async () => (await carrel.call(api.readReadiness, {})).status === 200)
    await stop()
  }
  const lost = missingFrom(await numbersOf(ana), ledger.acknowledged, ledger.sent)
  const figures = [
    ['the slowest answer meanwhile', slowestAnswer, 5000],
    ['until it says that it is not ready', slowestReady, 10_000],
    ['until it goes on', slowestBack, 10_000],
  ] as const
  for (const [what, figure, limit] of figures)
    tell({ id: 'E3', what, tries: rounds, lost: lost.length, figure, limit, unit: 'ms' })
  expect(lost).toEqual([])
  expect([...ledger.refused.keys()].filter((status) => status !== 503)).toEqual([])
})
