import { ConfigError } from '../config.ts'
import { UnknownSchemaError } from '../database/migrate.ts'
import { AppError } from '../platform/errors.ts'
import { version } from '../version.ts'
import { type Command, exitCodes, type RunChoice, UsageError } from './command.ts'

interface Listed {
  /** The name is what the user types: `user add`. */
  readonly name: string
  readonly summary: string
  /** Each loads what it needs and no more: a worker has no use for a web server. */
  readonly load: (choice: RunChoice) => Promise<Command>
}

const commands: readonly Listed[] = [
  {
    name: 'serve',
    summary: 'Start the server',
    load: async (choice) => (await import('./serve.ts')).serveCommand(choice),
  },
  {
    name: 'worker',
    summary: 'Start a worker without a server',
    load: async (choice) => (await import('./worker.ts')).workerCommand(choice),
  },
  {
    name: 'migrate',
    summary: 'Bring the database up to this program',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'upgrade',
    summary: 'See what the update would do to the database, or do it',
    load: async () => (await import('./upgrade.ts')).upgradeCommand,
  },
  { name: 'user add', summary: 'Create a user', load: async () => (await import('./user.ts')).userAdd },
  {
    name: 'user passwd',
    summary: "Replace a user's password and end their sessions",
    load: async () => (await import('./user.ts')).userPassword,
  },
  {
    name: 'scan',
    summary: 'Look for what has changed in libraries',
    load: async () => (await import('./scan.ts')).scanCommand,
  },
  {
    name: 'backup',
    summary: 'Make a backup, also while the server runs',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Put a backup in the place of the database',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'export everything',
    summary: 'Write all there is into a folder that anybody can read',
    load: async () => (await import('./everything.ts')).exportEverythingCommand,
  },
  {
    name: 'export sidecars',
    summary: 'Write a file for each book and series of what is said of it',
    load: async () => (await import('./sidecars.ts')).exportSidecarsCommand,
  },
  {
    name: 'import-from sidecars',
    summary: 'Say again what such files say',
    load: async () => (await import('./sidecars.ts')).importFromSidecarsCommand,
  },
  {
    name: 'import-from carrel',
    summary: 'Fill an empty installation from such a folder',
    load: async () => (await import('./everything.ts')).importFromCarrelCommand,
  },
  {
    name: 'export',
    summary: 'Write all rows into a file that any database takes',
    load: async () => (await import('./backup.ts')).exportCommand,
  },
  {
    name: 'import',
    summary: 'Fill an empty installation from such a file',
    load: async () => (await import('./restore.ts')).importCommand,
  },
  {
    name: 'import-from',
    summary: 'Take over what another server holds',
    load: async () => (await import('./import-from.ts')).importFromCommand,
  },
  {
    name: 'objects move',
    summary: 'Move covers and exports into the object store, or back',
    load: async () => (await import('./objects.ts')).moveObjectsCommand,
  },
  {
    name: 'config check',
    summary: 'Check the configuration and print it, secrets masked',
    load: async () => (await import('./config-check.ts')).configCheck,
  },
  { name: 'openapi', summary: 'Print the OpenAPI document', load: async () => (await import('./openapi.ts')).openApi },
  {
    name: 'doctor',
    summary: 'Look for what is wrong, and say what to do',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'support-bundle',
    summary: 'Write what somebody who helps needs to know, without secrets',
    load: async () => (await import('./support-bundle.ts')).supportBundleCommand,
  },
]

export const runCommand = async (args: readonly string[], choice: RunChoice = {}): Promise<number> => {
  if (args.includes('--version') || args[0] === '-v') return say(version)
  const asksForHelp = args.some(isHelp) || args[0] === 'help'
  const words = args.filter((word, index) => !isHelp(word) && !(index === 0 && word === 'help'))
  const listed = commands.find(({ name }) => name.split(' ').every((word, index) => words[index] === word))
  if (!listed) return withoutCommand(words, asksForHelp)
  const command = await listed.load(choice)
  if (asksForHelp) return say(command.help)
  try {
    return await command.run(args.slice(listed.name.split(' ').length))
  } catch (error) {
    return report(error, command)
  }
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

/** `user` alone is no command, but the beginning of some. */
const withoutCommand = (words: readonly string[], asksForHelp: boolean): number => {
  if (words.length === 0) return say(overview(commands))
  const begun = commands.filter(({ name }) => name.startsWith(`${words[0]} `))
  const help = overview(begun.length > 0 ? begun : commands, begun.length > 0 ? words[0] : undefined)
  if (begun.length > 0 && words.length === 1 && asksForHelp) return say(help)
  return complain(`There is no command "${words.join(' ')}".\n\n${help}`, exitCodes.usage)
}

/** An error that somebody at a terminal can act on takes one line; anything else is a bug and shows where it is. */
const report = (error: unknown, command: Command): number => {
  if (error instanceof ConfigError) return complain(error.message, exitCodes.badConfig)
  if (error instanceof UnknownSchemaError) return complain(error.message, exitCodes.unknownSchema)
  if (error instanceof UsageError) return complain(`${error.message}\n\n${command.help}`, exitCodes.usage)
  if (error instanceof AppError) return complain(error.message, exitCodes.failed)
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')) {
    return complain(`${error.message}\n\n${command.help}`, exitCodes.usage)
  }
  return complain(error instanceof Error ? (error.stack ?? error.message) : String(error), exitCodes.failed)
}

const overview = (shown: readonly Listed[], begun?: string): string => {
  const width = Math.max(...shown.map(({ name }) => name.length))
  const lines = shown.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const usage = begun === undefined ? 'carrel COMMAND' : `carrel ${begun} COMMAND`
  return `Usage: ${usage} [OPTIONS]\n\n${lines.join('\n')}\n\n  carrel COMMAND --help says more about one; carrel --version names the version.`
}

const say = (text: string): number => {
  process.stdout.write(`${text}\n`)
  return exitCodes.done
}

const complain = (text: string, code: number): number => {
  process.stderr.write(`${text}\n`)
  return code
}
