import { execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { waitUntil } from '../../packages/server/test/smoke/wait-until.ts'
import { countChanges } from './write-log.ts'

export const fileSystems = ['ext4', 'xfs'] as const
export type FileSystem = (typeof fileSystems)[number]

/** What each file system is made by, and the least that it may be made of. */
const made = {
  ext4: { command: ['mkfs.ext4', '-q', '-F'], mebibytes: 128, mountOptions: 'loop' },
  // What a power cut has left has the id of the device that it was on.
  xfs: { command: ['mkfs.xfs', '-q'], mebibytes: 300, mountOptions: 'loop,nouuid' },
} as const

/** It says why no device can be recorded on this machine; undefined where one can. */
const whyNotHere = (): string | undefined => {
  const { error, stdout } = spawnSync('qemu-storage-daemon', ['--help'], { encoding: 'utf8' })
  if (error || !stdout.includes('type=]fuse'))
    return 'there is no qemu-storage-daemon that knows FUSE (Debian: apt-get install qemu-system-common)'
  for (const { command } of Object.values(made))
    if (spawnSync(command[0], ['-V']).error)
      return `there is no ${command[0]} (Debian: apt-get install e2fsprogs xfsprogs)`
  if (!existsSync('/dev/fuse') || !existsSync('/dev/loop-control')) return 'there is no /dev/fuse or /dev/loop-control'
  return process.getuid?.() === 0 ? undefined : 'only root may mount'
}

/** It is for tests that need a device of their own: they are skipped where there can be none, and say so where everybody sees it. */
export const requireDevices = (skip: (note: string) => void): void => {
  const reason = whyNotHere()
  if (reason === undefined) return
  const note = `NOT TESTED: power cuts of a device, because ${reason}`
  console.warn(note)
  skip(note)
}

/** A device with a file system, mounted. */
export interface RecordedDevice extends AsyncDisposable {
  readonly fileSystem: FileSystem
  /** What is in here is on the device. */
  readonly folder: string
  /** The device as it was made. */
  readonly image: string
  /** Each write and each flush of the device, in order (write-log.ts). */
  readonly log: string
  /** How many there are so far. */
  changeCount(): number
  /** It takes the device away as an operator does: all is on it after this, and the log has an end. */
  unmount(): Promise<void>
}

const run = promisify(execFile)

/**
 * A loop device whose file is a window of QEMU's storage daemon, which writes down what the kernel writes and flushes. `folder` must
 * have room for the device and its log.
 */
export const recordedDevice = async (folder: string, fileSystem: FileSystem): Promise<RecordedDevice> => {
  const [image, disk, log, window, mounted] = ['image', 'disk', 'log', 'window', 'mounted'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string, string]
  await makeFileSystem(image, fileSystem)
  await run('cp', ['--sparse=always', image, disk])
  for (const file of [log, window]) await writeFile(file, '')
  await mkdir(mounted)
  const drivers = [
    `driver=file,node-name=disk,filename=${disk},cache.no-flush=on`,
    `driver=file,node-name=log,filename=${log},cache.no-flush=on`,
    'driver=blklogwrites,node-name=logged,file=disk,log=log,log-super-update-interval=1',
  ]
  const daemon = spawn('qemu-storage-daemon', [
    ...drivers.flatMap((driver) => ['--blockdev', driver]),
    '--export',
    `type=fuse,id=window,node-name=logged,mountpoint=${window},writable=on`,
  ])
  const over = new Promise<void>((resolve) => {
    daemon.once('exit', () => resolve())
  })
  let isMounted = false
  const unmount = async (): Promise<void> => {
    if (isMounted) await run('umount', [mounted])
    isMounted = false
    daemon.kill('SIGTERM')
    await over
  }
  try {
    const bytes = made[fileSystem].mebibytes * 1024 * 1024
    await waitUntil('the device', async () => (await sizeOf(window)) === bytes)
    await mount(window, mounted, fileSystem)
    isMounted = true
  } catch (error) {
    await unmount()
    throw error
  }
  return {
    fileSystem,
    folder: mounted,
    image,
    log,
    changeCount: () => countChanges(log),
    unmount,
    [Symbol.asyncDispose]: unmount,
  }
}

const sizeOf = async (file: string): Promise<number> => {
  const handle = await open(file, 'r')
  try {
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

const makeFileSystem = async (image: string, fileSystem: FileSystem): Promise<void> => {
  const { command, mebibytes } = made[fileSystem]
  const handle = await open(image, 'wx')
  await handle.truncate(mebibytes * 1024 * 1024)
  await handle.close()
  const [program, ...options] = command
  await run(program, [...options, image])
}

/** The kernel does what it does with any device after a power cut: what its journal says is done over. */
export const mount = async (image: string, folder: string, fileSystem: FileSystem): Promise<void> => {
  await run('mount', ['-t', fileSystem, '-o', made[fileSystem].mountOptions, image, folder])
}

export const unmount = async (folder: string): Promise<void> => {
  await run('umount', [folder])
}
