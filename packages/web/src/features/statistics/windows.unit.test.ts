import { readingPeriodsMax, readingStatsGranularities } from '@carrel/api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Day, dayIn, dayOf, daysAfter, numberOf, weekdayOf } from './days.ts'
import { bucketsOf, daysOfWindow, granularitiesOf, granularityOf, yearsToChoose } from './windows.ts'
import { rollingWindows, windowOf } from './search.ts'

const day: fc.Arbitrary<Day> = fc.integer({ min: numberOf('1970-01-01'), max: numberOf('2199-12-31') }).map(dayOf)
const window = fc.tuple(day, day).map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a }))

test('a word of the address that is no window is the usual one', () => {
  expect(['toString', '12d', 'constructor', 7].map(windowOf)).toEqual(['90d', '90d', '90d', '90d'])
})

test('READ-3 weeks begin on Monday', () => {
  expect(['2026-11-16', '2026-11-22', '2026-11-23'].map(weekdayOf)).toEqual([0, 6, 0])
  expect(bucketsOf({ from: '2026-11-22', to: '2026-11-23' }, 'week')).toEqual(['2026-11-16', '2026-11-23'])
})

test('C15 the buckets of a window have every day of it in them once, and begin where the server begins them', () => {
  fc.assert(
    fc.property(window, fc.constantFrom(...readingStatsGranularities), day, (window, granularity, other) => {
      const buckets = bucketsOf(window, granularity)
      expect(buckets).toEqual([...new Set(buckets)].toSorted())
      expect(buckets[0] !== undefined && buckets[0] <= window.from).toBe(true)
      expect((buckets.at(-1) ?? '') <= window.to).toBe(true)
      const begins = {
        day: () => true,
        week: (each: Day) => weekdayOf(each) === 0,
        month: (each: Day) => each.endsWith('-01'),
      }
      expect(buckets.every(begins[granularity])).toBe(true)
      // The days of another bucket are no part of it.
      expect(buckets.includes(other)).toBe(buckets.filter((each) => each === other).length === 1)
      expect(buckets.length).toBeLessThanOrEqual(numberOf(window.to) - numberOf(window.from) + 1)
    }),
    { numRuns: 40 },
  )
  expect(bucketsOf({ from: '2024-02-28', to: '2024-03-01' }, 'day')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
  expect(bucketsOf({ from: '2025-12-31', to: '2026-02-01' }, 'month')).toEqual([
    '2025-12-01',
    '2026-01-01',
    '2026-02-01',
  ])
})

test('C15 what a picture is made of is never more than the server answers', () => {
  fc.assert(
    fc.property(
      window,
      fc.option(fc.constantFrom(...readingStatsGranularities), { nil: undefined }),
      (window, preferred) => {
        const granularity = granularityOf(window, preferred)
        expect(granularitiesOf(window)).toContain(granularity)
        expect(bucketsOf(window, granularity).length).toBeLessThanOrEqual(readingPeriodsMax)
      },
    ),
    { numRuns: 60 },
  )
})

test('the windows of the address: the last days, a year, everything; anything else is the usual one', () => {
  const at = { today: '2026-11-22', first: '2024-05-01' }
  expect(rollingWindows.map((word) => daysOfWindow(word, at).from)).toEqual([
    '2026-11-16',
    '2026-10-24',
    '2026-08-25',
    '2025-11-23',
  ])
  expect(daysOfWindow('2025', at)).toEqual({ from: '2025-01-01', to: '2025-12-31' })
  expect(daysOfWindow('2026', at)).toEqual({ from: '2026-01-01', to: '2026-11-22' })
  expect(daysOfWindow('all', at)).toEqual({ from: '2024-05-01', to: '2026-11-22' })
  expect(yearsToChoose(at.first, at.today)).toEqual(['2026', '2025', '2024'])
  expect(['30d', 'all', '2025', '1066', '20250', 'x', '', undefined, 7].map(windowOf)).toEqual([
    '30d',
    'all',
    '2025',
    ...Array.from({ length: 6 }, () => '90d'),
  ])
})

test('which day it is depends on where', () => {
  const at = new Date('2026-11-21T23:30:00Z')
  expect(['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati'].map((zone) => dayIn(zone, at))).toEqual([
    '2026-11-21',
    '2026-11-22',
    '2026-11-21',
    '2026-11-22',
  ])
  fc.assert(
    fc.property(day, fc.nat(5000), (from, count) => numberOf(daysAfter(from, count)) === numberOf(from) + count),
  )
})
