import type { Access, EffectiveAccess, GrantMode, GrantSource } from '@carrel/api'
import type { ViewRule } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { raiseRevision } from '../../database/revisions.ts'
import { invalid } from '../../platform/errors.ts'
import {
  deleteGrants,
  deleteMembershipsOf,
  deleteOidcMemberships,
  type GroupRow,
  groupFields,
  insertMembers,
  type OwnedGrant,
  replaceLibraries,
  selectExisting,
  selectGrants,
  selectGroupIdsMappedFrom,
  selectGroupIdsOfUsers,
  selectGroupsById,
  selectGroupsOf,
  selectLibraries,
  selectMembershipsOf,
  upsertGrants,
} from './queries.ts'

export { selectTagNames, selectTagsByName } from './queries.ts'
export { dropUnusedTags, requireTagsNamed, sharingTagsNamed } from './sharing-tags.ts'

/** The part of a user's access that stands in the user's own row. */
export interface OwnRules {
  readonly id: string
  readonly all_libraries: 0 | 1
  readonly age_ceiling: number | null
  readonly include_unrated: 0 | 1
}

/** The access records of many users, in three statements however many they are. */
export const readAccess = async (db: ReadDb, users: readonly OwnRules[]): Promise<(user: OwnRules) => Access> => {
  const ids = users.map(({ id }) => id)
  const libraries = await selectLibraries(db, 'user_library', ids)
  const grants = await selectGrants(db, 'user_grant', ids)
  const grantsOf = Map.groupBy(grants, ({ ownerId }) => ownerId)
  const groups = await selectGroupIdsOfUsers(db, ids)
  const tagsOf = (id: string, mode: OwnedGrant['accessMode']) =>
    (grantsOf.get(id) ?? []).filter(({ accessMode }) => accessMode === mode).map(({ sharingTagId }) => sharingTagId)
  return ({ id, all_libraries, age_ceiling, include_unrated }) => ({
    libraries: all_libraries ? 'all' : (libraries.get(id) ?? []),
    ageCeiling: age_ceiling,
    includeUnrated: include_unrated === 1,
    allowTags: tagsOf(id, 'allow'),
    denyTags: tagsOf(id, 'deny'),
    groups: groups.get(id) ?? [],
  })
}

/** It saves the lists of an access record; what stands in the user's row is saved with the user. */
export const saveAccess = async (db: WriteDb, userId: string, access: Partial<Access>, at: string): Promise<void> => {
  const { libraries, groups } = access
  if (libraries !== undefined) await replaceLibraries(db, 'user_library', userId, libraries)
  await saveTags(db, userId, access, at)
  if (groups === undefined) return
  await requireExisting(db, { table: 'access_group', what: 'access group' }, groups, '/access/groups')
  await deleteMembershipsOf(db, userId, groups)
  await insertMembers(
    db,
    groups.map((groupId) => ({ groupId, userId, source: 'manual' as const })),
    at,
  )
}

const saveTags = async (
  db: WriteDb,
  userId: string,
  { allowTags, denyTags }: Partial<Access>,
  at: string,
): Promise<void> => {
  if (allowTags === undefined && denyTags === undefined) return
  await requireExisting(db, { table: 'sharing_tag', what: 'sharing tag' }, allowTags, '/access/allowTags')
  await requireExisting(db, { table: 'sharing_tag', what: 'sharing tag' }, denyTags, '/access/denyTags')
  const standing = await selectGrants(db, 'user_grant', [userId])
  const standingTags = (mode: GrantMode) =>
    standing.filter(({ accessMode }) => accessMode === mode).map(({ sharingTagId }) => sharingTagId)
  const allowed = allowTags ?? standingTags('allow')
  const denied = denyTags ?? standingTags('deny')
  const both = allowed.find((id) => denied.includes(id))
  // The tag is not moved from one list to the other: a white list that loses its last tag would show everything.
  if (both !== undefined) {
    const path = denyTags === undefined ? '/access/allowTags' : '/access/denyTags'
    throw invalid(path, `The sharing tag ${both} is both allowed and denied: choose one.`)
  }
  for (const [mode, tagIds] of [
    ['allow', allowTags],
    ['deny', denyTags],
  ] as const) {
    if (tagIds === undefined) continue
    await deleteGrants(db, 'user_grant', userId, { mode })
    const grants = tagIds.map((tagId) => ({ ownerId: userId, tagId, mode }))
    await upsertGrants(db, 'user_grant', grants, at)
  }
}

