import {
  type Access,
  type ListAnswer,
  type NewUser,
  type Permission,
  permissionFrom,
  permissionsOfRole,
  type ProfilePatch,
  type Role,
  type SessionDto,
  type User,
  type UserDto,
  type UserPatch,
} from '@carrel/api'
import { listenersOf } from '../../catalogue/listeners/listeners.ts'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { raiseRevision } from '../../database/revisions.ts'
import { announce } from '../../events/outbox.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cleanName } from '../../platform/text/names.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import type { PasswordHashing } from '../../platform/secrets/password-hash.ts'
import { isTimeZone } from '../../platform/time-zone.ts'
import { readAccess, saveAccess } from '../access/access.ts'
import type { Caller } from '../../http/caller.ts'
import { endSessionsOf, listSessions } from '../sessions/sessions.ts'
import { type Actor, requireMayGrant, requireMayManage, requireMayChangeSignIn } from './authority.ts'
import { isCommonPassword } from './common-passwords.ts'
import {
  countUsers,
  deleteUser,
  emailIsTaken,
  insertUser,
  nameIsTaken,
  otherActiveAdminExists,
  permissionsOf,
  selectUser,
  selectUsers,
  toUserDto,
  updateUser,
  withheldFrom,
  type UserFilter,
  type UserOrder,
  type UserRow,
} from './queries.ts'

export {
  anyUserExists,
  firstAdmin,
  selectUser,
  selectUserByName,
  selectUsersById,
  updateLastLogin,
  type UserRow,
} from './queries.ts'

export interface UserContext {
  readonly db: Database
  readonly passwords: PasswordHashing
  readonly clock: () => Date
  readonly actor: Actor
}

export const listUsers = async (
  db: ReadDb,
  filter: UserFilter & { readonly sort?: Sort<UserOrder['field']> | undefined },
  paging: Paging,
): Promise<ListAnswer<UserDto>> => {
  const total = await countUsers(db, filter)
  if (paging.offset >= total) return { total, data: [] }
  const rows = await selectUsers(db, filter, orderOf(filter.sort, 'username'), paging)
  const accessOf = await readAccess(db, rows)
  return { total, data: rows.map((row) => toUserDto(row, accessOf(row))) }
}

export const readUser = async (db: ReadDb, id: string): Promise<UserDto> => {
  const row = await requireUser(db, id)
  const accessOf = await readAccess(db, [row])
  return toUserDto(row, accessOf(row))
}

export const createUser = async ({ db, passwords, clock, actor }: UserContext, input: NewUser): Promise<UserDto> => {
  const { role = 'reader', permissions, withheldPermissions } = input
  requireMayGrant(actor, permissionsFor(role, permissions, withheldPermissions))
  requireUncommonPassword(input.password, input.username, '/password')
  const passwordHash = await passwords.hash(input.password)
  return db.write(async (db) => {
    // Takes its turn after those that delete tags and groups, which this user may be getting.
    await raiseRevision(db, 'access')
    return addUser(db, input, passwordHash, clock())
  })
}

/**
 * It runs within a transaction, for callers that have their own reasons to add a user. Without a password nobody can
 * sign in with one.
 */
export const addUser = async (
  db: WriteDb,
  input: Omit<NewUser, 'password'>,
  passwordHash: string | null,
  now: Date,
): Promise<UserDto> => {
  const id = newId(now.getTime())
  const at = now.toISOString()
  const { email = null, role = 'reader', permissions = [], withheldPermissions = [] } = input
  const { isActive = true, access = {} } = input
  const username = cleanName(input.username, '/username')
  const inserted = await insertUser(db, {
    id,
    username,
    email,
    role,
    permissions: knownPermissions(permissions),
    withheld: knownPermissions(withheldPermissions),
    isActive,
    passwordHash,
    at,
  })
  if (!inserted) throw nameTaken(username, email)
  await saveAccessOf(db, id, access, at)
  await announceUser(db, 'user_created', id, now)
  return readUser(db, id)
}

