import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { putInPlace } from '../platform/files/durable-files.ts'
import { AppError } from '../platform/errors.ts'
import { copySqlite, requireSound, requireSoundFile, UnsoundDatabase } from './dialects/sqlite/sqlite-file.ts'
import { openUnfinished } from './unfinished.ts'

export interface CopyOptions {
  readonly file: string
  /** The name of the copy, in a folder that is made where there is none. */
  readonly target: string
}

/**
 * A copy of the SQLite file, looked through before it gets its name. If the file itself is damaged this says so, before
 * a migration makes things worse.
 */
export const copyBeforeMigration = async ({ file, target }: CopyOptions): Promise<void> => {
  const directory = dirname(target)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  requireWhole(file)
  await using unfinished = await openUnfinished(directory)
  const copy = unfinished.in('copy.db')
  copySqlite(file, copy)
  requireWhole(copy)
  await putInPlace(copy, target)
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
