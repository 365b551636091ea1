import { expect, test } from 'vitest'
import { amountOf, isAtLeast } from './figures.ts'

const figures = (totalMs: number, pagesRead: number, sessions: number, inferredMs = 0) => ({
  booksFinished: 0,
  duration: { measuredMs: totalMs - inferredMs, inferredMs, totalMs },
  pagesRead,
  sessions,
})
const none = { sessionsWithoutDuration: 0, sessionsWithoutPages: 0 }
const some = { sessionsWithoutDuration: 2, sessionsWithoutPages: 1 }

test('READ-3 measured and estimated time are two figures', () => {
  expect(amountOf(figures(100, 5, 1, 40), 'time', none)).toEqual({ sure: 60, estimated: 40, isUnknown: false })
  expect(amountOf(figures(100, 5, 1, 40), 'pages', none)).toEqual({ sure: 5, estimated: 0, isUnknown: false })
})

test('READ-3 nothing said beside a session is not known, and no 0', () => {
  expect(amountOf(figures(0, 0, 1), 'time', some).isUnknown).toBe(true)
  expect(amountOf(figures(0, 0, 1), 'pages', some).isUnknown).toBe(true)
  // There were no sessions at all, or every session has the figure.
  expect(amountOf(figures(0, 0, 0), 'time', some).isUnknown).toBe(false)
  expect(amountOf(figures(0, 0, 1), 'pages', none).isUnknown).toBe(false)
  expect(amountOf(figures(0, 0, 1), 'completions', some).isUnknown).toBe(false)
})

test('READ-3 a sum over sessions of which some did not say is the least it was', () => {
  expect((['time', 'pages', 'completions'] as const).map((each) => isAtLeast(each, some))).toEqual([true, true, false])
  expect(isAtLeast('time', none)).toBe(false)
})
