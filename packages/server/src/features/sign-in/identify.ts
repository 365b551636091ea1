import { hash, randomBytes } from 'node:crypto'
import type { ApiKeyDto } from '@carrel/api'
import type { Caller, Credential, Identify } from '../../http/caller.ts'
import { BoundedMap } from '../../platform/limits.ts'
import { shareInFlight } from '../../platform/share.ts'
import { findGoodKeys, findKey, looksLikeKey } from '../api-keys/api-keys.ts'
import { findSessionByCookie, findSessionById, type LiveSession } from '../sessions/sessions.ts'
import { effectivePermissions, selectUser, type UserRow } from '../users/users.ts'
import type { AccessTokens } from './access-token.ts'
import { checkPassword, type PasswordTools } from './check-password.ts'
import type { LastUsed } from './last-used.ts'
import { forgetFailures } from './throttle.ts'

interface Known {
  readonly caller: Caller
  readonly until: number
}

const knownMax = 20_000
/** How long a password that was right is not checked again. */
const passwordMs = 5 * 60 * 1000
const minute = 60_000

export interface IdentifyTools extends PasswordTools {
  readonly tokens: AccessTokens
  readonly lastUsed: LastUsed
}

/**
 * Who a credential belongs to. Checking one costs a signature, a hash and some statements; so the answer is kept under
 * a keyed digest of the credential, and all answers are dropped as soon as anything changes about who may do what,
 * in this process or another.
 */
export const identifier = (tools: IdentifyTools): Identify => {
  const { db, clock, lastUsed } = tools
  // Keyed, so that what is kept in memory says nothing about a password to whoever reads it elsewhere.
  const digestKey = randomBytes(32).toString('base64')
  const known = new BoundedMap<Known>(knownMax)
  const share = shareInFlight<Caller | undefined>()
  let revision: number | undefined

  const forgetIfChanged = (current: number): void => {
    if (current !== revision) known.clear()
    revision = current
  }

  const remembered = (digest: string): Caller | undefined => {
    const entry = known.get(digest)
    const now = clock()
    if (!entry || entry.until <= now.getTime()) return undefined
    noteUse(lastUsed, entry.caller, now)
    return entry.caller
  }

  const findOut = async (digest: string, credential: Credential, network: string): Promise<Caller | undefined> => {
    const startedAt = revision
    const found = await verify(tools, credential, network)
    if (!found) return undefined
    // Something changed while we looked: the answer holds for this request, and is not kept.
    if (revision === startedAt) known.set(digest, found)
    noteUse(lastUsed, found.caller, clock())
    return found.caller
  }

  const answer = (credential: Credential, network: string): Caller | Promise<Caller | undefined> => {
    const digest = hash('sha256', `${digestKey} ${textOf(credential)}`, 'base64')
    // A page of covers is asked for at once: whoever says the same at the same time waits for the one who said it first.
    return remembered(digest) ?? share(`${revision} ${network} ${digest}`, () => findOut(digest, credential, network))
  }

  return (credential, { network }) => {
    const revisions = db.revisions()
    if (revisions instanceof Promise) {
      return revisions.then(({ access }) => {
        forgetIfChanged(access)
        return answer(credential, network)
      })
    }
    forgetIfChanged(revisions.access)
    return answer(credential, network)
  }
}

const noteUse = (lastUsed: LastUsed, { by }: Caller, now: Date): void => {
  if (by.kind === 'password') return
  lastUsed.note(by.kind, by.id, now)
  if (by.kind === 'key' && by.sessionId !== undefined) lastUsed.note('session', by.sessionId, now)
}

const textOf = (credential: Credential): string => {
  if ('values' in credential) return JSON.stringify([credential.door, ...credential.values])
  return credential.scheme === 'basic'
    ? JSON.stringify(['basic', credential.username, credential.password])
    : `${credential.scheme} ${credential.value}`
}

const verify = async (tools: IdentifyTools, credential: Credential, network: string): Promise<Known | undefined> => {
  const { db, clock, tokens } = tools
  if ('values' in credential) return byDoorSession(tools, credential.values)
  switch (credential.scheme) {
    case 'bearer': {
      if (looksLikeKey(credential.value)) return byKey(tools, credential.value)
      const token = await tokens.verify(credential.value)
      if (!token) return undefined
      const session = await findSessionById(db.read, token.sessionId)
      if (session?.userId !== token.userId || session.kind !== 'own') return undefined
      return bySession(tools, session, token.expiresAt)
    }
    case 'key':
      return byKey(tools, credential.value)
    case 'cookie': {
      const session = await findSessionByCookie(db.read, credential.value)
      // The last use is stamped once a minute: to look again each minute keeps the thirty days sliding.
      return session?.kind === 'own' ? bySession(tools, session, clock().getTime() + minute) : undefined
    }
    case 'basic': {
      if (looksLikeKey(credential.password)) return byKey(tools, credential.password)
      const checked = await checkPassword(tools, credential.username, credential.password, network)
      if (!checked) return undefined
      await db.write((db) => forgetFailures(db, checked.attempt))
      return { caller: callerFrom(checked.user, { kind: 'password' }), until: clock().getTime() + passwordMs }
    }
  }
}

/** Of what a request carries for the compatibility door, the first that is good. */
const byDoorSession = async (tools: IdentifyTools, values: readonly string[]): Promise<Known | undefined> => {
  const { db, clock } = tools
  for (const value of values) {
    const session = await findSessionByCookie(db.read, value)
    if (!session || session.kind === 'own') continue
    const known = await bySession(tools, session, clock().getTime() + minute)
    if (known) return known
  }
  return undefined
}

const bySession = async (
  { db, clock }: IdentifyTools,
  session: LiveSession,
  until: number,
): Promise<Known | undefined> => {
  if (session.endsAt <= clock().getTime()) return undefined
  const user = await selectUser(db.read, session.userId)
  if (!user?.is_active) return undefined
  const { id, client, apiKeyId } = session
  const ends = Math.min(until, session.endsAt)
  if (apiKeyId === null) return { caller: callerFrom(user, { kind: 'session', id, client }), until: ends }
  const key = (await findGoodKeys(db.read, [apiKeyId], clock())).get(apiKeyId)
  if (!key) return undefined
  const by = { kind: 'key', id: apiKeyId, sessionId: id, client } as const
  const keyEnds = key.expiresAt === null ? ends : Math.min(ends, Date.parse(key.expiresAt))
  return { caller: callerFrom(user, by, key.permissions), until: keyEnds }
}

const byKey = async ({ db, clock }: IdentifyTools, text: string): Promise<Known | undefined> => {
  const key = await findKey(db.read, text, clock())
  const user = key && (await selectUser(db.read, key.userId))
  if (!key || !user?.is_active) return undefined
  const until = key.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.expiresAt)
  return { caller: callerFrom(user, { kind: 'key', id: key.id }, key.permissions), until }
}

const callerFrom = (user: UserRow, by: Caller['by'], limitedTo: ApiKeyDto['permissions'] = null): Caller => {
  const permissions = effectivePermissions(user)
  return {
    userId: user.id,
    username: user.username,
    role: user.role,
    permissions: new Set(limitedTo ? permissions.filter((each) => limitedTo.includes(each)) : permissions),
    by,
  }
}
