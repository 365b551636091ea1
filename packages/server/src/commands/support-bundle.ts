import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { describeConfigToStrangers, readConfig } from '../config.ts'
import { makeSupportBundle, writtenBundle } from '../features/support-bundle/support-bundle.ts'
import { AppError } from '../platform/errors.ts'
import { createLog } from '../platform/log.ts'
import { version } from '../version.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { clock } from './installation.ts'

export const supportBundleCommand: Command = {
  help: `Usage: carrel support-bundle [--out FILE] [--log FILE]

Writes what somebody who helps needs to know of this installation into one file of at most 1 MiB, which can be read before it
is sent: version, machine, configuration, what carrel doctor finds, schema, settings, rows of each table, tasks that failed,
sizes in the data folder. There are no passwords, keys and tokens in it, and no names of users, libraries, books, folders or
machines. The server may run meanwhile, or be unable to start; nothing of it is changed.

  --out FILE  the file, which must not be there yet; without it carrel-support-TIME.json in this folder
  --log FILE  take along the last lines of this file, in which the log is kept as JSON: times, levels, numbers, Carrel's own
              words and where an error came from

Exit code 0: the file is there. 1: it could not be written. 78: the configuration is wrong; carrel doctor says how.`,
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: { out: { type: 'string' }, log: { type: 'string' } } })
    if (values.out === '' || values.log === '') throw new UsageError('Name a file.')
    process.umask(0o077)
    const environment = { env: process.env, workingDir: process.cwd(), isTerminal: false }
    const now = clock()
    const bundle = await makeSupportBundle({
      config: readConfig(environment),
      configuration: describeConfigToStrangers(environment),
      log: createLog({ level: 'silent', format: 'json' }),
      now,
      version,
      logFile: values.log,
    })
    const file = resolve(values.out ?? `carrel-support-${now.toISOString().replaceAll(/[:.]/g, '-')}.json`)
    await write(file, writtenBundle(bundle))
    process.stdout.write(`The support bundle is ${file}. Read it before you send it.\n`)
    return exitCodes.done
  },
}

const write = async (file: string, text: string): Promise<void> => {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EEXIST' ? 'it is there already' : message
    throw new AppError('unavailable', `${file} cannot be written: ${why}.`, { cause: error })
  }
}
