import type { Permission } from '@carrel/api'
import type { Caller } from '../../http/caller.ts'
import { AppError } from '../../platform/errors.ts'

/** Somebody who works at the server itself, with the command line, needs no permission. */
export type Actor = (Pick<Caller, 'permissions' | 'by'> & Partial<Pick<Caller, 'role'>>) | 'operator'

/**
 * Nobody grants what they do not have themselves: a key or a user that may make users could otherwise make an
 * administrator. An administrator can grant what is withheld from them: perhaps nobody else could give it back.
 */
export const requireMayGrant = (actor: Actor, permissions: readonly Permission[]): void => {
  if (isAdministrator(actor)) return
  const foreign = firstForeign(actor, permissions)
  if (foreign === undefined) return
  throw new AppError('not_allowed', `You cannot give the permission ${foreign}: you do not have it yourself.`, {
    reason: 'permission_foreign',
    values: { permission: foreign },
  })
}

/** Nobody changes somebody who may do more than they do. */
export const requireMayManage = (actor: Actor, permissions: readonly Permission[]): void => {
  if (isAdministrator(actor)) return
  if (firstForeign(actor, permissions) === undefined) return
  throw new AppError('not_allowed', 'This user may do more than you: ask somebody who may do as much.', {
    reason: 'may_more',
  })
}

/** A password, or the address that somebody signs in with. */
export const requireMayChangeSignIn = (actor: Actor): void => {
  if (actor === 'operator' || actor.by.kind !== 'key') return
  throw new AppError(
    'not_allowed',
    'An API key cannot change how somebody signs in: do it with user name and password.',
    { reason: 'key_refused' },
  )
}

const isAdministrator = (actor: Actor): boolean =>
  actor !== 'operator' && actor.role === 'admin' && actor.by.kind !== 'key' && actor.permissions.has('users:write')

const firstForeign = (actor: Actor, permissions: readonly Permission[]): Permission | undefined =>
  actor === 'operator' ? undefined : permissions.find((permission) => !actor.permissions.has(permission))
