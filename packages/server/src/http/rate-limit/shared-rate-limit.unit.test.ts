import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BucketDraw, bucketTolerance, type SharedBuckets } from '../../platform/shared-buckets.ts'
import { type Limiter, type Rates, type Taken, tokenBuckets, type Who } from './rate-limit.ts'
import { sharedTokenBuckets } from './shared-rate-limit.ts'

const stranger: Who = { kind: 'anonymous', network: '192.0.2.1' }
const ratesOf = (rate: number, burst: number): Rates => ({ get: (key) => (key.endsWith('rps') ? rate : burst) })
const usual = ratesOf(10, 50)

interface Row {
  tokens: number
  filledAt: number
  stamp: number
}

interface World {
  readonly now: () => number
  pass(ms: number): void
  node(): Limiter
  /** What the nodes asked of the shared buckets. */
  readonly draws: BucketDraw[]
  readonly logged: string[]
  /** Replaces the shared buckets. */
  answer: SharedBuckets['draw']
}

/** Shared buckets as the database has them, on a clock that stands still until it is moved. */
const world = (rates: Rates = usual): World => {
  const rows = new Map<string, Row>()
  const logged: string[] = []
  let time = 1000
  const now = () => time
  const made: World = {
    now,
    pass: (ms) => void (time += ms),
    draws: [],
    logged,
    answer: async ({ key, rate, burst, tokens, since }) => {
      const row = rows.get(key)
      const unused = row && row.stamp === since?.stamp ? since.unused : 0
      const filled = row
        ? Math.max(0, Math.min(burst, row.tokens + unused + ((time - row.filledAt) / 1000) * rate))
        : burst
      const given = Math.min(tokens, Math.floor(filled + bucketTolerance))
      const left = Math.max(0, filled - given)
      const stamp = made.draws.length
      rows.set(key, { tokens: left, filledAt: time, stamp })
      return { given, left, stamp }
    },
    node: () =>
      sharedTokenBuckets({
        rates,
        now,
        log: {
          info: (...parts: unknown[]) => void logged.push(String(parts.at(-1))),
          warn: (...parts: unknown[]) => void logged.push(String(parts.at(-1))),
        },
        shared: {
          draw: (draw) => {
            made.draws.push(draw)
            return made.answer(draw)
          },
        },
      }),
  }
  return made
}

const takeOften = async (limiter: Limiter, count: number, who = stranger): Promise<Taken[]> => {
  const taken = []
  for (let index = 0; index < count; index += 1) taken.push(await limiter.take(who))
  return taken
}
const allowedOf = (taken: readonly Taken[]): number => taken.filter(({ allowed }) => allowed).length

/** Pauses of whole milliseconds, many of them none. */
const pauses = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 300 }) },
  { weight: 1, arbitrary: fc.integer({ min: 300, max: 8000 }) },
)
const measures = fc.oneof(
  fc.constant({ rate: 10, burst: 50 }),
  fc.constant({ rate: 50, burst: 200 }),
  fc.record({ rate: fc.integer({ min: 1, max: 60 }), burst: fc.integer({ min: 1, max: 200 }) }),
)

