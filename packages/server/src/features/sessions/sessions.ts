import { createHmac } from 'node:crypto'
import type { SessionDto } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { raiseRevision } from '../../database/revisions.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { deriveKey, randomToken, sha256 } from '../../platform/secrets/tokens.ts'
import {
  deleteRefreshTokensBefore,
  deleteSessionsBefore,
  insertRefreshToken,
  insertSession,
  markRotated,
  selectLastUseOfRank,
  selectLiveIds,
  selectLiveSessions,
  selectRefreshToken,
  selectSessionByCookie,
  selectSessionById,
  selectClientOfKey,
  selectSessionLike,
  type SessionKind,
  updateEnded,
  updateSessionsLastUsed,
  type UsedAfter,
} from './queries.ts'
import type { LiveSession, Rotation, StartedSession } from './session.ts'
import { endUnsaved, findUnsaved, findUnsavedByCookie, rotateUnsaved } from './unsaved.ts'

export type { LiveSession, Rotation, StartedSession } from './session.ts'
export { endAllUnsaved, endUnsaved, startUnsavedSession } from './unsaved.ts'
export { hasSignedInFrom, updateSessionClient, updateSessionsLastUsed } from './queries.ts'

const day = 24 * 60 * 60 * 1000
/** A session ends this long after its last use. */
const sessionLifeMs = 30 * day
/**
 * Sessions of the compatibility door last as its applications expect: a short one, and one with which a device stays
 * signed in.
 */
const lifeMs: Readonly<Record<SessionKind, number>> = {
  own: sessionLifeMs,
  compat: 7 * day,
  compat_remembered: 365 * day,
}
export const rememberedSeconds = lifeMs.compat_remembered / 1000
/** A session that has ended still says from where its user has signed in before; a guesser's tries count for more elsewhere. */
const rememberedMs = 180 * day
/** Parallel tabs of one browser may each send the token that one of them has just used. */
const rotationGraceMs = 10_000
const sessionsMax = 500

/** It describes where somebody signs in from. */
export interface Visitor {
  readonly ip: string
  readonly network: string
  readonly userAgent: string | null
  readonly deviceName: string | null
}

export const startSession = async (
  db: WriteDb,
  userId: string,
  visitor: Visitor,
  now: Date,
): Promise<StartedSession> => {
  const sessionId = newId(now.getTime())
  const cookie = randomToken()
  const refreshToken = randomToken()
  const at = now.toISOString()
  await makeRoom(db, userId, at)
  await insertSession(db, {
    id: sessionId,
    userId,
    cookieHash: sha256(cookie),
    ...visitor,
    at,
    kind: 'own',
    client: null,
    apiKeyId: null,
  })
  await insertRefreshToken(db, sha256(refreshToken), sessionId, at)
  return { sessionId, cookie, refreshToken }
}

/** The oldest go when there are too many. */
const makeRoom = async (db: WriteDb, userId: string, at: string): Promise<void> => {
  const oldestKept = await selectLastUseOfRank(db, userId, sessionsMax - 1)
  if (oldestKept === undefined || !(await updateEnded(db, { userId, usedBefore: oldestKept }, at))) return
  await raiseRevision(db, 'access')
}

export interface DoorVisitor extends Omit<Visitor, 'deviceName'> {
  readonly userId: string
  readonly kind: Exclude<SessionKind, 'own'>
  /** The name of the application, where the door knows it. */
  readonly client: string | null
  /** The session was opened with this key, if with a key. */
  readonly apiKeyId: string | null
  /** The user signs in explicitly: the session is for this application at this place alone. */
  readonly isNew: boolean
}

export interface DoorSession {
  readonly id: string
  readonly token: string
  /** The application is known by this name, stored with the session or with its key. */
  readonly client: string | null
}

/**
 * A session for an application that may not keep what it is given: while it comes from the same place, calls itself the
 * same and signs in with the same, it gets the one that it has. What it is given is derived from the session, so that any
 * node can give it again although only its hash is stored.
 */
export const doorSession = async (
  db: Database,
  secret: string,
  visitor: DoorVisitor,
  now: Date,
): Promise<DoorSession> => {
  const client = visitor.client ?? (await clientOfKey(db.read, visitor.apiKeyId))
  const usedAfter = usedAfterAt(now)[visitor.kind]
  const earlierSession = visitor.isNew ? undefined : await selectSessionLike(db.read, visitor, usedAfter)
  if (earlierSession !== undefined) return { id: earlierSession, token: doorToken(secret, earlierSession), client }
  const id = newId(now.getTime())
  const token = doorToken(secret, id)
  const at = now.toISOString()
  await db.write(async (db) => {
    await makeRoom(db, visitor.userId, at)
    await insertSession(db, { ...visitor, client, id, cookieHash: sha256(token), deviceName: null, at })
  })
  return { id, token, client }
}

/** A key belongs to one application, which does not always say its name. */
const clientOfKey = async (db: ReadDb, apiKeyId: string | null): Promise<string | null> =>
  apiKeyId === null ? null : ((await selectClientOfKey(db, apiKeyId)) ?? null)

const doorToken = (secret: string, sessionId: string): string =>
  createHmac('sha256', deriveKey(secret, 'door-session')).update(sessionId).digest('base64url')

const usedAfterAt = (now: Date): UsedAfter => {
  const before = (kind: SessionKind): string => new Date(now.getTime() - lifeMs[kind]).toISOString()
  return { own: before('own'), compat: before('compat'), compat_remembered: before('compat_remembered') }
}

