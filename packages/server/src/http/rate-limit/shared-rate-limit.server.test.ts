import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type PlainReply, plainRequest } from '../../../test/plain-request.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { testOn } from '../../../test/test-database.ts'

/** So slow that hardly a token comes back while a test runs. */
const slowly = {
  CARREL_RATE_LIMIT_ENABLED: 'true',
  CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS: '1',
  CARREL_SETTING_RATE_LIMIT_AUTHENTICATED_RPS: '1',
}

const ask = ({ url }: TestServer, headers: Record<string, string> = {}, path = '/api/v1/info'): Promise<PlainReply> =>
  plainRequest(url + path, { headers })
const limitsOf = ({ headers }: PlainReply) =>
  ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])

interface Burst {
  readonly allowed: number
  readonly refused: number
  /** Tokens that came back meanwhile, at most. */
  readonly refilled: number
}

const burst = async (count: number, askOnce: (index: number) => Promise<PlainReply>): Promise<Burst> => {
  const startedAt = performance.now()
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push((await askOnce(index)).status)
  const refilled = Math.floor((performance.now() - startedAt) / 1000)
  const numberOf = (expected: number) => statuses.filter((status) => status === expected).length
  return { allowed: numberOf(200), refused: numberOf(429), refilled }
}

/** Two nodes that wait for each draw, however busy the machine is: one that counts on its own lets more through. */
const twoNodes = async () => {
  const one = await startServer({ env: slowly, drawMs: 60_000 })
  const other = await startServer({ env: slowly, drawMs: 60_000, address: one.context.config.database })
  return {
    one,
    other,
    [Symbol.asyncDispose]: async () => {
      await other[Symbol.asyncDispose]()
      await one[Symbol.asyncDispose]()
    },
  }
}

test('LIM-1 LIM-3 one node gives a stranger exactly 50 requests and a user 200', async () => {
  await using server = await startServer({ env: slowly })
  const { accessToken } = await server.person('reader')
  const authorization = `Bearer ${accessToken}`
  // Signing in took one.
  const strangers = await burst(60, () => ask(server))
  const users = await burst(220, () => ask(server, { authorization }))

  expect(strangers.allowed + 1).toBeGreaterThanOrEqual(50)
  expect(strangers.allowed + 1).toBeLessThanOrEqual(50 + 1 + strangers.refilled)
  expect(strangers.allowed + strangers.refused).toBe(60)
  expect(users.allowed).toBeGreaterThanOrEqual(200)
  expect(users.allowed).toBeLessThanOrEqual(200 + users.refilled)
})

testOn('postgres', 'LIM-3 through two nodes a client gets its limit and not twice as much', async () => {
  await using nodes = await twoNodes()
  const { one, other } = nodes
  const { accessToken } = await one.person('reader')
  const authorization = `Bearer ${accessToken}`
  const nodeOf = (index: number) => (index % 2 === 0 ? one : other)
  const strangers = await burst(120, (index) => ask(nodeOf(index)))
  const users = await burst(300, (index) => ask(nodeOf(index), { authorization }))

  expect(strangers.allowed).toBeGreaterThanOrEqual(40)
  expect(strangers.allowed).toBeLessThanOrEqual(60 + strangers.refilled)
  expect(users.allowed).toBeGreaterThanOrEqual(160)
  expect(users.allowed).toBeLessThanOrEqual(240 + users.refilled)
})

testOn('postgres', 'LIM-3 who asks all nodes at the same moment gets no more', async () => {
  await using nodes = await twoNodes()
  const { one, other } = nodes
  const startedAt = performance.now()
  const replies = await Promise.all(Array.from({ length: 160 }, (_, index) => ask(index % 2 === 0 ? one : other)))
  const allowed = replies.filter(({ status }) => status === 200)
  const refilled = Math.floor((performance.now() - startedAt) / 1000)

  expect(allowed.length).toBeGreaterThanOrEqual(40)
  expect(allowed.length).toBeLessThanOrEqual(60 + refilled)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]))
})

testOn('postgres', 'LIM-2 LIM-3 the headers tell at each node what is left at all of them', async () => {
  await using nodes = await twoNodes()
  const { one, other } = nodes

  expect(limitsOf(await ask(one))).toEqual(['50', '49', '0'])
  expect(limitsOf(await ask(other))).toEqual(['50', '48', '0'])
  expect(limitsOf(await ask(other, {}, '/health'))).toEqual(['50', '48', '0'])
  await burst(60, () => ask(one))
  expect(limitsOf(await ask(one))).toEqual(['50', '0', '1'])
  await burst(5, () => ask(other))
  const refused = await ask(other)
  expect([refused.status, ...limitsOf(refused), refused.headers['retry-after']]).toEqual([429, '50', '0', '1', '1'])
  expect(limitsOf(await ask(other, {}, '/health'))).toEqual(['50', '0', '1'])
})

testOn('postgres', 'LIM-1 LIM-3 nothing a client invents makes a row', async () => {
  await using server = await startServer({ env: slowly })
  const { id, accessToken } = await server.person('reader')
  await ask(server, { authorization: `Bearer ${accessToken}` })
  for (const headers of [
    { 'x-forwarded-for': '198.51.100.7' },
    { authorization: 'Bearer e30.e30.e30' },
    { 'x-api-key': 'carrel_abcdefgh_1' },
    { cookie: 'carrel_session=1' },
    { 'user-agent': 'somebody else' },
  ])
    await ask(server, headers)
  const { rows } = await sql<{ key: string }>`select key from rate_bucket order by key`.execute(server.context.db.read)

  expect(rows.map(({ key }) => key)).toEqual(['network 127.0.0.1', `user ${id}`])
})

testOn('postgres', 'LIM-3 HTTP-2 while the shared buckets are locked, requests go on and are limited', async () => {
  await using server = await startServer({ env: slowly })
  await ask(server)
  const locked = await server.context.db.write(async (db) => {
    await sql`lock table rate_bucket in access exclusive mode`.execute(db)
    return burst(60, () => ask(server))
  })

  expect(locked.allowed).toBeGreaterThanOrEqual(49)
  expect(locked.allowed).toBeLessThanOrEqual(49 + 1 + locked.refilled)
  expect(server.logLines.filter(({ msg }) => String(msg).includes('counts on its own')).length).toBe(1)
})

testOn('postgres', 'LIM-3 HTTP-2 without the shared buckets, requests go on and are limited', async () => {
  await using server = await startServer({ env: slowly })
  await server.context.db.write((db) => sql`drop table rate_bucket`.execute(db))
  const { allowed, refused, refilled } = await burst(60, () => ask(server))

  expect(allowed + refused).toBe(60)
  expect(allowed).toBeGreaterThanOrEqual(50)
  expect(allowed).toBeLessThanOrEqual(50 + refilled)
})
