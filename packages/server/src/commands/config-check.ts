import { parseArgs } from 'node:util'
import { describeConfig, readConfig } from '../config.ts'
import { readInitial } from '../features/settings/settings.ts'
import { type Command, exitCodes } from './command.ts'

export const configCheck: Command = {
  help: `Usage: carrel config check

Reads the environment and carrel.yaml as the server would, and prints what is in effect. Exit code 78: something is
wrong, and the line printed says what.`,
  run: async (args) => {
    parseArgs({ args: [...args], options: {} })
    const environment = { env: process.env, workingDir: process.cwd(), isTerminal: false }
    const config = readConfig(environment)
    readInitial(config.initialSettings)
    process.stdout.write(`${describeConfig(environment).join('\n')}\n`)
    for (const warning of config.warnings) process.stderr.write(`${warning}\n`)
    return exitCodes.done
  },
}
