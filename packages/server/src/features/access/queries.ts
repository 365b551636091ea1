import type { AccessGroupDto, Grant, GrantMode, GroupSummary, Member, OidcMapping, SharingTagDto } from '@carrel/api'
import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import { nameKey, plainText, sortKey } from '../../platform/text/sort-key.ts'
import type { AccessTables } from './table.ts'

type NameOrder = Order<'name' | 'createdAt'>
const orderColumn = { name: 'sort_key', createdAt: 'created_at' } as const

// Sharing tags

const sharingTags = (db: ReadDb) =>
  db
    .selectFrom('sharing_tag')
    .select(['id', 'name', 'description', 'created_at as createdAt', 'updated_at as updatedAt'])
    .select(({ selectFrom }) => [
      selectFrom('user_grant')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('user_grant.tag_id', '=', 'sharing_tag.id')
        .as('users'),
      selectFrom('access_group_grant')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('access_group_grant.tag_id', '=', 'sharing_tag.id')
        .as('groups'),
    ])

type SharingTagRow = Awaited<ReturnType<ReturnType<typeof sharingTags>['executeTakeFirstOrThrow']>>

const toSharingTag = ({ users, groups, ...row }: SharingTagRow): SharingTagDto => ({
  id: row.id,
  name: row.name,
  description: row.description,
  userCount: users ?? 0,
  groupCount: groups ?? 0,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

export const selectSharingTag = async (db: ReadDb, id: string): Promise<SharingTagDto | undefined> => {
  const row = await sharingTags(db).where('id', '=', id).executeTakeFirst()
  return row && toSharingTag(row)
}

export const selectSharingTags = async (
  db: ReadDb,
  { field, direction }: NameOrder,
  { limit, offset }: Paging,
): Promise<SharingTagDto[]> => {
  const query = sharingTags(db).orderBy(orderColumn[field], direction).orderBy('id', direction)
  const rows = await query.limit(limit).offset(offset).execute()
  return rows.map(toSharingTag)
}

export const countSharingTags = (db: ReadDb) => countAll(db, 'sharing_tag')
export const countGroups = (db: ReadDb) => countAll(db, 'access_group')

const countAll = async (db: ReadDb, table: 'sharing_tag' | 'access_group'): Promise<number> => {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

interface NewNamed {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly at: string
}

const nameColumns = (name: string) => ({ name, name_key: nameKey(name), sort_key: sortKey(name) })

const tagNames = (name: string) => ({ ...nameColumns(name), name_text: plainText(name) })

/** False when the name is taken. */
export const insertSharingTag = async (db: WriteDb, { id, name, description, at }: NewNamed): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sharing_tag')
    .values({ id, ...tagNames(name), description, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** It returns the existing tags with these names, by the folded name. */
export const selectTagsByName = async (db: ReadDb, names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (names.length === 0) return new Map()
  const keys = [...new Set(names.map(nameKey))]
  const rows = await db.selectFrom('sharing_tag').select(['id', 'name_key']).where('name_key', 'in', keys).execute()
  return new Map(rows.map(({ id, name_key }) => [name_key, id]))
}

export const selectTagNames = async (db: ReadDb): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.selectFrom('sharing_tag').select(['id', 'name']).orderBy('sort_key').orderBy('id').execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export const updateSharingTag = async (
  db: WriteDb,
  id: string,
  { name, description }: { name?: string | undefined; description?: string | null | undefined },
  at: string,
): Promise<void> => {
  await db
    .updateTable('sharing_tag')
    .set({
      updated_at: at,
      ...(name !== undefined && tagNames(name)),
      ...(description !== undefined && { description }),
    })
    .where('id', '=', id)
    .execute()
}

export const deleteSharingTag = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('sharing_tag').where('id', '=', id).execute()
}

export const nameIsTaken = async (
  db: ReadDb,
  table: 'sharing_tag' | 'access_group',
  name: string,
  exceptId: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('name_key', '=', nameKey(name))
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

/** It returns those of `ids` that exist. */
export const selectExisting = async (
  db: ReadDb,
  table: 'sharing_tag' | 'access_group' | 'user',
  ids: readonly string[],
): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom(table).select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

// Groups

export type GroupRow = Selectable<AccessTables['access_group']>

export const selectGroup = (db: ReadDb, id: string): Promise<GroupRow | undefined> =>
  db.selectFrom('access_group').selectAll().where('id', '=', id).executeTakeFirst()

export const selectGroups = async (
  db: ReadDb,
  { field, direction }: NameOrder,
  { limit, offset }: Paging,
): Promise<AccessGroupDto[]> => {
  const rows = await db
    .selectFrom('access_group')
    .selectAll()
    .select(({ selectFrom }) => [
      selectFrom('access_group_grant')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('access_group_grant.owner_id', '=', 'access_group.id')
        .as('grantCount'),
      selectFrom('access_group_member')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('access_group_member.group_id', '=', 'access_group.id')
        .as('memberCount'),
    ])
    .orderBy(orderColumn[field], direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  const libraries = await selectLibraries(
    db,
    'access_group_library',
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...groupFields(row, libraries.get(row.id)),
    grantCount: row.grantCount ?? 0,
    memberCount: row.memberCount ?? 0,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
}

export const groupFields = (row: GroupRow, libraries: readonly string[] | undefined) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  libraries: row.all_libraries ? ('all' as const) : [...(libraries ?? [])],
  ageCeiling: row.age_ceiling,
  includeUnrated: row.include_unrated === 1,
})

/** False when the name is taken. */
export const insertGroup = async (db: WriteDb, { id, name, description, at }: NewNamed): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('access_group')
    .values({
      id,
      ...nameColumns(name),
      description,
      all_libraries: 1,
      age_ceiling: null,
      include_unrated: 0,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export interface GroupChanges {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly allLibraries?: boolean | undefined
  readonly ageCeiling?: number | null | undefined
  readonly includeUnrated?: boolean | undefined
}

export const updateGroup = async (db: WriteDb, id: string, changes: GroupChanges, at: string): Promise<void> => {
  const { name, description, allLibraries, ageCeiling, includeUnrated } = changes
  await db
    .updateTable('access_group')
    .set({
      updated_at: at,
      ...(name !== undefined && nameColumns(name)),
      ...(description !== undefined && { description }),
      ...(allLibraries !== undefined && { all_libraries: flag(allLibraries) }),
      ...(ageCeiling !== undefined && { age_ceiling: ageCeiling }),
      ...(includeUnrated !== undefined && { include_unrated: flag(includeUnrated) }),
    })
    .where('id', '=', id)
    .execute()
}

export const deleteGroup = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('access_group').where('id', '=', id).execute()
}

// Members

export const countMembers = async (db: ReadDb, groupId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('access_group_member')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return count
}

export const selectMembers = (
  db: ReadDb,
  groupId: string,
  limit: number,
  among?: readonly string[],
): Promise<Member[]> => {
  let query = db
    .selectFrom('access_group_member')
    .innerJoin('user', 'user.id', 'access_group_member.user_id')
    .select([
      'user.id as userId',
      'user.username',
      'access_group_member.source',
      'access_group_member.created_at as createdAt',
    ])
    .where('access_group_member.group_id', '=', groupId)
  if (among) query = query.where('user.id', 'in', among)
  return query.orderBy('user.sort_key').orderBy('user.id').limit(limit).execute()
}

export interface NewMember {
  readonly groupId: string
  readonly userId: string
  readonly source: Member['source']
}

/** Existing memberships stay as they are. */
export const insertMembers = async (db: WriteDb, members: readonly NewMember[], at: string): Promise<void> => {
  if (members.length === 0) return
  const rows = members.map(({ groupId, userId, source }) => ({
    group_id: groupId,
    user_id: userId,
    source,
    created_at: at,
  }))
  await db
    .insertInto('access_group_member')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** From now on these memberships are manual, and no provider's groups remove them. */
export const updateToManual = async (db: WriteDb, groupId: string, userIds: readonly string[]): Promise<void> => {
  await db
    .updateTable('access_group_member')
    .set({ source: 'manual' })
    .where('group_id', '=', groupId)
    .where('user_id', 'in', userIds)
    .where('source', '=', 'oidc')
    .execute()
}

export const deleteMember = async (db: WriteDb, groupId: string, userId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('access_group_member')
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export const deleteMembershipsOf = async (
  db: WriteDb,
  userId: string,
  exceptGroupIds: readonly string[],
): Promise<void> => {
  let query = db.deleteFrom('access_group_member').where('user_id', '=', userId)
  if (exceptGroupIds.length > 0) query = query.where('group_id', 'not in', exceptGroupIds)
  await query.execute()
}

export const selectMembershipsOf = (
  db: ReadDb,
  userId: string,
): Promise<{ groupId: string; source: Member['source'] }[]> =>
  db.selectFrom('access_group_member').select(['group_id as groupId', 'source']).where('user_id', '=', userId).execute()

export const deleteOidcMemberships = async (
  db: WriteDb,
  userId: string,
  groupIds: readonly string[],
): Promise<void> => {
  if (groupIds.length === 0) return
  await db
    .deleteFrom('access_group_member')
    .where('user_id', '=', userId)
    .where('source', '=', 'oidc')
    .where('group_id', 'in', groupIds)
    .execute()
}

export const selectGroupsOf = (db: ReadDb, userId: string): Promise<GroupRow[]> =>
  db
    .selectFrom('access_group')
    .innerJoin('access_group_member', 'access_group_member.group_id', 'access_group.id')
    .selectAll('access_group')
    .where('access_group_member.user_id', '=', userId)
    .orderBy('access_group.sort_key')
    .orderBy('access_group.id')
    .execute()

export const selectGroupsById = (db: ReadDb, ids: readonly string[]): Promise<GroupRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.selectFrom('access_group').selectAll().where('id', 'in', ids).execute()

export const toGroupSummary = ({ id, name, description }: GroupRow): GroupSummary => ({ id, name, description })

export const selectGroupIdsOfUsers = async (db: ReadDb, userIds: readonly string[]): Promise<Map<string, string[]>> => {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('access_group_member')
    .select(['user_id as owner', 'group_id as item'])
    .where('user_id', 'in', userIds)
    .orderBy('group_id')
    .execute()
  return gather(rows)
}

// Groups at sign-in providers

export const selectMappings = (db: ReadDb, groupId: string): Promise<OidcMapping[]> =>
  db
    .selectFrom('access_group_oidc_mapping')
    .select(['id', 'oidc_group_name as oidcGroupName', 'created_at as createdAt'])
    .where('group_id', '=', groupId)
    .orderBy('oidc_group_name')
    .execute()

export const insertMapping = async (db: WriteDb, groupId: string, mapping: OidcMapping): Promise<void> => {
  const { id, oidcGroupName, createdAt } = mapping
  await db
    .insertInto('access_group_oidc_mapping')
    .values({ id, group_id: groupId, oidc_group_name: oidcGroupName, created_at: createdAt })
    .execute()
}

export const deleteMapping = async (db: WriteDb, groupId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('access_group_oidc_mapping')
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export const selectGroupIdsMappedFrom = async (db: ReadDb, oidcGroups: readonly string[]): Promise<string[]> => {
  if (oidcGroups.length === 0) return []
  const rows = await db
    .selectFrom('access_group_oidc_mapping')
    .select('group_id')
    .distinct()
    .where('oidc_group_name', 'in', oidcGroups)
    .execute()
  return rows.map(({ group_id: id }) => id)
}

// Libraries and grants, of users and of groups alike

export type LibraryTable = 'user_library' | 'access_group_library'
export type GrantTable = 'user_grant' | 'access_group_grant'

export const selectLibraries = async (
  db: ReadDb,
  table: LibraryTable,
  ownerIds: readonly string[],
): Promise<Map<string, string[]>> => {
  if (ownerIds.length === 0) return new Map()
  const rows = await db
    .selectFrom(table)
    .select(['owner_id as owner', 'library_id as item'])
    .where('owner_id', 'in', ownerIds)
    .orderBy('library_id')
    .execute()
  return gather(rows)
}

export const replaceLibraries = async (
  db: WriteDb,
  table: LibraryTable,
  ownerId: string,
  libraries: 'all' | readonly string[],
): Promise<void> => {
  await db.deleteFrom(table).where('owner_id', '=', ownerId).execute()
  if (libraries === 'all' || libraries.length === 0) return
  const rows = libraries.map((id) => ({ owner_id: ownerId, library_id: id }))
  await db.insertInto(table).values(rows).execute()
}

export interface OwnedGrant extends Grant {
  readonly ownerId: string
}

export const selectGrants = async (
  db: ReadDb,
  table: GrantTable,
  ownerIds: readonly string[],
): Promise<OwnedGrant[]> => {
  if (ownerIds.length === 0) return []
  return db
    .selectFrom(`${table} as owned`)
    .innerJoin('sharing_tag', 'sharing_tag.id', 'owned.tag_id')
    .select([
      'owned.owner_id as ownerId',
      'owned.mode as accessMode',
      'owned.created_at as createdAt',
      'sharing_tag.id as sharingTagId',
      'sharing_tag.name as sharingTagName',
    ])
    .where('owned.owner_id', 'in', ownerIds)
    .orderBy('sharing_tag.sort_key')
    .orderBy('sharing_tag.id')
    .execute()
}

export const upsertGrants = async (
  db: WriteDb,
  table: GrantTable,
  grants: readonly { ownerId: string; tagId: string; mode: GrantMode }[],
  at: string,
): Promise<void> => {
  if (grants.length === 0) return
  const rows = grants.map(({ ownerId, tagId, mode }) => ({ owner_id: ownerId, tag_id: tagId, mode, created_at: at }))
  await db
    .insertInto(table)
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'tag_id']).doUpdateSet(({ ref }) => ({ mode: ref('excluded.mode') })),
    )
    .execute()
}

export const deleteGrants = async (
  db: WriteDb,
  table: GrantTable,
  ownerId: string,
  which: { readonly tagId?: string; readonly mode?: GrantMode },
): Promise<boolean> => {
  let query = db.deleteFrom(table).where('owner_id', '=', ownerId)
  if (which.tagId !== undefined) query = query.where('tag_id', '=', which.tagId)
  if (which.mode !== undefined) query = query.where('mode', '=', which.mode)
  const { numDeletedRows } = await query.executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

const gather = (rows: readonly { owner: string; item: string }[]): Map<string, string[]> => {
  const gathered = new Map<string, string[]>()
  for (const { owner, item } of rows) {
    const items = gathered.get(owner)
    if (items) items.push(item)
    else gathered.set(owner, [item])
  }
  return gathered
}

/** A tag is used when a series has it, or when somebody is granted or denied it. */
export const selectUsedTags = async (db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const used = await Promise.all(
    (['series_sharing_tag', 'user_grant', 'access_group_grant'] as const).map((table) =>
      db.selectFrom(table).select('tag_id').distinct().where('tag_id', 'in', ids).execute(),
    ),
  )
  return new Set(used.flat().map(({ tag_id }) => tag_id))
}
