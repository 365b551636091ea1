import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFile } from './file-lock.ts'

/** A folder for what is being made, gone at the latest when somebody next makes something beside it. */
export interface Unfinished extends AsyncDisposable {
  in(name: string): string
}

const prefix = '.carrel-unfinished-'
const lockSuffix = '.lock'

/** The lock is there before the folder and goes after it: a folder that nobody locks belongs to one who was killed. */
export const openUnfinished = async (directory: string): Promise<Unfinished> => {
  await removeLeftovers(directory)
  const path = join(directory, prefix + randomUUID())
  const lockPath = path + lockSuffix
  const lock = lockFile(lockPath, 'alone')
  if (lock === undefined || !existsSync(lockPath)) {
    // Another process came between the creation of the lock and its locking, and takes it for a leftover.
    lock?.release()
    return openUnfinished(directory)
  }
  await mkdir(path, { mode: 0o700 })
  return {
    in: (name) => join(path, name),
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true })
      await rm(lockPath, { force: true })
      lock.release()
    },
  }
}

const removeLeftovers = async (directory: string): Promise<void> => {
  const names = (await readdir(directory)).filter((name) => name.startsWith(prefix))
  const folders = new Set(names.map((name) => (name.endsWith(lockSuffix) ? name.slice(0, -lockSuffix.length) : name)))
  for (const folder of folders) await removeUnlessLocked(join(directory, folder))
}

const removeUnlessLocked = async (path: string): Promise<void> => {
  const lock = lockFile(path + lockSuffix, 'alone')
  if (lock === undefined) return
  try {
    await rm(path, { recursive: true, force: true })
    await rm(path + lockSuffix, { force: true })
  } finally {
    lock.release()
  }
}
