import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { type PlainReply, plainRequest } from '../../../test/plain-request.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

const on = { CARREL_RATE_LIMIT_ENABLED: 'true' }
/** So slow that no token comes back while a test runs. */
const frozen = {
  ...on,
  CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS: '1',
  CARREL_SETTING_RATE_LIMIT_AUTHENTICATED_RPS: '1',
}
const limited = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const
const limitsOf = ({ headers }: PlainReply) => limited.map((name) => headers[name])
const remaining = async (server: TestServer, headers: Record<string, string>): Promise<number> =>
  Number((await plainRequest(`${server.url}/health`, { headers })).headers['x-ratelimit-remaining'])

test('LIM-1 LIM-2 a stranger has 50 requests at once, and then the answer of the law', async () => {
  await using server = await startServer({ env: frozen })
  const replies = []
  for (let count = 0; count < 56; count += 1) replies.push(await plainRequest(`${server.url}/api/v1/info`))
  const refused = replies.filter(({ status }) => status === 429)
  const [first] = refused

  expect(replies.slice(0, 50).every(({ status }) => status === 200)).toBe(true)
  expect(limitsOf(replies[0] as PlainReply)).toEqual(['50', '49', '0'])
  expect(refused.length).toBeGreaterThan(3)
  expect(Object.keys(first?.json as object).sort()).toEqual(['error', 'message', 'retry_after'])
  expect(first?.json).toMatchObject({
    error: 'rate_limit_exceeded',
    retry_after: 1,
    message: expect.stringContaining('1 second'),
  })
  expect(first?.headers['retry-after']).toBe('1')
  expect(limitsOf(first as PlainReply)).toEqual(['50', '0', '1'])
})

test('LIM-1 token, key and cookie of one user draw on one bucket of 200', async () => {
  await using server = await startServer({ env: frozen })
  const ana = await server.person('reader')
  const { key } = bodyOf(await ana.call(api.createApiKey, { body: { name: 'key' } }))
  const before = await remaining(server, { authorization: `Bearer ${ana.accessToken}` })
  const ways = [{ authorization: `Bearer ${ana.accessToken}` }, { 'x-api-key': key }, { cookie: ana.cookie }]
  for (const headers of ways) {
    const reply = await plainRequest(`${server.url}/api/v1/user`, { headers })
    expect([reply.status, reply.headers['x-ratelimit-limit']]).toEqual([200, '200'])
  }

  expect(before - (await remaining(server, { 'x-api-key': key }))).toBeGreaterThanOrEqual(2)
  expect(before - (await remaining(server, { 'x-api-key': key }))).toBeLessThanOrEqual(3)
})

test('LIM-1 whoever forges credentials draws on the bucket of strangers, and takes nothing from anybody', async () => {
  await using server = await startServer({ env: frozen })
  const victim = await server.person('reader')
  const authorization = `Bearer ${victim.accessToken}`
  const before = await remaining(server, { authorization })
  const claim = Buffer.from(JSON.stringify({ sub: victim.id, exp: 9_999_999_999 })).toString('base64url')
  const statuses = []
  for (let count = 0; count < 60; count += 1) {
    const forged = [
      { authorization: `Bearer e30.${claim}.x${count}` },
      { 'x-api-key': `carrel_abcdefgh_${count}` },
      { cookie: `carrel_session=${count}` },
    ]
    const { status } = await plainRequest(`${server.url}/api/v1/user`, { headers: forged[count % 3] ?? {} })
    statuses.push(status)
  }

  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(statuses.filter((status) => status === 401).length).toBeLessThan(52)
  expect(await remaining(server, { authorization })).toBeGreaterThanOrEqual(before)
})

