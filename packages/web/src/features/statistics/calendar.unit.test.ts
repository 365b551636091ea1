import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf, monthsOf } from './calendar.ts'
import { weekdayOf } from './days.ts'

const read = (bucket: string, totalMs: number) => ({
  bucket,
  booksFinished: 0,
  pagesRead: 0,
  sessions: 1,
  duration: { measuredMs: totalMs, inferredMs: 0, totalMs },
})

test('a year has each of its days once, in at most 54 columns, every Monday at the top', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1970, max: 9998 }), (year) => {
      const cells = cellsOf({ year, days: [] })
      const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
      expect(cells).toHaveLength(isLeap ? 366 : 365)
      expect(new Set(cells.map(({ week, weekday }) => `${week}/${weekday}`)).size).toBe(cells.length)
      expect(cells.every(({ day, weekday }) => weekday === weekdayOf(day))).toBe(true)
      expect(cells.at(-1)?.week).toBeLessThanOrEqual(53)
      expect(monthsOf(cells).map(({ day }) => Number(day.slice(5, 7)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    }),
    { numRuns: 30 },
  )
})

test('READ-3 a day is as dark as its time; what nobody measured is not the same as nothing', () => {
  const minutes = [0, 1, 15, 16, 45, 46, 90, 91, 900]
  const days = minutes.map((each, index) => read(`2026-03-${String(index + 1).padStart(2, '0')}`, each * 60_000))
  const cells = cellsOf({ year: 2026, days })
  const levels = cells.filter(({ day }) => day >= '2026-03-01' && day <= '2026-03-10').map(({ level }) => level)
  expect(levels).toEqual(['unknown', 1, 1, 2, 2, 3, 3, 4, 4, 0])
})
