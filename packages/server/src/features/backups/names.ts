import { join } from 'node:path'
import type { Reason } from './archive/archive-format.ts'

export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')

/** Names in the order of their times. */
export const nameOfBackup = (at: Date, reason: Reason): string =>
  `carrel-${reason === 'export' ? 'export-' : ''}${at.toISOString().replace(/[:.]/g, '-')}.zip`

const time = '\\d{4}-\\d{2}-\\d{2}T\\d{2}-\\d{2}-\\d{2}-\\d{3}Z'
const backup = new RegExp(`^carrel-${time}\\.zip$`)
/** A file of SQLite as it was, or an archive of the rows of PostgreSQL. */
const beforeMigration = new RegExp(`^before-migration-from-\\d+-${time}\\.(db|zip)$`)

export const nameOfMigrationCopy = (at: Date, fromVersion: number, ending: 'db' | 'zip'): string =>
  `before-migration-from-${fromVersion}-${at.toISOString().replace(/[:.]/g, '-')}.${ending}`

export const isBackupName = (name: string): boolean => backup.test(name)
export const isMigrationCopy = (name: string): boolean => beforeMigration.test(name)

/** When it was made, as its name has it. */
export const timeOfName = (name: string): string | undefined => {
  const match = /(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2})-(\d{3}Z)/.exec(name)
  return match ? `${match[1]}:${match[2]}:${match[3]}.${match[4]}` : undefined
}
