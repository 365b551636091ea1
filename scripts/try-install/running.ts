import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface Started extends AsyncDisposable {
  readonly child: ChildProcess
  /** All that it has said so far. */
  output(): string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  /** It is told to end. */
  stop(): Promise<number | string>
}

export interface StartOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A program that runs while something else is tried, gone at the latest with the variable. */
export const start = (command: string, args: readonly string[], { cwd, env = {} }: StartOptions = {}): Started => {
  const child = spawn(command, args, { cwd, env: { ...bareEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal ?? 'nothing') as number | string)
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    child,
    output: () => output,
    ended,
    stop: async () => {
      if (!isGone()) child.kill('SIGTERM')
      return ended
    },
    async [Symbol.asyncDispose]() {
      if (isGone()) return
      child.kill('SIGKILL')
      await ended
    },
  }
}

export const run = (command: string, args: readonly string[], options: StartOptions = {}): string => {
  const { cwd, env = {} } = options
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...bareEnvironment(), ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error || status !== 0) throw new CommandFailed([command, ...args].join(' '), stdout, error?.message ?? stderr)
  return stdout
}

export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly stdout: string

  constructor(command: string, stdout: string, why: string) {
    super(`${command}\n${stdout}${why}`)
    this.stdout = stdout
  }
}

/** What a machine has that knows nothing of this tree: not the Node and the programs of its dependencies. */
const bareEnvironment = (): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => isOfNetwork.test(entry[0])),
  ),
  PATH: barePath,
  HOME: process.env['HOME'] ?? '/root',
  LANG: 'C.UTF-8',
})

const isOfNetwork = /^((https?|no|all)_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i

const barePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
  .concat('/usr/sbin', '/sbin')
  .join(delimiter)

export const has = (program: string): boolean =>
  barePath.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
