import type { Database } from '../../database/database.ts'
import type { Log } from '../../platform/log.ts'
import { BoundedMap } from '../../platform/limits.ts'
import { stampKeys } from '../api-keys/api-keys.ts'
import { stampSessions } from '../sessions/sessions.ts'

const stampEveryMs = 60_000
const gatherMs = 1000
const rememberedMax = 50_000

export interface LastUsed {
  note(kind: 'session' | 'key', id: string, now: Date): void
  /** Writes what is still to be written. */
  flush(): Promise<void>
}

/** Stamps sessions and keys with their last use: at most once a minute each, many in one write, and nobody waits for it. */
export const trackLastUsed = (db: Database, log: Log): LastUsed => {
  const stampedAt = new BoundedMap<number>(rememberedMax)
  let pending = { session: new Set<string>(), key: new Set<string>(), at: '' }
  let timer: NodeJS.Timeout | undefined

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const { session, key, at } = pending
    pending = { session: new Set(), key: new Set(), at: '' }
    if (session.size + key.size === 0) return
    try {
      await db.write(async (db) => {
        if (session.size > 0) await stampSessions(db, [...session], at)
        if (key.size > 0) await stampKeys(db, [...key], at)
      })
    } catch (err) {
      log.warn({ err }, 'The last use of some sessions or keys could not be recorded')
    }
  }

  return {
    note: (kind, id, now) => {
      const last = stampedAt.get(id)
      if (last !== undefined && now.getTime() - last < stampEveryMs) return
      stampedAt.set(id, now.getTime())
      pending[kind].add(id)
      pending.at = now.toISOString()
      timer ??= setTimeout(() => void flush(), gatherMs).unref()
    },
    flush,
  }
}
