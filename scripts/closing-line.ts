import type { Reporter, TestModule } from 'vitest/node'

/** The last line of a test run, which continuous integration reads: `12 passed, 0 failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) counts[stateOf(test.result().state)] += 1
      // A file that could not even be loaded has no tests to fail.
      if (module.state() === 'failed' && tests.every((test) => test.ok())) counts.failed += 1
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    process.on('exit', () => process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`))
  }
}

const stateOf = (state: string): 'passed' | 'failed' | 'skipped' =>
  state === 'passed' || state === 'failed' ? state : 'skipped'
