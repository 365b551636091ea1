import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../packages/server/test/free-port.ts'
import { makeImage } from '../packaging/image.ts'
import { type Architecture, architectureNamed, nameElsewhere } from '../packaging/installed.ts'
import { makeLibrary, readComicAt, until } from './comic-on-screen.ts'
import { run, start } from './running.ts'
import type { Way } from './way.ts'

const sizeMaxBytes = 250_000_000
const graceSeconds = 30

const own = architectureNamed(process.arch)
const foreign: Architecture = own === 'x64' ? 'arm64' : 'x64'
/** What QEMU calls the processor. */
const emulators: Readonly<Record<Architecture, string>> = { x64: 'qemu-x86_64', arm64: 'qemu-aarch64' }

/** It runs as in the compose file: a read-only root, a user of its own, no capabilities. */
const wayFor = (architecture: Architecture): Way => ({
  name: architecture === own ? 'image' : `image-${nameElsewhere[architecture]}`,
  needs: ['buildah', 'podman', 'debootstrap', 'dpkg-deb', 'tar', 'unshare'],
  lacks: () =>
    architecture === own || isEmulated(architecture)
      ? []
      : [`emulation of ${architecture} (Debian: qemu-user-static and binfmt-support)`],
  make: async (out) => makeImage(out, architecture),
  tryOut: async (file, folder, step) => {
    const library = join(folder, 'library')
    makeLibrary(library)
    const podman = podmanIn(folder)
    const loaded = /Loaded image: (\S+)/.exec(podman('load', '--input', file))?.[1] ?? ''
    const size = Number(podman('image', 'inspect', loaded, '--format', '{{.Size}}'))
    if (size > sizeMaxBytes) throw new Error(`The image has ${size} bytes, more than ${sizeMaxBytes}`)
    step(`loaded, ${Math.round(size / 1e6)} MB`)
    const port = await freePort()
    const line = [...asInCompose, '--name=carrel', `--volume=${library}:/srv/comics:ro`, `--env=CARREL_PORT=${port}`]
    await using server = start(...podmanLine(folder, 'run', ...line, '--env=CARREL_HOST=127.0.0.1', loaded))
    // Whoever is killed leaves the container behind.
    using _ = { [Symbol.dispose]: () => podman('rm', '--force', '--ignore', 'carrel') }
    const reader = readComicAt(`http://127.0.0.1:${port}`, '/srv/comics')
    await reader.catch((error: Error) => {
      throw new Error(`${error.message}\n${server.output()}`, { cause: error })
    })
    step('a comic on the screen')
    podman('healthcheck', 'run', 'carrel')
    requireUser(podman('exec', 'carrel', 'setpriv', '--dump'))
    requireArchitecture(podman('exec', 'carrel', 'node', '--print', 'process.arch'), architecture)
    // It counts threads against the limit of the container, beside a server that has just drawn covers.
    const doctor = podman('exec', 'carrel', 'carrel', 'doctor')
    // A processor that is emulated makes no namespaces.
    if (architecture === own) requireShutIn(doctor)
    step(`it is healthy, runs as user 10001, and ${architecture === own ? 'shuts plugins in' : 'is examined'}`)
    const before = performance.now()
    podman('stop', `--time=${graceSeconds}`, 'carrel')
    const code = await server.ended
    const seconds = (performance.now() - before) / 1000
    if (code !== 0 || seconds >= graceSeconds) throw new Error(`It ended with ${code} after ${seconds} s`)
    await until('the end', async () => !(await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)))
    step('stopped within its grace')
  },
})

export const imageWay = wayFor(own)
/** For the processor that this machine has not, as far as it is emulated. */
export const foreignImageWay = wayFor(foreign)

/** The kernel runs a program of the other processor by itself where an emulator is registered that it keeps open. */
const isEmulated = (architecture: Architecture): boolean => {
  const file = join('/proc/sys/fs/binfmt_misc', emulators[architecture])
  return existsSync(file) && /^enabled$[^]*^flags: \S*F/m.test(readFileSync(file, 'utf8'))
}

const asInCompose = [
  '--read-only',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  // Both are for the box of plugins, which containers do not allow by themselves: docs/operators/install.md.
  '--security-opt=seccomp=unconfined',
  '--security-opt=unmask=ALL',
  '--tmpfs=/tmp:size=256m,noexec,nosuid,nodev,mode=1777',
  '--pids-limit=256',
  '--ulimit=nofile=4096:4096',
  '--ulimit=nproc=4096:4096',
  '--network=host',
]

const requireArchitecture = (told: string, architecture: Architecture): void => {
  if (told.trim() !== architecture) throw new Error(`It runs on ${told.trim()}`)
}

const requireShutIn = (doctor: string): void => {
  if (!/^ok +plugins +Plugins are shut in by bubblewrap/m.test(doctor))
    throw new Error(`Plugins are not shut in:\n${doctor}`)
}

const requireUser = (told: string): void => {
  if (!/^uid: 10001$/m.test(told)) throw new Error(`It runs as somebody else:\n${told}`)
}

/** Files are copied and not laid over each other, and nothing is left of it: that works on every disk, and beside other containers. */
const podmanLine = (folder: string, ...args: readonly string[]): [string, readonly string[]] => {
  const own = ['--storage-driver=vfs', `--root=${join(folder, 'images')}`, `--runroot=${join(folder, 'run')}`]
  const command = ['podman', ...own, '--cgroup-manager=cgroupfs', ...args]
  // crun refuses a machine that has both kinds of cgroups; it is shown one of them, in a view of its own.
  const alone = 'umount /sys/fs/cgroup/unified && exec "$@"'
  return hasBothCgroups() ? ['unshare', ['--mount', 'sh', '-c', alone, 'sh', ...command]] : ['podman', command.slice(1)]
}

const podmanIn =
  (folder: string) =>
  (...args: readonly string[]): string =>
    run(...podmanLine(folder, ...args))

const hasBothCgroups = (): boolean => existsSync('/sys/fs/cgroup/unified/cgroup.procs')
