import type { Reporter, TestModule } from 'vitest/node'

interface Share {
  files: number
  tests: number
  /** The seconds are those of all its files, whatever ran beside them. */
  busyMs: number
  firstAt: number
  lastAt: number
}

const shownFiles = 10

/** Says at the end of a whole run which project and which files took the time. */
export class WhereTheTimeWent implements Reporter {
  readonly #shares = new Map<string, Share>()

  onTestModuleStart({ project }: TestModule): void {
    const now = Date.now()
    if (!this.#shares.has(project.name))
      this.#shares.set(project.name, { files: 0, tests: 0, busyMs: 0, firstAt: now, lastAt: now })
  }

  onTestModuleEnd(module: TestModule): void {
    const share = this.#shares.get(module.project.name)
    if (!share) return
    share.files += 1
    share.tests += [...module.children.allTests()].length
    share.busyMs += durationOf(module)
    share.lastAt = Date.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shownFiles) return
    const longest = modules.toSorted((a, b) => durationOf(b) - durationOf(a)).slice(0, shownFiles)
    const lines = [
      'Where the time went: seconds from first to last, and of all files together',
      ...[...this.#shares].map(
        ([name, { files, tests, busyMs, firstAt, lastAt }]) =>
          `${seconds(lastAt - firstAt)} ${seconds(busyMs)}  ${name}: ${files} files, ${tests} tests`,
      ),
      'The longest files',
      ...longest.map((module) => `${seconds(durationOf(module))}  ${module.relativeModuleId} (${module.project.name})`),
    ]
    process.on('exit', () => process.stdout.write(`${lines.join('\n')}\n`))
  }
}

const durationOf = (module: TestModule): number => {
  const { collectDuration, setupDuration, prepareDuration, environmentSetupDuration, duration } = module.diagnostic()
  return collectDuration + setupDuration + prepareDuration + environmentSetupDuration + duration
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(8)
