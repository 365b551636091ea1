import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { basicDoor, basicHeader, openBasicDoor } from '../../../test/basic-door.ts'
import { hour, minute, movableClock, second } from '../../../test/movable-clock.ts'
import { errorOf } from '../../../test/outcome.ts'
import { startServer, testPassword, type TestServer } from '../../../test/start-server.ts'
import { forgetFailures, recordFailure, requireNotThrottled } from './throttle.ts'

const trusting = { CARREL_TRUSTED_PROXIES: '127.0.0.1' }
const signIn = async (
  server: TestServer,
  username: string,
  { password = testPassword, from }: { password?: string; from?: string } = {},
) => server.call(api.login, { body: { username, password } }, { headers: from ? { 'x-forwarded-for': from } : {} })

const fail = async (server: TestServer, username: string, times: number, from?: string): Promise<number[]> => {
  const statuses = []
  for (let count = 0; count < times; count += 1) {
    const { status } = await signIn(server, username, { password: `wrong-guess-${count}`, ...(from && { from }) })
    statuses.push(status)
  }
  return statuses
}

test('AUTH-5 after five failures the next try waits, in the shape of the law', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  await server.person('reader', { username: 'ana' })

  expect(await fail(server, 'ana', 5)).toEqual([401, 401, 401, 401, 401])
  const refused = await signIn(server, 'ana')

  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(errorOf(refused)).toStrictEqual({
    error: 'rate_limit_exceeded',
    message: expect.any(String),
    retry_after: 1,
  })
})

test('AUTH-5 each further failure doubles the wait, up to fifteen minutes, and time alone ends it', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  await server.person('reader', { username: 'ana' })
  await fail(server, 'ana', 5)

  const waits = []
  for (let count = 0; count < 12; count += 1) {
    const refused = errorOf(await signIn(server, 'ana'))
    if (!('retry_after' in refused)) throw new Error(`Not refused after ${5 + count} failures`)
    waits.push(refused.retry_after)
    time.pass((refused.retry_after - 1) * second + 999)
    expect((await signIn(server, 'ana')).status).toBe(429)
    time.pass(1)
    expect(await fail(server, 'ana', 1)).toEqual([401])
  }

  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  time.pass(15 * minute)
  expect((await signIn(server, 'ana')).status).toBe(200)
})

test('AUTH-5 a try that is refused does not count as a failure', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  await server.person('reader', { username: 'ana' })

  await fail(server, 'ana', 5)
  expect(new Set(await fail(server, 'ana', 10))).toEqual(new Set([429]))
  time.pass(second)

  expect((await signIn(server, 'ana')).status).toBe(200)
})

test('AUTH-5 success forgets the failures of the account', async () => {
  await using server = await startServer()
  await server.person('reader', { username: 'ana' })

  expect(await fail(server, 'ana', 4)).toEqual([401, 401, 401, 401])
  expect((await signIn(server, 'ana')).status).toBe(200)
  expect(await fail(server, 'ana', 4)).toEqual([401, 401, 401, 401])
  expect((await signIn(server, 'ana')).status).toBe(200)
})

test('AUTH-5 failures older than an hour are forgotten', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  await server.person('reader', { username: 'ana' })

  await fail(server, 'ana', 4)
  time.pass(hour + 1)

  expect(await fail(server, 'ana', 5)).toEqual([401, 401, 401, 401, 401])
})

test('AUTH-5 other accounts elsewhere and other networks are not slowed down', async () => {
  await using server = await startServer({ env: trusting })
  await server.person('reader', { username: 'ana' })
  await server.person('reader', { username: 'ben' })

  await fail(server, 'ana', 6, '203.0.113.7')

  expect((await signIn(server, 'ben', { from: '198.51.100.4' })).status).toBe(200)
  expect((await signIn(server, 'ana', { from: '198.51.100.4' })).status).toBe(200)
})

test('AUTH-5 one network that tries many accounts is slowed down for all of them', async () => {
  await using server = await startServer({ env: trusting })
  await server.person('reader', { username: 'ana' })

  const statuses = []
  for (let count = 0; count < 6; count += 1) {
    statuses.push(...(await fail(server, `nobody-${count}`, 1, '203.0.113.7')))
  }

  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  expect((await signIn(server, 'ana', { from: '203.0.113.7' })).status).toBe(429)
})

test('AUTH-5 an IPv6 network is its first half, whichever address of it is used', async () => {
  await using server = await startServer({ env: trusting })
  await server.person('reader', { username: 'ana' })

  const statuses = []
  for (let count = 0; count < 6; count += 1) {
    statuses.push(...(await fail(server, 'ana', 1, `2001:db8:1:2:${count}:aaaa:bbbb:${count}`)))
  }

  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
})

test('AUTH-5 a stranger failing from many addresses does not lock the owner out', async () => {
  await using server = await startServer({ env: trusting })
  await server.person('reader', { username: 'ana' })

  const statuses = []
  for (let count = 0; count < 40; count += 1) statuses.push(...(await fail(server, 'ana', 1, `203.0.113.${count}`)))

  // One guess for each address, and no more of them.
  expect(new Set(statuses)).toEqual(new Set([401]))
  for (let count = 0; count < 40; count += 1) {
    expect(await fail(server, 'ana', 1, `203.0.113.${count}`)).toEqual([429])
  }
  expect((await signIn(server, 'ana', { from: '198.51.100.4' })).status).toBe(200)
})

