import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { limitConcurrency, withDeadline } from './limits.ts'

/** Work that ends when the test says so. */
const heldWork = () => {
  const started: { finish: () => void; fail: (error: Error) => void }[] = []
  const work = () =>
    new Promise<void>((resolve, reject) => {
      started.push({ finish: resolve, fail: reject })
    })
  return { started, work }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('W14 no more than so many run at once, no more than so many wait, and the next is sent away', async () => {
  const { started, work } = heldWork()
  const limited = limitConcurrency({ inFlightMax: 2, waitingMax: 3, busy: 'Come back later.' })

  const accepted = Array.from({ length: 5 }, () => limited(work))
  const refused = limited(work)

  await expect(refused).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Come back later.',
    retryAfterSeconds: 1,
  })
  expect(started).toHaveLength(2)
  started[0]?.finish()
  await settled()
  expect(started).toHaveLength(3)
  for (let count = 1; count < 5; count += 1) {
    started[count]?.finish()
    await settled()
  }
  await Promise.all(accepted)
  expect(started).toHaveLength(5)
})

test('W14 work that fails gives its place on', async () => {
  const { started, work } = heldWork()
  const limited = limitConcurrency({ inFlightMax: 1, waitingMax: 10, busy: 'Busy' })

  const [first, second] = [limited(work), limited(work)]
  started[0]?.fail(new Error('broken'))

  await expect(first).rejects.toThrow('broken')
  await settled()
  started[1]?.finish()
  await second
  const third = limited(work)
  expect(started).toHaveLength(3)
  started[2]?.finish()
  await third
})

test('W14 work that throws before it begins gives its place on', async () => {
  const limited = limitConcurrency({ inFlightMax: 1, waitingMax: 0, busy: 'Busy' })
  const broken = (): Promise<never> => {
    throw new Error('at once')
  }

  await expect(limited(broken)).rejects.toThrow('at once')
  await expect(limited(async () => 'fine')).resolves.toBe('fine')
})

test('W14 who waits is served in turn, whatever comes and goes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.boolean(), { maxLength: 30 }), async (max, fails) => {
      const limited = limitConcurrency({ inFlightMax: max, waitingMax: 100, busy: 'Busy' })
      const order: number[] = []
      let running = 0
      let most = 0
      const outcomes = await Promise.allSettled(
        fails.map((failing, index) =>
          limited(async () => {
            order.push(index)
            running += 1
            most = Math.max(most, running)
            await settled()
            running -= 1
            if (failing) throw new Error('broken')
          }),
        ),
      )
      expect(order).toEqual(fails.map((_, index) => index))
      expect(most).toBeLessThanOrEqual(max)
      expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(fails)
    }),
    { numRuns: 50 },
  )
})

test('W14 what takes longer than it may is given up, what is in time is answered', async () => {
  await expect(withDeadline(Promise.resolve('here'), 60_000, 'Too late')).resolves.toBe('here')
  await expect(withDeadline(Promise.reject(new Error('broken')), 60_000, 'Too late')).rejects.toThrow('broken')
  const late = withDeadline(new Promise(() => undefined), 1, 'Too late')
  await expect(late).rejects.toBeInstanceOf(AppError)
  await expect(late).rejects.toMatchObject({ code: 'unavailable', message: 'Too late', status: 503 })
})
