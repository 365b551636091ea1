import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import type { Decoders } from '../decoders/pool.ts'
import { checkAtStart } from '../features/health/check-database.ts'
import { watchDisk } from '../features/health/watch-disk.ts'
import { readInitial } from '../features/settings/settings.ts'
import { createConfiguredAdmin, publishSetupToken } from '../features/setup/setup.ts'
import { isCommonPassword } from '../features/users/common-passwords.ts'
import { findWebApp } from '../http/web-app/web-app.ts'
import { cannotBeSaved } from '../platform/errors.ts'
import { isOnAnotherMachine } from '../platform/files/remote.ts'
import { createLog, type Log } from '../platform/log.ts'
import { restWhenQuiet } from '../platform/memory/rest.ts'
import { markRestart } from '../tasks/queries.ts'
import type { Triggers } from '../triggers.ts'
import { version } from '../version.ts'
import { lookForWaitingWork } from '../waiting-work.ts'
import { exitCodes, type RunChoice } from './command.ts'
import { clock, contextOf, type Installation, openInstallation, sharedWakeUps, stopSignal } from './installation.ts'
import { isHeldUp, leave } from './leave.ts'
import { onHangUp, takeLogLevelOnHangUp } from './reload.ts'
import { superviseWorker, type WorkerProcess } from './worker-process.ts'

/** What is under way has so long to come to its end. */
const requestsMs = 7000
/** It is somewhat longer than that, and than the worker gets to stop. */
const stopMs = 9000

/** The server runs until it is told to stop. */
export const runServer = async (config: Config, choice: RunChoice): Promise<number> => {
  const log = createLog({ level: config.logLevel, format: config.logFormat })
  for (const warning of config.warnings) log.warn(warning)
  takeLogLevelOnHangUp(log)
  refuseImpossible(config)
  if (!config.roles.includes('api'))
    return (await import('./worker.ts')).runWorker({ config, log, isChild: false, choice })
  const installation = await openInstallation(config, log, { serves: true, role: 'server' })
  await warnOfRemoteDatabase(config, log)
  const running = await start(installation, choice).catch(async (error: unknown) => {
    // Its threads and pools would keep the process alive.
    await installation.database.close()
    throw error
  })
  const why = await running.stopped
  await stop(running, installation)
  if (why === 'room for the database') startAnew()
  if (isHeldUp()) leave(exitCodes.done)
  return exitCodes.done
}

const warnOfRemoteDatabase = async ({ database }: Config, log: Log): Promise<void> => {
  if (database.kind === 'sqlite' && (await isOnAnotherMachine(dirname(database.file))))
    log.warn(
      { file: database.file },
      'The database lies on another machine, where SQLite may be damaged: put CARREL_DATA_DIR on a disk of this one, or use PostgreSQL',
    )
}

interface Running {
  readonly app: FastifyInstance
  readonly worker: WorkerProcess | undefined
  readonly decoders: Decoders
  /** The promise settles with the reason when the server is to stop. */
  readonly stopped: Promise<'told' | 'room for the database'>
  /** It ends the watchers, before the database is closed. */
  readonly stopWatching: () => Promise<void>
  /** From then on the server says that it is not ready. */
  readonly beginDraining: () => void
}

const start = async (installation: Installation, choice: RunChoice): Promise<Running> => {
  const { config, log, database } = installation
  // It begins when the server listens; whoever asks before hears that it is not there.
  let worker: WorkerProcess | undefined
  const hasWorker = config.roles.includes('worker') && !database.isFrozen
  const state = () => worker?.state() ?? { isRunning: false, silentSince: undefined }
  const webApp = findWebApp(config.basePath)
  const draining = new AbortController()
  const context = {
    ...(await contextOf(installation)),
    webApp,
    draining: draining.signal,
    ...(hasWorker && { worker: state }),
  }
  await prepareAdmin(context)
  const setupToken = await publishSetupToken(context.db, context.secret, context.config.dataDir)
  await database.write(markRestart).catch(unlessItCannotBeSaved)
  const app = await buildApp(context)
  await listen(app, context.config).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  if (hasWorker)
    worker = superviseWorker({
      db: context.db,
      log,
      wakeUps: sharedWakeUps(installation),
      isWorkWaiting: lookForWaitingWork(context),
    })
  const triggers = hasWorker ? startTriggersLater(context, choice) : undefined
  // Whoever reads that it is ready may tell it to stop at that very moment.
  const { promise: stopped, resolve } = Promise.withResolvers<'told' | 'room for the database'>()
  void stopSignal().then(() => resolve('told'))
  onHangUp(() => worker?.hangUp())
  announce(app, context, setupToken)
  const stopCheck = checkAtStart(context)
  const disk = watchDisk({ ...context, onRoomForDatabase: () => resolve('room for the database') })
  restWhenQuiet()
  const stopWatching = async (): Promise<void> => {
    await Promise.all([stopCheck(), disk.stop(), triggers?.stop()])
  }
  return { app, worker, decoders: context.decoders, stopped, stopWatching, beginDraining: () => draining.abort() }
}

