import { hash, randomBytes } from 'node:crypto'
import type { ApiKeyDto } from '@carrel/api'
import type { Caller, Credential, Identify } from '../../http/caller.ts'
import { cannotBeSaved } from '../../platform/errors.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { shareInFlight } from '../../platform/share.ts'
import { findGoodKeys, findKey, hasApiKeyForm } from '../api-keys/api-keys.ts'
import { endAllUnsaved, findSessionByCookie, findSessionById, type LiveSession } from '../sessions/sessions.ts'
import type { SignInRecorder } from '../sign-in-activity/sign-in-activity.ts'
import { effectivePermissions, selectUser, type UserRow } from '../users/users.ts'
import type { AccessTokens } from './access-token.ts'
import { checkDigest } from './check-digest.ts'
import { checkPassword, type PasswordContext } from './check-password.ts'
import type { LastUsed } from './last-used.ts'
import { noteFailure, noteRefusal, noteUseOf } from './note-activity.ts'
import { forgetFailures, knowNetworks, type Try } from './throttle.ts'

interface CachedCaller {
  readonly caller: Caller
  readonly until: number
}

const knownMax = 20_000
/** A password that was right is not checked again for this long. */
const passwordMs = 5 * 60 * 1000
const minute = 60_000

export interface IdentifyContext extends PasswordContext {
  readonly tokens: AccessTokens
  readonly lastUsed: LastUsed
  readonly activity: SignInRecorder
}

/**
 * It finds the owner of a credential. Checking one costs a signature, a hash and some statements; so the answer is
 * cached under a keyed digest of the credential, and all answers are dropped as soon as anything changes about who may
 * do what, in this process or another.
 */
