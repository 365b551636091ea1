import { setTimeout as pause } from 'node:timers/promises'
import { PluginFault } from '../../plugins/fault.ts'
import type { Plugins } from '../plugins/plugins.ts'
import type { Ask } from './asking.ts'
import type { Provider } from './providers.ts'

/** It is not asked any more for now; what it was not asked about waits for the next time. */
export class PluginIsAway extends Error {
  override readonly name = 'PluginIsAway'
}

const waitUsualSeconds = 5
const waitMaxSeconds = 120
/** In a row. */
const waitsMax = 30

/** Asks as often as the plugin may be asked, and waits where that is too often. */
export const patientAsk = (plugins: Pick<Plugins, 'call'>, { id, displayName }: Provider, signal: AbortSignal): Ask => {
  return async (method, params) => {
    for (let waits = 0; ; waits += 1) {
      try {
        return await plugins.call({ pluginId: id }, method, params, { signal })
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof PluginFault)) throw error
        if (error.code === 'NOT_FOUND' || error.code === 'RPC_ERROR') throw error
        if (error.code !== 'RATE_LIMITED' || waits >= waitsMax)
          throw new PluginIsAway(`${displayName} has no answer (${error.code}): ${error.message}`, { cause: error })
        const seconds = Math.min(error.retryAfterSeconds ?? waitUsualSeconds, waitMaxSeconds)
        await pause(seconds * 1000, undefined, { signal })
      }
    }
  }
}

/** What it does not know, or cannot say, is nothing. */
export const orNothing = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PluginFault) return undefined
    throw error
  }
}
