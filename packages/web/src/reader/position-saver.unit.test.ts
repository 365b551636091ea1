import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check'
import { expect, test } from 'vitest'
import { betweenMs, positionSaver, restMs } from './position-saver.ts'

const saver = () => {
  const time = { at: 0 }
  const timers = new Map<number, { run: () => void; at: number }>()
  const sent: { page: number; at: number; isLastWord: boolean }[] = []
  let isReachable = true
  let answer: Promise<void> | undefined
  let names = 0
  const made = positionSaver(1, {
    now: () => time.at,
    later: (run, afterMs) => {
      const name = (names += 1)
      timers.set(name, { run, at: time.at + afterMs })
      return () => void timers.delete(name)
    },
    send: async (page, isLastWord) => {
      const arrives = isReachable
      if (arrives) sent.push({ page, at: time.at, isLastWord })
      await answer
      return arrives
    },
  })
  const pass = async (ms: number): Promise<void> => {
    const end = time.at + ms
    for (;;) {
      const [name, next] = [...timers].toSorted(([, a], [, b]) => a.at - b.at)[0] ?? []
      if (name === undefined || next === undefined || next.at > end) break
      time.at = Math.max(time.at, next.at)
      timers.delete(name)
      next.run()
      await Promise.resolve()
    }
    time.at = end
    await Promise.resolve()
  }
  const hang = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answer = promise
    return resolve
  }
  return { ...made, pass, sent, hang, reach: (can: boolean) => (isReachable = can) }
}

test('the server hears of the first page soon, of others now and then, of the last when one leaves', async () => {
  const { saw, pass, flush, sent } = saver()
  saw(1)
  await pass(60_000)
  expect(sent).toEqual([])
  saw(2)
  saw(3)
  await pass(restMs)
  expect(sent).toMatchObject([{ page: 3, isLastWord: false }])
  saw(4)
  await pass(betweenMs - 1)
  expect(sent).toHaveLength(1)
  await pass(1)
  expect(sent.at(-1)).toMatchObject({ page: 4 })
  saw(5)
  void flush(true)
  void flush(true)
  expect(sent.map(({ page }) => page)).toEqual([3, 4, 5])
  expect(sent.at(-1)?.isLastWord).toBe(true)
})

test('a position waits until the one before has been answered, unless one leaves', async () => {
  const { saw, flush, sent, hang } = saver()
  const pages = () => sent.map(({ page }) => page)
  const arrive = hang()
  saw(2)
  void flush(false)
  saw(3)
  const isSent = flush(false)
  await Promise.resolve()
  expect(pages()).toEqual([2])
  arrive()
  await isSent
  expect(pages()).toEqual([2, 3])
  const arriveAgain = hang()
  saw(4)
  void flush(false)
  saw(5)
  const isLeft = flush(true)
  expect(pages()).toEqual([2, 3, 4, 5])
  arriveAgain()
  await isLeft
})

test('however one turns and whenever the server is away, it knows the last page in the end, and is not pestered', async () => {
  const happening = record({
    what: constantFrom('turn', 'away', 'back', 'leave'),
    page: integer({ min: 1, max: 9 }),
    after: integer({ min: 0, max: 20_000 }),
  })
  await assert(
    asyncProperty(array(happening, { maxLength: 40 }), async (happenings) => {
      const { saw, pass, flush, sent, reach } = saver()
      let page = 1
      let calls = 0
      let total = 0
      for (const { what, page: next, after } of happenings) {
        await pass(after)
        total += after
        if (what === 'turn') saw((page = next))
        else if (what === 'leave') {
          void flush(true)
          calls += 1
        } else reach(what === 'back')
      }
      reach(true)
      await pass(betweenMs)
      await flush(false)
      expect(sent.at(-1)?.page ?? 1).toBe(page)
      expect(sent.length).toBeLessThanOrEqual(calls + 3 + (total + betweenMs) / betweenMs)
    }),
  )
})
