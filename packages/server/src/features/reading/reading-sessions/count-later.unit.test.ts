import { expect, test } from 'vitest'
import { pauseAfter } from './count-later.ts'

test('READ-1 what is read is counted soon, and takes a tenth of the time at most where it takes long', () => {
  const pauseRightAfter = (tookMs: number) => pauseAfter({ tookMs, endedAt: 1000 }, 1000)
  expect([0, 40, 50, 300].map(pauseRightAfter)).toEqual([400, 400, 500, 3000])
  expect(pauseRightAfter(60_000)).toBe(10_000)
})

test('READ-1 whoever turns a page long after the last count is counted soon, however long that took', () => {
  const took = { tookMs: 300, endedAt: 1000 }
  expect(pauseAfter(took, 3000)).toBe(1000)
  expect(pauseAfter(took, 3900)).toBe(400)
})
