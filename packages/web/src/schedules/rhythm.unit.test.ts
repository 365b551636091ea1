import { assert, integer, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { asKind, cronOf, parseTime, rhythmOf, timeOf, weekdaysIn } from './rhythm.ts'

test('what can be said in words goes to a pattern and comes back as it was', () => {
  const minute = integer({ min: 0, max: 59 })
  const hour = integer({ min: 0, max: 23 })
  assert(
    property(minute, hour, integer({ min: 0, max: 6 }), (minute, hour, weekday) => {
      for (const rhythm of [
        { kind: 'hourly', minute },
        { kind: 'daily', minute, hour },
        { kind: 'weekly', minute, hour, weekday },
      ] as const)
        expect(rhythmOf(cronOf(rhythm))).toEqual(rhythm)
      expect(parseTime(timeOf({ hour, minute }))).toEqual({ hour, minute })
    }),
  )
})

test('whatever else a pattern says is kept as it is written', () => {
  assert(
    property(string(), (cron) => {
      const rhythm = rhythmOf(cron)
      expect(rhythmOf(cronOf(rhythm))).toEqual(rhythm)
      expect(rhythm.kind === 'custom' ? cronOf(rhythm) : cron).toBe(cron)
    }),
  )
  for (const cron of [
    '*/5 * * * *',
    '0 4 1 * *',
    '0 4 * 6 *',
    '0 4,16 * * *',
    '0 24 * * *',
    '60 4 * * *',
    '0 * * * 1',
    '0 4 * *',
  ])
    expect(rhythmOf(cron)).toEqual({ kind: 'custom', cron })
  expect(rhythmOf(' 0  4 * * 7 ')).toEqual({ kind: 'weekly', minute: 0, hour: 4, weekday: 0 })
})

test('another rhythm begins at the time of the one before', () => {
  expect(asKind({ kind: 'weekly', minute: 5, hour: 3, weekday: 2 }, 'daily')).toEqual({
    kind: 'daily',
    minute: 5,
    hour: 3,
  })
  expect(asKind({ kind: 'daily', minute: 5, hour: 3 }, 'custom')).toEqual({ kind: 'custom', cron: '5 3 * * *' })
  expect(asKind({ kind: 'custom', cron: 'x' }, 'weekly')).toEqual({ kind: 'weekly', minute: 0, hour: 4, weekday: 1 })
})

test('weekdays have their names, from Monday on', () => {
  expect(weekdaysIn('en').map(({ value, name }) => `${value} ${name}`)).toEqual([
    '1 Monday',
    '2 Tuesday',
    '3 Wednesday',
    '4 Thursday',
    '5 Friday',
    '6 Saturday',
    '0 Sunday',
  ])
})
