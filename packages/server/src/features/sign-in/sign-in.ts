import type { SignedIn, TokenPair } from '@carrel/api'
import type { Database, WriteDb } from '../../database/database.ts'
import { lockUser } from '../../database/lock-user.ts'
import { raiseRevision } from '../../database/revisions.ts'
import type { Caller } from '../../http/caller.ts'
import { AppError, cannotBeSaved } from '../../platform/errors.ts'
import {
  endOwnSession,
  endSessionOfToken,
  endUnsaved,
  rotateRefreshToken,
  type StartedSession,
  startSession,
  startUnsavedSession,
  type Visitor,
} from '../sessions/sessions.ts'
import {
  effectivePermissions,
  replacePassword,
  requireUncommonPassword,
  requireUser,
  selectUser,
  toUser,
  updateLastLogin,
  type UserRow,
} from '../users/users.ts'
import type { SignInRecorder } from '../sign-in-activity/sign-in-activity.ts'
import { type AccessTokens, accessTokenSeconds } from './access-token.ts'
import { checkPassword, type CheckedPassword, type PasswordContext } from './check-password.ts'
import { noteTooMany, wrongPassword } from './note-activity.ts'
import { forgetFailures, tryOnce } from './throttle.ts'

export interface SignInContext extends PasswordContext {
  readonly tokens: AccessTokens
  readonly activity: SignInRecorder
  readonly secret: string
}

/** A reply of a sign-in, and the cookie that goes with it. */
export interface Welcome {
  readonly signedIn: SignedIn
  readonly cookie: string
}

/** It returns undefined when name and password do not belong together; who asked must not learn why. */
export const signIn = async (
  context: SignInContext,
  { username, password }: { username: string; password: string },
  visitor: Visitor,
): Promise<Welcome | undefined> => {
  const { activity } = context
  const from = { source: 'password', ip: visitor.ip, userAgent: visitor.userAgent } as const
  const checked = await checkPassword(context, username, password, visitor.network).catch((error: unknown) => {
    noteTooMany(activity, { ...from, typedName: username }, error)
    throw error
  })
  const session = checked && (await openChecked(context, checked, visitor))
  if (!session) {
    activity.note({ ...from, typedName: username, error: wrongPassword, isRepeated: false })
    return undefined
  }
  activity.note({ ...from, userId: checked.user.id, isRepeated: false })
  return welcome(context, checked.user, session)
}

/** Undefined: what was checked has changed meanwhile. */
const openChecked = (
  { db, clock }: SignInContext,
  { user, attempt }: CheckedPassword,
  visitor: Visitor,
): Promise<StartedSession | undefined> =>
  db
    .write(async (db) => {
      if (!(await isStillRight(db, user))) return undefined
      await forgetFailures(db, attempt)
      return openSession(db, user.id, visitor, clock())
    })
    .catch((error: unknown) => {
      if (cannotBeSaved(error)) return startUnsavedSession(db.read, user.id, clock())
      throw error
    })

/** To check a password takes a while, in which another one may be set, or the user shut out. */
const isStillRight = async (db: WriteDb, checked: UserRow): Promise<boolean> => {
  await lockUser(db, checked.id)
  const user = await selectUser(db, checked.id)
  return user?.is_active === 1 && user.password_hash === checked.password_hash
}

/** The call belongs in a transaction that may have just made the user. */
export const openSession = async (
  db: WriteDb,
  userId: string,
  visitor: Visitor,
  now: Date,
): Promise<StartedSession> => {
  await updateLastLogin(db, userId, now.toISOString())
  return startSession(db, userId, visitor, now)
}

export const welcome = async ({ tokens }: SignInContext, user: UserRow, session: StartedSession): Promise<Welcome> => ({
  cookie: session.cookie,
  signedIn: {
    ...(await tokenPair(tokens, user.id, session)),
    user: toUser(user, effectivePermissions(user)),
  },
})

export const refreshTokens = async (
  { db, tokens, secret, clock }: SignInContext,
  refreshToken: string,
): Promise<TokenPair> => {
  const rotation = await rotateRefreshToken(db, secret, refreshToken, clock())
  const user = await selectUser(db.read, rotation.userId)
  if (!user?.is_active) throw new AppError('not_authenticated', 'This refresh token is not valid. Sign in again.')
  return tokenPair(tokens, user.id, rotation)
}

const tokenPair = async (
  tokens: AccessTokens,
  userId: string,
  { sessionId, refreshToken }: { sessionId: string; refreshToken: string },
): Promise<TokenPair> => ({
  accessToken: await tokens.sign(userId, sessionId),
  tokenType: 'Bearer',
  expiresIn: accessTokenSeconds,
  refreshToken,
})

/** It ends what can be ended, and does not reveal that there was nothing. */
export const signOut = async (
  db: Database,
  caller: Caller | undefined,
  refreshToken: string | undefined,
  now: Date,
): Promise<void> => {
  if (caller?.by.kind === 'session' && endUnsaved(db.read, caller.userId, caller.by.id)) return
  if (refreshToken !== undefined) await endSessionOfToken(db, refreshToken, now)
  if (caller?.by.kind !== 'session') return
  try {
    await endOwnSession(db, caller.userId, caller.by.id, now)
  } catch (error) {
    // The refresh token may have belonged to the same session.
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  }
}

export const changeOwnPassword = async (
  { db, passwords, clock }: PasswordContext,
  caller: Caller,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  network: string,
): Promise<undefined> => {
  const user = await requireUser(db.read, caller.userId)
  const attempt = { account: user.id, userId: user.id, network }
  const matches = await tryOnce({ db, clock }, attempt, async () =>
    (await passwords.verify(user.password_hash, currentPassword)) ? true : undefined,
  )
  if (!matches) throw currentPasswordWrong()
  await db.write((db) => forgetFailures(db, attempt))
  return setOwnPassword({ db, passwords, clock }, caller, newPassword, user)
}

const currentPasswordWrong = (): AppError =>
  new AppError('not_allowed', 'The current password is not right.', { reason: 'password_wrong' })

/** The user has shown that they know the old password, the one of `checked` if it is there. All their other sessions end. */
export const setOwnPassword = async (
  { db, passwords, clock }: PasswordContext,
  { userId, username, by }: Caller,
  newPassword: string,
  checked?: UserRow,
): Promise<undefined> => {
  requireUncommonPassword(newPassword, username, '/newPassword')
  const passwordHash = await passwords.hash(newPassword)
  const keptSessionId = by.kind === 'session' ? by.id : undefined
  await db.write(async (db) => {
    await raiseRevision(db, 'access')
    if (checked && !(await isStillRight(db, checked))) throw currentPasswordWrong()
    await replacePassword(db, userId, { passwordHash, now: clock(), keptSessionId })
  })
  return undefined
}
