import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Config } from '../../config.ts'
import { copyBeforeMigration } from '../../database/copy-before-migration.ts'
import { AppError } from '../../platform/errors.ts'
import { roomOn } from '../../platform/files/disk-reserve.ts'
import type { Log } from '../../platform/log.ts'
import { makeBackup } from './make.ts'
import { backupFolder, isMigrationCopy, nameOfMigrationCopy, timeOfName } from './names.ts'

/** The version after the next may show what the last one has broken. */
const copiesKept = 3

/** At most this much goes onto the disk of the data directory; of a file of SQLite, a copy. */
export const bytesOfCopy = async (database: Config['database'], size: () => Promise<number>): Promise<number> => {
  if (database.kind === 'postgres') return 2 * (await size())
  const sizes = [database.file, `${database.file}-wal`].map((file) => stat(file).then((stats) => stats.size, absent))
  return (await Promise.all(sizes)).reduce((sum, each) => sum + each)
}

const absent = (): number => 0

interface Copying {
  readonly config: Config
  readonly log: Log
  readonly now: Date
  readonly fromVersion: number
  readonly program: string
  /** How large the database is, on PostgreSQL. */
  readonly size: () => Promise<number>
}

/** A copy in the data directory that `carrel restore` puts back, looked through before anything is changed. */
export const keepCopyBeforeMigration = async (options: Copying): Promise<void> => {
  const { config, log, now, fromVersion, program } = options
  const { database, dataDir } = config
  if (!config.copiesBeforeMigration) {
    log.warn('Migrating the database without a copy of it, as CARREL_COPY_BEFORE_MIGRATION says')
    return
  }
  const folder = backupFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await requireRoom(folder, await bytesOfCopy(database, options.size))
  const name = nameOfMigrationCopy(now, fromVersion, database.kind === 'sqlite' ? 'db' : 'zip')
  const target = join(folder, name)
  if (database.kind === 'sqlite') await copyBeforeMigration({ file: database.file, target })
  else
    await makeBackup(
      { address: database, dataDir, target: { file: target }, reason: 'migration', program },
      { log, clock: () => now, onProgress: () => undefined },
    )
  log.info({ copy: target }, 'Kept a copy of the database before migrating it')
  await removeOldMigrationCopies(folder)
}

const requireRoom = async (folder: string, needed: number): Promise<void> => {
  const { free } = await roomOn(folder)
  if (free >= needed) return
  const inWords = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`
  throw new AppError(
    'disk_full',
    `There is not enough room in ${folder} for a copy of the database before it is migrated: about ${inWords(needed)} are needed, ${inWords(free)} are free. Free some space, or make a backup elsewhere and set CARREL_COPY_BEFORE_MIGRATION=false; nothing was changed.`,
  )
}

const removeOldMigrationCopies = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter(isMigrationCopy)
  const newestFirst = names.sort((one, other) => ((timeOfName(one) ?? '') < (timeOfName(other) ?? '') ? 1 : -1))
  for (const name of newestFirst.slice(copiesKept)) await rm(join(folder, basename(name)), { force: true })
}
