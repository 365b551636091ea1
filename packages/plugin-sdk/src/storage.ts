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

/** What a plugin keeps at its host: up to 100 keys of 1 MB, for itself or for the user it runs for. */
export interface Storage {
  /** What is kept there; `undefined` when nothing is. */
  readonly get: (key: string) => Promise<unknown>
  readonly set: (key: string, value: unknown, options?: { readonly expiresAt?: Date }) => Promise<void>
  /** Whether there was something to delete. */
  readonly delete: (key: string) => Promise<boolean>
  readonly keys: () => Promise<readonly StoredKey[]>
  /** How many there were. */
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
