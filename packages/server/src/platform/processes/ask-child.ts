import { spawn } from 'node:child_process'
import { childEnvironment } from './child-environment.ts'
import { endWithUs } from './end-with-us.ts'

export interface ChildOptions {
  readonly signal: AbortSignal
  /** One that says nothing for so long is ended. */
  readonly silenceMaxMs: number
  readonly program: URL
  /** It says to whoever waits that the child has ended, or has been. */
  readonly endedBecause: (cause: Error) => Error
}

/** A program of ours in a process of its own that answers one message at a time; it ends with whoever waits for it. */
export interface AnsweringChild<Message, Answer> extends Disposable {
  ask(message: Message): Promise<Answer>
}

/** What it works out may take much memory: that is its own, and gone with it. */
const flags = ['--max-old-space-size=512', '--max-semi-space-size=8']

export const startAnsweringChild = <Message extends object, Answer>({
  signal,
  silenceMaxMs,
  program,
  endedBecause,
}: ChildOptions): AnsweringChild<Message, Answer> => {
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
  child.once('error', (cause) => end(endedBecause(cause)))
  child.once('exit', (code, by) => end(endedBecause(new Error(`It ended with ${by ?? `code ${code}`}`))))
  const stop = (): void => void child.kill('SIGKILL')
  const leave = (): void => {
    end(signal.reason as Error)
    stop()
  }
  signal.addEventListener('abort', leave, { once: true })

  const ask = async (message: Message): Promise<Answer> => {
    const { promise: answered, resolve } = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => {
      end(endedBecause(new Error('It took too long')))
      stop()
    }, silenceMaxMs)
    child.once('message', resolve)
    child.send(message, () => undefined)
    try {
      return await Promise.race([answered, ended])
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    ask,
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', leave)
      stop()
    },
  }
}
