import { expect, test } from 'vitest'
import { addCoverage, nothingCovered, type PageClaim } from './coverage.ts'
import { type CountedEntry, sessionsOf } from './reading-sessions.ts'

const about = { seriesId: 's', seriesName: 'Nemo', format: 'cbz' } as const
let entries = 0

const entry = (start: string, end: string, more: Partial<CountedEntry> = {}): CountedEntry => ({
  id: `entry ${(entries += 1)}`,
  kind: 'progress',
  source: 'put',
  deviceId: 'apikey:1',
  startedAt: `2026-11-21T${start}:00.000Z`,
  at: `2026-11-21T${end}:00.000Z`,
  activeMs: null,
  pagesRead: null,
  page: null,
  pageCount: 200,
  finishes: false,
  about,
  ...more,
})

const shown = (all: readonly CountedEntry[], completions: readonly string[] = []) =>
  sessionsOf(all, new Set(completions), []).map(({ startedAt, endedAt, measuredMs, inferredMs }) => [
    startedAt.slice(11, 16),
    endedAt.slice(11, 16),
    measuredMs,
    inferredMs / 60_000,
  ])

test('positions up to five minutes apart are one session, and what lies between is an estimate', () => {
  const all = ['10:00', '10:05', '10:08', '10:14'].map((at) => entry(at, at))
  expect(shown(all)).toEqual([
    ['10:00', '10:08', null, 8],
    ['10:14', '10:14', null, 0],
  ])
})

test('nothing is inferred for clients that measure, for those nobody can tell apart, and from what was brought in', () => {
  for (const more of [
    { deviceId: 'tablet' },
    { deviceId: 'unknown' },
    { source: 'session' as const },
    { source: 'import' as const },
  ])
    expect(shown([entry('10:00', '10:00', more), entry('10:04', '10:04', more)])).toEqual([['10:00', '10:04', null, 0]])
})

test('what only says a position while somebody measures, or shortly after, takes no time of its own', () => {
  const measured = entry('10:00', '10:20', { source: 'session', activeMs: 900_000 })
  const positions = ['09:58', '10:10', '10:24'].map((at) => entry(at, at))
  expect(shown([...positions, measured])).toEqual([['09:58', '10:24', 900_000, 0]])
  const completed = entry('10:22', '10:22', { kind: 'completed' })
  const [only, after] = sessionsOf([measured, completed, entry('10:26', '10:26')], new Set([completed.id]), [])
  expect([only?.completions, only?.endedAt.slice(11, 16), after?.startedAt.slice(11, 16)]).toEqual([
    1,
    '10:22',
    '10:26',
  ])
})

test('devices, and readings that a reset parts, have sessions of their own', () => {
  expect(shown([entry('10:00', '10:00'), entry('10:01', '10:01', { deviceId: 'apikey:2' })])).toHaveLength(2)
  const reset = entry('10:01', '10:01', { kind: 'reset', source: 'mark' })
  expect(shown([entry('10:00', '10:00'), reset, entry('10:02', '10:02')])).toHaveLength(2)
})

test('whoever marks a book as read has not read just then, but has finished it', () => {
  const mark = entry('10:00', '10:00', { kind: 'completed', source: 'mark', finishes: true })
  expect(sessionsOf([mark], new Set([mark.id]), [])).toMatchObject([{ isSession: false, completions: 1 }])
  expect(sessionsOf([mark], new Set(), [])).toEqual([])
})

const claim = (pagesRead: number, toPage: number | null, pageCount: number | null = 200): PageClaim => ({
  pagesRead,
  toPage,
  pageCount,
})

test('C15 a page counts once for each time the book is read', () => {
  const first = addCoverage(nothingCovered, [claim(20, 20)], false)
  const again = addCoverage(first.coverage, [claim(15, 30)], false)
  const back = addCoverage(again.coverage, [claim(10, 10)], false)
  expect([first, again, back].map(({ pages }) => pages)).toEqual([20, 10, 0])
  const end = addCoverage(back.coverage, [claim(170, 200)], true)
  const leafing = addCoverage(end.coverage, [claim(20, 190)], false)
  const reread = addCoverage(leafing.coverage, [claim(20, 20)], false)
  expect([end, leafing, reread].map(({ pages }) => pages)).toEqual([170, 0, 20])
})

test('no more pages are counted than a book has, and none that nobody has counted', () => {
  expect(addCoverage(nothingCovered, [claim(500, 200)], false).pages).toBe(200)
  const unplaced = addCoverage(nothingCovered, [claim(150, null)], false)
  expect(addCoverage(unplaced.coverage, [claim(150, null)], false).pages).toBe(50)
  expect(addCoverage(nothingCovered, [claim(500, null, null)], false).pages).toBe(500)
  expect(addCoverage(nothingCovered, [], false).pages).toBeNull()
  expect(addCoverage(nothingCovered, [claim(0, 5)], false).pages).toBe(0)
})

test('what is known of pages stays small, whatever is read in whatever order', () => {
  let { coverage } = addCoverage(nothingCovered, [], false)
  let pages = 0
  for (let page = 1; page < 2000; page += 3) {
    const next = addCoverage(coverage, [claim(1, page, 2000)], false)
    coverage = next.coverage
    pages += next.pages ?? 0
  }
  expect(coverage.ranges.length).toBeLessThanOrEqual(100)
  expect(pages).toBeLessThanOrEqual(667)
})