test('LIM-3 a lone node says to each request exactly what a bucket in memory says', async () => {
  const schedule = fc.array(pauses, { minLength: 50, maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(measures, schedule, async ({ rate, burst }, schedule) => {
      const { now, pass, node } = world(ratesOf(rate, burst))
      const alone = node()
      const inMemory = tokenBuckets(ratesOf(rate, burst), now)
      for (const pause of schedule) {
        pass(pause)
        expect(alone.peek(stranger)).toEqual(inMemory.peek(stranger))
        expect(await alone.take(stranger)).toEqual(inMemory.take(stranger))
      }
    }),
  )
})

test('LIM-3 through any number of nodes there is never more than 1.2 times the limit', async () => {
  const steps = fc.array(fc.record({ pause: pauses, node: fc.nat(7), count: fc.integer({ min: 1, max: 12 }) }), {
    minLength: 40,
    maxLength: 120,
  })
  const nodeCounts = fc.integer({ min: 1, max: 8 })
  await fc.assert(
    fc.asyncProperty(measures, nodeCounts, steps, async ({ rate, burst }, nodeCount, steps) => {
      const { now, pass, node } = world(ratesOf(rate, burst))
      const nodes = Array.from({ length: nodeCount }, node)
      const allowed: { at: number; count: number }[] = []
      for (const { pause, node: index, count } of steps) {
        pass(pause)
        const limiter = nodes[index % nodeCount] as Limiter
        allowed.push({ at: now(), count: allowedOf(await takeOften(limiter, count)) })
      }
      for (const [first, { at }] of allowed.entries()) {
        let sum = 0
        for (const step of allowed.slice(first)) {
          sum += step.count
          expect(sum).toBeLessThanOrEqual(1.2 * burst + ((step.at - at) / 1000) * rate + bucketTolerance)
        }
      }
    }),
  )
})

test('LIM-3 whoever comes through many nodes after a pause, each with some credit, gets no more either', async () => {
  const measures = [
    { rate: 10, burst: 50 },
    { rate: 50, burst: 200 },
  ]
  const cases = measures.flatMap((measure) =>
    [0, 500, 799, 990].flatMap((pauseMs) => [2, 3, 8].map((nodeCount) => ({ ...measure, pauseMs, nodeCount }))),
  )
  for (const { rate, burst, pauseMs, nodeCount } of cases) {
    const { pass, node } = world(ratesOf(rate, burst))
    const nodes = Array.from({ length: nodeCount }, node)
    for (const limiter of nodes) await takeOften(limiter, 2)
    pass(pauseMs)
    let allowed = 0
    for (const limiter of nodes) allowed += allowedOf(await takeOften(limiter, 2 * burst))
    expect(allowed).toBeLessThanOrEqual(1.2 * burst)
  }
})

test('LIM-3 a client that goes from node to node within its limit is never refused, and keeps its burst', async () => {
  for (const everyMs of [110, 200, 350, 700, 1500]) {
    const { pass, node } = world()
    const nodes = [node(), node(), node()]
    for (let index = 0; index < 500; index += 1) {
      const { allowed } = await (nodes[index % 3] as Limiter).take(stranger)
      expect([everyMs, index, allowed]).toEqual([everyMs, index, true])
      pass(everyMs)
    }
    let burst = 0
    for (const limiter of nodes) burst += allowedOf(await takeOften(limiter, 50))
    expect(burst).toBeGreaterThanOrEqual(40)
  }
})

test('LIM-3 with credit in hand nothing is asked and nobody waits', async () => {
  const { node, draws } = world()
  const limiter = node()
  const taken = []
  for (let index = 0; index < 50; index += 1) {
    const answer = limiter.take(stranger)
    taken.push(answer instanceof Promise ? 'waited' : 'at once')
    await answer
  }

  expect(draws.length).toBeLessThanOrEqual(12)
  expect(taken.filter((way) => way === 'waited').length).toBe(draws.length)
})

test('LIM-3 requests that come at once share a draw, and each gets its own verdict in its turn', async () => {
  const { node, draws } = world()
  const limiter = node()
  const taken = await Promise.all(Array.from({ length: 60 }, async () => limiter.take(stranger)))

  expect(taken.map(({ allowed }) => allowed)).toEqual(Array.from({ length: 60 }, (_, index) => index < 50))
  expect(taken.map(({ remaining }) => remaining)).toEqual(
    Array.from({ length: 60 }, (_, index) => Math.max(0, 49 - index)),
  )
  expect(draws.length).toBe(2)
})

test('LIM-3 an empty bucket refuses without asking until there is a token in it', async () => {
  const { node, draws, pass } = world()
  const limiter = node()
  await takeOften(limiter, 50)
  const before = draws.length
  pass(50)
  expect(await limiter.take(stranger)).toEqual({ allowed: false, limit: 50, remaining: 0, resetSeconds: 1 })
  expect(draws.length).toBe(before)
  pass(50)
  expect((await limiter.take(stranger)).allowed).toBe(true)
  expect(draws.length).toBe(before + 1)
})

test('LIM-3 without the shared buckets each node counts on its own, and asks again once a second', async () => {
  const environment = world()
  const { node, draws, pass, logged } = environment
  const { answer } = environment
  environment.answer = () => Promise.reject(new Error('away'))
  const limiter = node()
  expect(allowedOf(await takeOften(limiter, 60))).toBe(50)
  expect(draws.length).toBe(1)
  pass(500)
  expect(allowedOf(await takeOften(limiter, 10))).toBe(5)
  expect(draws.length).toBe(1)
  pass(500)
  expect(allowedOf(await takeOften(limiter, 10))).toBe(5)
  expect(draws.length).toBe(2)

  environment.answer = answer
  pass(1000)
  await takeOften(limiter, 2)
  expect(draws.length).toBe(4)
  expect(logged).toEqual([
    'The shared rate limits cannot be reached; this node counts on its own',
    'The rate limits are shared with other nodes again',
  ])
})

test('LIM-3 shared buckets that do not answer hold up the first to ask and nobody after them', async () => {
  const environment = world()
  environment.answer = () => new Promise(() => undefined)
  const limiter = environment.node()
  const [first, second] = [limiter.take(stranger), limiter.take(stranger)]
  expect([await first, await second].map(({ remaining }) => remaining)).toEqual([49, 48])

  environment.pass(1000)
  const probe = limiter.take(stranger)
  const others = [1, 2, 3].map((index) => limiter.take({ kind: 'user', id: String(index) }))
  expect(others.every((taken) => !(taken instanceof Promise))).toBe(true)
  expect((await probe).allowed).toBe(true)
})

test('LIM-3 what a node let through on its own counts when the shared bucket is as it left it', async () => {
  const environment = world()
  const { answer } = environment
  const { node, pass } = environment
  const limiter = node()
  await limiter.take(stranger)
  environment.answer = () => Promise.reject(new Error('away'))
  expect(allowedOf(await takeOften(limiter, 60))).toBe(49)
  environment.answer = answer
  pass(1000)

  expect(allowedOf(await takeOften(limiter, 60))).toBe(10)
})

test('CFG-4 LIM-3 other limits count from the next request, for what is drawn and what is shared', async () => {
  let burst = 50
  const { node } = world({ get: (key) => (key.endsWith('rps') ? 10 : burst) })
  const [one, other] = [node(), node()]
  await takeOften(one, 3)
  burst = 7
  expect(await one.take(stranger)).toEqual({ allowed: true, limit: 7, remaining: 6, resetSeconds: 0 })
  expect(allowedOf(await takeOften(one, 20))).toBe(6)
  expect(allowedOf(await takeOften(other, 20))).toBe(0)
})

test('LIM-3 a node remembers at most a hundred thousand shared buckets', async () => {
  const limiter = world().node()
  const other = (index: number): Who => ({ kind: 'anonymous', network: `network ${index}` })
  for (let index = 0; index <= 100_000; index += 1) await limiter.take(other(index))

  expect([0, 1, 100_000].map((index) => limiter.peek(other(index)).remaining)).toEqual([50, 49, 49])
})
