import type { Database } from '../../database/database.ts'
import type { Log } from '../../platform/log.ts'
import { cannotBeSaved } from '../../platform/errors.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { updateKeysLastUsed } from '../api-keys/api-keys.ts'
import { updateSessionsLastUsed } from '../sessions/sessions.ts'
import type { SeenAt } from './queries.ts'
import { knowNetworks } from './throttle.ts'

const stampEveryMs = 60_000
const networkEveryMs = 24 * 60 * 60 * 1000
const gatherMs = 1000
const rememberedMax = 50_000

export interface LastUsed {
  note(kind: 'session' | 'key', id: string, now: Date): void
  /** It notes the network from which somebody has signed in. */
  noteNetwork(userId: string, network: string, now: Date): void
  /** It writes what is still to be written. */
  flush(): Promise<void>
}

/**
 * Stamps sessions and keys with their last use, at most once a minute each, and users with the networks they come from, at
 * most once a day: many in one write, and nobody waits for it.
 */
export const trackLastUsed = (db: Database, log: Log): LastUsed => {
  const stampedAt = new BoundedMap<number>(rememberedMax)
  const nothing = () => ({ session: new Set<string>(), key: new Set<string>(), networks: new Map<string, SeenAt>() })
  let pending = nothing()
  let noted = new Date(0)
  let timer: NodeJS.Timeout | undefined

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const { session, key, networks } = pending
    const now = noted
    const at = now.toISOString()
    pending = nothing()
    if (session.size + key.size + networks.size === 0) return
    try {
      await db.write(async (db) => {
        if (session.size > 0) await updateSessionsLastUsed(db, [...session], at)
        if (key.size > 0) await updateKeysLastUsed(db, [...key], at)
        if (networks.size > 0) await knowNetworks(db, [...networks.values()], now)
      })
    } catch (err) {
      // The problem that nothing can be written is reported elsewhere already.
      if (cannotBeSaved(err)) return
      log.warn({ err }, 'The last use of some sessions or keys could not be recorded')
    }
  }

  /** It returns whether the last write is long enough ago. */
  const isDue = (id: string, everyMs: number, now: Date): boolean => {
    const last = stampedAt.get(id)
    if (last !== undefined && now.getTime() - last < everyMs) return false
    stampedAt.set(id, now.getTime())
    noted = now
    timer ??= setTimeout(() => void flush(), gatherMs).unref()
    return true
  }

  return {
    note: (kind, id, now) => {
      if (isDue(id, stampEveryMs, now)) pending[kind].add(id)
    },
    noteNetwork: (userId, network, now) => {
      const key = `${userId} ${network}`
      if (isDue(key, networkEveryMs, now)) pending.networks.set(key, { userId, network })
    },
    flush,
  }
}
