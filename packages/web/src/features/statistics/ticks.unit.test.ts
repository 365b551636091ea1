import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ticksFor } from './ticks.ts'

test('a picture has one to four lines, evenly apart, and its largest bar stays below the last', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), fc.constantFrom('time', 'count'), (largest, kind) => {
      const ticks = ticksFor(largest, kind)
      const [step = 0] = ticks
      expect(ticks.length).toBeGreaterThanOrEqual(1)
      expect(ticks.length).toBeLessThanOrEqual(4)
      for (const [index, tick] of ticks.entries()) expect(tick).toBeCloseTo(step * (index + 1))
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest)
    }),
  )
  expect(ticksFor(0, 'count')).toEqual([1])
  expect(ticksFor(7, 'count')).toEqual([2, 4, 6, 8])
  expect(ticksFor(5_400_000, 'time')).toEqual([1_800_000, 3_600_000, 5_400_000])
})
