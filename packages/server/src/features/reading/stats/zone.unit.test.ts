import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginningOf, type DayRange, inPieces, nextBeginning, zoneNamed } from './zone.ts'
import { streaksOf } from './stats.ts'

const names = [
  'UTC',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Tehran',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Australia/Lord_Howe',
]

const zone = (name: string) => {
  const zone = zoneNamed(name)
  if (!zone) throw new Error(`There is no ${name}`)
  return zone
}

test('C15 every moment is in one day, which begins with the first moment of its date', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.oneof(
        fc.integer({ min: 0, max: Date.parse('2040-01-01') }),
        // The times lie around midnight in spring and autumn, when clocks are changed.
        fc
          .tuple(
            fc.integer({ min: 1970, max: 2035 }),
            fc.constantFrom(2, 3, 9, 10, 11),
            fc.integer({ min: 1, max: 44_000 }),
          )
          .map(([year, month, minutes]) => Date.UTC(year, month - 1) + minutes * 60_000),
      ),
      (name, at) => {
        const { dayOf, startOf } = zone(name)
        const day = dayOf(at)
        const start = startOf(day)
        expect(start).toBeLessThanOrEqual(at)
        expect(startOf(nextBeginning('day', day))).toBeGreaterThan(at)
        expect(dayOf(start)).toBe(day)
        const date = new Intl.DateTimeFormat('sv-SE', { timeZone: name }).format(start)
        expect(date).toBe(day)
        expect(new Intl.DateTimeFormat('sv-SE', { timeZone: name }).format(start - 1) < day).toBe(true)
      },
    ),
    { numRuns: 600 },
  )
})

test('C15 days of 23, 24 and 25 hours, and one that never was', () => {
  const hours = (name: string, day: string) =>
    (zone(name).startOf(nextBeginning('day', day)) - zone(name).startOf(day)) / 3_600_000
  expect(hours('Europe/Berlin', '2026-03-29')).toBe(23)
  expect(hours('Europe/Berlin', '2026-10-25')).toBe(25)
  expect(hours('Australia/Lord_Howe', '2026-04-05')).toBe(24.5)
  expect(hours('America/Sao_Paulo', '2018-11-04')).toBe(23)
  expect(hours('Pacific/Apia', '2011-12-30')).toBe(0)
  expect(zoneNamed('Mars/Olympus')).toBeUndefined()
  expect(zoneNamed('+01:00')).toBeUndefined()
})

test('READ-3 a Monday belongs to its own week', () => {
  expect(beginningOf('week', '2026-11-16')).toBe('2026-11-16')
  expect(beginningOf('week', '2026-11-22')).toBe('2026-11-16')
  expect(beginningOf('week', '2026-01-01')).toBe('2025-12-29')
  expect(nextBeginning('month', '2024-12-01')).toBe('2025-01-01')
})

test('any stretch of days is the same in pieces, and few of them', () => {
  const someDay = fc
    .integer({ min: 0, max: 8000 })
    .map((days) => new Date(Date.UTC(2005, 0, 1 + days)).toISOString().slice(0, 10))
  fc.assert(
    fc.property(
      someDay,
      someDay,
      fc.constantFrom(['year', 'month', 'day'] as const, ['week', 'day'] as const),
      (one, other, scales) => {
        const [from, to] = one < other ? [one, other] : [other, one]
        const pieces = inPieces(from, to, scales)
        const ends = pieces.map((piece: DayRange) => [piece.from, piece.to])
        expect(ends.flat()).toEqual(
          from === to ? [] : [from, ...ends.slice(1).flatMap(([start = '']) => [start, start]), to],
        )
        for (const { scale, from, to } of pieces) {
          expect(beginningOf(scale, from)).toBe(from)
          expect(beginningOf(scale, to)).toBe(to)
        }
        expect(pieces.length).toBeLessThanOrEqual(5)
      },
    ),
  )
})

test('a streak goes on as long as today is not over', () => {
  const days = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-10', '2026-03-11']
  expect(streaksOf(days, '2026-03-12')).toEqual({
    currentStreak: { days: 2, from: '2026-03-10', to: '2026-03-11' },
    longestStreak: { days: 3, from: '2026-02-27', to: '2026-03-01' },
  })
  expect(streaksOf(days, '2026-03-13').currentStreak).toEqual({ days: 0, from: null, to: null })
  expect(streaksOf([], '2026-03-13').longestStreak).toEqual({ days: 0, from: null, to: null })
})
