import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { type Topic, topics, type WakeUps } from '../database/wake-ups.ts'
import type { Database } from '../database/database.ts'
import type { Log } from '../platform/log.ts'
import { repeat } from '../platform/repeat.ts'
import { endWithUs } from '../platform/processes/end-with-us.ts'

export interface WorkerProcess {
  state(): { readonly isRunning: boolean; readonly silentSince: Date | undefined }
  /** It takes the log level anew, as this process has. */
  hangUp(): void
  /** The worker hands back its tasks; the promise resolves when its process has ended. */
  stop(): Promise<void>
}

interface WorkerProcessOptions {
  readonly db: Pick<Database, 'wakeUps'>
  readonly log: Log
  readonly isWorkWaiting: () => Promise<boolean>
  /** Undefined where processes reach each other through the database. */
  readonly wakeUps: WakeUps | undefined
}

/** Its own start asks for as much as that of the server, whose first answers go before it. */
const beginsAfterMs = 200
const restart = { firstMs: 500, longestMs: 30_000 }
/** One that ran this long did not die of what it began with. */
const healthyMs = 60_000
const stopMs = 8000
/** A worker says this often that it turns. */
const signOfLifeMs = 5000
/** After this many missed heartbeats the worker is reported as silent, not much later than it would be missed. */
const silencesTold = 3
/** Heartbeats are counted, not measured in time: a server that was stopped itself has heard nothing either. */
const silencesMax = 12
/** A server that was told SIGHUP tells its worker. */
export const hangUpMessage = 'hang up'
/** A message for anything else would only wake it up. */
const heardByWorkers: readonly Topic[] = ['tasks', 'revisions']
/** It tells a worker that it belongs to a server. */
export const childFlag = 'of-server'

/** How often a server whose worker rests looks for work that nobody has told it of. */
const lookEveryMs = 1000

/**
 * The worker as a child of this process: the same program, nicer to others. It ends by itself where it has had nothing to do for a
 * while, and another is started as soon as there is something; one that ends otherwise is started again.
 */
export const superviseWorker = (options: WorkerProcessOptions): WorkerProcess => {
  const { log, wakeUps } = options
  let child: ChildProcess | undefined
  let heartbeats: Heartbeats | undefined
  /** None is there, and none need be. */
  let isResting = true
  const stopping = new AbortController()

  /** It returns whether the worker has ended because it had nothing to do. */
  const runOnce = async (): Promise<boolean> => {
    const started = startWorker(log)
    if (!started) return false
    child = started
    isResting = false
    heartbeats = watchHeartbeats(started, log)
    const link = wakeUps?.join((topic) => send(started, topic))
    started.on('message', (message) => {
      if (isTopic(message)) link?.receive(message)
    })
    const { end, hasRested } = await endOf(started)
    heartbeats.stop()
    link?.leave()
    child = undefined
    isResting = hasRested
    if (!hasRested && !stopping.signal.aborted) log.warn({ end }, 'The worker has ended; starting it again')
    return hasRested
  }

  const keepRunning = async (): Promise<void> => {
    await pause(beginsAfterMs, stopping.signal)
    let pauseMs = restart.firstMs
    // The first one is started in any case: it makes known which plugins come with this program, and encrypts anew what a former secret has.
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      const hasRested = await runOnce()
      if (hasRested || performance.now() - startedAt > healthyMs) pauseMs = restart.firstMs
      if (hasRested) await untilWorkWaits(options, stopping.signal)
      else {
        await pause(pauseMs, stopping.signal)
        pauseMs = Math.min(2 * pauseMs, restart.longestMs)
      }
    }
  }
  const running = keepRunning()

  return {
    state: () => ({
      isRunning: isResting || child !== undefined,
      silentSince: child && heartbeats?.silentSince(),
    }),
    hangUp: () => {
      // Not the signal, which would end one that has only begun: what is sent waits for it.
      if (child?.connected) child.send(hangUpMessage, () => undefined)
    },
    stop: async () => {
      stopping.abort()
      child?.kill('SIGTERM')
      const timer = setTimeout(() => child?.kill('SIGKILL'), stopMs)
      await running
      clearTimeout(timer)
    },
  }
}

const startWorker = (log: Log): ChildProcess | undefined => {
  try {
    const started = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'worker', `--${childFlag}`], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    endWithUs(started, 'later')
    return started
  } catch (error) {
    // Where there is no memory for it `spawn` throws; whatever else is missing the child tells by an event.
    log.warn({ err: error }, 'The worker could not be started; trying again')
    return undefined
  }
}

interface Heartbeats {
  /** Undefined while it turns. */
  silentSince(): Date | undefined
  stop(): void
}

/** It ends a worker that does not turn any more. */
const watchHeartbeats = (child: ChildProcess, log: Log): Heartbeats => {
  let silences = 0
  let heardAt = new Date()
  child.on('message', () => {
    silences = 0
    heardAt = new Date()
  })
  const watchdog = setInterval(() => {
    silences += 1
    if (silences <= silencesMax) return
    log.error({ pid: child.pid }, 'The worker does not turn any more; replacing it')
    child.kill('SIGKILL')
  }, signOfLifeMs)
  return {
    silentSince: () => (silences > silencesTold ? heardAt : undefined),
    stop: () => clearInterval(watchdog),
  }
}

/** The promise resolves when there is something to do for a worker, or when the server stops. */
const untilWorkWaits = async (
  { db, log, isWorkWaiting }: WorkerProcessOptions,
  stopped: AbortSignal,
): Promise<void> => {
  if (stopped.aborted) return
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  const looking = repeat({
    work: async () => {
      if (await isWorkWaiting()) resolve()
    },
    everyMs: lookEveryMs,
    log,
    trouble: 'The queue could not be read; trying again',
  })
  const stopListening = db.wakeUps.on('tasks', looking.wake)
  const end = (): void => resolve()
  stopped.addEventListener('abort', end)
  await isOver
  stopped.removeEventListener('abort', end)
  stopListening()
  await looking.stop()
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined)

interface WorkerEnd {
  readonly end: string
  /** It had nothing to do, and ended in good order. */
  readonly hasRested: boolean
}

const endOf = (started: ChildProcess): Promise<WorkerEnd> =>
  new Promise((resolve) => {
    started.once('error', (error) => resolve({ end: error.message, hasRested: false }))
    started.once('exit', (code, signal) => resolve({ end: signal ?? `code ${code}`, hasRested: code === 0 }))
  })

const send = (child: ChildProcess, topic: Topic): void => {
  // One that is just ending hears no more; the next looks for itself.
  if (child.connected && heardByWorkers.includes(topic)) child.send(topic, () => undefined)
}

const isTopic = (message: unknown): message is Topic => topics.some((topic) => topic === message)

/** The child's end of it. */
export const joinParent = (wakeUps: WakeUps | undefined, onParentGone: () => void): void => {
  const tell = (message: string): void => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }
  const link = wakeUps?.join(tell)
  process.on('message', (message) => {
    if (isTopic(message)) link?.receive(message)
  })
  process.once('disconnect', onParentGone)
  // It may have gone while this process was starting.
  if (!process.connected) onParentGone()
  setInterval(() => tell('turning'), signOfLifeMs).unref()
}
