import { parseArgs } from 'node:util'
import { type Config, configFromEnvironment } from '../config.ts'
import { isBeforeBaseline, latestVersion } from '../database/migrate.ts'
import { examineUpgrade, type Finding, type UpgradeExamination } from '../features/doctor/doctor.ts'
import { createLog } from '../platform/log.ts'
import { version } from '../version.ts'
import { type Command, exitCodes } from './command.ts'
import { openInstallation } from './installation.ts'

export const upgradeCommand: Command = {
  help: `Usage: carrel upgrade [--check] [--json]

Looks whether this program can bring the database up: is it reached and sound, of which version is it, which steps would
be taken, is there room for the copy that is kept before them. Then it takes them, as the next start of the server would.

  --check  only look, and change nothing; the program that runs now may go on
  --json   the same for programs: {"ok", "program", "schemaVersion", "latestVersion", "steps", "findings"}

Exit code 0: the database is at the version of this program, or can be brought there. 1: something is in the way, which is
named. 3: the database is of a newer program, or of one from before 0.1.0. 78: the configuration is wrong.`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: { check: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    })
    process.umask(0o077)
    const config = configFromEnvironment()
    const examined = await examineUpgrade(config, createLog({ level: 'silent', format: 'json' }))
    const code = codeOf(examined)
    const isToBeDone = code === exitCodes.done && !values.check && examined.steps.length > 0
    if (isToBeDone) await bringUp(config)
    process.stdout.write(values.json ? `${JSON.stringify(inJson(examined))}\n` : inLines(examined, isToBeDone))
    return code
  },
}

const bringUp = async (config: Config): Promise<void> => {
  const { logLevel: level, logFormat: format } = config
  const log = createLog({ level, format, write: (line) => process.stderr.write(line) })
  const { database } = await openInstallation(config, log)
  await database.close()
}

const codeOf = ({ schemaVersion, findings }: UpgradeExamination): number => {
  if (schemaVersion !== null && (schemaVersion > latestVersion || isBeforeBaseline(schemaVersion)))
    return exitCodes.unknownSchema
  return findings.some(({ status }) => status === 'failed') ? exitCodes.failed : exitCodes.done
}

const inJson = (examined: UpgradeExamination) => ({
  ok: codeOf(examined) === exitCodes.done,
  program: version,
  ...examined,
})

const marks: Readonly<Record<Finding['status'], string>> = { ok: 'ok', warning: 'NOTE', failed: 'WRONG' }

const inLines = (examined: UpgradeExamination, isDone: boolean): string => {
  const { steps, findings } = examined
  const lines = findings.flatMap(({ status, message, advice }) => [
    `${marks[status].padEnd(7)}${message}`,
    ...(advice === undefined ? [] : [`       ${advice}`]),
  ])
  const named = steps.map((step) => `       ${step.version} ${step.name}`)
  const heading = named.length === 0 ? [] : [isDone ? 'Steps taken:' : 'Steps to take:']
  return `${[...lines, ...heading, ...named, verdictOf(examined, isDone)].join('\n')}\n`
}

const verdictOf = (examined: UpgradeExamination, isDone: boolean): string => {
  const { schemaVersion, steps } = examined
  if (codeOf(examined) !== exitCodes.done) return `Carrel ${version} cannot bring this database up: see what is WRONG.`
  if (isDone) return `The database is at version ${latestVersion}.`
  if (schemaVersion === null || schemaVersion === 0)
    return 'There is nothing to bring up: the first start makes the tables.'
  return steps.length === 0
    ? `The database is at version ${latestVersion} already: there is nothing to do.`
    : `Carrel ${version} can bring this database from version ${schemaVersion} to ${latestVersion}.`
}
