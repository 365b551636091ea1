import { AppError } from '../../../platform/errors.ts'
import { startAnsweringChild } from '../../../platform/processes/ask-child.ts'
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

// From the sources it runs the .ts file, from the bundle the .js file beside the bundle.
const ownProgram = new URL(import.meta.url.endsWith('.ts') ? './grouper/main.ts' : './grouper.js', import.meta.url)

export const startGrouper = ({
  signal,
  silenceMaxMs = usualSilenceMaxMs,
  program = ownProgram,
}: GrouperOptions): Grouper => {
  const child = startAnsweringChild<ToGrouper, FromGrouper>({ signal, silenceMaxMs, program, endedBecause })
  const ask = async (message: ToGrouper): Promise<FromGrouper> => {
    const answer = await child.ask(message)
    if (answer.kind === 'failed') throw new Error(answer.message)
    return answer
  }
  return {
    tell: async (message) => void (await ask(message)),
    finish: async () => {
      const answer = await ask({ kind: 'end' })
      if (answer.kind !== 'grouped') throw new Error('It has said nothing of what it has grouped')
      return answer.grouped
    },
    [Symbol.dispose]: () => child[Symbol.dispose](),
  }
}

const endedBecause = (cause: Error): AppError =>
  new AppError('unavailable', 'These books could not be grouped in time. Try again, or with fewer folders.', {
    cause,
    retryAfterSeconds: 30,
  })