const requireExisting = async (
  db: WriteDb,
  { table, what }: { table: 'sharing_tag' | 'access_group'; what: string },
  ids: readonly string[] | undefined,
  path: string,
): Promise<void> => {
  if (!ids) return
  const existing = await selectExisting(db, table, ids)
  const missing = ids.findIndex((id) => !existing.has(id))
  if (missing >= 0)
    throw invalid(`${path}/${missing}`, `There is no ${what} ${ids[missing]}.`, { reason: 'gone_by_now' })
}

/** It applies the groups at a sign-in provider to the access groups of a user; manual memberships stay. */
export const syncOidcMemberships = async (
  db: WriteDb,
  userId: string,
  oidcGroups: readonly string[],
  at: string,
): Promise<void> => {
  const before = await membershipChanges(db, userId, oidcGroups)
  if (before.gained.length + before.lost.length === 0) return
  await raiseRevision(db, 'access')
  // It is checked again now that nobody else can delete a group in between.
  const { gained, lost } = await membershipChanges(db, userId, oidcGroups)
  await deleteOidcMemberships(db, userId, lost)
  await insertMembers(
    db,
    gained.map((groupId) => ({ groupId, userId, source: 'oidc' as const })),
    at,
  )
}

const membershipChanges = async (
  db: WriteDb,
  userId: string,
  oidcGroups: readonly string[],
): Promise<{ gained: string[]; lost: string[] }> => {
  const mapped = await selectGroupIdsMappedFrom(db, oidcGroups)
  const standing = await selectMembershipsOf(db, userId)
  return {
    gained: mapped.filter((id) => !standing.some(({ groupId }) => groupId === id)),
    lost: standing
      .filter(({ groupId, source }) => source === 'oidc' && !mapped.includes(groupId))
      .map(({ groupId }) => groupId),
  }
}

/** It works out what a user may see under all groups together, with the source of each rule. */
export const readEffectiveAccess = async (db: ReadDb, user: OwnRules): Promise<EffectiveAccess> => {
  const groups = await selectGroupsOf(db, user.id)
  const groupIds = groups.map(({ id }) => id)
  const ownLibraries = await selectLibraries(db, 'user_library', [user.id])
  const groupLibraries = await selectLibraries(db, 'access_group_library', groupIds)
  const own = await selectGrants(db, 'user_grant', [user.id])
  const inherited = await selectGrants(db, 'access_group_grant', groupIds)
  const rules = [
    ruleOf(user, ownLibraries.get(user.id)),
    ...groups.map((group) => groupFields(group, groupLibraries.get(group.id))),
  ]
  return { ...combineRules(rules), grants: combineGrants([...own, ...inherited], groups) }
}

