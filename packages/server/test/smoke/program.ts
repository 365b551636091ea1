import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deadlineMs } from '../deadline.ts'

export const launcher = fileURLToPath(new URL('../../bin/carrel.cjs', import.meta.url))

export interface ProgramOptions {
  /** `CARREL_…`, as an operator would set them; none of the test's own environment gets through. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd: string
  /** The Node it is called with. */
  readonly node?: string
  /** Node gets these arguments before the program. */
  readonly nodeArgs?: readonly string[]
  /** Node runs this instead of the launcher: the same program with more in it. */
  readonly entry?: string
  /** The program reads this from standard input. */
  readonly input?: string
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Program extends AsyncDisposable {
  readonly pid: number
  /** Both answer all that was written so far. */
  stdout(): string
  stderr(): string
  /** The promise settles when the process is gone and all of its output is here. */
  readonly exited: Promise<Exit>
  /** The promise settles when the process is gone, though what it has started may still hold its output. */
  readonly gone: Promise<Exit>
  kill(signal: NodeJS.Signals): void
}

/** Whatever else the machine does, work in the background has its share: how far it steps back is tested by itself. */
const normalPriority = { CARREL_BACKGROUND_PRIORITY: 'normal' }

/** It starts `carrel …` in a process of its own, which is gone at the latest when the variable is. */
export const launch = (args: readonly string[], options: ProgramOptions): Program => {
  const { env = {}, cwd, node = process.execPath, nodeArgs = [], entry = launcher, input } = options
  const child = spawn(node, [...nodeArgs, entry, ...args], {
    cwd,
    env: { ...ownEnvironment(), ...normalPriority, ...env },
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${node} could not be started`)
  const written = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text
    })
  }
  // A program that ends without reading what it is sent has closed the pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  let isGone = false
  const gone = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      isGone = true
      resolve({ code, signal })
    })
  })

  return {
    pid,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    exited,
    gone,
    kill: (signal) => {
      child.kill(signal)
    },
    async [Symbol.asyncDispose]() {
      if (isGone) return
      const pids = [...childrenOf(pid), pid]
      for (const each of pids) kill(each)
      await exited
    },
  }
}

export interface Finished extends Exit {
  readonly stdout: string
  readonly stderr: string
}

/** It runs `carrel …` to its end. */
export const run = async (args: readonly string[], options: ProgramOptions): Promise<Finished> => {
  await using program = launch(args, options)
  const exit = await endOf(program)
  return { ...exit, stdout: program.stdout(), stderr: program.stderr() }
}

/** It waits for a program to end; one that goes on past the deadline fails the test with its output. */
export const endOf = (program: Program): Promise<Exit> => untilDeadline(program, program.exited)

/** It waits for the process alone: a child that storage holds up cannot even be killed, and has the same output. */
export const goneOf = (program: Program): Promise<Exit> => untilDeadline(program, program.gone)

const untilDeadline = async (program: Program, end: Promise<Exit>): Promise<Exit> => {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    deadline.reject(new Error(`Still running after ${deadlineMs} ms:\n${program.stdout()}${program.stderr()}`))
  }, deadlineMs)
  try {
    return await Promise.race([end, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}

export const ownEnvironment = (): Record<string, string> => {
  const { PATH, HOME, LANG, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const inherited = { PATH, HOME, LANG, TMPDIR, NODE_COMPILE_CACHE }
  return Object.fromEntries(
    Object.entries(inherited).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** A launcher on an old Node has the server as its child, which outlives a SIGKILL. */
export const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean)
  } catch {
    return []
  }
}

/** A process may have ended meanwhile: then it has no command. */
export const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** A server has other children for a while, such as the one that checks its file. */
export const workersOf = (pid: number): number[] =>
  childrenOf(pid).filter((child) => commandOf(child).includes('--of-server'))

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
