import type { DownloadMetadata, Permission, Role, UserDto } from '@carrel/api'
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { forReader } from '../../database/whom-it-concerns.ts'
import { contains, escapedLike } from '../../database/dialects/dialect.ts'
import { type Flag, flag } from '../../database/flag.ts'
import type { Schema } from '../../database/schema.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import { nameKey, sortKey } from '../../platform/text/sort-key.ts'
import type { UserTables } from './table.ts'

export type UserRow = Selectable<UserTables['user']>
export type UserOrder = Order<'username' | 'role' | 'createdAt' | 'lastLoginAt'>

export interface UserFilter {
  readonly role?: Role | undefined
  readonly q?: string | undefined
}

export const selectUser = (db: ReadDb, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()

export const selectUsersById = (db: ReadDb, ids: readonly string[]): Promise<UserRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.selectFrom('user').selectAll().where('id', 'in', ids).execute()

/** It looks for a user name or, when there is an @ in it, for an e-mail address. */
export const selectUserByName = (db: ReadDb, name: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('user')
    .selectAll()
    .where(name.includes('@') ? 'email_key' : 'username_key', '=', nameKey(name))
    .executeTakeFirst()

export const anyUserExists = async (db: ReadDb): Promise<boolean> => {
  const row = await db.selectFrom('user').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

export const countUsers = async (db: ReadDb, filter: UserFilter): Promise<number> => {
  const { count } = await db
    .selectFrom('user')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((eb) => matching(eb, filter))
    .executeTakeFirstOrThrow()
  return count
}

const columnOf = { username: 'sort_key', role: 'role', createdAt: 'created_at', lastLoginAt: 'last_login_at' } as const

export const selectUsers = (
  db: ReadDb,
  filter: UserFilter,
  { field, direction }: UserOrder,
  { limit, offset }: Paging,
): Promise<UserRow[]> =>
  db
    .selectFrom('user')
    .selectAll()
    .where((eb) => matching(eb, filter))
    .orderBy(columnOf[field], (order) => (direction === 'desc' ? order.desc() : order.asc()).nullsLast())
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()

const matching = (eb: ExpressionBuilder<Schema, 'user'>, { role, q }: UserFilter): Expression<SqlBool> => {
  const conditions: Expression<SqlBool>[] = []
  if (role !== undefined) conditions.push(eb('role', '=', role))
  if (q !== undefined) {
    const part = contains(nameKey(q))
    conditions.push(eb.or([escapedLike(sql.ref('username_key'), part), escapedLike(sql.ref('email_key'), part)]))
  }
  return eb.and(conditions)
}

/** The administrator who has been one for longest. */
export const firstAdmin = (db: ReadDb): Promise<{ readonly id: string; readonly username: string } | undefined> =>
  db
    .selectFrom('user')
    .select(['id', 'username'])
    .where('role', '=', 'admin')
    .where('is_active', '=', 1)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export const otherActiveAdminExists = async (db: ReadDb, exceptId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'admin')
    .where('is_active', '=', 1)
    .where('id', '!=', exceptId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export interface NewUserRow {
  readonly id: string
  readonly username: string
  readonly email: string | null
  readonly role: Role
  readonly permissions: readonly Permission[]
  readonly withheld: readonly Permission[]
  readonly isActive: boolean
  readonly passwordHash: string | null
  readonly at: string
}

/** False when the user name or the e-mail address is taken. */
export const insertUser = async (db: WriteDb, user: NewUserRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('user')
    .values({
      id: user.id,
      ...nameColumns(user.username),
      ...emailColumns(user.email),
      role: user.role,
      permissions: JSON.stringify(user.permissions),
      withheld: JSON.stringify(user.withheld),
      is_active: flag(user.isActive),
      password_hash: user.passwordHash,
      language: null,
      time_zone: 'UTC',
      all_libraries: 1,
      age_ceiling: null,
      include_unrated: 0,
      last_login_at: null,
      created_at: user.at,
      updated_at: user.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export interface UserChanges {
  readonly username?: string | undefined
  readonly email?: string | null | undefined
  readonly role?: Role | undefined
  readonly permissions?: readonly Permission[] | undefined
  readonly withheld?: readonly Permission[] | undefined
  readonly isActive?: boolean | undefined
  readonly passwordHash?: string | undefined
  readonly language?: string | null | undefined
  readonly timeZone?: string | undefined
  readonly downloadMetadata?: DownloadMetadata | undefined
  readonly allLibraries?: boolean | undefined
  readonly ageCeiling?: number | null | undefined
  readonly includeUnrated?: boolean | undefined
}

export const updateUser = async (db: WriteDb, id: string, changes: UserChanges, at: string): Promise<void> => {
  const { username, email, role, permissions, withheld, isActive, passwordHash, language, timeZone } = changes
  const { allLibraries, ageCeiling, includeUnrated, downloadMetadata } = changes
  await db
    .updateTable('user')
    .set({
      updated_at: at,
      ...(username !== undefined && nameColumns(username)),
      ...(email !== undefined && emailColumns(email)),
      ...(role !== undefined && { role }),
      ...(permissions !== undefined && { permissions: JSON.stringify(permissions) }),
      ...(withheld !== undefined && { withheld: JSON.stringify(withheld) }),
      ...(isActive !== undefined && { is_active: flag(isActive) }),
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
      ...(language !== undefined && { language }),
      ...(timeZone !== undefined && { time_zone: timeZone }),
      ...(downloadMetadata !== undefined && { download_metadata: downloadMetadata }),
      ...(allLibraries !== undefined && { all_libraries: flag(allLibraries) }),
      ...(ageCeiling !== undefined && { age_ceiling: ageCeiling }),
      ...(includeUnrated !== undefined && { include_unrated: flag(includeUnrated) }),
    })
    .where('id', '=', id)
    .execute()
}

export const nameIsTaken = (db: ReadDb, username: string, exceptId: string) =>
  isTaken(db, 'username_key', username, exceptId)
export const emailIsTaken = (db: ReadDb, email: string, exceptId: string) => isTaken(db, 'email_key', email, exceptId)

const isTaken = async (
  db: ReadDb,
  column: 'username_key' | 'email_key',
  name: string,
  exceptId: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('user')
    .select('id')
    .where(column, '=', nameKey(name))
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * It makes transactions that change what this user has follow one another, where the database would let them overlap.
 */
export const updateLastLogin = async (db: WriteDb, id: string, at: string): Promise<void> => {
  // Nobody but those who manage users is shown it.
  await forReader(id, () => db.updateTable('user').set({ last_login_at: at }).where('id', '=', id).execute())
}

export const deleteUser = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('user').where('id', '=', id).execute()
}

export const permissionsOf = (row: Pick<UserRow, 'permissions'>): Permission[] =>
  JSON.parse(row.permissions) as Permission[]

export const withheldFrom = (row: Pick<UserRow, 'withheld'>): Permission[] => JSON.parse(row.withheld) as Permission[]

export const toUserDto = (row: UserRow, access: UserDto['access']): UserDto => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
  permissions: permissionsOf(row),
  ...(row.withheld !== '[]' && { withheldPermissions: withheldFrom(row) }),
  isActive: isSet(row.is_active),
  lastLoginAt: row.last_login_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  access,
})

const isSet = (value: Flag): boolean => value === 1

const nameColumns = (username: string) => ({ username, username_key: nameKey(username), sort_key: sortKey(username) })
const emailColumns = (email: string | null) => ({ email, email_key: email === null ? null : nameKey(email) })
