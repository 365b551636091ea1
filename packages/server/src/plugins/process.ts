import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as delay } from 'node:timers/promises'
import { randomToken } from '../platform/secrets/tokens.ts'
import { plainText } from './fault.ts'
import { onDoor } from './doorway.ts'
import { type Gateway, openGateway } from './gateway.ts'
import { type Confined, confine, type Isolation, type Means, niceness, type Wrapped } from './isolation.ts'
import { minimalPath } from './programs.ts'
import type { Names } from './reach.ts'
import type { Sizes } from './sizes.ts'

export interface Launch extends Confined {
  /** The plugin gets only these variables besides a path, a language and a home. */
  readonly env: Readonly<Record<string, string>>
  /** These must never appear in what the plugin writes to its log. */
  readonly secrets: readonly string[]
}

export interface PluginProcess {
  readonly pid: number
  readonly input: Readable
  readonly output: Writable
  readonly isolation: Isolation
  /**
   * It resolves to how the process ended: a signal, a code, or why it never began. By then nothing of it is running any
   * more.
   */
  readonly ended: Promise<string>
  /** It returns the last lines of its log. */
  lastWords(): string
  /** It removes what must not be seen. */
  redact(text: string): string
  /** It has begun: from now on everybody else goes first. */
  standBack(): void
  terminate(): void
  kill(): void
}

const tailBytesMax = 4096
const lineCharactersMax = 1000
const processesMax = 64
const mebibyte = 1024 * 1024

/** It says what a machine has for isolating plugins, found out once. */
export interface Machine {
  readonly means: Means
  readonly sizes: Sizes
  readonly names: Names
}

/**
 * It ends a plugin and everything it has started as soon as its own input ends: when we say so, and when we are gone,
 * for whatever reason. A process that has left the group is recognised by the mark in its environment, and so is a plugin
 * whose group we were ended before we could say: it may be a moment until that has its environment.
 */
const keeper = `
read -r mark || exit 0
read -r group
read -r told
round=0
while [ $round -lt 60 ]; do
  [ -n "$group" ] && kill -KILL -- "-$group"
  left=$(grep -lsF "$mark" /proc/[0-9]*/environ)
  if [ -z "$left" ]; then
    [ -n "$group" ] && break
    [ $round -ge 20 ] && break
  fi
  for path in $left; do pid=\${path#/proc/}; kill -KILL "\${pid%/*}"; done
  round=$((round + 1))
  sleep 0.05
done 2>/dev/null
`

/** These are reported while it runs. */
export interface ProcessListeners {
  /** A line it wrote to its log, without its secrets. */
  readonly onLine?: (line: string) => void
  /** It was not let out. */
  readonly onRefused?: (target: string, why: string) => void
}

/** It starts a program with nothing of ours but two pipes, and the way out it has been granted. */
export const startProcess = async (
  launch: Launch,
  machine: Machine,
  { onLine = () => undefined, onRefused = () => undefined }: ProcessListeners = {},
): Promise<PluginProcess> => {
  const wrapped = confine(launch, machine.means)
  const gateway = await gatewayOf(launch, wrapped, { names: machine.names, onRefused })
  return startWith(launch, machine, { wrapped, gateway, onLine })
}

const gatewayOf = async (
  { reach }: Launch,
  { hasDoor }: Wrapped,
  more: { readonly names: Names; readonly onRefused: NonNullable<ProcessListeners['onRefused']> },
): Promise<Gateway | undefined> =>
  reach === undefined ? undefined : openGateway({ reach, isShared: !hasDoor, ...more })

interface Ready {
  readonly wrapped: Wrapped
  readonly gateway: Gateway | undefined
  readonly onLine: NonNullable<ProcessListeners['onLine']>
}

