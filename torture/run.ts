import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { seed } from '../packages/server/test/seed.ts'
import type { Told } from '../packages/server/test/smoke/torture.ts'
import { cases } from './cases.ts'
import type { Case, ShownBy } from './cases/case.ts'
import {
  asMarkdown,
  type Report,
  reportOfCase,
  reportOfPromises,
  type RunTest,
  summaryOf,
  worseThan,
} from './report.ts'

const help = `Usage: npm run torture -- [--list] [--only CASE|TEXT] [--hour|--few] [--report FOLDER]

Without options all cases are tried as often as it takes to believe them: a night.

  --hour           as often as an hour allows, without what takes hours
  --few            each a few times, as other tests do
  --only A1        one case; or all whose id, words or tests have this text in them
  --list           name them, and run nothing
  --report FOLDER  where report.json and report.md go (torture/report)

Exit code 0: each promise is held by a case that was tried, and nothing failed. 1: not so.
`

const root = fileURLToPath(new URL('..', import.meta.url))

/** Projects of Vitest, in the order in which they run, by the names of files. */
const projects: readonly (readonly [project: string, pattern: RegExp])[] = [
  ['unit', /\.unit\.test\.ts$/],
  ['plugins', /\.plugin\.test\.ts$|plugin-sdk\/src\/run\.plugin/],
  ['sqlite', /\.(server|one-database)\.test\.ts$/],
  ['postgres', /\.(server|postgres)\.test\.ts$/],
  ['browser', /\.browser\.test\.ts$/],
  ['smoke', /\.smoke\.test\.ts$/],
  ['torture', /\.torture\.test\.ts$/],
]

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

interface JsonResults {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** It runs the tests with these titles in one project. */
const runProject = (project: string, tests: readonly ShownBy[], folder: string, size: string): RunTest[] => {
  const files = [...new Set(tests.map(({ file }) => file))]
  const titles = [...new Set(tests.flatMap((each) => each.titles))].map(escaped)
  const output = join(folder, `${project}.json`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = ['run', '--project', project, '--hideSkippedTests', '--testTimeout', '1800000']
  spawnSync(
    process.execPath,
    [
      vitest,
      ...args,
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${output}`,
      '-t',
      titles.join('|'),
      ...files,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, CARREL_TORTURE: size, TORTURE_FIGURES: join(folder, 'figures.jsonl') },
    },
  )
  return readResults(output)
}

const readResults = (file: string): RunTest[] => {
  try {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as JsonResults
    return testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, status }) => ({
        file: relative(root, name),
        title: fullName,
        status: status === 'passed' ? 'passed' : status === 'failed' ? 'failed' : 'skipped',
      })),
    )
  } catch {
    // A project that broke down before its end has run nothing that counts: its tests are missed in the report.
    return []
  }
}

const linesOf = (file: string): Told[] => {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Told)
  } catch {
    return []
  }
}

const reportBefore = (file: string): Report | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return undefined
  }
}

const chosen = (only: string | undefined, isHour: boolean): readonly Case[] => {
  if (only === undefined) return isHour ? cases.filter(({ sizes }) => sizes !== 'S') : cases
  const byId = cases.filter(({ id }) => id === only)
  if (byId.length > 0) return byId
  return cases.filter((each) => JSON.stringify(each).toLowerCase().includes(only.toLowerCase()))
}

const machine = (): string => {
  const load = loadavg()[0] ?? 0
  return `${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB, load ${load.toFixed(1)} at the start`
}

/** `--only` with a text that no id has runs the tests that have it; else a case runs all of its tests. */
const testsOf = (each: Case, only: string | undefined): readonly ShownBy[] => {
  const isText = only !== undefined && each.id !== only
  if (!isText) return each.shownBy
  const has = (text: string): boolean => text.toLowerCase().includes(only.toLowerCase())
  const narrowed = each.shownBy
    .map(({ file, titles }) => ({ file, titles: has(file) ? titles : titles.filter(has) }))
    .filter(({ titles }) => titles.length > 0)
  return narrowed.length > 0 ? narrowed : each.shownBy
}

interface RunOptions {
  readonly command: string
  readonly size: string
  readonly only: string | undefined
}

const run = (those: readonly Case[], { command, size, only }: RunOptions): Report => {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-torture-'))
  const begunAt = new Date()
  const about = machine()
  const tests = those.flatMap(({ shownBy }) => shownBy)
  const ran: RunTest[] = []
  for (const [project, pattern] of projects) {
    const own = tests.filter(({ file }) => pattern.test(file))
    if (own.length > 0) ran.push(...runProject(project, own, folder, size))
  }
  const told = linesOf(join(folder, 'figures.jsonl'))
  rmSync(folder, { recursive: true, force: true })
  // What another pattern has left out has been skipped by nobody.
  const titles = tests.flatMap((each) => each.titles)
  const named = ran.filter(({ title }) => titles.some((text) => title.includes(text)))
  const reports = those.map((each) => reportOfCase(each, named, told))
  return {
    command,
    begunAt: begunAt.toISOString(),
    tookSeconds: Math.round((Date.now() - begunAt.getTime()) / 1000),
    machine: about,
    seed,
    cases: reports,
    // Nothing follows from some cases alone for promises that they say nothing of.
    promises: reportOfPromises(reports).filter((each) => only === undefined || each.cases.length > 0),
  }
}

const write = (text: string): void => void process.stdout.write(`${text}\n`)

const main = (): number => {
  const { values } = parseArgs({
    options: {
      list: { type: 'boolean', default: false },
      hour: { type: 'boolean', default: false },
      few: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      only: { type: 'string' },
      report: { type: 'string', default: join(root, 'torture/report') },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const those = chosen(values.only, values.hour || values.few).map((each) => ({
    ...each,
    shownBy: testsOf(each, values.only),
  }))
  if (those.length === 0) {
    process.stderr.write(`There is no case or test with "${values.only}" in it. --list names them.\n`)
    return 2
  }
  if (values.list) {
    for (const { id, isCore, sizes, promises, what } of those)
      write(`${`${id}${isCore ? '*' : ''}`.padEnd(5)}${sizes.padEnd(4)} ${promises.join(' ').padEnd(15)} ${what}`)
    return 0
  }
  const size = values.few ? 'few' : values.hour ? 'hour' : 'night'
  const command = ['npm run torture', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ')
  const report = run(those, { command, size, only: values.only })
  mkdirSync(values.report, { recursive: true })
  const [json, markdown] = [join(values.report, 'report.json'), join(values.report, 'report.md')]
  const worse = worseThan(reportBefore(json), report)
  writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(markdown, asMarkdown(report))
  write(asMarkdown(report))
  for (const each of worse) write(`A fifth worse than in the run before: ${each}`)
  write(summaryOf(report))
  const isWell =
    report.promises.every(({ verdict }) => verdict === 'held') &&
    report.cases.every(({ verdict }) => verdict !== 'FAILED')
  return isWell ? 0 : 1
}

process.exitCode = main()
