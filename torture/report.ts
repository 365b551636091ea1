import type { Told } from '../packages/server/test/smoke/torture.ts'
import type { Case } from './cases/case.ts'
import { type PromiseId, promiseIds, promises } from './promises.ts'

/** A test as it has run. */
export interface RunTest {
  /** From the root of the tree. */
  readonly file: string
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped'
}

type Verdict = 'held' | 'held in part' | 'FAILED' | 'not tested here' | 'no test'

export interface CaseReport extends Pick<Case, 'id' | 'what' | 'promises' | 'sizes' | 'isCore' | 'missing'> {
  readonly verdict: Verdict
  readonly tests: number
  readonly failed: readonly string[]
  /** Tests that are named and were not found. */
  readonly absent: readonly string[]
  readonly figures: readonly Told[]
}

export interface PromiseReport {
  readonly id: PromiseId
  readonly says: string
  readonly cases: readonly string[]
  readonly verdict: 'held' | 'FAILED' | 'not shown'
}

export interface Report {
  readonly command: string
  readonly begunAt: string
  readonly tookSeconds: number
  readonly machine: string
  readonly seed: number
  readonly cases: readonly CaseReport[]
  readonly promises: readonly PromiseReport[]
}

export const reportOfCase = (each: Case, ran: readonly RunTest[], told: readonly Told[]): CaseReport => {
  const expected = each.shownBy.flatMap(({ file, titles }) => titles.map((title) => ({ file, title })))
  const matched = expected.map((one) => ({
    ...one,
    tests: ran.filter(({ file, title }) => file === one.file && title.includes(one.title)),
  }))
  const tests = [...new Set(matched.flatMap((one) => one.tests))]
  const figures = told.filter(({ id }) => id === each.id)
  const failed = tests.filter(({ status }) => status === 'failed').map(({ file, title }) => `${file}: ${title}`)
  const absent = matched.filter((one) => one.tests.length === 0).map(({ file, title }) => `${file}: ${title}`)
  const isLost = figures.some(({ lost = 0 }) => lost > 0)
  const { id, what, promises, sizes, isCore } = each
  return {
    id,
    what,
    promises,
    sizes,
    isCore,
    failed,
    absent,
    figures,
    ...(each.missing !== undefined && { missing: each.missing }),
    tests: tests.length,
    verdict: verdictOf({ each, tests, isFailed: failed.length > 0 || absent.length > 0 || isLost }),
  }
}

interface Judged {
  readonly each: Case
  readonly tests: readonly RunTest[]
  readonly isFailed: boolean
}

const verdictOf = ({ each, tests, isFailed }: Judged): Verdict => {
  if (each.shownBy.length === 0) return 'no test'
  if (isFailed) return 'FAILED'
  if (tests.some(({ status }) => status === 'skipped')) return 'not tested here'
  return each.missing === undefined ? 'held' : 'held in part'
}

/** A promise is held when one of its cases has been tried, and none has failed. */
export const reportOfPromises = (cases: readonly CaseReport[]): PromiseReport[] =>
  promiseIds.map((id) => {
    const own = cases.filter((each) => each.promises.includes(id))
    const hasVerdict = (...verdicts: readonly Verdict[]) => own.some(({ verdict }) => verdicts.includes(verdict))
    const verdict = hasVerdict('FAILED') ? 'FAILED' : hasVerdict('held', 'held in part') ? 'held' : 'not shown'
    return { id, says: promises[id], cases: own.map((each) => each.id), verdict }
  })

const cell = (text: string): string => text.replaceAll('|', '\\|')
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
const header = (...cells: readonly string[]): string[] => [row(...cells), row(...cells.map(() => '---'))]

const figureOf = ({ figure, unit = '', limit }: Told): string =>
  figure === undefined
    ? ''
    : `${Math.round(figure).toLocaleString('en')} ${unit}${limit === undefined ? '' : ` (limit ${limit.toLocaleString('en')})`}`.trim()

const isOverLimit = ({ figure, limit }: Told): boolean => figure !== undefined && limit !== undefined && figure > limit

const rowsOf = (each: CaseReport): string[] => {
  const name = `${each.id}${each.isCore ? '*' : ''}`
  const own = each.promises.join(' ')
  const notes = [
    ...each.failed.map((test) => `failed: ${test}`),
    ...each.absent.map((test) => `did not run: ${test}`),
    ...(each.missing === undefined ? [] : [each.missing]),
  ]
  return [
    row(
      name,
      own,
      each.what,
      `${each.tests} test${each.tests === 1 ? '' : 's'}`,
      '',
      '',
      [each.verdict, ...notes].join('. '),
    ),
    ...each.figures.map((told) =>
      row(
        name,
        own,
        told.what ?? '',
        String(told.tries),
        told.lost === undefined ? '' : String(told.lost),
        figureOf(told),
        (told.lost ?? 0) > 0 ? 'LOST' : isOverLimit(told) ? 'over its limit' : '',
      ),
    ),
  ]
}

const count = (cases: readonly CaseReport[], verdict: Verdict): string =>
  `${cases.filter((each) => each.verdict === verdict).length} ${verdict}`

export const summaryOf = ({ cases, promises: each }: Report): string => {
  const verdicts: readonly Verdict[] = ['held', 'held in part', 'not tested here', 'no test', 'FAILED']
  const open = each.filter(({ verdict }) => verdict !== 'held').map(({ id, verdict }) => `${id} ${verdict}`)
  return [
    `${cases.length} case${cases.length === 1 ? '' : 's'}: ${verdicts.map((verdict) => count(cases, verdict)).join(', ')}.`,
    `${each.length - open.length} of ${each.length} promises held${open.length > 0 ? `; ${open.join(', ')}` : ''}.`,
  ].join(' ')
}

export const asMarkdown = (report: Report): string =>
  [
    '# Torture suite',
    '',
    `\`${report.command}\`, ${report.begunAt}, ${report.tookSeconds} s, ${report.machine}, SEED=${report.seed}`,
    '',
    summaryOf(report),
    '',
    ...header('Promise', 'Says', 'Cases', 'Verdict'),
    ...report.promises.map(({ id, says, cases: ids, verdict }) => row(id, says, ids.join(' '), verdict)),
    '',
    ...header('Case', 'Promises', 'What', 'Tries', 'Lost', 'Figure', 'Verdict'),
    ...report.cases.flatMap(rowsOf),
    '',
  ].join('\n')

/** Figures that are a fifth worse than they were in an earlier run of the same size. */
export const worseThan = (earlier: Report | undefined, report: Report): string[] => {
  if (!earlier || earlier.command !== report.command) return []
  const before = new Map(
    earlier.cases.flatMap(({ figures }) => figures).map((told) => [`${told.id} ${told.what ?? ''}`, told.figure]),
  )
  return report.cases
    .flatMap(({ figures }) => figures)
    .filter(({ limit }) => limit !== undefined)
    .flatMap((told) => {
      const was = before.get(`${told.id} ${told.what ?? ''}`)
      const isWorse = was !== undefined && told.figure !== undefined && told.figure > was * 1.2
      return isWorse ? [`${told.id} ${told.what ?? ''}: ${Math.round(was)} before, ${figureOf(told)} now`] : []
    })
}
