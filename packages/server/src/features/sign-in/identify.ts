import { hash, randomBytes } from 'node:crypto'
import type { ApiKeyDto } from '@carrel/api'
import type { Caller, Credential, Identify } from '../../http/caller.ts'
import { BoundedMap } from '../../platform/limits.ts'
import { shareInFlight } from '../../platform/share.ts'
import { findKey, looksLikeKey } from '../api-keys/api-keys.ts'
import { findSessionByCookie, findSessionById, type LiveSession } from '../sessions/sessions.ts'
import { effectivePermissions, selectUser, type UserRow } from '../users/users.ts'
import type { AccessTokens } from './access-token.ts'
import { checkDigest } from './check-digest.ts'
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
    const { by } = entry.caller
    if (by.kind !== 'password') lastUsed.note(by.kind, by.id, now)
    return entry.caller
  }

  const findOut = async (digest: string, credential: Credential, network: string): Promise<Caller | undefined> => {
    const startedAt = revision
    const found = await verify(tools, credential, network)
    if (!found) return undefined
    // Something changed while we looked: the answer holds for this request, and is not kept.
    if (revision === startedAt) known.set(digest, found)
    const { by } = found.caller
    if (by.kind !== 'password') lastUsed.note(by.kind, by.id, clock())
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

const textOf = (credential: Credential): string => {
  switch (credential.scheme) {
    case 'basic':
      return JSON.stringify(['basic', credential.username, credential.password])
    case 'digest':
      return JSON.stringify(['digest', credential.username, credential.digest])
    case 'bearer':
    case 'key':
    case 'cookie':
      return `${credential.scheme} ${credential.value}`
  }
}

const verify = async (tools: IdentifyTools, credential: Credential, network: string): Promise<Known | undefined> => {
  const { db, clock, tokens } = tools
  switch (credential.scheme) {
    case 'bearer': {
      if (looksLikeKey(credential.value)) return byKey(tools, credential.value)
      const token = await tokens.verify(credential.value)
      if (!token) return undefined
      const session = await findSessionById(db.read, token.sessionId)
      if (session?.userId !== token.userId) return undefined
      return bySession(tools, session, token.expiresAt)
    }
    case 'key':
      return byKey(tools, credential.value)
    case 'cookie': {
      const session = await findSessionByCookie(db.read, credential.value)
      // The last use is stamped once a minute: to look again each minute keeps the thirty days sliding.
      return session && bySession(tools, session, clock().getTime() + minute)
    }
    case 'basic': {
      if (looksLikeKey(credential.password)) return byKey(tools, credential.password)
      const checked = await checkPassword(tools, credential.username, credential.password, network)
      if (!checked) return undefined
      await db.write((db) => forgetFailures(db, checked.attempt))
      return { caller: callerFrom(checked.user, { kind: 'password' }), until: clock().getTime() + passwordMs }
    }
    case 'digest': {
      const key = await checkDigest(tools, credential, network)
      return key && byGoodKey(tools, key)
    }
  }
}

const bySession = async (
  { db, clock }: IdentifyTools,
  session: LiveSession,
  until: number,
): Promise<Known | undefined> => {
  if (session.endsAt <= clock().getTime()) return undefined
  const user = await selectUser(db.read, session.userId)
  if (!user?.is_active) return undefined
  return { caller: callerFrom(user, { kind: 'session', id: session.id }), until: Math.min(until, session.endsAt) }
}

const byKey = async ({ db, clock }: IdentifyTools, text: string): Promise<Known | undefined> => {
  const key = await findKey(db.read, text, clock())
  return key && byGoodKey({ db }, key)
}

const byGoodKey = async ({ db }: Pick<IdentifyTools, 'db'>, key: ApiKeyDto): Promise<Known | undefined> => {
  const user = await selectUser(db.read, key.userId)
  if (!user?.is_active) return undefined
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
