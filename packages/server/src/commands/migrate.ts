import { parseArgs } from 'node:util'
import { latestVersion } from '../database/migrate.ts'
import { createLog } from '../platform/log.ts'
import { type Command, exitCodes } from './command.ts'
import { configFromEnvironment } from '../config.ts'
import { openInstallation } from './installation.ts'

export const migrateCommand: Command = {
  help: `Usage: carrel migrate

Brings the schema of the database up to this program; the server does the same when it starts. A SQLite database is
copied and the copy checked first. Exit code 3: the database is of a newer program, or of one from before 0.1.0, and
nothing was changed.`,
  run: async (args) => {
    parseArgs({ args: [...args], options: {} })
    const config = configFromEnvironment()
    const log = createLog({
      level: config.logLevel,
      format: config.logFormat,
      write: (line) => process.stderr.write(line),
    })
    const { database } = await openInstallation(config, log)
    await database.close()
    process.stdout.write(`The database is at version ${latestVersion}.\n`)
    return exitCodes.done
  },
}
