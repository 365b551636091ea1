import type { Log } from '../platform/log.ts'
import { PluginFault } from './fault.ts'
import { findMeans, type Means } from './isolation.ts'
import type { Asking } from './peer.ts'
import { watchSizes } from './sizes.ts'
import {
  type PluginSpec,
  Supervised,
  type SupervisionOptions,
  type SupervisionTiming,
  usualTiming,
} from './supervised.ts'

/** How one question ended. */
export interface CallReport {
  readonly method: string
  readonly durationMs: number
  /** Undefined: with an answer. */
  readonly fault: PluginFault | undefined
  /** It was not asked: it had been asked too often. */
  readonly isRejected: boolean
}

/** Runs plugins, each in a process of its own, and knows nothing of what they are for. */
export interface PluginHost {
  call(spec: PluginSpec, method: string, params: unknown, asking: Asking): Promise<unknown>
  /** Changed, switched off or removed: what runs of these ends. */
  forget(isMeant: (spec: PluginSpec) => boolean): Promise<void>
  /** All that run. */
  readonly running: readonly PluginSpec[]
  close(): Promise<void>
}

export interface HostOptions extends Omit<SupervisionOptions, 'machine' | 'timing'> {
  readonly log: Log
  readonly onCall: (spec: PluginSpec, report: CallReport) => void
  readonly timing?: Partial<HostTiming>
  /** Absent: what this machine is found to have. */
  readonly means?: Means
}

interface HostTiming extends SupervisionTiming {
  readonly checkEveryMs: number
  readonly idleMs: number
  readonly processesMax: number
}

const usual: HostTiming = { ...usualTiming, checkEveryMs: 60_000, idleMs: 10 * 60_000, processesMax: 16 }

export const openPluginHost = (options: HostOptions): PluginHost => {
  const timing = { ...usual, ...options.timing }
  const all = new Map<string, Supervised>()
  const ending = new Set<Promise<void>>()
  const sizes = watchSizes()
  let machine: Promise<SupervisionOptions['machine']> | undefined
  let isClosed = false

  const supervisedOf = async (spec: PluginSpec): Promise<Supervised> => {
    machine ??= (options.means ? Promise.resolve(options.means) : findMeans()).then((means) => ({ means, sizes }))
    const found = all.get(spec.key)
    if (found?.spec.revision === spec.revision) return found
    const made = new Supervised(spec, { ...options, timing, machine: await machine })
    // Another question may have come first meanwhile.
    const other = all.get(spec.key)
    if (other?.spec.revision === spec.revision) return other
    all.set(spec.key, made)
    if (other) await end(other)
    return made
  }

  const end = (supervised: Supervised): Promise<void> => {
    const stopped = supervised.stop().finally(() => ending.delete(stopped))
    ending.add(stopped)
    return stopped
  }

  const makeRoom = async (): Promise<void> => {
    const running = [...all.values()].filter(({ isRunning }) => isRunning)
    if (running.length < timing.processesMax) return
    const [oldest] = running.filter(({ isIdle }) => isIdle).sort((a, b) => a.lastUsedAt - b.lastUsedAt)
    if (!oldest)
      throw new PluginFault('UNAVAILABLE', 'Too many plugins are at work at once.', { retryAfterSeconds: 10 })
    await oldest.rest()
  }

  const ask = async (spec: PluginSpec, method: string, params: unknown, asking: Asking): Promise<unknown> => {
    if (isClosed) throw new PluginFault('UNAVAILABLE', 'The server is stopping.', { retryAfterSeconds: 5 })
    const supervised = await supervisedOf(spec)
    const waitSeconds = supervised.takesNow()
    if (waitSeconds > 0)
      throw new Rejection('RATE_LIMITED', `It may be asked again in ${waitSeconds} seconds.`, {
        retryAfterSeconds: waitSeconds,
      })
    if (!supervised.isRunning) await makeRoom()
    return supervised.ask(method, params, asking)
  }

  const look = async (): Promise<void> => {
    for (const supervised of all.values()) {
      if (!supervised.isRunning) continue
      if (performance.now() - supervised.lastUsedAt > timing.idleMs) await supervised.rest()
      else await supervised.check()
    }
  }
  const timer = setInterval(() => {
    look().catch((err: unknown) => options.log.warn({ err }, 'Plugins could not be looked after'))
  }, timing.checkEveryMs)

  return {
    call: async (spec, method, params, asking) => {
      const startedAt = performance.now()
      const report = (fault: PluginFault | undefined): void =>
        options.onCall(spec, {
          method,
          durationMs: performance.now() - startedAt,
          fault,
          isRejected: fault instanceof Rejection,
        })
      try {
        const result = await ask(spec, method, params, asking)
        report(undefined)
        return result
      } catch (error) {
        const fault =
          error instanceof PluginFault
            ? error
            : new PluginFault('UNAVAILABLE', 'It could not be asked.', { cause: error })
        report(fault)
        throw fault
      }
    },
    forget: async (isMeant) => {
      const gone = [...all.values()].filter(({ spec }) => isMeant(spec))
      for (const { spec } of gone) all.delete(spec.key)
      await Promise.all(gone.map(end))
    },
    get running() {
      return [...all.values()].filter(({ isRunning }) => isRunning).map(({ spec }) => spec)
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      for (const supervised of all.values()) void end(supervised)
      all.clear()
      await Promise.all(ending)
    },
  }
}

/** Ours, not the plugin's. */
class Rejection extends PluginFault {}