/** It is longer than until the first answers and the start of the worker. */
const triggersBeginAfterMs = 1000

/** What they consist of is read when they begin: no start waits for it. */
const startTriggersLater = (context: Context, choice: RunChoice): Triggers => {
  const stopping = new AbortController()
  const begin = async (): Promise<Triggers | undefined> => {
    await delay(triggersBeginAfterMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    if (stopping.signal.aborted) return undefined
    const triggers = (await import('../triggers.ts')).startTriggers(context, choice)
    context.log.debug('Schedules and folders are followed')
    return triggers
  }
  const begun = begin()
  return {
    stop: async () => {
      stopping.abort()
      await (await begun)?.stop()
    },
  }
}

/** The server starts on a full disk and over a damaged database too, so that it can at least be read. */
const unlessItCannotBeSaved = (error: unknown): void => {
  if (!cannotBeSaved(error)) throw error
}

/** The same program in the place of this one: with the room there is by now it opens the database as usual. */
const startAnew = (): void => {
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env)
}

/** The check runs before anything is opened: with a wrong value the database must not be migrated. */
const refuseImpossible = ({ adminUsername, adminPassword, initialSettings }: Config): void => {
  readInitial(initialSettings)
  if (adminUsername !== undefined && adminPassword !== undefined && isCommonPassword(adminPassword, adminUsername)) {
    throw new ConfigError('CARREL_ADMIN_PASSWORD is one of the commonest passwords: choose one that is harder to guess')
  }
}

const prepareAdmin = async ({ config, db, passwords, log }: Context): Promise<void> => {
  const { adminUsername, adminPassword } = config
  if (adminUsername === undefined || adminPassword === undefined) return
  const created = await createConfiguredAdmin({ db, passwords, clock }, adminUsername, adminPassword)
  if (created) log.info({ username: adminUsername }, 'Created the first administrator')
  else log.info('There are users already: CARREL_ADMIN_USERNAME and CARREL_ADMIN_PASSWORD are ignored')
}

const listen = async (app: FastifyInstance, { host, port }: Config): Promise<void> => {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} is taken by another program: stop that one or set CARREL_PORT`,
      EACCES: `Port ${port} needs more rights than this account has: set CARREL_PORT to 1024 or more`,
      EADDRNOTAVAIL: `This machine does not have the address ${host}: set CARREL_HOST`,
      ENOTFOUND: `There is no host ${host}: set CARREL_HOST`,
    }
    throw code !== undefined && reasons[code] ? new ConfigError(reasons[code], { cause: error }) : error
  }
}

const announce = (app: FastifyInstance, { config, log }: Context, setupToken: string | undefined): void => {
  const { address, port, family } = app.server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  const url = config.publicUrl?.href.replace(/\/$/, '') ?? `http://${host}:${port}${config.basePath}`
  const database = config.database.kind === 'sqlite' ? `SQLite, ${config.database.file}` : 'PostgreSQL'
  if (config.logFormat === 'json') {
    log.info({ version, url, database }, 'Carrel is ready')
    if (setupToken !== undefined)
      log.info({ setupToken }, 'Nobody has an account yet: create the first with this setup token')
    return
  }
  const lines = [
    '',
    `  Carrel ${version} is ready`,
    '',
    `  Address    ${url}`,
    ...(config.docsEnabled ? [`  Reference  ${url}/api/docs`] : []),
    `  Database   ${database}`,
    ...(setupToken === undefined ? [] : setupHint(url, setupToken)),
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const setupHint = (url: string, token: string): string[] => [
  '',
  '  Nobody has an account yet. Create the first one in a browser, at',
  `             ${url}`,
  '  or here, in another terminal:',
  '             npx carrel user add NAME --role admin',
  '  or from anywhere with POST /api/v1/setup. That, and the page seen from elsewhere, ask for the setup token',
  `             ${token}`,
]

/**
 * The server first reports that it is not ready, for as long as a balancer may take to notice, then takes no new connections, gives
 * running requests a while, and ends. A second signal ends it at once.
 */
const stop = async (
  { app, worker, decoders, stopWatching, beginDraining }: Running,
  { config: { drainSeconds }, database, log }: Installation,
): Promise<void> => {
  // Whoever reads that it stops may tell it a second time at once.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => leave(exitCodes.failed))
  log.info('Stopping')
  const workerStopped = worker?.stop()
  beginDraining()
  if (drainSeconds > 0) await delay(drainSeconds * 1000)
  // A database that does not answer would be waited for much longer.
  setTimeout(() => {
    log.warn('Something does not come to its end; ending without it')
    leave(exitCodes.failed)
  }, stopMs).unref()
  const overdue = new AbortController()
  void delay(requestsMs, undefined, { signal: overdue.signal, ref: false }).then(
    () => app.server.closeAllConnections(),
    () => undefined,
  )
  await Promise.all([app.close(), workerStopped, stopWatching()])
  await decoders.close()
  overdue.abort()
  await database.close()
  log.info('Stopped')
}
