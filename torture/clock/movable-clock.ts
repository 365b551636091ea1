import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('clock.c', import.meta.url))

/** The calendar of programs that are started with `env`. */
export interface MovableClock {
  readonly env: Readonly<Record<string, string>>
  /** So many days from the real one, from this moment on. */
  set(days: number): void
}

export const movableClock = (toolFolder: string): MovableClock => {
  const library = join(toolFolder, 'clock.so')
  execFileSync('cc', ['-O2', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', '-o', library, source, '-ldl'])
  const file = join(toolFolder, 'offset')
  const put = (seconds: number, flag: 'w' | 'r+'): void => {
    const offset = Buffer.alloc(8)
    offset.writeBigInt64LE(BigInt(seconds))
    writeFileSync(file, offset, { flag })
  }
  put(0, 'w')
  return { env: { LD_PRELOAD: library, CLOCK_OFFSET: file }, set: (days) => put(Math.round(days * 86_400), 'r+') }
}
