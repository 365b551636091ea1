import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { cases } from './cases.ts'
import { promiseIds } from './promises.ts'
import { asMarkdown, type Report, reportOfCase, reportOfPromises, worseThan } from './report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** How many cases each part of the suite has. */
const counts = { A: 15, B: 15, C: 7, D: 10, E: 15, F: 4, G: 20, H: 8, I: 15 }

/** Every text of one line in a file: a title may stand in a call of `test.each`, or on the next line. */
const textsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(['"`])((?:\\.|(?!\1)[^\n])*)\1/g)].map(
    ([, , text = '']) => text,
  )

test('each of the 109 cases stands in the table once', () => {
  const expected = Object.entries(counts).flatMap(([part, count]) =>
    Array.from({ length: count }, (_, index) => `${part}${index + 1}`),
  )
  expect(cases.map(({ id }) => id).sort()).toEqual(expected.sort())
  expect(cases.filter(({ isCore }) => isCore)).toHaveLength(74)
})

test('each test that a case names is there', () => {
  const missing = cases.flatMap(({ id, shownBy }) =>
    shownBy.flatMap(({ file, titles }) => {
      if (!existsSync(join(root, file))) return [`${id}: there is no ${file}`]
      const there = textsOf(file)
      return (
        titles
          // What a template is filled with is not known here: a title is asked for when it runs.
          .filter((title) => title.includes('${') || !there.some((each) => each.includes(title)))
          .map((title) => `${id}: no test of ${file} is called "${title}"`)
      )
    }),
  )
  expect(missing).toEqual([])
})

test('each promise has a case with a test, and a case without one says why', () => {
  const shown = new Set(cases.filter(({ shownBy }) => shownBy.length > 0).flatMap((each) => each.promises))
  expect(promiseIds.filter((id) => !shown.has(id))).toEqual([])
  expect(promiseIds).toHaveLength(24)
  expect(cases.filter(({ shownBy, missing }) => shownBy.length === 0 && missing === undefined)).toEqual([])
})

const [one] = cases.filter(({ id }) => id === 'A2')

test('a report claims nothing that was not tried', () => {
  if (!one) throw new Error('A2 is gone')
  const [shown] = one.shownBy
  const ran = { file: shown?.file ?? '', title: `A2 P-1 ${shown?.titles[0]}` }
  const verdictOf = (...args: Parameters<typeof reportOfCase>) => reportOfCase(...args).verdict

  expect(verdictOf(one, [{ ...ran, status: 'passed' }], [])).toBe('held')
  expect(verdictOf(one, [{ ...ran, status: 'failed' }], [])).toBe('FAILED')
  expect(verdictOf(one, [{ ...ran, status: 'skipped' }], [])).toBe('not tested here')
  expect(verdictOf(one, [], [])).toBe('FAILED')
  expect(verdictOf(one, [{ ...ran, status: 'passed' }], [{ id: 'A2', tries: 3, lost: 1 }])).toBe('FAILED')
  expect(verdictOf({ ...one, missing: 'half of it' }, [{ ...ran, status: 'passed' }], [])).toBe('held in part')
  expect(verdictOf({ ...one, shownBy: [] }, [], [])).toBe('no test')

  const held = reportOfPromises([reportOfCase(one, [{ ...ran, status: 'passed' }], [])])
  expect(held.find(({ id }) => id === 'P-1')?.verdict).toBe('held')
  expect(held.find(({ id }) => id === 'P-2')?.verdict).toBe('not shown')
  const skipped = reportOfPromises([reportOfCase(one, [{ ...ran, status: 'skipped' }], [])])
  expect(skipped.find(({ id }) => id === 'P-1')?.verdict).toBe('not shown')
})

test('a report shows what was tried, lost and measured, and what is a fifth worse than before', () => {
  if (!one) throw new Error('A2 is gone')
  const [shown] = one.shownBy
  const ran = [{ file: shown?.file ?? '', title: `A2 ${shown?.titles[0]}`, status: 'passed' as const }]
  const reportWith = (figure: number): Report => {
    const own = [
      reportOfCase(one, ran, [{ id: 'A2', what: 'kills', tries: 50, lost: 0, figure, limit: 5000, unit: 'ms' }]),
    ]
    return {
      command: 'npm run torture',
      begunAt: '2026-11-28T00:00:00.000Z',
      tookSeconds: 60,
      machine: '2 processors',
      seed: 1,
      cases: own,
      promises: reportOfPromises(own),
    }
  }
  expect(asMarkdown(reportWith(1234))).toContain('| A2* | P-1 | kills | 50 | 0 | 1,234 ms (limit 5,000) |  |')
  expect(asMarkdown(reportWith(6000))).toContain('| over its limit |')
  expect(worseThan(reportWith(1000), reportWith(1100))).toEqual([])
  expect(worseThan(reportWith(1000), reportWith(1300))).toEqual(['A2 kills: 1000 before, 1,300 ms (limit 5,000) now'])
})
