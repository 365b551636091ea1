import { setTimeout as delay } from 'node:timers/promises'
import { isUnderstood, methods, PluginManifest, takeOutMisfits } from '@carrel/plugin-sdk/protocol'
import { isGrave, isTrouble, plainText, PluginFault } from './fault.ts'
import type { Isolation } from './isolation.ts'
import { type CallOptions, openPeer, type Peer } from './peer.ts'
import { type Launch, type Machine, type PluginProcess, startProcess } from './process.ts'
import { gatherRefusals } from './refusals.ts'
import { sizeOfFolder } from './sizes.ts'

/**
 * It holds everything needed to run one: a plugin as the administrator has set it up, for everybody or for one user.
 */
export interface PluginSpec {
  /** Two with different keys are two processes. */
  readonly key: string
  readonly pluginId: string
  /** It is the owner; null when the plugin runs for everybody. Of all users' data it may reach only this user's. */
  readonly userId: string | null
  /** A process with another revision is restarted. */
  readonly revision: string
  /** It was given what is its user's own: that a service refuses that is no fault of the plugin. */
  readonly hasOwnCredentials?: boolean
  readonly launch: () => Promise<Launch>
  readonly initialize: unknown
  /** Null: as many as it likes. */
  readonly requestsPerMinute: number | null
}

export interface Trouble {
  readonly fault: PluginFault
  readonly method: string | null
  readonly lastWords: string
  /** It counts towards being switched off. */
  readonly isGrave: boolean
}

export interface Started {
  readonly manifest: PluginManifest
  readonly isolation: Isolation
}

export interface SupervisionOptions {
  readonly machine: Machine
  readonly timing: SupervisionTiming
  /** The plugin's folder may hold this much. */
  readonly folderBytesMax: number
  readonly answer: (spec: PluginSpec, method: string, params: unknown) => Promise<unknown>
  readonly onTrouble: (spec: PluginSpec, trouble: Trouble) => void
  readonly onStarted: (spec: PluginSpec, started: Started) => void
  /** It wrote a line to its log. */
  readonly onLine: (spec: PluginSpec, line: string) => void
}

export interface SupervisionTiming {
  /** Open requests may take this long to finish before the plugin is told to end. */
  readonly drainMs: number
  readonly initializeMs: number
  readonly pingMs: number
  /** The plugin has this long to end by itself, first when asked and then when signalled. */
  readonly shutdownMs: number
  readonly terminateMs: number
  readonly backOffFirstMs: number
  readonly backOffMaxMs: number
  /** A question waits this long for a plugin that is about to be started again. */
  readonly patienceMs: number
}

export const usualTiming: SupervisionTiming = {
  drainMs: 1500,
  initializeMs: 15_000,
  pingMs: 5000,
  shutdownMs: 3000,
  terminateMs: 1000,
  backOffFirstMs: 500,
  backOffMaxMs: 300_000,
  patienceMs: 5000,
}

const mebibyte = 1024 * 1024

interface Run {
  readonly process: PluginProcess
  readonly folder: string
  readonly peer: Peer
  /** It says why we ended it. */
  fault: PluginFault | undefined
  isEnding: boolean
  probing: boolean
  readonly gone: Promise<void>
}

const asError = (error: unknown): PluginFault =>
  error instanceof PluginFault ? error : new PluginFault('INIT_ERROR', 'It could not be started.', { cause: error })

/** One plugin: started when it is asked, kept, started again when it ends, not too often, and ended in good order. */
export class Supervised {
  readonly spec: PluginSpec
  readonly #options: SupervisionOptions
  readonly #takes: () => number
  #run: Run | undefined
  #starting: Promise<Run> | undefined
  #strikes = 0
  #retryAt = 0
  readonly #pending = new Set<Promise<unknown>>()
  #isStopped = false
  lastUsedAt = performance.now()

  constructor(spec: PluginSpec, options: SupervisionOptions) {
    this.spec = spec
    this.#options = options
    this.#takes = spec.requestsPerMinute === null ? () => 0 : requestsIn(spec.requestsPerMinute)
  }

  get isRunning(): boolean {
    return this.#run !== undefined || this.#starting !== undefined
  }

  get isIdle(): boolean {
    return this.#starting === undefined && (this.#run?.peer.open ?? 0) === 0
  }

  get process(): PluginProcess | undefined {
    return this.#run?.process
  }

  /** Seconds to wait; 0: it may be asked now, and has been counted. */
  readonly takesNow = (): number => this.#takes()