export const identifier = (context: IdentifyContext): Identify => {
  const { db, clock, lastUsed, activity } = context
  // Keyed, so that what is kept in memory says nothing about a password to whoever reads it elsewhere.
  const digestKey = randomBytes(32).toString('base64')
  const callers = new BoundedMap<CachedCaller>(knownMax)
  const share = shareInFlight<Caller | undefined>()
  let revision: number | undefined

  const forgetIfChanged = (current: number): void => {
    if (current !== revision) callers.clear()
    if (revision !== undefined && current !== revision) endAllUnsaved(db.read)
    revision = current
  }

  const remembered = (digest: string, network: string): Caller | undefined => {
    const entry = callers.get(digest)
    const now = clock()
    if (!entry || entry.until <= now.getTime()) return undefined
    noteUse(lastUsed, entry.caller, network, now)
    return entry.caller
  }

  const findOut = async (digest: string, credential: Credential, network: string): Promise<Caller | undefined> => {
    const startedAt = revision
    const verified = await verify(context, credential, network)
    if (!verified) return undefined
    // Something changed during the check: the answer holds for this request, and is not cached.
    if (revision === startedAt) callers.set(digest, verified)
    noteUse(lastUsed, verified.caller, network, clock())
    return verified.caller
  }

  const answer = (credential: Credential, network: string): Caller | Promise<Caller | undefined> => {
    const digest = hash('sha256', `${digestKey} ${textOf(credential)}`, 'base64')
    // A page of covers is asked for at once: whoever says the same at the same time waits for the one who said it first.
    return (
      remembered(digest, network) ??
      share(`${revision} ${network} ${digest}`, () => findOut(digest, credential, network))
    )
  }

  const ask = (credential: Credential, network: string) => {
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

  return (credential, from) => {
    const noted = (caller: Caller | undefined): Caller | undefined => {
      if (caller) noteUseOf(activity, caller, from)
      else noteFailure(activity, credential, from)
      return caller
    }
    const refused = (error: unknown): never => {
      noteRefusal(activity, credential, from, error)
      throw error
    }
    const answered = ask(credential, from.network)
    if (answered instanceof Promise) return answered.then(noted, refused)
    noteUseOf(activity, answered, from)
    return answered
  }
}

const noteUse = (lastUsed: LastUsed, { userId, by }: Caller, network: string, now: Date): void => {
  lastUsed.noteNetwork(userId, network, now)
  if (by.kind === 'password') return
  lastUsed.note(by.kind, by.id, now)
  if (by.kind === 'key' && by.sessionId !== undefined) lastUsed.note('session', by.sessionId, now)
}

const textOf = (credential: Credential): string => {
  if ('values' in credential) return JSON.stringify([credential.door, ...credential.values])
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

const verify = async (
  context: IdentifyContext,
  credential: Credential,
  network: string,
): Promise<CachedCaller | undefined> => {
  const { db, clock, tokens } = context
  if ('values' in credential) return byDoorSession(context, credential.values)
  switch (credential.scheme) {
    case 'bearer': {
      if (hasApiKeyForm(credential.value)) return byKey(context, credential.value)
      const token = await tokens.verify(credential.value)
      if (!token) return undefined
      const session = await findSessionById(db.read, token.sessionId)
      if (session?.userId !== token.userId || session.kind !== 'own') return undefined
      return bySession(context, session, token.expiresAt)
    }
    case 'key':
      return byKey(context, credential.value)
    case 'cookie': {
      const session = await findSessionByCookie(db.read, credential.value)
      // The last use is stamped once a minute: to look again each minute keeps the thirty days sliding.
      return session?.kind === 'own' ? bySession(context, session, clock().getTime() + minute) : undefined
    }
    case 'basic': {
      if (hasApiKeyForm(credential.password)) return byKey(context, credential.password)
      const checked = await checkPassword(context, credential.username, credential.password, network)
      if (!checked) return undefined
      await admit(context, checked.attempt, checked.user.id)
      return { caller: callerFrom(checked.user, { kind: 'password' }), until: clock().getTime() + passwordMs }
    }
    case 'digest': {
      const checked = await checkDigest(context, credential, network)
      if (!checked) return undefined
      await admit(context, checked.attempt, checked.key.userId)
      return byGoodKey(context, checked.key)
    }
  }
}

/**
 * The rule is that of signing in: whoever knows the password is not guessing, and their network becomes known (AUTH-5).
 * Nobody is turned away because that cannot be written.
 */
const admit = ({ db, clock }: Pick<IdentifyContext, 'db' | 'clock'>, attempt: Try, userId: string): Promise<void> =>
  db
    .write(async (db) => {
      await forgetFailures(db, attempt)
      await knowNetworks(db, [{ userId, network: attempt.network }], clock())
    })
    .catch((error: unknown) => {
      if (!cannotBeSaved(error)) throw error
    })

/** A request may carry several values for the compatibility door; the first valid one counts. */
const byDoorSession = async (
  context: IdentifyContext,
  values: readonly string[],
): Promise<CachedCaller | undefined> => {
  const { db, clock } = context
  for (const value of values) {
    const session = await findSessionByCookie(db.read, value)
    if (!session || session.kind === 'own') continue
    const caller = await bySession(context, session, clock().getTime() + minute)
    if (caller) return caller
  }
  return undefined
}

const bySession = async (
  { db, clock }: IdentifyContext,
  session: LiveSession,
  until: number,
): Promise<CachedCaller | undefined> => {
  if (session.endsAt <= clock().getTime()) return undefined
  const user = await selectUser(db.read, session.userId)
  if (!user?.is_active) return undefined
  const { id, client, apiKeyId } = session
  const ends = session.isUnsaved ? clock().getTime() : Math.min(until, session.endsAt)
  if (apiKeyId === null) {
    const remembered = session.kind === 'compat_remembered' ? ({ isRemembered: true } as const) : {}
    return { caller: callerFrom(user, { kind: 'session', id, client, ...remembered }), until: ends }
  }
  const key = (await findGoodKeys(db.read, [apiKeyId], clock())).get(apiKeyId)
  if (!key) return undefined
  const by = { kind: 'key', id: apiKeyId, sessionId: id, client } as const
  const keyEnds = key.expiresAt === null ? ends : Math.min(ends, Date.parse(key.expiresAt))
  return { caller: callerFrom(user, by, key), until: keyEnds }
}

const byKey = async ({ db, clock }: IdentifyContext, text: string): Promise<CachedCaller | undefined> => {
  const key = await findKey(db.read, text, clock())
  return key && byGoodKey({ db }, key)
}

const byGoodKey = async ({ db }: Pick<IdentifyContext, 'db'>, key: ApiKeyDto): Promise<CachedCaller | undefined> => {
  const user = await selectUser(db.read, key.userId)
  if (!user?.is_active) return undefined
  const until = key.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.expiresAt)
  return { caller: callerFrom(user, { kind: 'key', id: key.id }, key), until }
}

const callerFrom = (user: UserRow, by: Caller['by'], key?: ApiKeyDto): Caller => {
  const permissions = effectivePermissions(user)
  const limitedTo = key?.permissions
  return {
    userId: user.id,
    username: user.username,
    role: user.role,
    language: user.language,
    downloadMetadata: key?.downloadMetadata ?? user.download_metadata,
    permissions: new Set(limitedTo ? permissions.filter((each) => limitedTo.includes(each)) : permissions),
    by,
  }
}
