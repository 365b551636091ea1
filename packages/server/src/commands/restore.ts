import { access, constants, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { InTheWay, type OnProgress, restore, UnusableArchive, verify } from '../features/backups/backups.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { configFromEnvironment } from '../config.ts'
import { clock, quietLog } from './installation.ts'
import { progressLine } from './progress-line.ts'
import { storedAtOf } from '../platform/objects/objects.ts'

export const codes = `Exit code 0: done. 1: it failed. 3: the file is of a newer program, or of one from before 0.1.0. 6: something is
in the way, which the message names. 7: the file is damaged, or is none of Carrel's. With all but 0 the database is as it
was.`

export const restoreCommand: Command = {
  help: `Usage: carrel restore FILE [--verify-only]

Puts a backup, an export or a copy from before a migration in the place of the database. Every byte is checked and a
database made from it before anything is touched; one of an older program is brought up to this one. The old database is
kept: on SQLite in the folder before-restore-… beside it, on PostgreSQL in a schema of that name. The server and all workers
must be stopped. What people have done since the backup is only in the old database; sessions and keys that were ended
since are good again.

  --verify-only  check the file, which the server may run beside, and change nothing

${codes}`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'verify-only': { type: 'boolean', default: false } },
    })
    const file = await onlyFile(positionals)
    if (values['verify-only']) return verifyHere(file)
    return putBack(file, 'Restore', false)
  },
}

export const importCommand: Command = {
  help: `Usage: carrel import FILE [--replace]

Fills an empty installation from the file of carrel export, whichever database that came from and this one is. The server
and all workers must be stopped.

  --replace  an installation that is in use; its database is kept, as carrel restore does

${codes}`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { replace: { type: 'boolean', default: false } },
    })
    return putBack(await onlyFile(positionals), 'Import', !values.replace)
  },
}

const onlyFile = async (positionals: readonly string[]): Promise<string> => {
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw new UsageError('Name one file.')
  const stats = await stat(name).catch(() => undefined)
  if (!stats?.isFile()) throw new UsageError(`There is no file ${name}.`)
  await requireReadable(name)
  return resolve(name)
}

export const requireReadable = async (path: string): Promise<void> => {
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
  if (!isReadable) throw new UsageError(`${path} may not be read by this account.`)
}

const verifyHere = async (file: string): Promise<number> => {
  const config = configFromEnvironment()
  return working('Check', file, async (onProgress) => {
    await verify(file, config.dataDir, { log: quietLog(config), clock, onProgress })
    process.stdout.write(`${file} is whole: a database was made from it and is sound.\n`)
  })
}

const putBack = async (file: string, label: string, onlyIntoEmpty: boolean): Promise<number> => {
  const config = configFromEnvironment()
  return working(label, file, async (onProgress) => {
    const options = { file, address: config.database, ...storedAtOf(config), onlyIntoEmpty }
    const { aside } = await restore(options, { log: quietLog(config), clock, onProgress })
    process.stdout.write(`${file} is in place.${aside === undefined ? '' : ` The old database is kept: ${aside}.`}\n`)
  })
}

export const working = async (
  label: string,
  file: string,
  work: (onProgress: OnProgress) => Promise<void>,
): Promise<number> => {
  process.umask(0o077)
  const line = progressLine(process.stderr)
  try {
    await work((progress) => line.show({ label, ...progress }))
    return exitCodes.done
  } catch (error) {
    line.clear()
    if (error instanceof InTheWay) return complain(error.message, exitCodes.inTheWay)
    if (error instanceof UnusableArchive) {
      return complain(`${file} cannot be used. ${error.message} Nothing was changed.`, exitCodes.unusableFile)
    }
    throw error
  } finally {
    line.clear()
  }
}

const complain = (message: string, code: number): number => {
  process.stderr.write(`${message}\n`)
  return code
}
