import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { type PlainReply, plainRequest } from '../plain-request.ts'
import { claim, startCarrel } from './carrel.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Refilled so slowly that the time the test takes does not matter. */
const slowly = { CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS: '1' }
const burst = 50

const ask = (url: string, forwardedFor?: string, path = '/api/v1/info'): Promise<PlainReply> =>
  plainRequest(url + path, { headers: { ...(forwardedFor && { 'x-forwarded-for': forwardedFor }) } })

const askOften = (count: number, askOnce: (index: number) => Promise<PlainReply>): Promise<PlainReply[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => askOnce(index)))

const statusesOf = (replies: readonly PlainReply[]): number[] => [...new Set(replies.map(({ status }) => status))]

test('LIM-1 LIM-2 W3 a stranger is answered fifty times at once, then refused with three keys and Retry-After', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: slowly })

  const replies = await askOften(burst + 20, () => ask(carrel.url))
  const answered = replies.filter(({ status }) => status === 200)
  const refused = replies.filter(({ status }) => status === 429)

  expect(answered.length + refused.length).toBe(burst + 20)
  expect(answered.length).toBeGreaterThanOrEqual(burst)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers, json } of refused) {
    const wait = Number(headers['retry-after'])
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(json).toStrictEqual({ error: 'rate_limit_exceeded', message: expect.any(String), retry_after: wait })
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' })
  }
  expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).toBe(replies.length)
  // Health is never refused, and shows the bucket all the same.
  const health = await askOften(20, () => ask(carrel.url, undefined, '/health'))
  expect(statusesOf(health)).toEqual([200])
  expect(health.every(({ headers }) => headers['x-ratelimit-limit'] === '50')).toBe(true)
})

test('LIM-1 a forged X-Forwarded-For, Forwarded or X-Real-IP is worth nothing', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: slowly })
  await askOften(burst + 20, () => ask(carrel.url))

  const forged = await askOften(30, (index) =>
    plainRequest(`${carrel.url}/api/v1/info`, {
      headers: {
        'x-forwarded-for': `10.0.0.${index}`,
        forwarded: `for=10.0.1.${index}`,
        'x-real-ip': `10.0.2.${index}`,
        'user-agent': `Reader ${index}`,
      },
    }),
  )

  expect(forged.filter(({ status }) => status === 200).length).toBeLessThan(5)
})

test('LIM-1 behind a trusted proxy every client has a bucket of its own, and what it writes itself is worth nothing', async () => {
  await using folder = await temporaryFolder()
  const env = { ...slowly, CARREL_TRUSTED_PROXIES: '127.0.0.1' }
  await using carrel = await startCarrel({ cwd: folder.path, env })

  const greedy = await askOften(burst + 20, (index) => ask(carrel.url, `10.9.9.${index}, 192.0.2.1`))
  expect(greedy.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  expect((await ask(carrel.url, '10.9.9.200, 192.0.2.1')).status).toBe(429)

  const modest = await ask(carrel.url, '192.0.2.2')
  expect(modest).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '49' } })
  // One household of IPv6 is one client.
  await askOften(burst + 20, (index) => ask(carrel.url, `2001:db8:1:2::${index.toString(16)}`))
  expect((await ask(carrel.url, '2001:db8:1:2:ffff::1')).status).toBe(429)
  expect((await ask(carrel.url, '2001:db8:1:3::1')).status).toBe(200)
})

test('LIM-1 who is signed in has 200, apart from the address; wrong credentials count for the address', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: slowly })
  const { call, accessToken } = await claim(carrel)

  const headersOf = async (headers: Record<string, string>) =>
    (await carrel.callWith(headers)(api.readMe, {})).headers.get('x-ratelimit-limit')
  expect(await headersOf({ authorization: `Bearer ${accessToken}` })).toBe('200')
  expect(await headersOf({ authorization: `Bearer ${accessToken}x` })).toBe('50')
  await askOften(burst + 20, () => plainRequest(`${carrel.url}/health`, { headers: { 'x-api-key': 'carrel_none' } }))

  expect((await ask(carrel.url)).status).toBe(429)
  expect((await call(api.readMe, {})).status).toBe(200)
})
