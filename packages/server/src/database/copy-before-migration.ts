import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { AppError } from '../platform/errors.ts'

export interface CopyOptions {
  readonly file: string
  readonly directory: string
  readonly fromVersion: number
  readonly now: Date
}

/**
 * A copy of the SQLite file, looked through before it gets its name. If the file itself is damaged this says so, before
 * a migration makes things worse.
 */
export const copyBeforeMigration = async ({ file, directory, fromVersion, now }: CopyOptions): Promise<string> => {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const stamp = now.toISOString().replace(/[:.]/g, '-')
  const target = join(directory, `before-migration-from-${fromVersion}-${stamp}.db`)
  const unfinished = `${target}.unfinished`
  await rm(unfinished, { force: true })
  const source = new Sqlite(file, { fileMustExist: true })
  try {
    requireSound(source, file)
    source.prepare('vacuum into ?').run(unfinished)
  } finally {
    source.close()
  }
  const copy = new Sqlite(unfinished, { readonly: true })
  try {
    requireSound(copy, unfinished)
  } finally {
    copy.close()
  }
  await syncFile(unfinished)
  await rename(unfinished, target)
  await syncFile(directory)
  return target
}

const requireSound = (database: Sqlite.Database, file: string): void => {
  const [verdict] = String(database.pragma('integrity_check(1)', { simple: true })).split('\n')
  if (verdict === 'ok') return
  throw new AppError(
    'unavailable',
    `The database ${file} is damaged (${verdict}): restore a backup; nothing was changed.`,
  )
}

const syncFile = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
