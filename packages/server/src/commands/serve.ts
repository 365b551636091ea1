import { parseArgs } from 'node:util'
import { configFromEnvironment } from '../config.ts'
import { endIdleThreads, prepareThread } from '../database/dialects/sqlite/thread.ts'
import type { Command, RunChoice } from './command.ts'

export const serveCommand = (choice: RunChoice): Command => ({
  help: `Usage: carrel serve

Starts the server and stays until it is told to stop (SIGTERM or Ctrl-C). Settings come from environment variables and
from carrel.yaml; carrel config check prints them.`,
  run: async (args) => {
    parseArgs({ args: [...args], options: {} })
    const config = configFromEnvironment()
    if (config.database.kind === 'sqlite') prepareThread()
    // Most of the program is read here, while the thread of the database begins.
    const { runServer } = await import('./run-server.ts')
    return runServer(config, choice).catch(async (error: unknown) => {
      await endIdleThreads()
      throw error
    })
  },
})
