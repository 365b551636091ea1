import type {
  AccessGroupDetail,
  AccessGroupDto,
  AccessGroupPatch,
  Grant,
  GrantMode,
  GroupSummary,
  ListAnswer,
  Member,
  NewAccessGroup,
  OidcMapping,
} from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { raiseRevision } from '../../database/revisions.ts'
import { full, invalid, nameTaken, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cleanName } from '../../platform/text/names.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import {
  countGroups,
  countMembers,
  deleteGrants,
  deleteGroup,
  deleteMapping,
  deleteMember,
  groupFields,
  insertGroup,
  insertMapping,
  insertMembers,
  nameIsTaken,
  replaceLibraries,
  selectExisting,
  selectGrants,
  selectGroup,
  selectGroups,
  selectGroupsOf,
  selectLibraries,
  selectMappings,
  selectMembers,
  toGroupSummary,
  updateGroup,
  updateToManual,
  upsertGrants,
} from './queries.ts'

const membersShownMax = 1000
const mappingsMax = 100

type Expect = (current: AccessGroupDetail) => void

export const listAccessGroups = async (
  db: ReadDb,
  sort: Sort<'name' | 'createdAt'> | undefined,
  paging: Paging,
): Promise<ListAnswer<AccessGroupDto>> => {
  const total = await countGroups(db)
  return { total, data: paging.offset < total ? await selectGroups(db, orderOf(sort, 'name'), paging) : [] }
}

export const readAccessGroup = async (db: ReadDb, id: string): Promise<AccessGroupDetail> => {
  const group = await selectGroup(db, id)
  if (!group) throw notFound('access group')
  const libraries = await selectLibraries(db, 'access_group_library', [id])
  const grants = await selectGrants(db, 'access_group_grant', [id])
  return {
    ...groupFields(group, libraries.get(id)),
    grants: grants.map(toGrant),
    memberCount: await countMembers(db, id),
    members: await selectMembers(db, id, membersShownMax),
    oidcMappings: await selectMappings(db, id),
    createdAt: group.created_at,
    updatedAt: group.updated_at,
  }
}

const toGrant = ({ accessMode, sharingTagId, sharingTagName, createdAt }: Grant): Grant => ({
  accessMode,
  sharingTagId,
  sharingTagName,
  createdAt,
})

export const createAccessGroup = (db: Database, input: NewAccessGroup, now: Date): Promise<AccessGroupDetail> =>
  db.write(async (db) => {
    const id = newId(now.getTime())
    const { description = null, ...rules } = input
    const name = cleanName(input.name, '/name')
    if (!(await insertGroup(db, { id, name, description, at: now.toISOString() }))) throw taken(name)
    await saveRules(db, id, rules, now)
    return readAccessGroup(db, id)
  })

export const changeAccessGroup = (
  db: Database,
  id: string,
  patch: AccessGroupPatch,
  { now, expectMatch }: { now: Date; expectMatch: Expect },
): Promise<AccessGroupDetail> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    expectMatch(await readAccessGroup(db, id))
    const name = patch.name === undefined ? undefined : cleanName(patch.name, '/name')
    if (name !== undefined && (await nameIsTaken(db, 'access_group', name, id))) throw taken(name)
    await saveRules(db, id, { ...patch, ...(name !== undefined && { name }) }, now)
    return readAccessGroup(db, id)
  })

const saveRules = async (db: WriteDb, id: string, patch: AccessGroupPatch, now: Date): Promise<void> => {
  const { libraries, ...rest } = patch
  const allLibraries = libraries === undefined ? undefined : libraries === 'all'
  await updateGroup(db, id, { ...rest, allLibraries }, now.toISOString())
  if (libraries !== undefined) await replaceLibraries(db, 'access_group_library', id, libraries)
}

export const removeAccessGroup = (db: Database, id: string, expectMatch: Expect): Promise<undefined> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    expectMatch(await readAccessGroup(db, id))
    await deleteGroup(db, id)
    return undefined
  })

export const grantToGroup = (
  db: Database,
  groupId: string,
  { sharingTagId, accessMode }: { sharingTagId: string; accessMode: GrantMode },
  now: Date,
): Promise<Grant> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    await requireGroup(db, groupId)
    const existing = await selectExisting(db, 'sharing_tag', [sharingTagId])
    if (!existing.has(sharingTagId))
      throw invalid('/sharingTagId', `There is no sharing tag ${sharingTagId}.`, { reason: 'gone_by_now' })
    await upsertGrants(
      db,
      'access_group_grant',
      [{ ownerId: groupId, tagId: sharingTagId, mode: accessMode }],
      now.toISOString(),
    )
    const grants = await selectGrants(db, 'access_group_grant', [groupId])
    const grant = grants.find((each) => each.sharingTagId === sharingTagId)
    if (!grant) throw notFound('grant')
    return toGrant(grant)
  })

export const takeGrantBack = (db: Database, groupId: string, tagId: string): Promise<undefined> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    if (!(await deleteGrants(db, 'access_group_grant', groupId, { tagId }))) throw notFound('grant')
    return undefined
  })

export const addMembers = (db: Database, groupId: string, userIds: readonly string[], now: Date): Promise<Member[]> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    await requireGroup(db, groupId)
    const existing = await selectExisting(db, 'user', userIds)
    const missing = userIds.findIndex((id) => !existing.has(id))
    if (missing >= 0)
      throw invalid(`/userIds/${missing}`, `There is no user ${userIds[missing]}.`, { reason: 'gone_by_now' })
    const members = userIds.map((userId) => ({ groupId, userId, source: 'manual' as const }))
    await insertMembers(db, members, now.toISOString())
    await updateToManual(db, groupId, userIds)
    return selectMembers(db, groupId, membersShownMax, userIds)
  })

export const removeMember = (db: Database, groupId: string, userId: string): Promise<undefined> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    if (!(await deleteMember(db, groupId, userId))) throw notFound('member of this group')
    return undefined
  })

/** Users join or leave by it only when they sign in again. */
export const addOidcMapping = (db: Database, groupId: string, oidcGroupName: string, now: Date): Promise<OidcMapping> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    await requireGroup(db, groupId)
    const mappings = await selectMappings(db, groupId)
    const mapping = { id: newId(now.getTime()), oidcGroupName, createdAt: now.toISOString() }
    if (mappings.some((each) => each.oidcGroupName === oidcGroupName)) {
      throw nameTaken(oidcGroupName, `This access group has the group "${oidcGroupName}" already.`)
    }
    if (mappings.length >= mappingsMax) {
      throw full(mappingsMax, `An access group has at most ${mappingsMax} groups of providers. Remove one first.`)
    }
    await insertMapping(db, groupId, mapping)
    return mapping
  })

export const removeOidcMapping = (db: Database, groupId: string, id: string): Promise<undefined> =>
  db.write(async (db) => {
    if (!(await deleteMapping(db, groupId, id))) throw notFound('group of a provider in this access group')
    return undefined
  })

export const listGroupsOfUser = async (db: ReadDb, userId: string): Promise<GroupSummary[]> => {
  const users = await selectExisting(db, 'user', [userId])
  if (!users.has(userId)) throw notFound('user')
  return (await selectGroupsOf(db, userId)).map(toGroupSummary)
}

const requireGroup = async (db: ReadDb, id: string): Promise<void> => {
  if (!(await selectGroup(db, id))) throw notFound('access group')
}

const taken = (name: string) => nameTaken(name, `There is already an access group named "${name}".`)
