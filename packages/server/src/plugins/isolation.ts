import { execFile } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'
import { bubble, type Contents, type NamespacePrograms, namespaces } from './sandboxes.ts'
import { doorway } from './doorway.ts'
import { minimalPath, which } from './programs.ts'
import type { Reach } from './reach.ts'

const run = promisify(execFile)

type Enforcement = 'enforced' | 'not_enforced'
/** It says what a plugin is kept from here and now, as far as the platform enforces it. */
export interface Isolation {
  readonly environment: Enforcement
  readonly files: Enforcement
  readonly network: Enforcement
  readonly processes: Enforcement
  readonly memory: Enforcement
}

export const unknownIsolation: Isolation = {
  environment: 'enforced',
  files: 'not_enforced',
  network: 'not_enforced',
  processes: 'not_enforced',
  memory: 'not_enforced',
}

/** It says which means of isolation this machine has, each tried once and found to work. */
export interface Means {
  readonly bwrap: string | undefined
  readonly namespaces: NamespacePrograms | undefined
  readonly setpriv: string | undefined
  /** Figures of processes can be read. */
  readonly proc: boolean
}

/** It says which sandbox is to be tried; auto tries all of them. */
export type SandboxChoice = 'auto' | 'bwrap' | 'unshare' | 'none'

export interface Confined {
  readonly command: string
  readonly args: readonly string[]
  /** A program for Node: it can be held by Node's own permissions too. */
  readonly isNode: boolean
  /** The only folder it may write. */
  readonly folder: string
  /** These may be read too. */
  readonly readable: readonly string[]
  /** Undefined: no network at all. */
  readonly reach: Reach | undefined
  readonly memoryMaxBytes: number
}

export interface Wrapped {
  readonly command: string
  readonly args: readonly string[]
  readonly isolation: Isolation
  /** It hands us the door that is its only way out, over a channel of ours. */
  readonly hasDoor: boolean
}

const probeMs = 5000
const mebibyte = 1024 * 1024
/** A third of the share of whoever starts it: it still has to begin and to answer in time beside a scan. */
export const niceness = 5
/**
 * Files it has open, and the size of each that it writes (in blocks of 512 bytes), set by the shell that becomes it. So is its
 * niceness: by the time somebody else could set that, a sandbox has started what is in it. Without `nice` it works less politely.
 */
const withLimits = [
  '/bin/sh',
  '-c',
  `ulimit -c 0; ulimit -n 256; ulimit -f 131072
  if command -v nice > /dev/null; then exec nice -n ${niceness} "$@"; fi
  exec "$@"`,
  'sh',
]

/** It finds out by trying. */
export const findMeans = async (sandbox: SandboxChoice = 'auto'): Promise<Means> => {
  const isTried = (name: SandboxChoice): boolean => sandbox === 'auto' || sandbox === name
  const [bwrap, namespaces, setpriv] = await Promise.all([
    isTried('bwrap') ? provenBwrap() : undefined,
    isTried('unshare') ? provenNamespaces() : undefined,
    which('setpriv').then((path) => proven(path, [...diesWithUs, '/bin/true'])),
  ])
  const proc = await access(`/proc/${process.pid}/statm`).then(
    () => true,
    () => false,
  )
  return { bwrap, namespaces, setpriv, proc }
}

/** It builds the command that starts a plugin as isolated as possible, and says which measures hold. */
export const confine = (plugin: Confined, means: Means): Wrapped => {
  const { isNode, reach } = plugin
  const isSandboxed = means.bwrap !== undefined || means.namespaces !== undefined
  const hasOwnNetwork = isSandboxed && (reach === undefined || canHaveDoor(means))
  const hasDoor = hasOwnNetwork && reach !== undefined
  const line = [
    ...(means.setpriv === undefined ? [] : [means.setpriv, ...diesWithUs]),
    ...withLimits,
    ...sandboxOf(plugin, means, { sharesNetwork: !hasOwnNetwork, hasDoor }),
    ...(hasDoor ? doorway() : []),
    ...(isNode ? withNodePermissions(plugin) : [plugin.command, ...plugin.args]),
  ]
  const [command = plugin.command, ...args] = line
  const holds = (isHeld: boolean): Enforcement => (isHeld ? 'enforced' : 'not_enforced')
  return {
    command,
    args,
    isolation: {
      environment: 'enforced',
      files: holds(isSandboxed || isNode),
      network: holds(hasOwnNetwork),
      processes: holds(isSandboxed),
      memory: holds(means.proc),
    },
    hasDoor,
  }
}

