import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file system of a few MiB, which a test can really fill. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string
  /** It writes until not one byte more fits. */
  fill(): Promise<void>
  /** It takes away what `fill` has written. */
  makeRoom(): Promise<void>
  /** How many files and folders there are in it. */
  countFiles(): Promise<number>
  hasNoFilesLeft(): Promise<boolean>
  /** It becomes another one in the place of the same: of so many files, or one that may only be read. */
  become(options: string): Promise<void>
}

/** It says why there can be no such disk on this machine; undefined where there can. */
const whyNoDisks = (): string | undefined => {
  if (process.platform !== 'linux') return 'this is not Linux'
  const path = join(tmpdir(), `carrel-disk-try-${process.pid}`)
  const tried = spawnSync('sh', ['-c', `mkdir -p ${path} && mount -t tmpfs -o size=1m tmpfs ${path} && umount ${path}`])
  spawnSync('rmdir', [path])
  return tried.status === 0 ? undefined : `no tmpfs can be mounted (${String(tried.stderr).trim()})`
}

/** It is for tests that need one: they are skipped where there can be none, and say so where everybody sees it. */
export const requireSmallDisks = (skip: (note: string) => void): void => {
  const reason = whyNoDisks()
  if (reason === undefined) return
  const note = `NOT TESTED: a disk that is really full, because ${reason}`
  console.warn(note)
  skip(note)
}

/** Without a path it gets a folder of its own. */
export const smallDisk = async (mebibytes: number, at?: string): Promise<SmallDisk> => {
  const path = at ?? (await mkdtemp(join(tmpdir(), 'carrel-disk-')))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path])
  const filler = join(path, 'filler')
  return {
    path,
    fill: async () => {
      const handle = await open(filler, 'a')
      try {
        // Pages at last: what is left beside large pieces is room too.
        for (const bytes of [1024 * 1024, 4096]) await writeUntilFull(handle, Buffer.alloc(bytes, 1))
      } finally {
        await handle.close()
      }
    },
    makeRoom: () => rm(filler, { force: true }),
    countFiles: async () => {
      const { files, ffree } = await statfs(path)
      return files - ffree
    },
    hasNoFilesLeft: async () => (await statfs(path)).ffree === 0,
    become: async (options) => {
      await run('mount', ['-o', `remount,${options}`, path])
    },
    async [Symbol.asyncDispose]() {
      await run('umount', ['-l', path])
      if (at === undefined) await rmdir(path)
    },
  }
}

const writeUntilFull = async (handle: Awaited<ReturnType<typeof open>>, piece: Buffer): Promise<void> => {
  for (;;) {
    try {
      await handle.write(piece)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}
