import { expect, test } from 'vitest'
import { pauseAfter } from './count-later.ts'

test('READ-1 what is read is counted soon, and takes a tenth of the time at most while it takes long', () => {
  expect([0, 40, 50, 300].map(pauseAfter)).toEqual([400, 400, 500, 3000])
  expect(pauseAfter(60_000)).toBe(10_000)
})
