import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { readMarker, usedBefore, writeMarker } from '../database/belonging.ts'
import type { Database } from '../database/database.ts'
import { schemaVersion } from '../database/migrate.ts'
import { selectSecret, sharedSecret } from '../database/secrets.ts'
import { newestBackup } from '../features/backups/backups.ts'
import { AppError, cannotBeSaved } from '../platform/errors.ts'

/**
 * The database stores under this name the id by which its data directory knows it. The id goes into no copy: a restored
 * database belongs to the directory it was restored into.
 */
const name = 'data_directory'

/**
 * The check runs before anything is opened or created: where an installation has been in use, a database that is
 * missing or empty has been lost, and another kind of database belongs to another installation.
 */
export const requireDatabase = async (config: Config): Promise<void> => {
  const { dataDir, database } = config
  const marker = await readMarker(dataDir)
  if (marker && marker.database !== database.kind) {
    const [expected, there] = marker.database === 'postgres' ? ['PostgreSQL', 'SQLite'] : ['SQLite', 'PostgreSQL']
    throw refuse(
      `The data directory ${dataDir} belongs to an installation on ${expected}, and CARREL_DATABASE_URL names a database of ${there}.`,
      'Set it as it was, or bring everything over with carrel export and carrel import.',
    )
  }
  if (database.kind !== 'sqlite') return
  const stats = await stat(database.file).catch(() => undefined)
  if ((stats?.size ?? 0) === 0) await requireNew(config, stats === undefined ? 'missing' : 'empty')
}

/** The check runs once the database is open, and before it is changed. */
export const requireOwnDatabase = async (database: Database, config: Config): Promise<void> => {
  if (config.database.kind !== 'sqlite') return
  if ((await schemaVersion(database)) === 0) return requireNew(config, 'empty')
  const marker = await readMarker(config.dataDir)
  const id = marker && (await idOf(database))
  if (!marker || id === undefined || id === marker.id) return
  throw refuse(
    `The database ${config.database.file} is another installation's than the data directory ${config.dataDir}.`,
    'Put its own back (carrel restore), or set CARREL_DATA_DIR to the folder it belongs to.',
  )
}

/** It links the two that do not know of each other yet. */
export const bindDatabase = async (database: Database, config: Config): Promise<void> => {
  const { dataDir } = config
  const { kind } = config.database
  const marker = await readMarker(dataDir)
  try {
    const expectedId = marker?.id ?? randomUUID()
    const id =
      kind === 'postgres' ? expectedId : ((await idOf(database)) ?? (await sharedSecret(database, name, expectedId)))
    if (!marker) await writeMarker(dataDir, { id, database: kind })
  } catch (error) {
    // A full disk, or a damaged database: another start does it.
    if (!cannotBeSaved(error) && (error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

const idOf = async ({ dialect, read }: Database): Promise<string | undefined> =>
  (await dialect.tableExists(read, 'secret')) ? selectSecret(read, name) : undefined

const requireNew = async ({ dataDir, database }: Config, how: 'missing' | 'empty'): Promise<void> => {
  const traces = await usedBefore(dataDir)
  if (traces.length === 0) return
  const file = database.kind === 'sqlite' ? database.file : ''
  const backup = await newestBackup(dataDir)
  throw refuse(
    `The database ${file} is ${how}, but ${dataDir} has been in use (${traces.join(', ')}): nothing is made anew over what was lost.`,
    `Put the file back, or a backup in its place: carrel restore ${backup ?? 'FILE'}. For a new installation take an empty folder.`,
  )
}

const refuse = (what: string, advice: string) => new AppError('unavailable', `${what} ${advice}`)
