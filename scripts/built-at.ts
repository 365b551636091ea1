import { execFileSync } from 'node:child_process'

/**
 * The time that a build writes into what it makes: that of the last commit, so that two builds of the same are the same to the byte.
 * `SOURCE_DATE_EPOCH` is the name by which other tools know it.
 */
export const builtAt = (): Date => new Date(1000 * (Number(process.env['SOURCE_DATE_EPOCH'] ?? 0) || ofCommit()))

const ofCommit = (): number => {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    return Number(
      execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: import.meta.dirname, encoding: 'utf8', stdio }),
    )
  } catch {
    // A build from an archive without its history.
    return Date.parse('2026-01-01T00:00:00Z') / 1000
  }
}
