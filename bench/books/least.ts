import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { GeneratedLibrary } from '../gen/library.ts'
import { cpuUsOfEnded } from '../process-figures.ts'

const run = promisify(execFile)
const headLoop = fileURLToPath(new URL('head-loop.ts', import.meta.url))
const outputBytesMax = 256 * 1024 * 1024

export interface Least {
  readonly ms: number
  readonly cpuMs: number
}

/** The least a scan can do with new files (`head-loop.ts`). */
export const leastOfReading = async ({ root }: GeneratedLibrary): Promise<Least> => {
  const { stdout } = await run(process.execPath, [headLoop, root])
  return JSON.parse(stdout) as Least
}

/** The least it can do with files it knows: look at each. */
export const leastOfChecking = async ({ root, files }: GeneratedLibrary): Promise<Least> => {
  const cpuBefore = cpuUsOfEnded(process.pid)
  const startedAt = performance.now()
  const { stdout } = await run('find', [root, '-type', 'f', '-printf', '%s %T@ %p\\n'], { maxBuffer: outputBytesMax })
  const ms = performance.now() - startedAt
  const seen = stdout.split('\n').length - 1
  if (seen !== files.length) throw new Error(`find saw ${seen} files instead of ${files.length}`)
  return { ms, cpuMs: (cpuUsOfEnded(process.pid) - cpuBefore) / 1000 }
}
