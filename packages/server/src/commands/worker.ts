import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { type Config, configFromEnvironment } from '../config.ts'
import type { Context } from '../context.ts'
import { type Log, createLog } from '../platform/log.ts'
import { type Repeating, repeat } from '../platform/repeat.ts'
import { restWhenQuiet } from '../platform/memory/rest.ts'
import { markRestart } from '../tasks/queries.ts'
import { startTriggers } from '../triggers.ts'
import { lookForWaitingWork } from '../waiting-work.ts'
import { startWork, type Work } from '../work.ts'
import { type Command, exitCodes, type RunChoice } from './command.ts'
import { contextOf, type Installation, openInstallation, sharedWakeUps, stopSignal } from './installation.ts'
import { leave } from './leave.ts'
import { takeLogLevel, takeLogLevelOnHangUp } from './reload.ts'
import { childFlag, hangUpMessage, joinParent } from './worker-process.ts'

const niceness = 10
/** Somewhat longer than tasks get to stop. */
const stopMs = 7500

export const workerCommand = (choice: RunChoice): Command => ({
  help: `Usage: carrel worker

Runs background tasks and stays until it is told to stop (SIGTERM or Ctrl-C). carrel serve starts a worker of its own;
this one is for further machines, with PostgreSQL as the database, and the same settings.`,
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: { [childFlag]: { type: 'boolean', default: false } } })
    const isChild = values[childFlag] && process.send !== undefined
    const config = configFromEnvironment()
    if (isChild && !config.hasNormalPriority) stepBack()
    const log = createLog({ level: config.logLevel, format: config.logFormat }).child({ role: 'worker' })
    takeLogLevelOnHangUp(log)
    if (isChild)
      process.on('message', (message) => {
        if (message === hangUpMessage) takeLogLevel(log)
      })
    if (!isChild) for (const warning of config.warnings) log.warn(warning)
    return runWorker({ config, log, isChild, choice })
  },
})

/** The server goes first. Linux counts threads one by one; those that start later follow the one that starts them. */
const stepBack = (): void => {
  try {
    setPriority(niceness)
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), niceness)
  } catch {
    // It works without, less politely.
  }
}

/** A worker hands back what it can within this time; the next worker finds the rest. */
const aloneMs = 600

interface WorkerRun {
  readonly config: Config
  readonly log: Log
  /** The worker is the child of a server, and ends with it. */
  readonly isChild: boolean
  readonly choice: RunChoice
}

export const runWorker = async (run: WorkerRun): Promise<number> => {
  const installation = await openInstallation(run.config, run.log, { role: 'worker' })
  const code = await workUntilStopped(installation, run).catch(async (error: unknown) => {
    // Its threads and pools would keep the process alive.
    await installation.database.close()
    throw error
  })
  await installation.database.close()
  // A task that does not stop would keep the process alive.
  return leave(code)
}

const workUntilStopped = async (installation: Installation, { isChild, choice }: WorkerRun): Promise<number> => {
  const { database, log, config } = installation
  const context = await contextOf(installation)
  if (!isChild) await database.write(markRestart)
  const stopped = Promise.withResolvers<'told' | 'stuck' | 'idle'>()
  const work = startWork(context, { ...choice, onStuck: () => stopped.resolve('stuck') })
  // The server whose child it is has those of its own, and starts a worker for what they enqueue.
  const beside = isChild
    ? endWhenIdle(context, { work, restAfterMs: choice.restAfterMs, onIdle: () => stopped.resolve('idle') })
    : startTriggers(context, choice)
  restWhenQuiet()
  void stopSignal().then(() => stopped.resolve('told'))
  let isStopping = false
  const onParentGone = (): void => {
    // When a server is told to stop a second time, it is gone before its worker has stopped.
    if (isStopping) leave(exitCodes.failed)
    stopped.resolve('told')
    // Nobody waits for it, and somebody will soon start again.
    setTimeout(() => leave(exitCodes.failed), aloneMs).unref()
  }
  if (isChild) joinParent(sharedWakeUps(installation), onParentGone)
  const about = { version: context.version, concurrency: config.workerConcurrency }
  // The server whose child it is has said that it is ready, which is all that an operator needs to know.
  log[isChild ? 'debug' : 'info'](about, 'The worker is ready')
  const why = await stopped.promise
  isStopping = true
  const level = why === 'idle' ? 'debug' : 'info'
  log[level]({ why }, 'Stopping')
  setTimeout(() => leave(exitCodes.failed), stopMs).unref()
  await Promise.all([beside.stop(), work.stop()]).catch((err: unknown) =>
    log.warn({ err }, 'What was under way could not be handed back'),
  )
  log[level]('Stopped')
  return why === 'stuck' ? exitCodes.failed : exitCodes.done
}

interface IdleOptions {
  readonly work: Pick<Work, 'isIdle'>
  readonly restAfterMs?: number | undefined
  readonly onIdle: () => void
}

/** Longer than somebody takes who does one thing after the other, and short enough that a server an hour later is a small one. */
const usualRestAfterMs = 30_000
const looksWhileIdle = 6

const endWhenIdle = (context: Context, { work, restAfterMs = usualRestAfterMs, onIdle }: IdleOptions): Repeating => {
  const isWorkWaiting = lookForWaitingWork(context)
  let busyAt = performance.now()
  return repeat({
    work: async () => {
      if (!work.isIdle() || (await isWorkWaiting(restAfterMs))) busyAt = performance.now()
      else if (performance.now() - busyAt >= restAfterMs) onIdle()
    },
    everyMs: restAfterMs / looksWhileIdle,
    log: context.log,
    trouble: 'The queue could not be read; trying again',
  })
}
