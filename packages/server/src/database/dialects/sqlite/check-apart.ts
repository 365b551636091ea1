import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { childEnvironment } from '../../../platform/processes/child-environment.ts'
import type { Verdict } from './checker/verdict.ts'
import { endWithUs } from '../../../platform/processes/end-with-us.ts'

// The sources run the .ts file of the checker, the bundle the .js file beside it.
const ownProgram = new URL(
  import.meta.url.endsWith('.ts') ? './checker/main.ts' : './database-checker.js',
  import.meta.url,
)

interface CheckOptions {
  /** A file may be as large as its disk: a check that takes longer is ended, and says so. */
  readonly limitMs: number
  readonly signal?: AbortSignal
}

/** It looks through a whole database in a process of its own: nothing can interrupt SQLite in this one. */
export const checkApart = async (file: string, { limitMs, signal }: CheckOptions): Promise<Verdict> => {
  if (signal?.aborted) return { kind: 'unknown', detail: 'Nobody waits for it any more.' }
  const child = spawn(process.execPath, ['--max-semi-space-size=1', ownProgram.pathname, file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: childEnvironment(),
  })
  endWithUs(child)
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<Verdict>((resolve) => {
      const giveUp = (detail: string): void => resolve({ kind: 'unknown', detail })
      timer = setTimeout(() => giveUp(`It was not finished within ${Math.round(limitMs / 1000)} seconds.`), limitMs)
      signal?.addEventListener('abort', () => giveUp('Nobody waits for it any more.'), { once: true })
      child.on('message', (verdict: Verdict) => resolve(verdict))
      child.once('error', (error) => giveUp(error.message))
      child.once('exit', (code, end) => giveUp(`The check ended early (${end ?? `code ${code}`}).`))
    })
  } finally {
    clearTimeout(timer)
    child.removeAllListeners('message')
    child.on('error', () => undefined)
    await end(child)
  }
}

/** A disk that hangs may hold it up. */
const endsWithinMs = 2000

/** The last to close a database writes its log into the file: a server that stops must be the last. */
const end = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(endsWithinMs) })
  child.kill('SIGKILL')
  await ended.catch(() => undefined)
  child.unref()
}
