import { expect, test } from 'vitest'
import { fail, signIn, trusting } from '../../../test/failed-sign-ins.ts'
import { hour, movableClock } from '../../../test/movable-clock.ts'
import { startServer } from '../../../test/start-server.ts'
import { forgetFailures, recordFailure, requireNotThrottled } from './throttle.ts'

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

test('AUTH-5 what others do from a network the owner has signed in from does not slow the owner', async () => {
  await using server = await startServer({ env: trusting })
  await server.person('reader', { username: 'ana' })
  await server.person('reader', { username: 'ben' })
  expect((await signIn(server, 'ana', { from: '192.0.2.9' })).status).toBe(200)

  await fail(server, 'nobody', 8, '192.0.2.9')

  expect((await signIn(server, 'ben', { from: '192.0.2.9' })).status).toBe(429)
  expect((await signIn(server, 'ana', { from: '192.0.2.9' })).status).toBe(200)
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

test('AUTH-5 of guesses that come all at once no more are looked at than of those that come one after another', async () => {
  await using server = await startServer()
  await server.person('reader', { username: 'ana' })

  const results = await Promise.all(Array.from({ length: 12 }, () => fail(server, 'ana', 1)))

  expect(results.flat().filter((status) => status === 401)).toHaveLength(5)
  const { failures } = await server.context.db.read
    .selectFrom('sign_in_failure')
    .select('failures')
    .where('key', 'like', 'network:%')
    .executeTakeFirstOrThrow()
  expect(failures).toBe(5)
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
  // Failures of the network stay counted.
  const left = await db.read.selectFrom('sign_in_failure').select(['key', 'failures']).execute()
  expect(left).toEqual([{ key: 'network:203.0.113.7', failures: 8 }])
})