/** The rules of many users, in six statements however many they are. Lists are sorted: equal rules look equal. */
export const readViewRules = async (db: ReadDb, users: readonly OwnRules[]): Promise<(user: OwnRules) => ViewRule> => {
  const userIds = users.map(({ id }) => id)
  const groupsOf = await selectGroupIdsOfUsers(db, userIds)
  const groupIds = [...new Set([...groupsOf.values()].flat())]
  const groups = new Map((await selectGroupsById(db, groupIds)).map((group) => [group.id, group]))
  const ownLibraries = await selectLibraries(db, 'user_library', userIds)
  const groupLibraries = await selectLibraries(db, 'access_group_library', groupIds)
  const grants = Map.groupBy(
    [...(await selectGrants(db, 'user_grant', userIds)), ...(await selectGrants(db, 'access_group_grant', groupIds))],
    ({ ownerId }) => ownerId,
  )
  return (user) => {
    const ownGroups = (groupsOf.get(user.id) ?? []).flatMap((id) => groups.get(id) ?? [])
    const owned = [user.id, ...ownGroups.map(({ id }) => id)].flatMap((id) => grants.get(id) ?? [])
    const tags = (mode: GrantMode) =>
      [...new Set(owned.filter((each) => each.accessMode === mode).map((each) => each.sharingTagId))].sort()
    const rules = [
      ruleOf(user, ownLibraries.get(user.id)),
      ...ownGroups.map((group) => groupFields(group, groupLibraries.get(group.id))),
    ]
    return { ...combineRules(rules), allowTags: tags('allow'), denyTags: tags('deny') }
  }
}

/** The visibility of content depends on these. */
export interface Labels {
  readonly libraryId: string | null
  /** Absent when it is no content but a library itself. */
  readonly content?: { readonly ageRating: number | null; readonly sharingTags: readonly string[] } | undefined
}

export const maySee = (rule: ViewRule, { libraryId, content }: Labels): boolean => {
  if (libraryId !== null && rule.libraries !== 'all' && !rule.libraries.includes(libraryId)) return false
  if (!content) return true
  const { ageRating, sharingTags } = content
  const fitsAge = rule.ageCeiling === null || (ageRating === null ? rule.includeUnrated : ageRating <= rule.ageCeiling)
  const isAllowed = rule.allowTags.length === 0 || sharingTags.some((tag) => rule.allowTags.includes(tag))
  return fitsAge && isAllowed && !sharingTags.some((tag) => rule.denyTags.includes(tag))
}

type Rule = Pick<ViewRule, 'libraries' | 'ageCeiling' | 'includeUnrated'>

const ruleOf = (
  { all_libraries, age_ceiling, include_unrated }: OwnRules,
  libraries: readonly string[] = [],
): Rule => ({
  libraries: all_libraries ? 'all' : libraries,
  ageCeiling: age_ceiling,
  includeUnrated: include_unrated === 1,
})

/**
 * With several rules the strictest ceiling holds, and unrated works show only if every rule with a ceiling lets them.
 * "All libraries" is no statement: as soon as one rule lists libraries, those that are listed anywhere are what shows.
 */
export const combineRules = (
  rules: readonly Rule[],
): Pick<EffectiveAccess, 'libraries' | 'ageCeiling' | 'includeUnrated'> => {
  const lists = rules.flatMap(({ libraries }) => (libraries === 'all' ? [] : [libraries]))
  const withCeiling = rules.filter(({ ageCeiling }) => ageCeiling !== null)
  return {
    libraries: lists.length === 0 ? 'all' : [...new Set(lists.flat())].sort(),
    ageCeiling: withCeiling.length === 0 ? null : Math.min(...withCeiling.map(({ ageCeiling }) => ageCeiling ?? 0)),
    includeUnrated: withCeiling.length > 0 && withCeiling.every(({ includeUnrated }) => includeUnrated),
  }
}

const combineGrants = (grants: readonly OwnedGrant[], groups: readonly GroupRow[]): EffectiveAccess['grants'] => {
  const combined = new Map<string, EffectiveAccess['grants'][number]>()
  for (const grant of grants) {
    const group = groups.find(({ id }) => id === grant.ownerId)
    const source: GrantSource = group ? { kind: 'group', groupId: group.id, groupName: group.name } : { kind: 'user' }
    const key = `${grant.sharingTagId} ${grant.accessMode}`
    const rule = combined.get(key)
    if (rule) rule.sources.push(source)
    else {
      const { accessMode, sharingTagId, sharingTagName } = grant
      combined.set(key, { accessMode, sharingTagId, sharingTagName, sources: [source] })
    }
  }
  return [...combined.values()]
}