export const changeUser = async (
  { db, passwords, clock, actor }: UserContext,
  id: string,
  patch: UserPatch,
  expectMatch: (current: UserDto) => void,
): Promise<UserDto> => {
  const { password, permissions, withheldPermissions, access, ...rest } = patch
  if (password !== undefined) {
    requireMayChangeSignIn(actor)
    const { username } = await requireUser(db.read, id)
    requireUncommonPassword(password, patch.username ?? username, '/password')
  }
  const passwordHash = password === undefined ? undefined : await passwords.hash(password)
  const username = patch.username === undefined ? undefined : cleanName(patch.username, '/username')
  const now = clock()

  return db.write(async (db) => {
    await raiseRevision(db, 'access')
    const current = await readUser(db, id)
    requireMayManage(actor, permissionsOfUser(current))
    requireMayGrant(actor, permissionsOfUser({ ...current, ...patch }))
    expectMatch(current)
    await requireNamesFree(db, id, { username, email: patch.email })
    await requireAnAdminLeft(db, current, patch)
    const allowances = {
      permissions: permissions && knownPermissions(permissions),
      withheld: withheldPermissions && knownPermissions(withheldPermissions),
    }
    await updateUser(db, id, { ...rest, ...allowances, username, passwordHash }, now.toISOString())
    if (access) await saveAccessOf(db, id, access, now.toISOString())
    if (passwordHash !== undefined || patch.isActive === false) await endSessionsOf(db, id, now)
    await announceUser(db, 'user_updated', id, now)
    return readUser(db, id)
  })
}

/** The role somebody else's word gives. False: this is the last administrator, who stays one. */
export const assignRole = async (db: WriteDb, id: string, role: Role, now: Date): Promise<boolean> => {
  await raiseRevision(db, 'access')
  const current = await requireUser(db, id)
  const isLastAdmin = current.role === 'admin' && current.is_active && !(await otherActiveAdminExists(db, id))
  if (isLastAdmin && role !== 'admin') return false
  await updateUser(db, id, { role }, now.toISOString())
  await announceUser(db, 'user_updated', id, now)
  return true
}

/** The owners of what a user has added to what others see are told; everything else of theirs is deleted with their row. */
export const removeUser = (
  { db, clock, actor }: Pick<UserContext, 'db' | 'clock' | 'actor'>,
  id: string,
  expectMatch: (current: UserDto) => void,
): Promise<undefined> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    const current = await readUser(db, id)
    requireMayManage(actor, permissionsOfUser(current))
    expectMatch(current)
    await requireAnAdminLeft(db, current, { isActive: false })
    await dropUser(db, id, clock())
    return undefined
  })

/** In the transaction of whoever has a reason, and has raised the revision of access. */
export const dropUser = async (db: WriteDb, id: string, now: Date): Promise<void> => {
  for (const tell of listenersOf(db).userGoes) await tell(db, id)
  await deleteUser(db, id)
  await announceUser(db, 'user_deleted', id, now)
}

export const listSessionsOf = async (
  db: ReadDb,
  id: string,
  currentId: string | undefined,
  now: Date,
): Promise<SessionDto[]> => {
  await requireUser(db, id)
  return listSessions(db, id, currentId, now)
}

export const endAllSessionsOf = (
  { db, clock, actor }: Pick<UserContext, 'db' | 'clock' | 'actor'>,
  id: string,
  exceptId: string | undefined,
): Promise<undefined> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    requireMayManage(actor, permissionsOfUser(await readUser(db, id)))
    await endSessionsOf(db, id, clock(), exceptId)
    return undefined
  })

/** It replaces a user's password and ends the sessions that were opened with the old one. */
export const replacePassword = async (
  db: WriteDb,
  userId: string,
  { passwordHash, now, keptSessionId }: { passwordHash: string; now: Date; keptSessionId?: string | undefined },
): Promise<void> => {
  await raiseRevision(db, 'access')
  await updateUser(db, userId, { passwordHash }, now.toISOString())
  await endSessionsOf(db, userId, now, keptSessionId)
}

export const requireUncommonPassword = (password: string, username: string, path: string): void => {
  if (isCommonPassword(password, username)) {
    throw invalid(path, 'This is one of the commonest passwords. Choose one that is harder to guess.', {
      reason: 'password_common',
    })
  }
}

/** It returns what somebody may do: role and extra permissions together, without those withheld. */
export const effectivePermissions = (row: Pick<UserRow, 'role' | 'permissions' | 'withheld'>): Permission[] =>
  permissionsFor(row.role, permissionsOf(row), withheldFrom(row))

const permissionsFor = (role: Role, extra: readonly string[] = [], withheld: readonly string[] = []): Permission[] => {
  const taken = new Set(knownPermissions(withheld))
  return [...new Set([...permissionsOfRole[role], ...knownPermissions(extra)])].filter((each) => !taken.has(each))
}

