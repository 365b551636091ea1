import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { putInPlace } from '../platform/files/durable-files.ts'
import { AppError } from '../platform/errors.ts'
import { copySqlite, requireSound, requireSoundFile, UnsoundDatabase } from './dialects/sqlite/sqlite-file.ts'

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
  requireWhole(file)
  copySqlite(file, unfinished)
  requireWhole(unfinished)
  await putInPlace(unfinished, target)
  return target
}

const requireWhole = (file: string): void => {
  try {
    requireSoundFile(file, requireSound)
  } catch (error) {
    if (!(error instanceof UnsoundDatabase)) throw error
    const message = `The database ${file} is damaged (${error.message}): restore a backup; nothing was changed.`
    throw new AppError('unavailable', message, { cause: error })
  }
}
