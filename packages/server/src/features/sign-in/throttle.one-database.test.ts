import { createHash } from 'node:crypto'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { basicDoor, basicHeader, openBasicDoor } from '../../../test/basic-door.ts'
import { fail, signIn, trusting } from '../../../test/failed-sign-ins.ts'
import { minute, movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { type Person, startServer, testPassword } from '../../../test/start-server.ts'

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

test('A5 AUTH-5 whoever comes in by Basic alone is known on their network, long after the password was checked', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock, env: trusting, more: openBasicDoor })
  await server.person('reader', { username: 'ana' })
  await server.person('reader', { username: 'ben' })
  const knock = async (username: string, password = testPassword) => {
    const headers = { ...basicHeader(username, password), 'x-forwarded-for': '192.0.2.9' }
    return (await server.call(basicDoor, {}, { headers })).status
  }
  expect(await knock('ana')).toBe(200)

  for (let round = 0; round < 10; round += 1) {
    await fail(server, 'nobody', 1, '192.0.2.9')
    time.pass(9 * minute)
  }
  await fail(server, 'nobody', 1, '192.0.2.9')

  expect(await knock('ben')).toBe(429)
  expect(await knock('ana')).toBe(200)
})

test('A5 AUTH-5 an API key, however it is sent, and a session that has moved make a network known too', async () => {
  const time = movableClock()
  const env = { ...trusting, CARREL_SETTING_COMPAT_ENABLED: 'true' }
  await using server = await startServer({ clock: time.clock, env })
  const key = async (person: Person) => bodyOf(await person.call(api.createApiKey, { body: { name: 'App' } })).key
  const ways: Record<string, (person: Person) => Promise<readonly [string, Record<string, string>]>> = {
    header: async (person) => ['/api/v1/user', { 'x-api-key': await key(person) }],
    koreader: async (person) => [
      '/koreader/users/auth',
      {
        'x-auth-user': person.username,
        'x-auth-key': createHash('md5')
          .update(await key(person))
          .digest('hex'),
      },
    ],
    'basic with a key': async (person) => ['/opds/v2', basicHeader(person.username, await key(person))],
    moved: async ({ accessToken }) => ['/api/v1/user', { authorization: `Bearer ${accessToken}` }],
  }
  for (const [index, [name, way]] of Object.entries(ways).entries()) {
    const network = `198.51.100.${index}`
    const person = await server.person('reader')
    const [path, headers] = await way(person)
    const { status } = await fetch(server.url + path, { headers: { ...headers, 'x-forwarded-for': network } })
    expect([name, status]).toEqual([name, 200])
    await waitUntil(`a known network: ${name}`, async () => {
      const rows = await server.context.db.read.selectFrom('known_network').selectAll().execute()
      return rows.find((row) => row.user_id === person.id && row.network === network)
    })
    await fail(server, `nobody-${index}`, 5, network)
    const stranger = await server.person('reader')
    expect((await signIn(server, stranger.username, { from: network })).status).toBe(429)
    expect((await signIn(server, person.username, { from: network })).status).toBe(200)
  }
})

test('AUTH-5 a header that nobody vouches for does not make another network', async () => {
  await using server = await startServer()
  await server.person('reader', { username: 'ana' })

  const statuses = []
  for (let count = 0; count < 6; count += 1) statuses.push(...(await fail(server, 'ana', 1, `203.0.113.${count}`)))

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
