import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { type Topic, topics, type WakeUps } from '../database/wake-ups.ts'
import type { Log } from '../platform/log.ts'
import { endWithUs } from '../platform/processes/end-with-us.ts'

export interface WorkerProcess {
  state(): { readonly isRunning: boolean; readonly silentSince: Date | undefined }
  /** It takes the log level anew, as this process has. */
  hangUp(): void
  /** The worker hands back its tasks; the promise resolves when its process has ended. */
  stop(): Promise<void>
}

interface WorkerProcessOptions {
  readonly log: Log
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

/** The worker as a child of this process: the same program, nicer to others, started again when it ends. */
export const superviseWorker = ({ log, wakeUps }: WorkerProcessOptions): WorkerProcess => {
  let child: ChildProcess | undefined
  let isBeginning = true
  let silences = 0
  let heardAt = new Date()
  const stopping = new AbortController()

  const runOnce = async (): Promise<void> => {
    const started = startWorker()
    child = started
    isBeginning = false
    const link = wakeUps?.join((topic) => send(started, topic))
    silences = 0
    heardAt = new Date()
    started.on('message', (message) => {
      silences = 0
      heardAt = new Date()
      if (isTopic(message)) link?.receive(message)
    })
    const watchdog = setInterval(() => {
      silences += 1
      if (silences <= silencesMax) return
      log.error({ pid: started.pid }, 'The worker does not turn any more; replacing it')
      started.kill('SIGKILL')
    }, signOfLifeMs)
    const end = await endOf(started)
    clearInterval(watchdog)
    link?.leave()
    child = undefined
    if (!stopping.signal.aborted) log.warn({ end }, 'The worker has ended; starting it again')
  }

  const keepRunning = async (): Promise<void> => {
    await pause(beginsAfterMs, stopping.signal)
    let pauseMs = restart.firstMs
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      await runOnce()
      if (performance.now() - startedAt > healthyMs) pauseMs = restart.firstMs
      await pause(pauseMs, stopping.signal)
      pauseMs = Math.min(2 * pauseMs, restart.longestMs)
    }
  }
  const running = keepRunning()

  return {
    state: () => ({
      isRunning: isBeginning || child !== undefined,
      silentSince: silences > silencesTold ? heardAt : undefined,
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

const startWorker = (): ChildProcess => {
  const started = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'worker', `--${childFlag}`], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  endWithUs(started, 'later')
  return started
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined)

const endOf = (started: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    started.once('error', (error) => resolve(error.message))
    started.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
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
