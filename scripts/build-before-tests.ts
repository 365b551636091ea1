import { execFileSync } from 'node:child_process'

/** Smoke and browser tests drive the bundle that users run. */
export const setup = (): void => {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed', '--for-tests'], { stdio: 'inherit' })
}
