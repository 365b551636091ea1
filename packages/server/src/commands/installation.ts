import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Config, ConfigError, readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { copyBeforeMigration } from '../database/copy-before-migration.ts'
import { openDecoders } from '../decoders/pool.ts'
import type { Database } from '../database/database.ts'
import type { FileLock } from '../database/file-lock.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import { sharedSecret } from '../database/secrets.ts'
import { lockDatabase } from '../database/swap-sqlite.ts'
import type { WakeUps } from '../database/wake-ups.ts'
import { openSettings } from '../features/settings/settings.ts'
import { AppError } from '../platform/errors.ts'
import { viewers } from '../features/visibility/visibility.ts'
import { createLog, type Log } from '../platform/log.ts'
import { fullCost, passwordHashing } from '../platform/password-hash.ts'
import { rootGates } from '../platform/root-gate.ts'
import { randomToken } from '../platform/tokens.ts'
import { version } from '../version.ts'

export const configFromSurroundings = (): Config =>
  readConfig({ env: process.env, workingDir: process.cwd(), isTerminal: process.stdout.isTTY ?? false })

export const clock = (): Date => new Date()

/** What the server and the commands beside it have in common: data directory, database, schema. */
export interface Installation {
  readonly config: Config
  readonly log: Log
  readonly database: Database
}

export const openInstallation = async (config: Config, log: Log): Promise<Installation> => {
  process.umask(0o077)
  await makeDataDir(config.dataDir)
  const lock = await lockAgainstRestore(config)
  let isOpen = false
  const opened = await openDatabase(config.database, log, (err) => {
    // What fails sooner is told below, in one line.
    if (!isOpen) return
    log.fatal({ err }, 'The connection that writes has failed; stopping, so that a restart can recover')
    process.exit(1)
  }).catch((error: Error) => {
    lock?.release()
    throw new AppError('unavailable', `The database cannot be opened: ${firstCause(error).message}`, { cause: error })
  })
  isOpen = true
  const database = {
    ...opened,
    close: async () => {
      await opened.close()
      lock?.release()
    },
  }
  try {
    await bringUpToDate(database, config, log)
    return { config, log, database }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** On PostgreSQL a restore sees who is there. */
export const lockAgainstRestore = async ({ database }: Config): Promise<FileLock | undefined> => {
  if (database.kind !== 'sqlite') return undefined
  await mkdir(dirname(database.file), { recursive: true, mode: 0o700 })
  const lock = lockDatabase(database.file, 'shared')
  if (!lock) throw new AppError('unavailable', 'A restore is under way on this database: try again when it is done.')
  return lock
}

/** What the driver said, below what we made of it. */
const firstCause = (error: Error): Error => (error.cause instanceof Error ? firstCause(error.cause) : error)

export const quietLog = (config: Config): Log =>
  createLog({ level: 'warn', format: config.logFormat, write: (line) => process.stderr.write(line) })

const makeDataDir = async (dataDir: string): Promise<void> => {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(
      `CARREL_DATA_DIR is ${JSON.stringify(dataDir)}, which cannot be made (${(error as Error).message})`,
      { cause: error },
    )
  }
}

const bringUpToDate = async (database: Database, config: Config, log: Log): Promise<number> =>
  migrate({
    database,
    log,
    clock,
    keepCopy: async (fromVersion) => {
      if (config.database.kind !== 'sqlite') {
        log.warn('Migrating PostgreSQL: make sure there is a backup, Carrel keeps none of it by itself')
        return
      }
      const directory = join(config.dataDir, 'backups')
      const copy = await copyBeforeMigration({ file: config.database.file, directory, fromVersion, now: clock() })
      log.info({ copy }, 'Kept a copy of the database before migrating it')
    },
  })

const secretFile = 'secret.key'
const secretLengthMin = 32

/**
 * The one secret of an installation: the configured one, else one that is made once and kept, in the data directory or,
 * where several nodes share a database, in that.
 */
const installationSecret = async ({ config, database }: Installation): Promise<string> => {
  if (config.secretKey !== undefined) return config.secretKey
  if (config.database.kind === 'postgres') return sharedSecret(database, 'installation', randomToken())
  const file = join(config.dataDir, secretFile)
  const secret = (await readSecret(file)) ?? (await makeSecret(file))
  if (secret.length < secretLengthMin)
    throw new ConfigError(`${file} is too short to be the secret: remove it to have a new one made`)
  return secret
}

const readSecret = async (file: string): Promise<string | undefined> => {
  try {
    const { mode } = await stat(file)
    if ((mode & 0o077) !== 0) throw new ConfigError(`${file} can be read by others: chmod 600 it`)
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Written whole before it gets its name, so that no crash and no second process ever sees half of it. */
const makeSecret = async (file: string): Promise<string> => {
  const unfinished = `${file}.${randomUUID()}`
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomToken()}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(unfinished)
  }
  return (await readSecret(file)) ?? ''
}

/** For pages and covers that somebody waits for; all others are made by the worker's. */
const decodersOfServer = 2

export const contextOf = async (installation: Installation): Promise<Context> => {
  const { config, log, database } = installation
  return {
    config,
    log,
    db: database,
    clock,
    version,
    secret: await installationSecret(installation),
    settings: await openSettings(database, config.initialSettings),
    passwords: passwordHashing(fullCost),
    viewerOf: viewers(database),
    throughGate: rootGates(log),
    decoders: openDecoders({ log, size: decodersOfServer, niceness: 5 }),
  }
}

/** Undefined where processes reach each other through the database. */
export const sharedWakeUps = ({ config, database }: Installation): WakeUps | undefined =>
  config.database.kind === 'sqlite' ? database.wakeUps : undefined

export const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
