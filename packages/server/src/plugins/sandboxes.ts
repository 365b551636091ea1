import { minimalPath } from './programs.ts'

/** It says what goes into the sandbox, and what can be found in there. */
export interface Contents {
  readonly command: string
  /** The only folder it may write. */
  readonly folder: string
  /** These may be read too. */
  readonly readable: readonly string[]
  /** The network of the machine is its own too. */
  readonly sharesNetwork: boolean
}

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

const seenOf = ({ sharesNetwork }: Contents): string[] => [...systemFolders, ...(sharesNetwork ? namesOfHosts : [])]

/** Nothing but the folder can be written in there: files in memory would count for nobody's limit. */
export const bubble = (bwrap: string, contents: Contents): string[] => {
  const { command, folder, readable, sharesNetwork } = contents
  return [
    bwrap,
    '--die-with-parent',
    '--unshare-all',
    '--cap-drop',
    'ALL',
    ...(sharesNetwork ? ['--share-net'] : []),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--dir',
    '/tmp',
    ...seenOf(contents).flatMap((path) => ['--ro-bind-try', path, path]),
    ...[command, ...readable].flatMap((path) => ['--ro-bind', path, path]),
    '--bind',
    folder,
    folder,
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    folder,
    '--',
  ]
}

export interface NamespacePrograms {
  readonly unshare: string
  readonly setpriv: string
  /** It starts the loopback interface of a network namespace of its own. */
  readonly ip: string | undefined
}

/** The same by hand: the rights to make such a sandbox are ours in namespaces of our own, and given up before it is entered. */
export const namespaces = ({ unshare, setpriv, ip }: NamespacePrograms, contents: Contents): string[] => {
  const { command, folder, readable, sharesNetwork } = contents
  const loopback = sharesNetwork || ip === undefined ? 'true' : ip
  const shown = outermost([...seenOf(contents), command, ...readable])
  return [
    unshare,
    ...ownNamespaces,
    ...(sharesNetwork ? [] : ['--net']),
    '--',
    '/bin/sh',
    '-c',
    walls,
    'sh',
    folder,
    setpriv,
    loopback,
    ...shown,
    '--',
  ]
}

/** What lies in a folder that is shown comes with it: shown by itself first, it would stay below that folder, out of reach. */
const outermost = (paths: readonly string[]): Set<string> =>
  new Set(paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`))))

/** The first process in them ends all others with itself. */
const ownNamespaces = [
  '--user',
  '--map-current-user',
  '--keep-caps',
  '--mount',
  '--ipc',
  '--uts',
  '--pid',
  '--fork',
  '--kill-child=KILL',
]

/**
 * A root of its own over a folder that every machine has and no plugin needs. What is shown becomes read-only with all that
 * is mounted below it; flags that a mount came with cannot be taken from it, so they are said again where they have to be.
 */
const walls = `
set -e
PATH=${minimalPath}:/usr/sbin:/sbin
folder=$1 setpriv=$2 loopback=$3 root=/sys
shift 3
mount -t tmpfs -o mode=755 tmpfs $root
place() {
  if [ -d "$1" ]; then mkdir -p "$root$1"
  elif [ ! -e "$root$1" ]; then mkdir -p "$root\${1%/*}"; : > "$root$1"; fi
  mount --rbind "$1" "$root$1"
}
while [ "$1" != -- ]; do
  if [ -e "$1" ]; then place "$1"; fi
  shift
done
shift
mounts=$(cat /proc/self/mountinfo)
while read -r _ _ _ _ escaped _; do
  at=$(printf '%b.' "$escaped")
  at=\${at%.}
  case $at in
    $root/*)
      # What lies under the new root is out of sight.
      [ -e "$at" ] || continue
      for flags in '' ,nosuid ,nodev ,nosuid,nodev ,nosuid,nodev,noexec last; do
        [ "$flags" != last ] || exit 1
        mount -o "remount,bind,ro$flags" "$at" 2>/dev/null && break
      done ;;
  esac
done <<END
$mounts
END
for name in null zero full random urandom; do place /dev/$name; done
place "$folder"
mkdir -p $root/tmp $root/proc
mount -t proc proc $root/proc
mount -o remount,bind,ro $root
[ "$loopback" = true ] || "$loopback" link set lo up
exec chroot $root "$setpriv" --inh-caps=-all --ambient-caps=-all --bounding-set=-all -- \\
  /bin/sh -c 'cd "$1"; unset OLDPWD; shift; exec "$@"' sh "$folder" "$@"
`
