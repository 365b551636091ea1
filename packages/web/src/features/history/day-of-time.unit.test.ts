import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOfTime, timeOfDay } from './day-of-time.ts'

const time = fc.date({ min: new Date('1970-01-02'), max: new Date('2199-12-30'), noInvalidDate: true })

test('a day that is said becomes a time of that day; one that is not changed keeps its hour', () => {
  fc.assert(
    fc.property(time, time, time, (date, before, now) => {
      const day = dayOfTime(date.toISOString())
      expect(dayOfTime(timeOfDay(day, undefined, now))).toBe(day)
      expect(dayOfTime(timeOfDay(day, before.toISOString(), now))).toBe(day)
      expect(timeOfDay(day, date.toISOString(), now)).toBe(date.toISOString())
    }),
  )
})

test('today is not later than now', () => {
  const now = new Date(2026, 10, 22, 8, 30)
  expect(timeOfDay(dayOfTime(now.toISOString()), undefined, now)).toBe(now.toISOString())
})
