import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { putInPlace } from '../platform/durable-files.ts'
import { copySqlite, requireSound, requireSoundFile } from './dialects/sqlite/sqlite-file.ts'

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
  requireSoundFile(file, requireSound)
  copySqlite(file, unfinished)
  requireSoundFile(unfinished, requireSound)
  await putInPlace(unfinished, target)
  return target
}