const startWith = (launch: Launch, { sizes }: Machine, { wrapped, gateway, onLine }: Ready): PluginProcess => {
  const { command, args, isolation, hasDoor } = wrapped
  const mark = `carrel-plugin-${randomToken()}`
  const keeperChild = spawn('/bin/sh', ['-c', keeper], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: minimalPath },
  })
  keeperChild.stdin.on('error', () => undefined)
  keeperChild.stdin.write(`${mark}\n`)
  const stdio = ['pipe', 'pipe', 'pipe', ...(hasDoor ? (['ipc'] as const) : [])] as const
  const child = spawn(command, args, {
    stdio: [...stdio],
    // A group of its own, so that one signal reaches all of it.
    detached: true,
    cwd: launch.folder,
    env: { ...launch.env, ...gateway?.env, ...environmentOf(launch), CARREL_PLUGIN_RUN: mark },
  }) as ChildProcessByStdio<Writable, Readable, Readable>
  if (gateway && hasDoor) onDoor(child, gateway.open)
  keeperChild.stdin.write(`${child.pid ?? ''}\n`)
  const redact = redactor([...launch.secrets, ...(gateway?.secrets ?? [])])
  const lastWords = keepTail(child.stderr)
  eachLine(child.stderr, (line) => onLine(plainText(redact(line), lineCharactersMax)))
  const watch = watchSize({ child, sizes, memoryMaxBytes: launch.memoryMaxBytes })
  const ended = endOf(child, keeperChild).then((how) => {
    watch.stop()
    gateway?.close()
    return watch.reason() ?? how
  })
  return {
    pid: child.pid ?? 0,
    input: child.stdout,
    output: child.stdin,
    isolation,
    ended,
    lastWords: () => redact(lastWords()),
    redact,
    standBack: () => void standBack(child),
    terminate: () => signalGroup(child, 'SIGTERM'),
    kill: () => signalGroup(child, 'SIGKILL'),
  }
}

const environmentOf = ({ folder }: Launch) => ({ PATH: minimalPath, LANG: 'C.UTF-8', HOME: folder, TMPDIR: folder })

const triesMax = 10
const nextTryMs = 150

/**
 * On systems where each session has a share of the processors of its own, being nice within one helps nobody: the
 * session has to be. The kernel takes that ten times a second at most.
 */
const standBack = async (child: ChildProcess): Promise<void> => {
  for (let tries = 0; tries < triesMax && child.exitCode === null && child.signalCode === null; tries += 1) {
    try {
      return await writeFile(`/proc/${child.pid}/autogroup`, String(niceness), { flag: 'r+' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    }
    await delay(nextTryMs, undefined, { ref: false })
  }
}

const signalGroup = (child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    child.kill(signal)
  }
}

const keeperMs = 5000

const endOf = async (child: ChildProcess, keeperChild: ChildProcess): Promise<string> => {
  const keeperGone = new Promise<void>((resolve) => {
    keeperChild.once('error', () => resolve())
    keeperChild.once('exit', () => resolve())
  })
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
  })
  // Processes it has left behind are ended now.
  keeperChild.stdin?.end()
  await Promise.race([keeperGone, delay(keeperMs, undefined, { ref: false })])
  for (const stream of child.stdio) stream?.destroy()
  return how
}

/** The last of what it says, however much that is. */
const keepTail = (stream: Readable): (() => string) => {
  let tail = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    const joined = Buffer.concat([tail, chunk.subarray(-tailBytesMax)])
    tail = Buffer.from(joined.subarray(-tailBytesMax))
  })
  stream.on('error', () => undefined)
  return () => plainText(tail.toString('utf8'), tailBytesMax)
}

/** Lines that are too long are cut, so that an endless line is not held in memory. */
const eachLine = (stream: Readable, onLine: (line: string) => void): void => {
  const decoder = new StringDecoder('utf8')
  let begun = ''
  const end = (line: string): void => {
    if (line.trim() !== '') onLine(line)
  }
  stream.on('data', (chunk: Buffer) => {
    const lines = decoder.write(chunk).split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      end(begun + line)
      begun = ''
    }
    begun = (begun + last).slice(0, lineCharactersMax * 8)
  })
  stream.on('close', () => end(begun))
}

const secretLengthMin = 4

const redactor = (secrets: readonly string[]): ((text: string) => string) => {
  const longSecrets = secrets.filter((secret) => secret.length >= secretLengthMin).sort((a, b) => b.length - a.length)
  return (text) => longSecrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)
}

interface Watched {
  readonly child: ChildProcess
  readonly sizes: Sizes
  readonly memoryMaxBytes: number
}

/** It ends the plugin when its memory grows beyond the limit, and says so. */
const watchSize = ({ child, sizes, memoryMaxBytes }: Watched) => {
  let reason: string | undefined
  const stop = sizes.watch(child.pid ?? 0, ({ memoryBytes, processes }) => {
    if (processes > processesMax) reason ??= `it started more than ${processesMax} processes`
    else if (memoryBytes > memoryMaxBytes) reason ??= `it took more than ${memoryMaxBytes / mebibyte} MiB of memory`
    if (reason !== undefined) signalGroup(child, 'SIGKILL')
  })
  return { stop, reason: () => reason }
}
