import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sessionsIn } from './page-times.ts'
import { progressFrom } from './progress.ts'

const times = fc
  .array(fc.record({ start_time: fc.nat({ max: 100_000 }), duration: fc.integer({ min: 1, max: 900 }) }), {
    maxLength: 60,
  })
  .map((rows) => rows.toSorted((one, other) => one.start_time - other.start_time))

test('KOR-1 every page is in one session, in its order, and sessions lie more than five minutes apart', () => {
  fc.assert(
    fc.property(times, (rows) => {
      const sessions = sessionsIn(rows)
      expect(sessions.flat()).toEqual(rows)
      const ends = sessions.map((own) => Math.max(...own.map(({ start_time, duration }) => start_time + duration)))
      for (const [index, session] of sessions.entries()) {
        expect(session[0]?.start_time).toBeGreaterThan((ends[index - 1] ?? Number.NEGATIVE_INFINITY) + 300)
        const pauses = session.slice(1).map(({ start_time }, before) => {
          const read = session.slice(0, before + 1).map((page) => page.start_time + page.duration)
          return start_time - Math.max(...read)
        })
        expect(Math.max(0, ...pauses)).toBeLessThanOrEqual(300)
      }
    }),
  )
})

test('KOR-1 a place is said as KOReader would have, and not at all where that is not known', () => {
  const spine = ['one', 'two', 'three', 'four'].map((href) => ({ href, type: 'application/xhtml+xml', length: 10 }))
  const flowing = { pageCount: 0, spine }
  const at = { page: 0, percentage: 0.6, locator: null }
  expect(progressFrom({ pageCount: 200, spine: [] }, 'cbz', { ...at, page: 120 })).toBe('120')
  expect(progressFrom({ pageCount: 200, spine: [] }, 'pdf', at)).toBeUndefined()
  expect(progressFrom(flowing, 'epub', at)).toBe('/body/DocFragment[3].0')
  const locator = JSON.stringify({ href: 'two', type: '', locations: { progression: 0.9 } })
  expect(progressFrom(flowing, 'epub', { ...at, locator })).toBe('/body/DocFragment[2].0')
  expect(progressFrom({ pageCount: 0, spine: [] }, 'epub', at)).toBeUndefined()
  for (const format of ['mobi', 'azw3', 'fb2'] as const) expect(progressFrom(flowing, format, at)).toBeUndefined()
})
