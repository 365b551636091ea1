import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { deadlineMs } from '../deadline.ts'
import { ownEnvironment, type ProgramOptions } from './program.ts'
import type { Call, CallEnd } from './programs/many-calls.ts'

const program = fileURLToPath(new URL('dist/bundle/many-calls.js', import.meta.url))

type Calling = (args: readonly string[], options: Pick<ProgramOptions, 'cwd' | 'env' | 'input'>) => Promise<CallEnd>

/**
 * It calls commands of the bundle one after the other in one process, which is there for the tests of a file: for what
 * a command says and does. That the program ends with the code of its command is shown where `run` starts it.
 */
export const callsOfFile = (): Calling => {
  let child: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()
  afterAll(async () => {
    if (!child) return
    // What a command has left open would keep it from ending.
    const ended = endOf(child)
    if (child.connected) child.disconnect()
    await ended
  })

  return (args, { cwd, env = {}, input = '' }) => {
    const call = last.then(() => {
      child ??= spawn(process.execPath, [program], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: ownEnvironment(),
      })
      return replyOf(child, { args, cwd, env: { ...ownEnvironment(), ...env }, input })
    })
    last = call.catch(() => undefined)
    return call
  }
}

const replyOf = async (child: ChildProcess, call: Call): Promise<CallEnd> => {
  const ended = new AbortController()
  const exit = (): void => ended.abort(new Error(`It ended with carrel ${call.args.join(' ')}`))
  child.once('exit', exit)
  child.send(call)
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(deadlineMs)])
    const [reply] = (await once(child, 'message', { signal })) as [CallEnd]
    return reply
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`No end of carrel ${call.args.join(' ')}`, { cause: error })
  } finally {
    child.off('exit', exit)
  }
}

const endOf = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  try {
    await once(child, 'exit', { signal: AbortSignal.timeout(deadlineMs) })
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error('A command has left something open, which keeps its process', { cause: error })
  }
}
