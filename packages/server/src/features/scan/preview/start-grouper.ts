import { spawn } from 'node:child_process'
import { childEnvironment } from '../../../platform/processes/child-environment.ts'
import { endWithUs } from '../../../platform/processes/end-with-us.ts'
import { AppError } from '../../../platform/errors.ts'
import type { FromGrouper, GroupedFiles, ToGrouper } from './grouper/messages.ts'

interface GrouperOptions {
  readonly signal: AbortSignal
  /** One that says nothing for so long is ended. */
  readonly silenceMaxMs?: number
  /** Another program in its place, for tests. */
  readonly program?: URL
}

/** It groups files in a process of its own, which ends with whoever waits for it. */
export interface Grouper extends Disposable {
  /** Before the next is told, this has been understood. */
  tell(message: Exclude<ToGrouper, { kind: 'end' }>): Promise<void>
  finish(): Promise<GroupedFiles>
}

const usualSilenceMaxMs = 20_000

const flags = ['--max-old-space-size=512', '--max-semi-space-size=8']

// From the sources it runs the .ts file, from the bundle the .js file beside the bundle.
const ownProgram = new URL(import.meta.url.endsWith('.ts') ? './grouper/main.ts' : './grouper.js', import.meta.url)

export const startGrouper = ({
  signal,
  silenceMaxMs = usualSilenceMaxMs,
  program = ownProgram,
}: GrouperOptions): Grouper => {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [...flags, program.pathname], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: childEnvironment(),
  })
  endWithUs(child)
  const { promise: ended, reject: end } = Promise.withResolvers<never>()
  // It may end when nobody asks anything.
  ended.catch(() => undefined)
  child.once('error', (cause) => end(failed({ cause })))
  child.once('exit', (code, by) => end(failed({ cause: new Error(`It ended with ${by ?? `code ${code}`}`) })))
  const stop = (): void => void child.kill('SIGKILL')
  const leave = (): void => {
    end(signal.reason as Error)
    stop()
  }
  signal.addEventListener('abort', leave, { once: true })

  const ask = async (message: ToGrouper): Promise<FromGrouper> => {
    const { promise: answered, resolve } = Promise.withResolvers<FromGrouper>()
    const timer = setTimeout(() => {
      end(failed({ cause: new Error('It took too long') }))
      stop()
    }, silenceMaxMs)
    child.once('message', resolve)
    child.send(message, () => undefined)
    try {
      const answer = await Promise.race([answered, ended])
      if (answer.kind === 'failed') throw new Error(answer.message)
      return answer
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    tell: async (message) => void (await ask(message)),
    finish: async () => {
      const answer = await ask({ kind: 'end' })
      if (answer.kind !== 'grouped') throw new Error('It has said nothing of what it has grouped')
      return answer.grouped
    },
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', leave)
      stop()
    },
  }
}

const failed = (options: ErrorOptions): AppError =>
  new AppError('unavailable', 'These books could not be grouped in time. Try again, or with fewer folders.', {
    ...options,
    retryAfterSeconds: 30,
  })