  readonly ask = async (method: string, params: unknown, { deadlineMs, signal }: CallOptions): Promise<unknown> => {
    this.lastUsedAt = performance.now()
    const endsAt = performance.now() + deadlineMs
    const run = await this.#ready(signal)
    try {
      const leftMs = Math.max(1, endsAt - performance.now())
      const result = await this.#count(run.peer.ask(method, params, { deadlineMs: leftMs, signal }))
      this.#requireSound(method, result)
      this.#strikes = 0
      return result
    } catch (error) {
      if (error instanceof PluginFault) this.#consider(run, error, method)
      throw error
    } finally {
      this.lastUsedAt = performance.now()
    }
  }

  /**
   * Parts of an answer that do not fit are left out, and reported; an answer of which nothing is left counts as none.
   */
  #requireSound(method: string, result: unknown): void {
    const shape = methods.get(method)?.result
    const checked = shape && takeOutMisfits(shape, result)
    if (!checked) return
    if (!checked.isUsable) throw misanswered(method, checked.misfit)
    const fault = new PluginFault(
      'PROTOCOL_ERROR',
      plainText(`Left out of its answer to ${method}: ${checked.misfit}.`, 300),
    )
    this.#options.onTrouble(this.spec, { fault, method, lastWords: '', isGrave: false })
  }

  async #count<Result>(call: Promise<Result>): Promise<Result> {
    this.#pending.add(call)
    try {
      return await call
    } finally {
      this.#pending.delete(call)
    }
  }

  /** A look at what it keeps, and a sign of life if it has nothing else to do. */
  readonly check = async (): Promise<void> => {
    const run = this.#run
    if (!run || run.isEnding) return
    const { folderBytesMax } = this.#options
    if ((await sizeOfFolder(run.folder, folderBytesMax)) > folderBytesMax) {
      run.fault ??= new PluginFault('PROCESS_CRASHED', `It keeps more than ${folderBytesMax / mebibyte} MiB of files.`)
      run.process.kill()
    } else if (this.isIdle) await this.#probe(run, 'ping')
  }

  /** The process is first asked to end, then signalled, then killed, with everything that it has started. */
  readonly stop = async (): Promise<void> => {
    this.#isStopped = true
    const run = await (this.#starting ?? Promise.resolve(this.#run)).catch(() => undefined)
    if (run) await this.#end(run)
  }

  /** It ends the process until the plugin is called again. */
  readonly rest = async (): Promise<void> => {
    if (this.#run && this.isIdle) await this.#end(this.#run)
  }

  async #ready(signal: AbortSignal | undefined): Promise<Run> {
    await this.#waitOut(signal)
    if (this.#isStopped) throw new PluginFault('UNAVAILABLE', 'It is being stopped.', { retryAfterSeconds: 5 })
    if (this.#run && !this.#run.isEnding) return this.#run
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  async #waitOut(signal: AbortSignal | undefined): Promise<void> {
    const waitMs = this.#retryAt - performance.now()
    if (waitMs <= 0 || this.#run) return
    if (waitMs > this.#options.timing.patienceMs) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000)
      throw new PluginFault('UNAVAILABLE', `It has crashed and is started again in ${retryAfterSeconds} seconds.`, {
        retryAfterSeconds,
      })
    }
    try {
      await delay(waitMs, undefined, { signal })
    } catch {
      throw new PluginFault('CANCELLED', 'Nobody waits for it any more.')
    }
  }

  async #start(): Promise<Run> {
    const { machine, answer, timing, onStarted, onLine } = this.#options
    const { spec } = this
    await this.#run?.gone
    const launch = await spec.launch().catch((error: unknown) => this.#couldNotStart(asError(error)))
    const refusals = gatherRefusals((fault, lines) => this.#tell(fault, null, lines))
    const told = { onLine: (line: string) => onLine(spec, line), onRefused: refusals.add }
    const process = await startProcess(launch, machine, told).catch((error: unknown) =>
      this.#couldNotStart(asError(error)),
    )
    const peer = openPeer({
      input: process.input,
      output: process.output,
      answer: (method, params) => answer(spec, method, params),
      redact: process.redact,
      onProblem: (fault) => {
        run.fault ??= fault
        process.kill()
      },
    })
    const gone = process.ended.finally(refusals.flush).then((how) => this.#ended(run, how))
    const run: Run = { process, peer, gone, folder: launch.folder, fault: undefined, isEnding: false, probing: false }
    this.#run = run
    try {
      const manifest = await peer.ask('initialize', spec.initialize, { deadlineMs: timing.initializeMs })
      onStarted(spec, { manifest: soundManifest(manifest), isolation: process.isolation })
      process.standBack()
      return run
    } catch (error) {
      run.fault ??= asInitError(asError(error))
      process.kill()
      await gone
      throw run.fault
    }
  }

  #couldNotStart(fault: PluginFault): never {
    this.#strike()
    this.#tell(fault, 'initialize', '')
    throw fault
  }

  #ended(run: Run, how: string): void {
    const { process, peer } = run
    if (this.#run === run) this.#run = undefined
    const crash = new PluginFault('PROCESS_CRASHED', `Its process has ended: ${how}.`)
    const fault = run.isEnding && !run.fault ? new PluginFault('UNAVAILABLE', 'It was stopped.') : (run.fault ??= crash)
    peer.close(fault)
    if (run.isEnding && fault.code === 'UNAVAILABLE') return
    this.#strike()
    this.#tell(fault, null, process.lastWords())
  }

  /** Each in a row makes the pause before the next start twice as long. */
  #strike(): void {
    const { backOffFirstMs, backOffMaxMs } = this.#options.timing
    this.#retryAt = performance.now() + Math.min(backOffFirstMs * 2 ** this.#strikes, backOffMaxMs)
    this.#strikes = Math.min(this.#strikes + 1, 30)
  }

  #tell(fault: PluginFault, method: string | null, lastWords: string): void {
    const isUsersOwn = fault.code === 'AUTH_FAILED' && this.spec.hasOwnCredentials
    this.#options.onTrouble(this.spec, { fault, method, lastWords, isGrave: !isUsersOwn && isGrave(fault.code) })
  }

  /**
   * It decides what follows from an answer that did not come, or was an error. The end of the process is reported where
   * it ends.
   */
  #consider(run: Run, fault: PluginFault, method: string): void {
    if (fault.code === 'TIMEOUT') void this.#probe(run, method, fault)
    else if (fault !== run.fault && run.fault === undefined && !run.isEnding && isTrouble(fault.code))
      this.#tell(fault, method, '')
  }

  /** Slow, or hanging? One that does not even answer this is ended. */
  async #probe(run: Run, method: string, fault?: PluginFault): Promise<void> {
    if (run.probing || run.isEnding || run.fault) return
    run.probing = true
    try {
      await run.peer.ask('ping', undefined, { deadlineMs: this.#options.timing.pingMs })
      if (fault) this.#tell(fault, method, run.process.lastWords())
    } catch (error) {
      if (error instanceof PluginFault && error.code === 'TIMEOUT') {
        run.fault ??= new PluginFault('TIMEOUT', `It hangs: it answered neither ${method} nor ping.`)
        run.process.kill()
      } else if (fault) this.#tell(fault, method, '')
    } finally {
      run.probing = false
    }
  }

  async #end(run: Run): Promise<void> {
    const { timing } = this.#options
    run.isEnding = true
    await within(Promise.allSettled(this.#pending), timing.drainMs)
    const shutdown = run.peer.ask('shutdown', undefined, { deadlineMs: timing.shutdownMs }).catch(() => undefined)
    void shutdown.then(() => run.process.output.end())
    if (await within(run.gone, timing.shutdownMs)) return
    run.process.terminate()
    if (await within(run.gone, timing.terminateMs)) return
    run.process.kill()
    await run.gone
  }
}

const tellsItself: ReadonlySet<string> = new Set(['PROCESS_CRASHED', 'PROTOCOL_ERROR', 'AUTH_FAILED', 'CONFIG_ERROR'])

const asInitError = (fault: PluginFault): PluginFault =>
  tellsItself.has(fault.code) ? fault : new PluginFault('INIT_ERROR', fault.message, { cause: fault })

const soundManifest = (manifest: unknown): PluginManifest => {
  const checked = takeOutMisfits(PluginManifest, manifest)
  if (checked && !checked.isUsable) throw misanswered('initialize', checked.misfit)
  const sound = manifest as PluginManifest
  if (!isUnderstood(sound.protocolVersion))
    throw new PluginFault('INIT_ERROR', `It speaks version ${plainText(sound.protocolVersion, 20)} of the protocol.`)
  return sound
}

const misanswered = (method: string, misfit: string): PluginFault =>
  new PluginFault('PROTOCOL_ERROR', plainText(`Its answer to ${method} is none: ${misfit}.`, 300))

const within = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const stop = new AbortController()
  const late = delay(ms, false, { signal: stop.signal }).catch(() => false)
  const inTime = await Promise.race([work.then(() => true), late])
  stop.abort()
  return inTime
}

/** It returns how many seconds to wait, 0 when there is room now. */
const requestsIn = (perMinute: number): (() => number) => {
  let tokens = perMinute
  let at = performance.now()
  return () => {
    const now = performance.now()
    tokens = Math.min(perMinute, tokens + ((now - at) / 60_000) * perMinute)
    at = now
    if (tokens >= 1) {
      tokens -= 1
      return 0
    }
    return Math.max(1, Math.ceil(((1 - tokens) / perMinute) * 60))
  }
}
