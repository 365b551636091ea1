import type { SignedIn, TokenPair } from '@carrel/api'
import type { Database, WriteDb } from '../../database/database.ts'
import type { Caller } from '../../http/caller.ts'
import { AppError } from '../../platform/errors.ts'
import {
  endOwnSession,
  endSessionOfToken,
  rotateRefreshToken,
  type StartedSession,
  startSession,
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
import { type AccessTokens, accessTokenSeconds } from './access-token.ts'
import { checkPassword, type PasswordTools } from './check-password.ts'
import { forgetFailures, recordFailure, requireNotThrottled } from './throttle.ts'

export interface SignInTools extends PasswordTools {
  readonly tokens: AccessTokens
  readonly secret: string
}

/** A reply of a sign-in, and the cookie that goes with it. */
export interface Welcome {
  readonly signedIn: SignedIn
  readonly cookie: string
}

/** Answers undefined when name and password do not belong together; who asked must not learn why. */
export const signIn = async (
  tools: SignInTools,
  { username, password }: { username: string; password: string },
  visitor: Visitor,
): Promise<Welcome | undefined> => {
  const { db, clock } = tools
  const checked = await checkPassword(tools, username, password, visitor.network)
  if (!checked) return undefined
  const { user, attempt } = checked
  const session = await db.write(async (db) => {
    await forgetFailures(db, attempt)
    return openSession(db, user.id, visitor, clock())
  })
  return welcome(tools, user, session)
}

/** Within a transaction that may have just made the user. */
export const openSession = async (
  db: WriteDb,
  userId: string,
  visitor: Visitor,
  now: Date,
): Promise<StartedSession> => {
  await updateLastLogin(db, userId, now.toISOString())
  return startSession(db, userId, visitor, now)
}

export const welcome = async ({ tokens }: SignInTools, user: UserRow, session: StartedSession): Promise<Welcome> => ({
  cookie: session.cookie,
  signedIn: {
    ...(await tokenPair(tokens, user.id, session)),
    user: toUser(user, effectivePermissions(user)),
  },
})

export const refreshTokens = async (
  { db, tokens, secret, clock }: SignInTools,
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

/** Ends what can be ended: nobody is told that there was nothing. */
export const signOut = async (
  db: Database,
  caller: Caller | undefined,
  refreshToken: string | undefined,
  now: Date,
): Promise<void> => {
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
  { db, passwords, clock }: PasswordTools,
  caller: Caller,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  network: string,
): Promise<undefined> => {
  const user = await requireUser(db.read, caller.userId)
  const attempt = { account: user.id, userId: user.id, network }
  await requireNotThrottled(db.read, attempt, clock())
  if (!(await passwords.verify(user.password_hash, currentPassword))) {
    await recordFailure(db, attempt, clock())
    throw new AppError('not_allowed', 'The current password is not right.')
  }
  requireUncommonPassword(newPassword, user.username, '/newPassword')
  const passwordHash = await passwords.hash(newPassword)
  await db.write(async (db) => {
    await forgetFailures(db, attempt)
    const keptSessionId = caller.by.kind === 'session' ? caller.by.id : undefined
    await replacePassword(db, user.id, { passwordHash, now: clock(), keptSessionId })
  })
  return undefined
}
