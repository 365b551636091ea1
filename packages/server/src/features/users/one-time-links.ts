import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { ReadDb } from '../../database/database.ts'
import { AppError } from '../../platform/errors.ts'
import { deriveKey } from '../../platform/secrets/tokens.ts'
import { lockUser } from '../../database/lock-user.ts'
import { type Actor, requireMayChangeSignIn, requireMayManage } from './authority.ts'
import { selectUser, type UserRow } from './queries.ts'
import { effectivePermissions, replacePassword, requireUncommonPassword, requireUser } from './users.ts'

const validMs = 14 * 24 * 60 * 60 * 1000

/**
 * Somebody chooses a password with it, once: what signs it is made of the password they have, or have not, so that it is
 * worth nothing as soon as there is another. Nothing of it is kept.
 */
export const makeOneTimeLink = async (
  { db, clock, secret, actor }: Pick<Context, 'db' | 'clock' | 'secret'> & { readonly actor: Actor },
  userId: string,
): Promise<{ token: string; expiresAt: string }> => {
  requireMayChangeSignIn(actor)
  const user = await requireUser(db.read, userId)
  requireMayManage(actor, effectivePermissions(user))
  const expires = Math.floor((clock().getTime() + validMs) / 1000)
  return {
    token: `${user.id}.${expires}.${signatureOf(secret, user, expires)}`,
    expiresAt: new Date(expires * 1000).toISOString(),
  }
}

export const redeemOneTimeLink = async (
  { db, clock, secret, passwords }: Pick<Context, 'db' | 'clock' | 'secret' | 'passwords'>,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<{ username: string }> => {
  const now = clock()
  const user = await holderOf(db.read, { secret, token, now })
  requireUncommonPassword(password, user.username, '/password')
  const passwordHash = await passwords.hash(password)
  return db.write(async (db) => {
    await lockUser(db, user.id)
    // Somebody else may have used it meanwhile.
    await holderOf(db, { secret, token, now })
    await replacePassword(db, user.id, { passwordHash, now })
    return { username: user.username }
  })
}

const holderOf = async (
  db: ReadDb,
  { secret, token, now }: { readonly secret: string; readonly token: string; readonly now: Date },
): Promise<UserRow> => {
  const [id = '', seconds = '', signature = ''] = token.split('.')
  const expires = Number(seconds)
  const user = await selectUser(db, id)
  const isValid =
    user?.is_active === 1 && expires * 1000 > now.getTime() && isSame(signature, signatureOf(secret, user, expires))
  if (!user || !isValid)
    throw new AppError('not_allowed', 'This link has been used, or is too old. Ask for another one.')
  return user
}

const signatureOf = (secret: string, { id, password_hash }: UserRow, expires: number): string =>
  createHmac('sha256', deriveKey(secret, 'one-time link'))
    .update(`${id} ${expires} ${password_hash ?? ''}`)
    .digest('base64url')

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
