import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { networkOf } from '../origin/client-address.ts'
import { type Rates, tokenBuckets } from './rate-limit.ts'

const rates: Rates = {
  get: (key) =>
    ({
      'rate_limit.anonymous_rps': 10,
      'rate_limit.anonymous_burst': 50,
      'rate_limit.authenticated_rps': 50,
      'rate_limit.authenticated_burst': 200,
    })[key],
}
const stranger = { kind: 'anonymous', network: '192.0.2.1' } as const

const buckets = () => {
  let now = 1000
  const limiter = tokenBuckets(rates, () => now)
  return { limiter, pass: (ms: number) => void (now += ms) }
}

test('LIM-1 a bucket gives its burst at once and then its rate', () => {
  const { limiter, pass } = buckets()
  const given = (tries: number) =>
    Array.from({ length: tries }, () => limiter.take(stranger)).filter(({ allowed }) => allowed).length

  expect(given(60)).toBe(50)
  pass(1000)
  expect(given(60)).toBe(10)
  pass(60_000)
  expect(given(60)).toBe(50)
})

test('LIM-2 whoever waits as long as Reset says gets a token', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 60, maxLength: 200 }), (pauses) => {
      const { limiter, pass } = buckets()
      for (const pause of pauses) {
        pass(pause)
        const { allowed, resetSeconds } = limiter.take(stranger)
        if (allowed) continue
        pass(resetSeconds * 1000)
        expect(limiter.take(stranger).allowed).toBe(true)
      }
    }),
  )
})

test('LIM-2 whole seconds of Reset are enough at any rate and at any time of the clock', () => {
  const time = fc.double({ min: 0, max: 1e7, noNaN: true })
  const pauses = fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), { minLength: 20, maxLength: 100 })
  fc.assert(
    fc.property(time, pauses, fc.integer({ min: 1, max: 60 }), (start, pauses, rate) => {
      let now = start
      const slow: Rates = { get: (key) => (key.endsWith('rps') ? rate : 3) }
      const limiter = tokenBuckets(slow, () => now)
      for (const pause of pauses) {
        now += pause
        const { allowed, resetSeconds, remaining } = limiter.take(stranger)
        expect(Number.isInteger(resetSeconds) && Number.isInteger(remaining)).toBe(true)
        expect(resetSeconds === 0).toBe(remaining > 0)
        if (allowed) continue
        now += resetSeconds * 1000
        expect(limiter.take(stranger).allowed).toBe(true)
      }
    }),
  )
})

test('LIM-3 a bucket that is forgotten was full, and those that are kept are bounded', () => {
  const { limiter, pass } = buckets()
  const other = (index: number) => ({ kind: 'anonymous', network: `network ${index}` }) as const
  for (let index = 0; index < 99_000; index += 1) limiter.take(other(index))
  pass(60_000)
  for (let count = 0; count < 50; count += 1) limiter.take(stranger)
  // These push out the first, which have long been full, and not the one that is empty.
  for (let index = 200_000; index < 250_000; index += 1) limiter.take(other(index))

  expect(limiter.take(stranger).allowed).toBe(false)
  expect(limiter.peek(other(0)).remaining).toBe(50)
  expect(limiter.peek(other(249_999)).remaining).toBe(49)
})

test('LIM-1 LIM-3 users and strangers have buckets of their own measure', () => {
  const { limiter } = buckets()
  const user = { kind: 'user', id: '192.0.2.1' } as const
  for (let count = 0; count < 50; count += 1) limiter.take(stranger)

  expect(limiter.take(stranger)).toEqual({ allowed: false, limit: 50, remaining: 0, resetSeconds: 1 })
  expect(limiter.take(user)).toEqual({ allowed: true, limit: 200, remaining: 199, resetSeconds: 0 })
})

test('LIM-1 looking takes nothing, and what is left is never more than the burst', () => {
  const { limiter, pass } = buckets()
  for (let count = 0; count < 100; count += 1) limiter.peek(stranger)
  expect(limiter.peek(stranger)).toEqual({ limit: 50, remaining: 50, resetSeconds: 0 })
  limiter.take(stranger)
  pass(1_000_000)
  expect(limiter.peek(stranger).remaining).toBe(50)
})

test('LIM-3 a hundred thousand strangers do not make a fresh bucket for one who has just asked', () => {
  const { limiter } = buckets()
  const other = (index: number) => ({ kind: 'anonymous', network: `network ${index}` }) as const
  for (let count = 0; count < 50; count += 1) limiter.take(stranger)
  for (let index = 0; index < 90_000; index += 1) limiter.take(other(index))

  expect(limiter.take(stranger).allowed).toBe(false)
})

test('LIM-1 an IPv6 address counts by its first half, however it is written', () => {
  const cases: [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::ffff', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ]
  for (const [address, network] of cases) expect([address, networkOf(address)]).toEqual([address, network])
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
      expect(networkOf(one)).toMatch(/^[0-9a-f:.]+(::\/64)?$/)
      return typeof networkOf(other) === 'string'
    }),
  )
})
