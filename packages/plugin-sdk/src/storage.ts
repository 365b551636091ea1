import type { CallHost } from './calls.ts'
import { PluginError } from './plugin-error.ts'
import {
  type StoredKey,
  limits,
  storageClear,
  storageDelete,
  storageGet,
  storageList,
  storageSet,
} from './protocol/index.ts'

/** A plugin may store up to 100 keys of 1 MB at its host, for itself or for the user it runs for. */
export interface Storage {
  /** It returns the stored value; `undefined` when there is none. */
  readonly get: (key: string) => Promise<unknown>
  readonly set: (key: string, value: unknown, options?: { readonly expiresAt?: Date }) => Promise<void>
  /** It returns whether there was something to delete. */
  readonly delete: (key: string) => Promise<boolean>
  readonly keys: () => Promise<readonly StoredKey[]>
  /** It returns how many there were. */
  readonly clear: () => Promise<number>
}

export const storageOf = (host: CallHost): Storage => ({
  get: async (key) => (await host(storageGet, { key })).data ?? undefined,
  set: async (key, value, { expiresAt } = {}) => {
    const data = value ?? null
    const bytes = Buffer.byteLength(JSON.stringify(data))
    if (bytes > limits.storageValueBytes) {
      throw new PluginError('invalid_params', `"${key}" has ${bytes} bytes; ${limits.storageValueBytes} can be kept.`)
    }
    await host(storageSet, { key, data, ...(expiresAt && { expiresAt: expiresAt.toISOString() }) })
  },
  delete: async (key) => (await host(storageDelete, { key })).deleted,
  keys: async () => (await host(storageList)).keys,
  clear: async () => (await host(storageClear)).deletedCount,
})
