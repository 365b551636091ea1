import { randomUUID } from 'node:crypto'
import { constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { access, link, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import { bindDatabase, requireDatabase, requireOwnDatabase } from './own-database.ts'
import { openDecoders } from '../decoders/pool.ts'
import type { Database } from '../database/database.ts'
import type { FileLock } from '../database/file-lock.ts'
import { lockForServing } from '../database/server-lock.ts'
import { migrate } from '../database/migrate.ts'
import { beginAsCopy } from '../database/dialects/sqlite/begin-as-copy.ts'
import { codeOf, isDamage } from '../database/dialects/sqlite/codes.ts'
import { type DatabaseAddress, openDatabase, openFrozenDatabase } from '../database/open.ts'
import { sharedSecret } from '../database/secrets.ts'
import { lockDatabase } from '../database/swap-sqlite.ts'
import type { WakeUps } from '../database/wake-ups.ts'
import { keepCopyBeforeMigration, newestBackup } from '../features/backups/backups.ts'
import { openSettings } from '../features/settings/settings.ts'
import { emptyBelowBytes, openDiskReserve, roomOn } from '../platform/files/disk-reserve.ts'
import { syncPath } from '../platform/files/durable-files.ts'
import { AppError } from '../platform/errors.ts'
import { withListeners } from '../catalogue/listeners/listeners.ts'
import { listeners } from '../listeners.ts'
import { viewers } from '../features/viewers/viewers.ts'
import { createLog, type Log } from '../platform/log.ts'
import { keepPriority } from '../platform/processes/step-back.ts'
import { fullCost, passwordHashing } from '../platform/secrets/password-hash.ts'
import { rootLimiter } from '../platform/storage/root-limiter.ts'
import { openTelemetry, type Telemetry } from '../platform/telemetry/telemetry.ts'
import { randomToken } from '../platform/secrets/tokens.ts'
import { namedWritesFile } from '../named-writes-file.ts'
import { version } from '../version.ts'

export const clock = (): Date => new Date()

/** The server and the commands beside it share this: data directory, database, schema. */
export interface Installation {
  readonly config: Config
  readonly log: Log
  readonly database: Database
  /** Absent unless a collector was named for what runs here. */
  readonly telemetry?: Telemetry | undefined
}

interface OpenOptions {
  /** There is one server at a time, and on a disk without any room it may open the database for reading alone. */
  readonly serves?: boolean
  /**
   * Servers and workers stay: what runs there is told to a collector, if one was named, and they go by the pooler before the database.
   * What commands do may be longer than a pooler allows. Only servers ask a replica: what a task reads it goes on to change.
   */
  readonly role?: 'server' | 'worker'
}

export const openInstallation = async (
  config: Config,
  log: Log,
  { serves = false, role }: OpenOptions = {},
): Promise<Installation> => {
  process.umask(0o077)
  if (config.hasNormalPriority) keepPriority()
  requireFolder(config.dataDir, 'CARREL_DATA_DIR')
  await requireWritable(config)
  await requireDatabase(config)
  const isFull = await makeRoom(config)
  const release = await takeLocks(config, serves)
  if (serves && config.database.kind === 'sqlite') await beginAsCopy(config.database.file)
  const { collector } = config
  const telemetry = collector && role && openTelemetry({ collector, log, version, role })
  const options = { mayBeFrozen: serves, role, telemetry }
  const opened = await openAny(config, log, options).catch(async (error: Error) => {
    release()
    throw await cannotBeOpened(config, firstCause(error))
  })
  if (isFull)
    opened.degraded.report({
      reason: 'disk_full',
      path: config.dataDir,
      detail: 'It was full when Carrel was started.',
    })
  const database = {
    ...withListeners(opened, listeners),
    close: async () => {
      await opened.close()
      release()
      await telemetry?.close()
    },
  }
  try {
    await requireOwnDatabase(database, config)
    await bringUpToDate(database, config, log)
    await bindDatabase(database, config)
    return { config, log, database, telemetry }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Two of them would each believe to know what the other changes: who may do what, which files are in use. */
const lockAgainstOthers = async ({ database, dataDir }: Config): Promise<FileLock | undefined> => {
  if (database.kind !== 'sqlite') return undefined
  requireFolder(dirname(database.file), 'The folder of the database')
  const lock = await lockForServing(database.file)
  if ('release' in lock) return lock
  throw new AppError(
    'conflict',
    `A server is running on ${database.file} already (${lock.heldBy}): stop that one, or give this one a folder of its own (CARREL_DATA_DIR; here it is ${dataDir}).`,
  )
}

/**
 * The disk reserve is freed first, so that the database can be opened on a full disk. It returns whether the disk is
 * full.
 */
const makeRoom = async ({ dataDir, diskReserveBytes }: Config): Promise<boolean> => {
  if ((await roomOn(dataDir)).free >= emptyBelowBytes) return false
  openDiskReserve(dataDir, diskReserveBytes).release()
  return true
}

interface OpenAnyOptions {
  readonly mayBeFrozen: boolean
  readonly role: OpenOptions['role']
  readonly telemetry: Telemetry | undefined
}

const openAny = async (
  config: Config,
  log: Log,
  { mayBeFrozen, role, telemetry }: OpenAnyOptions,
): Promise<Database> => {
  let isOpen = false
  try {
    const onCrash = (err: Error): void => {
      // Earlier errors are reported in one line.
      if (!isOpen) return
      log.fatal({ err }, 'The connection that writes has failed; stopping, so that a restart can recover')
      process.exit(1)
    }
    const opened = await openDatabase(addressFor(role, config), log, onCrash, {
      namedWritesFile,
      slowStatementMs: config.slowStatementMs,
      noteStatement: telemetry?.noteStatement,
    })
    isOpen = true
    return opened
  } catch (error) {
    const { database } = config
    if (!mayBeFrozen || database.kind !== 'sqlite') throw error
    if ((await roomOn(dirname(database.file))).free >= emptyBelowBytes) throw error
    return await openFrozenDatabase(database.file, log).catch(() => {
      throw error
    })
  }
}

const addressFor = (
  role: OpenOptions['role'],
  { database, databasePoolerUrl: poolerUrl, databaseReplicaUrl: url, databaseReplicaLagMs: lagMs }: Config,
): DatabaseAddress => {
  if (database.kind !== 'postgres' || role === undefined) return database
  return { ...database, poolerUrl, ...(role === 'server' && url !== undefined && { replica: { url, lagMs } }) }
}

const cannotBeOpened = async ({ database, dataDir }: Config, cause: Error): Promise<AppError> => {
  if (database.kind === 'sqlite' && codeOf(cause).startsWith('SQLITE_CANTOPEN'))
    return new AppError(
      'unavailable',
      `The database ${database.file} cannot be opened (${cause.message}). It, and what lies beside it with -wal and -shm at the end, must be files that this account may read and write.`,
      { cause },
    )
  if (database.kind !== 'sqlite' || !isDamage(cause))
    return new AppError('unavailable', `The database cannot be opened: ${cause.message}`, { cause })
  const backup = await newestBackup(dataDir)
  const advice = `Put a backup in its place: carrel restore ${backup ?? 'FILE'}`
  return new AppError(
    'unavailable',
    `The database cannot be opened: ${database.file} is damaged, or is no database of Carrel's (${cause.message}). ${advice}`,
    { cause },
  )
}

/** Only SQLite needs the lock: on PostgreSQL a restore sees who is connected. */
export const lockAgainstRestore = async ({ database }: Config): Promise<FileLock | undefined> => {
  if (database.kind !== 'sqlite') return undefined
  requireFolder(dirname(database.file), 'The folder of the database')
  const lock = lockDatabase(database.file, 'shared')
  if (!lock) throw new AppError('unavailable', 'A restore is under way on this database: try again when it is done.')
  return lock
}

/** It returns what releases them; none is held when one of them cannot be taken. */
const takeLocks = async (config: Config, serves: boolean): Promise<() => void> => {
  const serving = serves ? await lockAgainstOthers(config) : undefined
  try {
    const using = await lockAgainstRestore(config)
    return () => {
      serving?.release()
      using?.release()
    }
  } catch (error) {
    serving?.release()
    throw error
  }
}

/** It returns the driver's own error, below our own ones. */
const firstCause = (error: Error): Error => (error.cause instanceof Error ? firstCause(error.cause) : error)

export const quietLog = (config: Config): Log =>
  createLog({ level: 'warn', format: config.logFormat, write: (line) => process.stderr.write(line) })

/**
 * With those above it. Node's own way to do that never comes to an end where a folder takes no other and says that it is not there, as `/proc`
 * and automounters do.
 */
const makeFolder = (path: string): void => {
  if (!existsSync(dirname(path))) makeFolder(dirname(path))
  try {
    mkdirSync(path, 0o700)
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

const requireFolder = (path: string, what: string): void => {
  try {
    makeFolder(path)
  } catch (error) {
    throw new ConfigError(`${what} is ${JSON.stringify(path)}, which cannot be made (${(error as Error).message})`, {
      cause: error,
    })
  }
}

/** Without this a disk that may only be read would be met by whoever comes first, in words of SQLite. */
const requireWritable = async ({ database, dataDir }: Config): Promise<void> => {
  if (database.kind !== 'sqlite') return
  try {
    await access(dataDir, constants.W_OK)
  } catch (error) {
    throw new ConfigError(
      `CARREL_DATA_DIR is ${JSON.stringify(dataDir)}, where nothing may be written (${(error as Error).message})`,
      { cause: error },
    )
  }
}

const bringUpToDate = async (database: Database, config: Config, log: Log): Promise<number> =>
  migrate({
    database,
    log,
    clock,
    keepCopy: (fromVersion) =>
      keepCopyBeforeMigration({
        config,
        log,
        fromVersion,
        now: clock(),
        program: version,
        size: () => database.dialect.size(database.readSlowly),
      }),
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
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`${file}, the secret of this installation, cannot be read (${(error as Error).message})`, {
      cause: error,
    })
  }
}

/** The file is complete before it gets its name, so that no crash and no second process ever sees half of it. */
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
  // Sessions and what is encrypted are lost with it: after a power cut it must still have its name.
  await syncPath(dirname(file))
  return (await readSecret(file)) ?? ''
}

/** These decoders are for pages and covers that somebody waits for; the worker's decoders do all other work. */
const decodersOfServer = 2

export const contextOf = async (installation: Installation): Promise<Context> => {
  const { config, log, database, telemetry } = installation
  return {
    config,
    log,
    db: database,
    clock,
    version,
    telemetry,
    secret: await installationSecret(installation),
    settings: await openSettings(database, config.initialSettings),
    passwords: passwordHashing(fullCost),
    viewerOf: viewers(database),
    runLimited: rootLimiter(log),
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
