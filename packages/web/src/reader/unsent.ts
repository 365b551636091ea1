import type { ReadingSession } from '@carrel/api'

/** The browser keeps this storage also when it crashes: `localStorage`, or a map instead of it. */
export type Drawer = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/**
 * It is a reading session as stored in the browser. An open one may still grow; the window that has it open writes it
 * again.
 */
export interface StoredSession {
  readonly session: ReadingSession
  readonly isOpen: boolean
  readonly keptAt: number
}

/** What the browser refuses to keep lives as long as the page. */
export const drawerInMemory = (): Drawer => {
  const entries = new Map<string, string>()
  return {
    get length() {
      return entries.size
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}

export const keptMax = 1000
/** A browser limits what it still sends for a page that is left: this many sessions fit. */
export const sentAtOnce = 100
/** A window writes its open session every ten seconds: one that has not for this long is gone. */
export const abandonedAfterMs = 60_000

const prefixOf = (userId: string): string => `carrel.reading-session.${userId}.`

/** One entry for each, so that windows do not write over each other's. Whether there was room. */
export const keep = (drawer: Drawer, userId: string, session: StoredSession): boolean => {
  const key = prefixOf(userId) + session.session.id
  try {
    if (drawer.getItem(key) === null && keysOf(drawer, userId).length >= keptMax) return false
    drawer.setItem(key, JSON.stringify(session))
    return true
  } catch {
    // The browser has no more room.
    return false
  }
}

export const forget = (drawer: Drawer, userId: string, ids: readonly string[]): void => {
  for (const id of ids) drawer.removeItem(prefixOf(userId) + id)
}

/**
 * It returns the sessions that can be sent, the oldest first: those that have ended, and those whose window is gone.
 */
export const waiting = (drawer: Drawer, userId: string, now: number): readonly ReadingSession[] =>
  keysOf(drawer, userId)
    .flatMap((key) => read(drawer, key) ?? [])
    .filter(({ isOpen, keptAt }) => !isOpen || Math.abs(now - keptAt) >= abandonedAfterMs)
    .map(({ session }) => session)
    .toSorted((one, other) => Date.parse(one.clientEndedAt) - Date.parse(other.clientEndedAt))
    .slice(0, sentAtOnce)

const keysOf = (drawer: Drawer, userId: string): string[] => {
  const prefix = prefixOf(userId)
  return Array.from({ length: drawer.length }, (_, index) => drawer.key(index)).filter(
    (key) => key !== null && key.startsWith(prefix),
  ) as string[]
}

/** Stored data that is no session is deleted: nobody will ever be able to send it. */
const read = (drawer: Drawer, key: string): StoredSession | undefined => {
  try {
    const session = JSON.parse(drawer.getItem(key) ?? '') as StoredSession
    if (typeof session.session.id === 'string' && typeof session.session.clientEndedAt === 'string') return session
  } catch {
    // Falls through to be removed.
  }
  drawer.removeItem(key)
  return undefined
}
