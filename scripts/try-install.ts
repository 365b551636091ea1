import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NotFetched } from './packaging/base.ts'
import { root } from './packaging/locked.ts'
import { has } from './try-install/running.ts'
import { ways } from './try-install/ways.ts'

/**
 * `npm run try-install`, or with names of ways behind `--`: from nothing to a comic on the screen, timed. A way whose programs this
 * machine lacks, or whose packages cannot be fetched now, is named as not tried; with `--all-of-them` that is a failure.
 */
const demandsAll = process.argv.includes('--all-of-them')
const args = process.argv.slice(2).filter((each) => !each.startsWith('--'))
const unknown = args.filter((name) => !ways.some((way) => way.name === name))
if (unknown.length > 0) {
  process.stderr.write(`There is no way ${unknown.join(', ')}: ${ways.map(({ name }) => name).join(', ')}\n`)
  process.exit(2)
}
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const counts = { passed: 0, failed: 0, skipped: 0 }

for (const way of ways.filter(({ name }) => args.length === 0 || args.includes(name))) {
  const missing = [...way.needs.filter((program) => !has(program)), ...(way.lacks?.() ?? [])]
  if (missing.length > 0) {
    say(`${way.name}: NOT TRIED, this machine has no ${missing.join(', ')}`)
    counts[demandsAll ? 'failed' : 'skipped'] += 1
    continue
  }
  const folder = mkdtempSync(join(tmpdir(), `carrel-try-${way.name}-`))
  let since = performance.now()
  const step = (what: string): void => {
    say(`${way.name}: ${((performance.now() - since) / 1000).toFixed(1)} s  ${what}`)
    since = performance.now()
  }
  try {
    const file = await way.make(join(root, 'dist'))
    step(`made ${file}`)
    await way.tryOut(file, folder, step)
    counts.passed += 1
  } catch (error) {
    const isFailure = demandsAll || !(error instanceof NotFetched)
    say(`${way.name}: ${isFailure ? 'FAILED:' : 'NOT TRIED,'} ${(error as Error).message}`)
    counts[isFailure ? 'failed' : 'skipped'] += 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
say(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
if (counts.failed > 0) process.exitCode = 1
