import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { type PlainReply, plainRequest } from '../plain-request.ts'
import { claim, startCarrel, withoutWorker } from './carrel.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Refilled so slowly that the time the test takes does not matter. */
const slowly = { ...withoutWorker, CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS: '1' }
const burst = 50

const ask = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<PlainReply> =>
  plainRequest(`${url}/api/v1/info`, { headers })

const askOften = (count: number, askOnce: (index: number) => Promise<PlainReply>): Promise<PlainReply[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => askOnce(index)))

test('LIM-1 LIM-2 W3 a stranger is answered fifty times at once, then refused with three keys, whatever it forges; others go on', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: slowly })
  const { call, accessToken } = await claim(carrel)
  const limitOf = async (headers: Record<string, string>) =>
    (await carrel.callWith(headers)(api.readMe, {})).headers.get('x-ratelimit-limit')
  expect(await limitOf({ authorization: `Bearer ${accessToken}` })).toBe('200')
  expect(await limitOf({ authorization: `Bearer ${accessToken}x` })).toBe('50')
  // Both calls without a good token have drawn on the bucket of strangers.
  const drawn = 2

  const replies = await askOften(burst + 20, () => ask(carrel.url))
  const answered = replies.filter(({ status }) => status === 200)
  const refused = replies.filter(({ status }) => status === 429)

  expect(answered.length + refused.length).toBe(burst + 20)
  expect(answered.length).toBeGreaterThanOrEqual(burst - drawn)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers, json } of refused) {
    const wait = Number(headers['retry-after'])
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(json).toStrictEqual({ error: 'rate_limit_exceeded', message: expect.any(String), retry_after: wait })
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' })
  }
  expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).toBe(replies.length)
  // Health is never refused, and shows the bucket all the same.
  const health = await askOften(20, () => plainRequest(`${carrel.url}/health`))
  expect(new Set(health.map(({ status }) => status))).toEqual(new Set([200]))
  expect(health.every(({ headers }) => headers['x-ratelimit-limit'] === '50')).toBe(true)

  const forged = await askOften(30, (index) =>
    ask(carrel.url, {
      'x-forwarded-for': `10.0.0.${index}`,
      forwarded: `for=10.0.1.${index}`,
      'x-real-ip': `10.0.2.${index}`,
      'user-agent': `Reader ${index}`,
    }),
  )
  expect(forged.filter(({ status }) => status === 200).length).toBeLessThan(5)

  // Wrong credentials count for the address too; who is signed in goes on beside it.
  const askedAt = performance.now()
  await askOften(burst + 20, () => plainRequest(`${carrel.url}/health`, { headers: { 'x-api-key': 'carrel_none' } }))
  const next = await askOften(10, () => ask(carrel.url))
  // Each second that has passed since lets one request more in, and nothing else does.
  const seconds = Math.ceil((performance.now() - askedAt) / 1000)
  expect(next.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(seconds)
  expect(next.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(next.length - seconds)
  expect((await call(api.readMe, {})).status).toBe(200)
})
