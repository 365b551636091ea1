import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, configFromEnvironment } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import {
  backupFolder,
  type MadeBackup,
  makeBackup,
  type MakeBackup,
  removeOldBackups,
} from '../features/backups/backups.ts'
import { openSettings } from '../features/settings/settings.ts'
import { AppError } from '../platform/errors.ts'
import { storedAtOf } from '../platform/objects/objects.ts'
import { version } from '../version.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { clock, lockAgainstRestore, quietLog } from './installation.ts'
import { progressLine } from './progress-line.ts'

export const backupCommand: Command = {
  help: `Usage: carrel backup [--to FILE|FOLDER]

Makes one file of everything that cannot be made again: the database and the covers that somebody chose. The server may
run and libraries may be scanned meanwhile. The file gets its name only after a database has been made from it and
looked through. Without --to it goes into the folder backups of the data directory, where as many are kept as the
setting backup.keep says. The files of the libraries and the secret key are not in it.

Exit code 0: the backup is there. 1: it could not be made, and nothing has its name. 3: the database is of a newer
program.`,
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: { to: { type: 'string' } } })
    const config = configFromEnvironment()
    if (values.to === '') throw new UsageError('--to names a file or a folder.')
    const target = values.to === undefined ? { folder: backupFolder(config.dataDir) } : await targetOf(values.to)
    const made = await make(config, { target, reason: 'manual' })
    if (values.to === undefined) await removeOld(config)
    return told('The backup is', made)
  },
}

export const exportCommand: Command = {
  help: `Usage: carrel export FILE|FOLDER

Writes everything in the database into a file that carrel import reads into an empty installation, on SQLite or on
PostgreSQL: a ZIP with a file of JSON lines for each table. The server may run meanwhile. Like a backup the file gets its
name only after a database has been made from it; in a FOLDER it is called by the time.

Exit code 0: the file is there. 1: it could not be made, and nothing has its name. 3: the database is of a newer program.`,
  run: async (args) => {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} })
    const [name, ...more] = positionals
    if (name === undefined || name === '' || more.length > 0) throw new UsageError('Name one file or folder.')
    const config = configFromEnvironment()
    return told('The export is', await make(config, { target: await targetOf(name), reason: 'export' }))
  },
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false

const targetOf = async (name: string): Promise<MakeBackup['target']> => {
  const path = resolve(name)
  if (name.endsWith('/') || (await isFolder(path))) return { folder: path }
  if (await stat(path).catch(() => undefined))
    throw new UsageError(`${name} is there already: name a file that is not, or a folder.`)
  if (!(await isFolder(dirname(path))))
    throw new UsageError(`There is no folder ${dirname(path)} for it: make it first.`)
  return { file: path }
}

const make = async (config: Config, options: Pick<MakeBackup, 'target' | 'reason'>): Promise<MadeBackup> => {
  process.umask(0o077)
  const line = progressLine(process.stderr)
  const label = options.reason === 'export' ? 'Export' : 'Backup'
  await requireSomethingToCopy(config.database)
  const lock = await lockAgainstRestore(config)
  try {
    return await makeBackup(
      { ...options, address: config.database, ...storedAtOf(config), program: version },
      { log: quietLog(config), clock, onProgress: (progress) => line.show({ label, ...progress }) },
    )
  } finally {
    line.clear()
    lock?.release()
  }
}

/** A call in the wrong folder must not create a data directory there. */
export const requireSomethingToCopy = async (address: Config['database']): Promise<void> => {
  if (address.kind === 'sqlite' && !(await stat(address.file).catch(() => undefined)))
    throw new AppError('not_found', `There is no database ${address.file}: nothing to copy. Is CARREL_DATA_DIR right?`)
}

const told = (what: string, { file, size, rows }: MadeBackup): number => {
  process.stdout.write(`${what} ${file}, ${size} bytes, ${rows} rows; a database was made from it and is sound.\n`)
  return exitCodes.done
}

const removeOld = async (config: Config): Promise<void> => {
  const database = await openDatabase(config.database, quietLog(config), (error) => {
    throw error
  })
  try {
    const settings = await openSettings(database, config.initialSettings)
    await removeOldBackups(backupFolder(config.dataDir), settings.get('backup.keep'))
  } finally {
    await database.close()
  }
}
