import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../packages/server/src/database/open.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { startPostgres, type TestPostgres } from '../packages/server/test/postgres.ts'
import { addBooksTo, addShelf } from '../packages/server/test/reading-content.ts'
import { claim, signIn, startCarrel, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { startTcpProxy } from '../packages/server/test/smoke/tcp-proxy.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'

let started: TestPostgres | undefined
beforeAll(async () => {
  started = await startPostgres()
}, 60_000)
afterAll(() => started?.stop())

const eachWayMs = 100
const requestsASecond = 20
const books = 2000

test('E7 P-12 a database 200 ms away whose connections break now and then: lists come, and nobody waits in vain for a connection', async () => {
  const postgres = started
  if (!postgres) throw new Error('It is there only while tests run')
  const seconds = times(20, 300, 60)
  await postgres.createDatabase('far')
  const direct = postgres.urlOf('far')
  const url = new URL(direct)
  await using proxy = await startTcpProxy({ hostname: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  await using folder = await temporaryFolder()
  const env = { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false' }
  {
    await using first = await startCarrel({ cwd: folder.path, env: { ...env, CARREL_DATABASE_URL: direct } })
    await claim(first)
  }
  const database = await openDatabase(
    { kind: 'postgres', url: direct },
    createLog({ level: 'silent', format: 'json' }),
    (error) => {
      throw error
    },
  )
  await addBooksTo(database, await addShelf(database), books, {})
  await database.close()
  await using carrel = await startCarrel({ cwd: folder.path, env: { ...env, CARREL_DATABASE_URL: url.href } })
  const ana = await signIn(carrel, 'ana')
  proxy.delay(eachWayMs)

  const statuses = new Map<number, number>()
  const latencies: number[] = []
  const list = async (page: number): Promise<void> => {
    const startedAt = performance.now()
    const { status } = await ana.call(api.listBooks, { query: { page, pageSize: 20 } })
    latencies.push(performance.now() - startedAt)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const listMany = async (many: number, cutEvery: number): Promise<void> => {
    const lists: Promise<void>[] = []
    for (let count = 0; count < many; count += 1) {
      lists.push(list(1 + (count % (books / 20))))
      if (count % cutEvery === cutEvery - 1) proxy.cutOne()
      await delay(1000 / requestsASecond)
    }
    await Promise.all(lists)
  }
  // Each connection takes a second to be made. A server that has run for a moment has them.
  await listMany(5 * requestsASecond, Infinity)
  latencies.length = 0
  statuses.clear()
  const total = seconds * requestsASecond
  await listMany(total, 100)

  const inOrder = latencies.toSorted((one, other) => one - other)
  const p95 = inOrder[Math.floor(inOrder.length * 0.95)] ?? 0
  tell({
    id: 'E7',
    what: `lists over a connection with ${2 * eachWayMs} ms on the way, one of a hundred cut; at 95 %`,
    tries: total,
    figure: p95,
    limit: 1500,
    unit: 'ms',
  })
  const refused = statuses.get(503) ?? 0
  expect(statuses.get(200)).toBe(total - refused)
  // Whoever asked on a connection that was cut is told to try again; nobody waits in vain for another.
  expect(refused).toBeLessThanOrEqual(total / 100)
})
