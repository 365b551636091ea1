import { expect, test } from 'vitest'
import { barsOf } from './bars.ts'

const point = (periodStart: string, count: number, failed: number) => ({
  periodStart,
  taskType: null,
  count,
  succeeded: count - failed,
  failed,
  itemsProcessed: 0,
  bytesProcessed: 0,
  avgDurationMs: 0,
  minDurationMs: 0,
  maxDurationMs: 0,
})

test('every period has its bar, those without anything too, and the one that has just begun', () => {
  const bars = barsOf({
    points: [point('2026-11-20T23:00:00.000Z', 3, 1), point('2026-11-21T01:00:00.000Z', 2, 0)],
    from: '2026-11-20T22:30:00.000Z',
    to: '2026-11-21T01:05:00.000Z',
    granularity: 'hour',
  })
  expect(bars).toEqual([
    { at: '2026-11-20T23:00:00.000Z', count: 3, failed: 1 },
    { at: '2026-11-21T00:00:00.000Z', count: 0, failed: 0 },
    { at: '2026-11-21T01:00:00.000Z', count: 2, failed: 0 },
  ])
})

test('days begin at midnight of the server, which counts in UTC', () => {
  const bars = barsOf({
    points: [point('2026-11-21T00:00:00.000Z', 4, 0)],
    from: '2026-11-19T10:00:00.000Z',
    to: '2026-11-21T10:00:00.000Z',
    granularity: 'day',
  })
  expect(bars.map(({ at, count }) => `${at.slice(0, 10)} ${count}`)).toEqual(['2026-11-20 0', '2026-11-21 4'])
})