test('AUTH-5 what others do from a network the owner has signed in from does not slow the owner', async () => {
  await using server = await startServer({ env: trusting })
  await server.person('reader', { username: 'ana' })
  await server.person('reader', { username: 'ben' })
  expect((await signIn(server, 'ana', { from: '192.0.2.9' })).status).toBe(200)

  await fail(server, 'nobody', 8, '192.0.2.9')

  expect((await signIn(server, 'ben', { from: '192.0.2.9' })).status).toBe(429)
  expect((await signIn(server, 'ana', { from: '192.0.2.9' })).status).toBe(200)
})

test('AUTH-5 a header that nobody vouches for does not make another network', async () => {
  await using server = await startServer()
  await server.person('reader', { username: 'ana' })

  const statuses = []
  for (let count = 0; count < 6; count += 1) statuses.push(...(await fail(server, 'ana', 1, `203.0.113.${count}`)))

  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
})

test('AUTH-5 the user name and the e-mail address of one account count together', async () => {
  await using server = await startServer()
  await server.person('reader', { username: 'ana', email: 'ana@example.org' })

  const statuses = []
  for (const spelling of ['ana', 'ana@example.org', 'ANA', ' ana', 'Ana@Example.org', 'ana']) {
    statuses.push(...(await fail(server, spelling, 1)))
  }

  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
})

test('AUTH-5 spellings of a name count together whether or not there is such a user', async () => {
  const time = movableClock()
  await using server = await startServer({ env: trusting, clock: time.clock })
  await server.person('reader', { username: 'ana' })
  const sixth = async (name: string) => {
    for (let count = 0; count < 5; count += 1) await fail(server, name, 1, `203.0.113.${count}`)
    // Elsewhere and spelled otherwise: the first failure there, then the wait for the account.
    return fail(server, ` ${name.toUpperCase()} `, 2, `198.51.100.${name.length}`)
  }

  expect(await sixth('ana')).toEqual([401, 429])
  expect(await sixth('nobody')).toEqual([401, 429])
})

test('AUTH-5 AUTH-4 Basic is throttled as signing in is, and both count together', async () => {
  await using server = await startServer({ more: openBasicDoor })
  const ana = await server.person('reader', { username: 'ana' })
  const knock = async (password: string) =>
    (await server.call(basicDoor, {}, { headers: basicHeader('ana', password) })).status

  expect(await knock(testPassword)).toBe(200)
  expect([await knock('wrong-1'), await knock('wrong-2'), await knock('wrong-3')]).toEqual([401, 401, 401])
  expect(await fail(server, 'ana', 2)).toEqual([401, 401])
  expect(await knock('wrong-4')).toBe(429)
  expect((await signIn(server, 'ana')).status).toBe(429)
  // A password that was right a moment ago is not checked again, and a session is no try.
  expect(await knock(testPassword)).toBe(200)
  expect((await ana.call(api.readMe, {})).status).toBe(200)
})

test('AUTH-5 failures that come all at once all count', async () => {
  await using server = await startServer()
  await server.person('reader', { username: 'ana' })

  const results = await Promise.all(Array.from({ length: 12 }, () => fail(server, 'ana', 1)))

  expect(results.flat().filter((status) => status === 401).length).toBeGreaterThanOrEqual(5)
  const { failures } = await server.context.db.read
    .selectFrom('sign_in_failure')
    .select('failures')
    .where('key', 'like', 'network:%')
    .executeTakeFirstOrThrow()
  expect(failures).toBe(results.flat().filter((status) => status === 401).length)
  expect((await signIn(server, 'ana')).status).toBe(429)
})

test('AUTH-5 what is counted survives a restart and is known to every node', async () => {
  await using first = await startServer()
  await first.person('reader', { username: 'ana' })
  await using second = await startServer({ address: first.context.config.database })

  await fail(first, 'ana', 3)
  await fail(second, 'ana', 2)

  expect((await signIn(first, 'ana')).status).toBe(429)
  expect((await signIn(second, 'ana')).status).toBe(429)
})

test('AUTH-5 the wait of a pair is told in whole seconds that are never too few', async () => {
  await using server = await startServer()
  const { db } = server.context
  const at = (ms: number) => new Date(Date.parse('2026-11-21T10:00:00.000Z') + ms)
  const attempt = { account: 'ana', userId: undefined, network: '203.0.113.7' }
  const waitAt = (ms: number) =>
    requireNotThrottled(db.read, attempt, at(ms)).then(
      () => 0,
      (error: { retryAfterSeconds?: number }) => error.retryAfterSeconds,
    )

  for (let count = 0; count < 8; count += 1) await recordFailure(db, attempt, at(0))

  expect(await waitAt(0)).toBe(8)
  expect(await waitAt(1)).toBe(8)
  expect(await waitAt(1000)).toBe(7)
  expect(await waitAt(7999)).toBe(1)
  expect(await waitAt(8000)).toBe(0)
  await db.write((db) => forgetFailures(db, attempt))
  expect(await waitAt(8000)).toBe(0)
  // What the network has done stays counted.
  const left = await db.read.selectFrom('sign_in_failure').select(['key', 'failures']).execute()
  expect(left).toEqual([{ key: 'network:203.0.113.7', failures: 8 }])
})
