import { expect, test } from 'vitest'
import { timeLeft } from './time-left.ts'

test('what is left takes as long as what was done, share by share', () => {
  expect(timeLeft({ current: 25, total: 100 }, 10_000)).toBe(30_000)
})

test('nothing is said while nobody can know, or when it is done', () => {
  expect(timeLeft({ current: 0, total: 100 }, 10_000)).toBeUndefined()
  expect(timeLeft({ current: 1, total: 100 }, 10_000)).toBeUndefined()
  expect(timeLeft({ current: 0, total: 0 }, 10_000)).toBeUndefined()
  expect(timeLeft({ current: 100, total: 100 }, 10_000)).toBeUndefined()
  // The clock of the server may be a little ahead of ours.
  expect(timeLeft({ current: 50, total: 100 }, -5)).toBeUndefined()
})