/**
 * A refresh token is good for one use. Its successor is derived from it, so that the same token sent twice within the
 * grace gets the same answer from any node although only hashes are stored. After the grace it was stolen, from the
 * client or by it: the whole session ends.
 */
export const rotateRefreshToken = async (db: Database, secret: string, token: string, now: Date): Promise<Rotation> => {
  const rotation = rotateUnsaved(db.read, token, now) ?? (await db.write((db) => rotate(db, secret, token, now)))
  if (rotation === undefined) throw new AppError('not_authenticated', 'This refresh token is not valid. Sign in again.')
  return rotation
}

const rotate = async (db: WriteDb, secret: string, token: string, now: Date): Promise<Rotation | undefined> => {
  const at = now.toISOString()
  const tokenHash = sha256(token)
  const first = await markRotated(db, tokenHash, at)
  const storedToken = await selectRefreshToken(db, tokenHash)
  if (!storedToken || storedToken.endedAt !== null || now.getTime() - Date.parse(storedToken.createdAt) > sessionLifeMs)
    return undefined
  const { sessionId, userId, rotatedAt } = storedToken
  if (!first && now.getTime() - Date.parse(rotatedAt ?? at) > rotationGraceMs) {
    await raiseRevision(db, 'access')
    await updateEnded(db, { userId, sessionId }, at)
    return undefined
  }
  const refreshToken = createHmac('sha256', deriveKey(secret, 'refresh-token')).update(token).digest('base64url')
  await insertRefreshToken(db, sha256(refreshToken), sessionId, at)
  await updateSessionsLastUsed(db, [sessionId], at)
  return { sessionId, userId, refreshToken }
}

export const listSessions = async (
  db: ReadDb,
  userId: string,
  currentId: string | undefined,
  now: Date,
): Promise<SessionDto[]> => {
  const sessions = await selectLiveSessions(db, userId, usedAfterAt(now), sessionsMax)
  return sessions.map((session) => ({ ...session, current: session.id === currentId }))
}

/** Anybody may send them: unknown tokens end nothing. */
export const endDoorSessions = (db: Database, tokens: readonly string[], now: Date): Promise<void> =>
  db.write(async (db) => {
    for (const token of tokens) {
      const session = await selectSessionByCookie(db, sha256(token))
      if (!session || session.kind === 'own') continue
      await raiseRevision(db, 'access')
      await updateEnded(db, { userId: session.userId, sessionId: session.id }, now.toISOString())
    }
  })

export const endOwnSession = async (db: Database, userId: string, sessionId: string, now: Date): Promise<undefined> => {
  if (endUnsaved(db.read, userId, sessionId)) return undefined
  return db.write(async (db) => {
    await raiseRevision(db, 'access')
    const ended = await updateEnded(db, { userId, sessionId }, now.toISOString())
    if (!ended) throw notFound('session')
    return undefined
  })
}

/** It ends the session a refresh token belongs to, whoever sends it. An unknown token ends nothing. */
export const endSessionOfToken = (db: Database, token: string, now: Date): Promise<void> =>
  db.write(async (db) => {
    const storedToken = await selectRefreshToken(db, sha256(token))
    if (!storedToken) return
    await raiseRevision(db, 'access')
    await updateEnded(db, { userId: storedToken.userId, sessionId: storedToken.sessionId }, now.toISOString())
  })

/** The call belongs in the transaction that is the reason for it; that transaction raises the revision. */
export const endSessionsOf = async (db: WriteDb, userId: string, now: Date, exceptId?: string): Promise<void> => {
  await updateEnded(db, { userId, exceptId }, now.toISOString())
}

export const findSessionById = async (db: ReadDb, id: string): Promise<LiveSession | undefined> =>
  findUnsaved(db, id) ?? whenAlive(await selectSessionById(db, id))

export const findLiveSessions = async (db: ReadDb, ids: readonly string[], now: Date): Promise<Set<string>> =>
  new Set([
    ...(await selectLiveIds(db, ids, usedAfterAt(now))),
    ...ids.filter((id) => (findUnsaved(db, id)?.endsAt ?? 0) > now.getTime()),
  ])

export const findSessionByCookie = async (db: ReadDb, cookie: string): Promise<LiveSession | undefined> =>
  findUnsavedByCookie(db, cookie) ?? whenAlive(await selectSessionByCookie(db, sha256(cookie)))

const whenAlive = (
  session: (Omit<LiveSession, 'endsAt'> & { readonly lastUsedAt: string }) | undefined,
): LiveSession | undefined => {
  if (!session) return undefined
  const { lastUsedAt, ...rest } = session
  return { ...rest, endsAt: Date.parse(lastUsedAt) + lifeMs[session.kind] }
}

/** A few at a time; answers how many. */
export const removeOldSessions = (db: WriteDb, now: Date, limit: number): Promise<number> =>
  deleteSessionsBefore(
    db,
    {
      usedBefore: new Date(now.getTime() - rememberedMs).toISOString(),
      longUsedBefore: usedAfterAt(now).compat_remembered,
    },
    limit,
  )

/** Tokens nobody can use any more. One that was used once stays as long as it lives: used again it gives a thief away. */
export const removeOldRefreshTokens = (db: WriteDb, now: Date, limit: number): Promise<number> =>
  deleteRefreshTokensBefore(db, new Date(now.getTime() - sessionLifeMs).toISOString(), limit)
