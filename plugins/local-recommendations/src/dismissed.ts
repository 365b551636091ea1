import { PluginError, type Storage } from '@carrel/plugin-sdk'

const key = 'dismissed'
/** With an id of 36 characters each, the list stays well below the size limit of one stored value. */
const dismissedMax = 5_000

type Dismissed = Readonly<Record<string, string>>

/** It reads what was dismissed before, and why. A host without storage for plugins uses `excludeIds` instead. */
export const readDismissed = async (storage: Storage): Promise<Dismissed> => {
  try {
    const stored = await storage.get(key)
    return typeof stored === 'object' && stored !== null ? (stored as Dismissed) : {}
  } catch (error) {
    if (error instanceof PluginError && error.code === 'method_not_found') return {}
    throw error
  }
}

export const dismiss = async (storage: Storage, id: string, reason: string): Promise<void> => {
  const { [id]: _, ...before } = await readDismissed(storage)
  const latest = Object.entries(before).slice(-(dismissedMax - 1))
  await storage.set(key, { ...Object.fromEntries(latest), [id]: reason })
}

export const forgetDismissed = (storage: Storage): Promise<boolean> => storage.delete(key)
