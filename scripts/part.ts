import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Part {
  /** The build writes this file: its time is when the build began. */
  readonly stamp: string
  readonly sources: readonly string[]
  readonly bundle: () => Promise<void>
}

export const makePart = async ({ stamp, bundle }: Part): Promise<void> => {
  const startedAt = new Date()
  rmSync(stamp, { force: true })
  await bundle()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, '')
  utimesSync(stamp, startedAt, startedAt)
}

/** A source is newer than the last build. */
export const isStale = ({ stamp, sources }: Part): boolean => {
  if (!existsSync(stamp)) return true
  const builtAt = statSync(stamp).mtimeMs
  return sources.some((source) => newestOf(join(root, source)) > builtAt)
}

const newestOf = (path: string): number => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  // The build and the check of types leave files of their own there.
  const names = readdirSync(path).filter((name) => name !== 'node_modules')
  return Math.max(stats.mtimeMs, ...names.map((name) => newestOf(join(path, name))))
}
