import type { ReadDb } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { randomToken, sha256 } from '../../platform/secrets/tokens.ts'
import type { LiveSession, Rotation, StartedSession } from './session.ts'

interface Unsaved {
  readonly session: LiveSession
  readonly cookieHash: string
  refreshHash: string
}

const lifeMs = 12 * 60 * 60 * 1000
const sessionsMax = 1000

/** Sessions that could not be written to the database are kept beside it, as long as this process lives. */
const unsavedOf = new WeakMap<ReadDb, BoundedMap<Unsaved>>()

/**
 * It serves when nothing can be written: somebody has to come in to read, and an administrator to learn what is wrong.
 * It ends after hours, with the process, and as soon as anything changes about who may do what: from then on sessions
 * are saved.
 */
export const startUnsavedSession = (db: ReadDb, userId: string, now: Date): StartedSession => {
  const id = newId(now.getTime())
  const [cookie, refreshToken] = [randomToken(), randomToken()]
  const session: LiveSession = {
    id,
    userId,
    endsAt: now.getTime() + lifeMs,
    kind: 'own',
    client: null,
    apiKeyId: null,
    isUnsaved: true,
  }
  const all = unsavedOf.get(db) ?? new BoundedMap<Unsaved>(sessionsMax)
  unsavedOf.set(db, all)
  all.set(id, { session, cookieHash: sha256(cookie), refreshHash: sha256(refreshToken) })
  return { sessionId: id, cookie, refreshToken }
}

export const findUnsaved = (db: ReadDb, id: string): LiveSession | undefined => unsavedOf.get(db)?.get(id)?.session

export const findUnsavedByCookie = (db: ReadDb, cookie: string): LiveSession | undefined => {
  const all = unsavedOf.get(db)
  if (!all || all.size === 0) return undefined
  const hash = sha256(cookie)
  return [...all.values()].find(({ cookieHash }) => cookieHash === hash)?.session
}

export const rotateUnsaved = (db: ReadDb, token: string, now: Date): Rotation | undefined => {
  const all = unsavedOf.get(db)
  if (!all || all.size === 0) return undefined
  const hash = sha256(token)
  const unsaved = [...all.values()].find(({ refreshHash }) => refreshHash === hash)
  if (!unsaved || unsaved.session.endsAt <= now.getTime()) return undefined
  const refreshToken = randomToken()
  unsaved.refreshHash = sha256(refreshToken)
  return { sessionId: unsaved.session.id, userId: unsaved.session.userId, refreshToken }
}

/** The result is false when it is none of these. */
export const endUnsaved = (db: ReadDb, userId: string, id: string): boolean => {
  const all = unsavedOf.get(db)
  if (all?.get(id)?.session.userId !== userId) return false
  all.delete(id)
  return true
}

export const endAllUnsaved = (db: ReadDb): void => unsavedOf.get(db)?.clear()
