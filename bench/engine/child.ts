import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Answers, type Ask, askChild } from './asking.ts'

export interface Child<Handled extends Answers> extends AsyncDisposable {
  readonly pid: number
  readonly ask: Ask<Handled>
}

/** The flags are those of `bin/carrel.cjs`. */
const flags = ['--max-semi-space-size=16', '--heap-growing-percent=100']
const environment = { UV_THREADPOOL_SIZE: '64', MALLOC_ARENA_MAX: '2' }
const stopMsMax = 15_000
let children = 0

/** A program of this folder in a process of its own. Disposing of it ends it and fails if it logged a fault. */
export const spawnChild = async <Known extends Answers>(
  program: 'node.ts' | 'listeners.ts' | 'bare-fan-out.ts' | 'bare-starter.ts',
  directory: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Child<Known>> => {
  children += 1
  const logFile = join(directory, `bench-${program}-${children}.log`)
  const log = openSync(logFile, 'w')
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), {
    execArgv: flags,
    env: { PATH: process.env.PATH, ...environment, ...env },
    cwd: directory,
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  const { pid } = child
  if (pid === undefined) throw new Error(`${program} could not be started`)
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  const exited = once(child, 'exit').finally(() => process.off('exit', killAtExit))
  return {
    pid,
    ask: askChild<Known>(child),
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect()
      const tooLate = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
      await exited
      clearTimeout(tooLate)
      const fault = readFileSync(logFile, 'utf8').match(/^.*("level":"(error|fatal)"|Error:).*$/m)
      if (fault) throw new Error(`${program} logged a fault: ${fault[0]}`)
    },
  }
}
