import { readdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readEverything, writeEverything } from '../features/backups/backups.ts'
import { storedAtOf } from '../platform/objects/objects.ts'
import { version } from '../version.ts'
import { requireSomethingToCopy } from './backup.ts'
import { type Command, UsageError } from './command.ts'
import { configFromEnvironment } from '../config.ts'
import { clock, lockAgainstRestore, quietLog } from './installation.ts'
import { codes, requireReadable, working } from './restore.ts'

export const exportEverythingCommand: Command = {
  help: `Usage: carrel export everything FOLDER

Writes everything in the database into a folder that is not there yet: what everybody has read, rated and collected, and the
whole catalogue with all that was ever said of it, a file of JSON lines for each kind, with its ids. What is in it is told in
docs/operators/everything.md. The server may run meanwhile. Whoever has the folder can read everything, names and addresses of
people too; passwords and keys are in it only as hashes.

Exit code 0: the folder is there. 1: it could not be made, and nothing has its name. 2: it is there already.`,
  run: async (args) => {
    const folder = resolve(onlyFolder(args))
    const config = configFromEnvironment()
    await requireSomethingToCopy(config.database)
    if (!(await stat(dirname(folder)).catch(() => undefined))?.isDirectory())
      throw new UsageError(`There is no folder ${dirname(folder)} for it: make it first.`)
    if (!(await isFree(folder)))
      throw new UsageError(`${folder} is there already and not empty: name a folder that is not.`)
    const lock = await lockAgainstRestore(config)
    try {
      return await working('Export', folder, async (onProgress) => {
        const options = { address: config.database, ...storedAtOf(config), folder, program: version }
        const { files } = await writeEverything(options, { log: quietLog(config), clock, onProgress })
        const rows = files.reduce((sum, { count }) => sum + count, 0)
        process.stdout.write(`Everything is in ${folder}: ${files.length} files, ${rows} lines.\n`)
      })
    } finally {
      lock?.release()
    }
  },
}

/** Absent, or an empty folder. */
const isFree = async (path: string): Promise<boolean> => {
  const stats = await stat(path).catch(() => undefined)
  return !stats || (stats.isDirectory() && (await readdir(path)).length === 0)
}

export const importFromCarrelCommand: Command = {
  help: `Usage: carrel import-from carrel FOLDER

Fills an empty installation from the folder of carrel export everything, whichever database that came from and this one is.
Everything keeps its id. The server and all workers must be stopped.

${codes}`,
  run: async (args) => {
    const folder = resolve(onlyFolder(args))
    if (!(await stat(folder).catch(() => undefined))?.isDirectory())
      throw new UsageError(`There is no folder ${folder}.`)
    await requireReadable(folder)
    const config = configFromEnvironment()
    return working('Import', folder, async (onProgress) => {
      const options = { folder, address: config.database, ...storedAtOf(config) }
      await readEverything(options, { log: quietLog(config), clock, onProgress })
      process.stdout.write(`Everything in ${folder} is here now.\n`)
    })
  },
}

const onlyFolder = (args: readonly string[]): string => {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} })
  const [name, ...more] = positionals
  if (name === undefined || name === '' || more.length > 0) throw new UsageError('Name one folder.')
  return name
}
