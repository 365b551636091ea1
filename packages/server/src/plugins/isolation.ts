import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

type Enforcement = 'enforced' | 'not_enforced'
/** What a plugin is kept from here and now, as far as the platform keeps it. */
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

/** What this machine has to lock somebody in, each tried once and found to hold. */
export interface Means {
  readonly bwrap: string | undefined
  readonly unshare: string | undefined
  readonly setpriv: string | undefined
  /** Figures of processes can be read. */
  readonly proc: boolean
}

export interface Confined {
  readonly command: string
  readonly args: readonly string[]
  /** A program for Node: it can be held by Node's own permissions too. */
  readonly isNode: boolean
  /** The only folder it may write. */
  readonly folder: string
  /** What else it may read. */
  readonly readable: readonly string[]
  readonly mayReachNetwork: boolean
  readonly memoryMaxBytes: number
}

export interface Wrapped {
  readonly command: string
  readonly args: readonly string[]
  readonly isolation: Isolation
}

export const minimalPath = '/usr/local/bin:/usr/bin:/bin'
const probeMs = 5000
const mebibyte = 1024 * 1024
/** Files it has open, and the size of each that it writes (in blocks of 512 bytes), set by the shell that becomes it. */
const withLimits = ['/bin/sh', '-c', 'ulimit -c 0; ulimit -n 256; ulimit -f 131072; exec "$@"', 'sh']

/** Looks at nothing but what it finds out by trying. */
export const findMeans = async (): Promise<Means> => {
  const [bwrap, unshare, setpriv] = await Promise.all([
    which('bwrap').then((path) => provenBwrap(path)),
    which('unshare').then((path) => proven(path, [...ownNamespaces(false), '/bin/sh', '-c', ownNamespacesHold])),
    which('setpriv').then((path) => proven(path, [...diesWithUs, '/bin/true'])),
  ])
  const proc = await access(`/proc/${process.pid}/statm`).then(
    () => true,
    () => false,
  )
  return { bwrap, unshare, setpriv, proc }
}

/** What it takes to start a plugin held as well as it can be, and what of that holds. */
export const confine = (plugin: Confined, means: Means): Wrapped => {
  const { isNode, mayReachNetwork } = plugin
  const inner = isNode ? withNodePermissions(plugin) : [plugin.command, ...plugin.args]
  const boxed = boxOf(plugin, means)
  const line = [
    ...(means.setpriv === undefined ? [] : [means.setpriv, ...diesWithUs]),
    ...withLimits,
    ...boxed,
    ...inner,
  ]
  const [command = plugin.command, ...args] = line
  const isBoxed = boxed.length > 0
  const holds = (isHeld: boolean): Enforcement => (isHeld ? 'enforced' : 'not_enforced')
  return {
    command,
    args,
    isolation: {
      environment: 'enforced',
      files: holds(isNode || means.bwrap !== undefined),
      network: holds(isBoxed && !mayReachNetwork),
      processes: holds(isBoxed),
      memory: holds(means.proc),
    },
  }
}

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

const boxOf = (plugin: Confined, { bwrap, unshare }: Means): string[] => {
  if (bwrap !== undefined) return [bwrap, ...box(plugin)]
  if (unshare !== undefined) return [unshare, ...ownNamespaces(plugin.mayReachNetwork)]
  return []
}

const diesWithUs = ['--pdeathsig', 'KILL', '--no-new-privs', '--']

/** Nobody else's process is there to see or to end, and the first of them ends all. */
const ownNamespaces = (mayReachNetwork: boolean): string[] => [
  '--user',
  '--map-current-user',
  '--ipc',
  '--uts',
  '--pid',
  '--fork',
  '--kill-child=KILL',
  '--mount-proc',
  ...(mayReachNetwork ? [] : ['--net']),
  '--',
]
/** The first process there is, and no way out but the loopback, which is down. */
const noNetwork = 'test "$(wc -l < /proc/net/dev)" = 3'
const ownNamespacesHold = `test "$$" = 1 && ${noNetwork}`

const systemFolders = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/ssl',
  '/etc/ca-certificates',
  '/etc/pki',
]
const namesOfHosts = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf']

const box = ({ command, folder, readable, mayReachNetwork }: Confined): string[] => [
  '--die-with-parent',
  '--new-session',
  '--unshare-all',
  ...(mayReachNetwork ? ['--share-net'] : []),
  '--proc',
  '/proc',
  '--dev',
  '/dev',
  '--tmpfs',
  '/tmp',
  ...[...systemFolders, ...(mayReachNetwork ? namesOfHosts : [])].flatMap((path) => ['--ro-bind-try', path, path]),
  ...[command, ...readable].flatMap((path) => ['--ro-bind', path, path]),
  '--bind',
  folder,
  folder,
  '--chdir',
  folder,
  '--',
]

/** It must start something, and hide from it what it was not told to show. */
const provenBwrap = async (path: string | undefined): Promise<string | undefined> => {
  const tried = box({
    command: '/bin/sh',
    args: [],
    isNode: false,
    folder: '/var/tmp',
    readable: [],
    mayReachNetwork: false,
    memoryMaxBytes: 0,
  })
  const holds = `test ! -e /etc/passwd && test ! -e /proc/${process.pid}/environ && ${noNetwork}`
  return proven(path, [...tried, '/bin/sh', '-c', holds])
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

/** In the folders of the system, and in these. */
export const which = async (name: string, more = ''): Promise<string | undefined> => {
  for (const folder of [...minimalPath.split(':'), ...more.split(':').filter(isAbsolute)]) {
    const path = join(folder, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}
