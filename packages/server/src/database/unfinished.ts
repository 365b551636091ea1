import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileLock, lockFile } from './file-lock.ts'

/** A folder for what is being made, gone at the latest when somebody next makes something beside it. */
export interface Unfinished extends AsyncDisposable {
  in(name: string): string
}

const prefix = '.carrel-unfinished-'
const lockName = 'lock'
/** Between making the folder and locking it. */
const justMadeMs = 60_000

export const openUnfinished = async (directory: string): Promise<Unfinished> => {
  await removeLeftovers(directory)
  const path = join(directory, prefix + randomUUID())
  await mkdir(path, { mode: 0o700 })
  const lock = lockFile(join(path, lockName), 'alone')
  return {
    in: (name) => join(path, name),
    async [Symbol.asyncDispose]() {
      lock?.release()
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** Of those who were killed. */
const removeLeftovers = async (directory: string): Promise<void> => {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    if (!name.startsWith(prefix) || (await isInUse(path))) continue
    await rm(path, { recursive: true, force: true })
  }
}

const isInUse = async (path: string): Promise<boolean> => {
  const names = await readdir(path).catch((): string[] => [])
  if (!names.includes(lockName)) {
    const made = await stat(path).catch(() => undefined)
    return made !== undefined && Date.now() - made.mtimeMs < justMadeMs
  }
  let lock: FileLock | undefined
  try {
    lock = lockFile(join(path, lockName), 'alone')
    return lock === undefined
  } finally {
    lock?.release()
  }
}