export const permissionsOfUser = ({ role, permissions, withheldPermissions }: Allowances): Permission[] =>
  permissionsFor(role ?? 'reader', permissions, withheldPermissions)

interface Allowances {
  readonly role?: Role
  readonly permissions?: readonly string[]
  readonly withheldPermissions?: readonly string[]
}

export const toUser = (row: UserRow, permissions: Iterable<Permission>): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
  permissions: [...permissions],
  language: row.language,
  timeZone: row.time_zone,
  downloadMetadata: row.download_metadata,
})

export const readProfile = async (db: ReadDb, id: string, permissions: Iterable<Permission>): Promise<User> =>
  toUser(await requireUser(db, id), permissions)

export const changeProfile = (
  db: Database,
  id: string,
  patch: ProfilePatch,
  { caller, now, expectMatch }: { caller: Caller; now: Date; expectMatch: (current: User) => void },
): Promise<User> => {
  const { permissions } = caller
  if (patch.email !== undefined) requireMayChangeSignIn(caller)
  const language = patch.language == null ? patch.language : canonicalLanguage(patch.language)
  if (patch.timeZone !== undefined) requireTimeZone(patch.timeZone)
  return db.write(async (db) => {
    await raiseRevision(db, 'access')
    expectMatch(await readProfile(db, id, permissions))
    await requireNamesFree(db, id, { email: patch.email })
    await updateUser(db, id, { ...patch, language }, now.toISOString())
    await announceUser(db, 'user_updated', id, now)
    return readProfile(db, id, permissions)
  })
}

const announceUser = (
  db: WriteDb,
  type: 'user_created' | 'user_updated' | 'user_deleted',
  userId: string,
  now: Date,
): Promise<void> => announce(db, [{ event: { type, userId }, to: { permission: 'users:read' } }], now)

export const requireUser = async (db: ReadDb, id: string): Promise<UserRow> => {
  const row = await selectUser(db, id)
  if (!row) throw notFound('user')
  return row
}

const saveAccessOf = async (db: WriteDb, id: string, access: Partial<Access>, at: string): Promise<void> => {
  const { libraries, ageCeiling, includeUnrated } = access
  const allLibraries = libraries === undefined ? undefined : libraries === 'all'
  await updateUser(db, id, { allLibraries, ageCeiling, includeUnrated }, at)
  await saveAccess(db, id, access, at)
}

const requireNamesFree = async (
  db: WriteDb,
  id: string,
  { username, email }: { username?: string | undefined; email?: string | null | undefined },
): Promise<void> => {
  if (username !== undefined && (await nameIsTaken(db, username, id))) throw nameTaken(username, null)
  if (email != null && (await emailIsTaken(db, email, id))) throw nameTaken(undefined, email)
}

const requireAnAdminLeft = async (db: WriteDb, current: UserDto, { role, isActive }: UserPatch): Promise<void> => {
  const wasAdmin = current.role === 'admin' && current.isActive
  const staysAdmin = (role ?? 'admin') === 'admin' && isActive !== false
  if (!wasAdmin || staysAdmin || (await otherActiveAdminExists(db, current.id))) return
  throw new AppError('conflict', 'This is the last administrator. Make somebody else one first.', {
    reason: 'last_administrator',
  })
}

const nameTaken = (username: string | undefined, email: string | null): AppError => {
  const what = username === undefined ? 'e-mail address' : email === null ? 'user name' : 'user name or e-mail address'
  return new AppError('already_exists', `There is already a user with this ${what}.`, { reason: 'user_taken' })
}

const knownPermissions = (spelled: readonly string[]): Permission[] => [...new Set(spelled.map(permissionFrom))]

const canonicalLanguage = (language: string): string => {
  try {
    const [canonical] = Intl.getCanonicalLocales(language)
    if (canonical !== undefined) return canonical
  } catch {
    // Falls through to the refusal: the text is no language tag.
  }
  throw invalid('/language', `"${language}" is not a language tag such as en or pt-BR.`, { reason: 'language_unknown' })
}

const requireTimeZone = (timeZone: string): void => {
  // Offsets such as +01:00 pass for the formatter, but know no summer time.
  if (!/^[A-Za-z]/.test(timeZone) || !isTimeZone(timeZone))
    throw invalid('/timeZone', `"${timeZone}" is not a time zone such as Europe/Berlin.`, {
      reason: 'time_zone_unknown',
    })
}