/** It needs a loopback to stand on. */
const canHaveDoor = ({ bwrap, namespaces: programs }: Means): boolean =>
  bwrap !== undefined || programs?.ip !== undefined

/** Files, further processes, workers and native code are Node's to refuse; the network it cannot. */
const withNodePermissions = ({ command, args, folder, readable, memoryMaxBytes }: Confined): string[] => [
  command,
  '--permission',
  ...[folder, ...readable].flatMap((path) => [`--allow-fs-read=${path}`, `--allow-fs-read=${path}/*`]),
  `--allow-fs-write=${folder}/*`,
  `--max-old-space-size=${Math.floor(memoryMaxBytes / mebibyte / 2)}`,
  '--max-semi-space-size=2',
  '--disable-warning=SecurityWarning',
  ...args,
]

interface Network {
  readonly sharesNetwork: boolean
  readonly hasDoor: boolean
}

const sandboxOf = (plugin: Confined, means: Means, { sharesNetwork, hasDoor }: Network): string[] => {
  const { command, folder, readable } = plugin
  const contents = { command, folder, readable: hasDoor ? [...readable, process.execPath] : readable, sharesNetwork }
  if (means.bwrap !== undefined) return bubble(means.bwrap, contents)
  return means.namespaces === undefined ? [] : namespaces(means.namespaces, contents)
}

const diesWithUs = ['--pdeathsig', 'KILL', '--no-new-privs', '--']

const tried: Contents = { command: '/bin/sh', folder: '/var/tmp', readable: [], sharesNetwork: false }
/** The first processes there are, nothing to be seen that was not shown, nothing to be written, and no way out but a loopback. */
const holding = (): string[] => [
  '/bin/sh',
  '-c',
  [
    'test "$$" -lt 10',
    'test ! -e /etc/passwd',
    // By its number alone a process in there may seem to be ours: in a container ours are among the first too.
    `test "${processesInThere}" != "${ownProcesses()}"`,
    '! (: > /tmp/x) 2>/dev/null',
    '! (: > /x) 2>/dev/null',
    '! (: > /dev/shm/x) 2>/dev/null',
    'test "$(wc -l < /proc/net/dev)" = 3',
    'grep -q "^CapEff:[[:space:]]*0*$" /proc/self/status',
  ].join(' && '),
]

const processesInThere = '$(readlink /proc/self/ns/pid)'

/** Where that cannot be read, nothing is known to hold. */
const ownProcesses = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return processesInThere
  }
}

const provenBwrap = async (): Promise<string | undefined> => {
  const path = await which('bwrap')
  return path === undefined ? undefined : proven(path, [...bubble(path, tried).slice(1), ...holding()])
}

const provenNamespaces = async (): Promise<NamespacePrograms | undefined> => {
  const [unshare, setpriv, ip] = await Promise.all([which('unshare'), which('setpriv'), which('ip', '/usr/sbin:/sbin')])
  if (unshare === undefined || setpriv === undefined) return undefined
  // The sandbox holds without a loopback interface too.
  for (const programs of [
    { unshare, setpriv, ip },
    { unshare, setpriv, ip: undefined },
  ]) {
    const [path, ...args] = namespaces(programs, tried)
    if ((await proven(path, [...args, ...holding()])) !== undefined) return programs
  }
  return undefined
}

const proven = async (path: string | undefined, args: readonly string[]): Promise<string | undefined> => {
  if (path === undefined) return undefined
  try {
    await run(path, args, { env: { PATH: minimalPath }, timeout: probeMs, killSignal: 'SIGKILL' })
    return path
  } catch {
    return undefined
  }
}
