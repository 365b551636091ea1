import type { ReadingSession } from '@carrel/api'
import { drawerInMemory, forget, keep, type StoredSession, waiting } from '../../../reader/unsent.ts'

const inMemory = drawerInMemory()

/** Storage may be forbidden: then even to name it is refused. */
const stored = (() => {
  try {
    return localStorage
  } catch {
    return inMemory
  }
})()

/** What the browser has no room for is kept until the page goes. */
export const keepSession = (userId: string, session: StoredSession): void => {
  if (!keep(stored, userId, session)) keep(inMemory, userId, session)
}

export const forgetSessions = (userId: string, ids: readonly string[]): void => {
  forget(stored, userId, ids)
  forget(inMemory, userId, ids)
}

export const waitingSessions = (userId: string): readonly ReadingSession[] => {
  const ofStored = waiting(stored, userId, Date.now())
  return ofStored.length > 0 ? ofStored : waiting(inMemory, userId, Date.now())
}