test('LIM-1 a forwarded address counts only from a proxy that is trusted', async () => {
  const from = async (server: TestServer, forwarded: string) =>
    (
      await plainRequest(`${server.url}/api/v1/info`, {
        headers: { 'x-forwarded-for': forwarded, 'x-real-ip': forwarded },
      })
    ).headers['x-ratelimit-remaining']
  await using open = await startServer({ env: frozen })
  expect([
    await from(open, '198.51.100.1'),
    await from(open, '198.51.100.2'),
    await from(open, '198.51.100.3'),
  ]).toEqual(['49', '48', '47'])

  await using behind = await startServer({ env: { ...frozen, CARREL_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' } })
  expect([await from(behind, '198.51.100.1'), await from(behind, '198.51.100.2')]).toEqual(['49', '49'])
  // What a client wrote itself stands left of what our proxy added.
  expect(await from(behind, '203.0.113.9, 198.51.100.1, 10.1.2.3')).toBe('48')
  expect(await from(behind, '203.0.113.10, 198.51.100.1')).toBe('47')
  expect([
    await from(behind, '2001:db8:1:2:3::1'),
    await from(behind, '2001:db8:1:2:4::1'),
    await from(behind, '2001:db8:1:3::1'),
  ]).toEqual(['49', '48', '49'])
})

test('LIM-1 behind a trusted proxy one client that is refused takes nothing from the others', async () => {
  await using server = await startServer({ env: { ...frozen, CARREL_TRUSTED_PROXIES: '127.0.0.1' } })
  const from = (forwarded: string) =>
    plainRequest(`${server.url}/api/v1/info`, { headers: { 'x-forwarded-for': forwarded } })
  const greedy = (address: (index: number) => string) =>
    Promise.all(Array.from({ length: 70 }, (_, index) => from(address(index))))

  const replies = await greedy((index) => `10.9.9.${index}, 192.0.2.1`)
  expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  expect((await from('10.9.9.200, 192.0.2.1')).status).toBe(429)
  expect(await from('192.0.2.2')).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '49' } })
  // One household of IPv6 is one client.
  await greedy((index) => `2001:db8:1:2::${index.toString(16)}`)
  expect((await from('2001:db8:1:2:ffff::1')).status).toBe(429)
  expect((await from('2001:db8:1:3::1')).status).toBe(200)
})

test('LIM-2 W3 the headers stand on every answer, and health takes no token', async () => {
  await using server = await startServer({ env: frozen })
  const { accessToken } = await server.person('admin')
  const authorization = `Bearer ${accessToken}`
  const etag = (await plainRequest(`${server.url}/api/v1/user`, { headers: { authorization } })).headers.etag ?? ''
  const replies = [
    await plainRequest(`${server.url}/api/v1/user`, { headers: { authorization, 'if-none-match': etag } }),
    await plainRequest(`${server.url}/api/v1/user`),
    await plainRequest(`${server.url}/api/v1/user`, { method: 'DELETE' }),
    await plainRequest(`${server.url}/api/v1/user`, { method: 'OPTIONS' }),
    await plainRequest(`${server.url}/api/v1/nothing`),
    await plainRequest(`${server.url}/api/v1/users/nobody`, { headers: { authorization } }),
    await plainRequest(`${server.url}/api/v1/users/%zz`, { headers: { authorization } }),
    await plainRequest(`${server.url}/api/docs`),
    await plainRequest(`${server.url}/health`),
  ]
  expect(replies.map(({ status }) => status)).toEqual([304, 401, 405, 204, 404, 400, 400, 200, 200])
  for (const reply of replies) expect(limitsOf(reply).every((value) => /^\d+$/.test(String(value)))).toBe(true)

  const before = await remaining(server, {})
  for (let count = 0; count < 5; count += 1) await plainRequest(`${server.url}/health`)
  expect(await remaining(server, {})).toBeGreaterThanOrEqual(before)
  await plainRequest(`${server.url}/health`, { headers: { 'x-api-key': 'wrong' } })
  expect(await remaining(server, {})).toBeLessThanOrEqual(before)
})

test('W3 a failed sign-in counts as a stranger, also behind a good token', async () => {
  await using server = await startServer({ env: frozen })
  const ana = await server.person('reader')
  const before = await remaining(server, {})
  const body = { username: ana.username, password: 'not-the-password' }
  const { status } = await ana.call(api.login, { body })

  expect([status, before - (await remaining(server, {}))]).toEqual([401, 1])
})

test('LIM-1 a request that is refused for its limit costs nobody anything, and the user goes on beside it', async () => {
  await using server = await startServer({ env: { ...frozen, CARREL_SETTING_RATE_LIMIT_ANONYMOUS_BURST: '3' } })
  const ana = await server.person('reader')
  const ask = (headers: Record<string, string> = {}) => plainRequest(`${server.url}/api/v1/info`, { headers })
  for (let count = 0; count < 3; count += 1) await ask()
  const refused = [await ask(), await ask({ authorization: 'Bearer wrong' }), await ask({ 'x-api-key': 'wrong' })]

  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429])
  expect((await ask({ authorization: `Bearer ${ana.accessToken}` })).status).toBe(200)
  expect((await plainRequest(`${server.url}/health`)).status).toBe(200)
})

test('W3 with the limiter off there are no such headers', async () => {
  await using server = await startServer()
  const reply = await plainRequest(`${server.url}/api/v1/info`)

  expect(limitsOf(reply)).toEqual([undefined, undefined, undefined])
})

test('CFG-4 LIM-1 a change of the limits counts from the next request', async () => {
  await using server = await startServer({ env: on })
  const admin = await server.person('admin')
  bodyOf(await admin.call(api.saveSetting, { params: { key: 'rate_limit.anonymous_burst' }, body: { value: 7 } }))

  expect((await plainRequest(`${server.url}/api/v1/info`)).headers['x-ratelimit-limit']).toBe('7')
})
