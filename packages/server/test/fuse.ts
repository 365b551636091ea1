import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { waitUntil } from './smoke/wait-until.ts'

const run = promisify(execFile)

/** It is another path to a folder, through a process that can stop answering: it stands for storage that hangs. */
export interface Mount extends AsyncDisposable {
  readonly path: string
  /** Whoever looks at it from now on waits. */
  hang(): void
  /** All waiting calls go on. */
  answer(): void
  /** Nothing is connected any more: whoever looks at it gets an error. */
  breakOff(): Promise<void>
}

/** It says why hanging storage cannot be tested on this machine; undefined where it can. */
const whyNoMounts = (): string | undefined => {
  for (const program of ['bindfs', 'fusermount'])
    if (spawnSync(program, ['--version']).error) return `there is no ${program} (Debian: apt-get install bindfs)`
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK)
    return undefined
  } catch {
    return '/dev/fuse may not be opened'
  }
}

/** It is for tests that need mounts: they are skipped where there can be none, and say so where everybody sees it. */
export const requireMounts = (skip: (note: string) => void): void => {
  const reason = whyNoMounts()
  if (reason === undefined) return
  const note = `NOT TESTED: storage that hangs or breaks off, because ${reason}`
  console.warn(note)
  skip(note)
}

/** Mounts a folder somewhere else, or at `at`, where nothing may be yet. */
export const mountOf = async (source: string, at?: string): Promise<Mount> => {
  const path = at ?? (await mkdtemp(join(tmpdir(), 'carrel-mount-')))
  await mkdir(path, { recursive: true })
  const { dev } = await stat(path)
  // Nothing is answered from a cache, so that what hangs hangs at once.
  const options = ['-f', '-o', 'attr_timeout=0,entry_timeout=0,negative_timeout=0']
  const child = spawn('bindfs', [...options, source, path], { stdio: 'ignore' })
  let rescue: ChildProcess | undefined
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  await waitUntil(`a mount at ${path}`, async () => (await stat(path)).dev !== dev)
  return {
    path,
    hang: () => {
      child.kill('SIGSTOP')
      // A test that has failed must not hold up for ever what cannot be ended.
      rescue ??= spawn('sh', ['-c', `sleep 120; kill -CONT ${child.pid}`], { stdio: 'ignore', detached: true })
      rescue.unref()
    },
    answer: () => void child.kill('SIGCONT'),
    breakOff: async () => {
      child.kill('SIGKILL')
      await exited
      await waitUntil('the end of the mount', () =>
        readdir(path).then(
          () => false,
          () => true,
        ),
      )
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGCONT')
      await run('fusermount', ['-u', '-z', path])
      child.kill('SIGKILL')
      await exited
      if (rescue?.pid !== undefined && rescue.exitCode === null) process.kill(-rescue.pid)
      if (at === undefined) await rm(path, { recursive: true, force: true })
    },
  }
}

/** Storage that hangs so that not even those it holds up can be ended: what waits is held behind two mounts. */
export const hardMountOf = async (source: string): Promise<Mount> => {
  const inner = await mountOf(source)
  const outer = await mountOf(inner.path)
  return {
    ...inner,
    path: outer.path,
    async [Symbol.asyncDispose]() {
      inner.answer()
      await outer[Symbol.asyncDispose]()
      await inner[Symbol.asyncDispose]()
    },
  }
}
