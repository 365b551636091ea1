import { copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncPath } from '../platform/files/durable-files.ts'
import { damageMarkOf } from './degraded.ts'
import { foldLog } from './dialects/sqlite/sqlite-file.ts'
import { type FileLock, lockFile } from './file-lock.ts'

const lockPathOf = (file: string): string => `${file}.lock`

/** Every process that has the database open holds it together with the others, who puts another in its place alone. */
export const lockDatabase = (file: string, kind: 'shared' | 'alone'): FileLock | undefined =>
  lockFile(lockPathOf(file), kind)

const besides = ['-wal', '-shm', '-journal']

/**
 * It replaces a database that nobody has open by a finished one; the old one stays in the folder `kept`. At every
 * moment one of the two has the name. It returns whether there was one before.
 */
export const swapSqlite = async (finished: string, file: string, asideFolder: string): Promise<boolean> => {
  await syncPath(finished)
  const exists = await isThere(file)
  if (exists) await keepOld(file, asideFolder)
  await rename(finished, file)
  // Damage found in the old database says nothing about this one.
  await rm(damageMarkOf(file), { force: true })
  await syncPath(dirname(file))
  return exists
}

const keepOld = async (file: string, asideFolder: string): Promise<void> => {
  await mkdir(asideFolder, { recursive: true, mode: 0o700 })
  const keep = async (suffix: string): Promise<void> => {
    const name = join(asideFolder, basename(file) + suffix)
    await rm(name, { force: true })
    if (await isThere(file + suffix)) await secondName(file + suffix, name)
  }
  // The log is kept beside it: SQLite deletes the log of a file that is too damaged to be opened.
  for (const suffix of ['', ...besides]) await keep(suffix)
  if (foldLog(file)) for (const suffix of ['', ...besides]) await keep(suffix)
  await syncPath(asideFolder)
  await syncPath(dirname(asideFolder))
  // The log of the one must never meet the other.
  for (const suffix of besides) await rm(file + suffix, { force: true })
}

const secondName = async (file: string, name: string): Promise<void> => {
  await link(file, name).catch(async () => {
    await copyFile(file, name)
    await syncPath(name)
  })
}

const isThere = async (file: string): Promise<boolean> => {
  try {
    await stat(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
