import type { ReadingSession } from '@carrel/api'

/** What the browser keeps for us, also when it falls over: `localStorage`, or a map in its place. */
export type Drawer = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** A sitting as it lies in the drawer. One that is open may still grow; the window that has it open writes it again. */
interface Kept {
  readonly session: ReadingSession
  readonly isOpen: boolean
  readonly keptAt: number
}

export const keptMax = 1000
/** What a browser still sends for a page that is left is limited: this many fit. */
export const sentAtOnce = 100
/** A window writes its open sitting every ten seconds: one that has not for this long is gone. */
export const abandonedAfterMs = 60_000

const prefixOf = (userId: string): string => `carrel.sitting.${userId}.`

/** One entry for each, so that windows do not write over each other's. Whether there was room. */
export const keep = (drawer: Drawer, userId: string, kept: Kept): boolean => {
  const key = prefixOf(userId) + kept.session.id
  try {
    if (drawer.getItem(key) === null && keysOf(drawer, userId).length >= keptMax) return false
    drawer.setItem(key, JSON.stringify(kept))
    return true
  } catch {
    // The browser has no more room, or keeps nothing at all: then it is sent, and only lost when that fails as well.
    return false
  }
}

export const forget = (drawer: Drawer, userId: string, ids: readonly string[]): void => {
  for (const id of ids) drawer.removeItem(prefixOf(userId) + id)
}

/** What can be sent, the oldest first: sittings that have ended, and those whose window is gone. */
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

/** Whatever is no sitting is thrown away: nobody will ever be able to send it. */
const read = (drawer: Drawer, key: string): Kept | undefined => {
  try {
    const kept = JSON.parse(drawer.getItem(key) ?? '') as Kept
    if (typeof kept.session.id === 'string' && typeof kept.session.clientEndedAt === 'string') return kept
  } catch {
    // Falls through to be removed.
  }
  drawer.removeItem(key)
  return undefined
}
