import type { Log } from '../platform/log.ts'
import { PluginFault } from './fault.ts'
import { type SandboxChoice, findMeans, type Means } from './isolation.ts'
import type { CallOptions } from './peer.ts'
import type { Machine } from './process.ts'
import { askNames, type Names } from './reach.ts'
import { watchSizes } from './sizes.ts'
import {
  type PluginSpec,
  Supervised,
  type SupervisionOptions,
  type SupervisionTiming,
  usualTiming,
} from './supervised.ts'

/** It is the outcome of one call. */
export interface CallReport {
  readonly method: string
  readonly durationMs: number
  /** Undefined: with an answer. */
  readonly fault: PluginFault | undefined
  /** It was not asked: it had been asked too often. */
  readonly isRejected: boolean
}

/** It runs plugins, each in a process of its own, and knows nothing of what they are for. */
export interface PluginHost {
  call(spec: PluginSpec, method: string, params: unknown, callOptions: CallOptions): Promise<unknown>
  /** Changed, switched off or removed: what runs of these ends. */
  forget(isMeant: (spec: PluginSpec) => boolean): Promise<void>
  /** It lists all running plugins. */
  readonly running: readonly PluginSpec[]
  close(): Promise<void>
}

export interface HostOptions extends Omit<SupervisionOptions, 'machine' | 'timing' | 'folderBytesMax'> {
  readonly log: Log
  readonly onCall: (spec: PluginSpec, report: CallReport) => void
  readonly timing?: Partial<HostTiming>
  readonly folderBytesMax?: number
  /** Absent: what this machine is found to have. */
  readonly means?: Means
  readonly names?: Names
  readonly sandbox?: SandboxChoice
}

interface HostTiming extends SupervisionTiming {
  readonly checkEveryMs: number
  readonly idleMs: number
  readonly processesMax: number
}

const usual: HostTiming = { ...usualTiming, checkEveryMs: 60_000, idleMs: 10 * 60_000, processesMax: 16 }

const folderBytesMax = 512 * 1024 * 1024

export const openPluginHost = (options: HostOptions): PluginHost => {
  const running = new Host(options)
  return {
    call: running.call,
    forget: running.forget,
    get running() {
      return running.running
    },
    close: running.close,
  }
}

class Host {
  readonly #options: HostOptions
  readonly #timing: HostTiming
  readonly #all = new Map<string, Supervised>()
  readonly #ending = new Set<Promise<void>>()
  readonly #sizes = watchSizes()
  readonly #timer: NodeJS.Timeout
  #machine: Promise<Machine> | undefined
  #isClosed = false

  constructor(options: HostOptions) {
    this.#options = options
    this.#timing = { ...usual, ...options.timing }
    this.#timer = setInterval(() => {
      this.#maintain().catch((err: unknown) => options.log.warn({ err }, 'Plugins could not be looked after'))
    }, this.#timing.checkEveryMs)
  }

  get running(): readonly PluginSpec[] {
    return [...this.#all.values()].filter(({ isRunning }) => isRunning).map(({ spec }) => spec)
  }

  readonly call: PluginHost['call'] = async (spec, method, params, callOptions) => {
    const startedAt = performance.now()
    const report = (fault: PluginFault | undefined): void => {
      const durationMs = performance.now() - startedAt
      this.#options.onCall(spec, { method, durationMs, fault, isRejected: fault instanceof Rejection })
    }
    try {
      const result = await this.#ask(spec, method, params, callOptions)
      report(undefined)
      return result
    } catch (error) {
      const unknown = () => new PluginFault('UNAVAILABLE', 'It could not be asked.', { cause: error })
      const fault = error instanceof PluginFault ? error : unknown()
      report(fault)
      throw fault
    }
  }

  readonly forget: PluginHost['forget'] = async (isMeant) => {
    const gone = [...this.#all.values()].filter(({ spec }) => isMeant(spec))
    for (const { spec } of gone) this.#all.delete(spec.key)
    await Promise.all(gone.map((supervised) => this.#end(supervised)))
  }

  readonly close = async (): Promise<void> => {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const supervised of this.#all.values()) void this.#end(supervised)
    this.#all.clear()
    await Promise.all(this.#ending)
  }

  async #ask(spec: PluginSpec, method: string, params: unknown, callOptions: CallOptions): Promise<unknown> {
    const supervised = await this.#supervised(spec)
    const waitSeconds = supervised.takesNow()
    if (waitSeconds > 0)
      throw new Rejection('RATE_LIMITED', `It may be asked again in ${waitSeconds} seconds.`, {
        retryAfterSeconds: waitSeconds,
      })
    if (!supervised.isRunning) await this.#makeRoom()
    return supervised.ask(method, params, callOptions)
  }

  async #supervised(spec: PluginSpec): Promise<Supervised> {
    this.#machine ??= this.#findMachine()
    const machine = await this.#machine
    if (this.#isClosed) throw new PluginFault('UNAVAILABLE', 'The server is stopping.', { retryAfterSeconds: 5 })
    const supervised = this.#all.get(spec.key)
    if (supervised?.spec.revision === spec.revision) return supervised
    const made = new Supervised(spec, { folderBytesMax, ...this.#options, timing: this.#timing, machine })
    this.#all.set(spec.key, made)
    // They share a folder: one after the other.
    if (supervised) await this.#end(supervised)
    return made
  }

  async #findMachine(): Promise<Machine> {
    const { means = await meansOf(this.#options.sandbox), names = askNames() } = this.#options
    return { means, sizes: this.#sizes, names }
  }

  #end(supervised: Supervised): Promise<void> {
    const stopped = supervised.stop().finally(() => this.#ending.delete(stopped))
    this.#ending.add(stopped)
    return stopped
  }

  /** The one that was asked longest ago makes way. */
  async #makeRoom(): Promise<void> {
    const running = [...this.#all.values()].filter(({ isRunning }) => isRunning)
    if (running.length < this.#timing.processesMax) return
    const [oldest] = running.filter(({ isIdle }) => isIdle).sort((a, b) => a.lastUsedAt - b.lastUsedAt)
    if (!oldest)
      throw new PluginFault('UNAVAILABLE', 'Too many plugins are at work at once.', { retryAfterSeconds: 10 })
    await oldest.rest()
  }

  async #maintain(): Promise<void> {
    for (const supervised of this.#all.values()) {
      if (!supervised.isRunning) continue
      if (performance.now() - supervised.lastUsedAt > this.#timing.idleMs) await supervised.rest()
      else await supervised.check()
    }
  }
}

/** The fault is ours, not the plugin's. */
class Rejection extends PluginFault {}

/** To find out starts six programs, and the machine stays what it is. */
const meansBySandbox = new Map<SandboxChoice | undefined, Promise<Means>>()

const meansOf = (sandbox: SandboxChoice | undefined): Promise<Means> => {
  const means = meansBySandbox.get(sandbox) ?? findMeans(sandbox)
  meansBySandbox.set(sandbox, means)
  return means
}
