import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, testPassword, type TestServer } from '../../../test/start-server.ts'
import { sharingTagsNamed } from './access.ts'

/** Most of the tests touch their own tags and groups alone, and share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const library = (last: number) => `019aa3b2-6c7e-7000-8000-00000000000${last}`
const nobody = library(9)
const createTag = async (admin: Person, name: string) =>
  bodyOf(await admin.call(api.createSharingTag, { body: { name } }))
const createGroup = async (admin: Person, body: api.NewAccessGroup) =>
  bodyOf(await admin.call(api.createAccessGroup, { body }))

test('C3 a sharing tag is created, read, listed, changed and deleted', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const admin = await server.person('admin')

  const created = await admin.call(api.createSharingTag, { body: { name: ' grown-ups ' } })
  const tag = bodyOf(created)
  const params = { id: tag.id }
  time.pass(second)
  const described = bodyOf(
    await admin.call(api.updateSharingTag, { params, body: { description: 'Not for children' } }),
  )
  const renamed = bodyOf(await admin.call(api.updateSharingTag, { params, body: { name: 'Grown-ups' } }))
  const cleared = bodyOf(await admin.call(api.updateSharingTag, { params, body: { description: null } }))

  expect(created.status).toBe(201)
  expect(tag).toStrictEqual({
    id: expect.any(String),
    name: 'grown-ups',
    description: null,
    userCount: 0,
    groupCount: 0,
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
  })
  const updatedAt = '2026-11-21T10:00:01.000Z'
  expect(described).toStrictEqual({ ...tag, description: 'Not for children', updatedAt })
  expect(renamed).toStrictEqual({ ...described, name: 'Grown-ups' })
  expect(cleared).toStrictEqual({ ...renamed, description: null })
  expect(bodyOf(await admin.call(api.readSharingTag, { params }))).toStrictEqual(cleared)
  expect(bodyOf(await admin.call(api.listSharingTags, {}))).toMatchObject({ data: [cleared], total: 1 })
  expect((await admin.call(api.deleteSharingTag, { params })).status).toBe(204)
  for (const gone of [
    await admin.call(api.readSharingTag, { params }),
    await admin.call(api.updateSharingTag, { params, body: { name: 'x' } }),
    await admin.call(api.deleteSharingTag, { params }),
  ]) {
    expect(errorOf(gone)).toMatchObject({ error: 'not_found' })
  }
})

test('AUTH-7 names of tags and of groups are taken whatever their case and width', async () => {
  const admin = await server.person('admin')
  await createTag(admin, 'Kids')
  await createGroup(admin, { name: 'Kids' })
  const [otherTag, otherGroup] = [await createTag(admin, 'other'), await createGroup(admin, { name: 'other' })]

  for (const name of ['kids', 'ＫＩＤＳ', ' Kids ']) {
    for (const refused of [
      await admin.call(api.createSharingTag, { body: { name } }),
      await admin.call(api.updateSharingTag, { params: { id: otherTag.id }, body: { name } }),
      await admin.call(api.createAccessGroup, { body: { name } }),
      await admin.call(api.updateAccessGroup, { params: { id: otherGroup.id }, body: { name } }),
    ]) {
      expect([name, refused.status, errorOf(refused).error]).toEqual([name, 409, 'already_exists'])
    }
  }
  const sameTag = await admin.call(api.updateSharingTag, { params: { id: otherTag.id }, body: { name: 'OTHER' } })
  expect(bodyOf(sameTag).name).toBe('OTHER')
})

test('HTTP-5 tags and groups are listed by name in natural order', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  for (const name of ['Level 10', 'level 2', 'Ébène']) {
    await createTag(admin, name)
    await createGroup(admin, { name })
  }
  const inOrder = ['Ébène', 'level 2', 'Level 10']

  expect(bodyOf(await admin.call(api.listSharingTags, {})).data.map(({ name }) => name)).toEqual(inOrder)
  expect(bodyOf(await admin.call(api.listAccessGroups, {})).data.map(({ name }) => name)).toEqual(inOrder)
  const backwards = bodyOf(await admin.call(api.listAccessGroups, { query: { sort: 'name,desc', pageSize: 2 } }))
  expect(backwards.data.map(({ name }) => name)).toEqual(['Level 10', 'level 2'])
  expect(backwards).toMatchObject({ total: 3, totalPages: 2 })
})

test('AUTH-7 a group is created, read, listed, changed and deleted', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')

  const group = await createGroup(admin, {
    name: 'children',
    description: 'Under twelve',
    libraries: [library(1), library(2)],
    ageCeiling: 12,
    includeUnrated: true,
  })
  const params = { id: group.id }
  const change = async (body: api.AccessGroupPatch) => bodyOf(await admin.call(api.updateAccessGroup, { params, body }))

  expect(group).toStrictEqual({
    id: expect.any(String),
    name: 'children',
    description: 'Under twelve',
    libraries: [library(1), library(2)],
    ageCeiling: 12,
    includeUnrated: true,
    grants: [],
    memberCount: 0,
    members: [],
    oidcMappings: [],
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  const { grants, members, oidcMappings, ...listed } = group
  expect([grants, members, oidcMappings]).toEqual([[], [], []])
  expect(bodyOf(await admin.call(api.listAccessGroups, {})).data).toStrictEqual([{ ...listed, grantCount: 0 }])
  expect(await change({ ageCeiling: null })).toMatchObject({ libraries: [library(1), library(2)], ageCeiling: null })
  expect(await change({ libraries: [library(3)] })).toMatchObject({ libraries: [library(3)], includeUnrated: true })
  expect(await change({ libraries: [] })).toMatchObject({ libraries: [] })
  expect(await change({ libraries: 'all', description: null })).toMatchObject({ libraries: 'all', description: null })
  expect(await change({ name: 'kids', includeUnrated: false })).toMatchObject({ name: 'kids', includeUnrated: false })
  expect((await admin.call(api.deleteAccessGroup, { params })).status).toBe(204)
  expect((await admin.call(api.readAccessGroup, { params })).status).toBe(404)
  expect((await admin.call(api.deleteAccessGroup, { params })).status).toBe(404)
})

test('AUTH-7 members join and leave, and both sides show it', async () => {
  const admin = await server.person('admin')
  const ana = await server.person('reader', { username: 'ana' })
  const ben = await server.person('reader', { username: 'ben' })
  const group = await createGroup(admin, { name: 'children', description: 'Under twelve' })
  const params = { id: group.id }
  const add = (userIds: string[]) => admin.call(api.addAccessGroupMembers, { params, body: { userIds } })

  const joined = await add([ben.id, ana.id])
  const again = await add([ana.id])
  const unknown = await add([ana.id, nobody])

  expect(joined.status).toBe(200)
  expect(bodyOf(joined)).toMatchObject([
    { userId: ana.id, username: 'ana', source: 'manual' },
    { userId: ben.id, username: 'ben', source: 'manual' },
  ])
  expect(bodyOf(again).map(({ userId }) => userId)).toEqual([ana.id])
  expect(errorOf(unknown)).toMatchObject({ error: 'validation_failed', details: [{ path: '/userIds/1' }] })
  const detail = bodyOf(await admin.call(api.readAccessGroup, { params }))
  expect(detail.members.map(({ username }) => username)).toEqual(['ana', 'ben'])
  expect(detail.memberCount).toBe(2)
  expect(bodyOf(await admin.call(api.listGroupsOfUser, { params: { id: ana.id } }))).toStrictEqual([
    { id: group.id, name: 'children', description: 'Under twelve' },
  ])
  expect(bodyOf(await admin.call(api.readUser, { params: { id: ana.id } })).access.groups).toEqual([group.id])
  const leave = () => admin.call(api.removeAccessGroupMember, { params: { id: group.id, userId: ana.id } })
  expect((await leave()).status).toBe(204)
  expect((await leave()).status).toBe(404)
  expect(bodyOf(await admin.call(api.readUser, { params: { id: ana.id } })).access.groups).toEqual([])
})

test('AUTH-7 a group is granted a tag, otherwise, and not any more', async () => {
  const admin = await server.person('admin')
  const tag = await createTag(admin, 'grown-ups')
  const group = await createGroup(admin, { name: 'guests' })
  const params = { id: group.id }
  const grant = (accessMode: 'allow' | 'deny', sharingTagId = tag.id) =>
    admin.call(api.saveAccessGroupGrant, { params, body: { sharingTagId, accessMode } })

  expect(bodyOf(await grant('allow'))).toStrictEqual({
    accessMode: 'allow',
    sharingTagId: tag.id,
    sharingTagName: 'grown-ups',
    createdAt: expect.any(String),
  })
  expect(bodyOf(await grant('deny'))).toMatchObject({ accessMode: 'deny' })
  expect(bodyOf(await admin.call(api.readAccessGroup, { params })).grants).toMatchObject([
    { accessMode: 'deny', sharingTagId: tag.id },
  ])
  expect(bodyOf(await admin.call(api.readSharingTag, { params: { id: tag.id } }))).toMatchObject({ groupCount: 1 })
  expect(errorOf(await grant('deny', nobody))).toMatchObject({ details: [{ path: '/sharingTagId' }] })
  const takeBack = () => admin.call(api.deleteAccessGroupGrant, { params: { id: group.id, tagId: tag.id } })
  expect([(await takeBack()).status, (await takeBack()).status]).toEqual([204, 404])
  const { data } = bodyOf(await admin.call(api.listAccessGroups, {}))
  expect(data.find(({ id }) => id === group.id)).toMatchObject({ grantCount: 0 })
})

test('AUTH-7 what somebody may see is all rules taken together, with where each comes from', async () => {
  const admin = await server.person('admin')
  const [kids, adults] = [await createTag(admin, 'juniors'), await createTag(admin, 'adults')]
  const strict = await createGroup(admin, { name: 'strict', ageCeiling: 12, libraries: [library(2)] })
  const mild = await createGroup(admin, { name: 'mild', ageCeiling: 16, includeUnrated: true })
  for (const [group, tag, accessMode] of [
    [strict, adults, 'deny'],
    [mild, adults, 'deny'],
    [mild, kids, 'deny'],
  ] as const) {
    const body = { sharingTagId: tag.id, accessMode }
    bodyOf(await admin.call(api.saveAccessGroupGrant, { params: { id: group.id }, body }))
  }
  const { id } = await server.person('reader', {
    access: { libraries: [library(1)], allowTags: [kids.id], groups: [strict.id, mild.id] },
  })
  const effective = async () => bodyOf(await admin.call(api.readEffectiveAccess, { params: { id } }))
  const fromMild = { kind: 'group', groupId: mild.id, groupName: 'mild' }
  const fromStrict = { kind: 'group', groupId: strict.id, groupName: 'strict' }

  const combined = await effective()

  expect(combined).toMatchObject({ libraries: [library(1), library(2)], ageCeiling: 12, includeUnrated: false })
  expect(combined.grants).toHaveLength(3)
  expect(combined.grants).toEqual(
    expect.arrayContaining([
      { accessMode: 'allow', sharingTagId: kids.id, sharingTagName: 'juniors', sources: [{ kind: 'user' }] },
      { accessMode: 'deny', sharingTagId: kids.id, sharingTagName: 'juniors', sources: [fromMild] },
      {
        accessMode: 'deny',
        sharingTagId: adults.id,
        sharingTagName: 'adults',
        sources: expect.arrayContaining([fromMild, fromStrict]),
      },
    ]),
  )
  await admin.call(api.deleteAccessGroup, { params: { id: strict.id } })
  expect(await effective()).toMatchObject({ libraries: [library(1)], ageCeiling: 16, includeUnrated: true })
})

test('AUTH-7 someone without any rule may see everything', async () => {
  const admin = await server.person('admin')
  const ana = await server.person('reader')

  expect(bodyOf(await admin.call(api.readEffectiveAccess, { params: { id: ana.id } }))).toStrictEqual({
    libraries: 'all',
    ageCeiling: null,
    includeUnrated: false,
    grants: [],
  })
})

test('AUTH-7 deleting a tag takes it from every user and group', async () => {
  const admin = await server.person('admin')
  const [kids, adults] = [await createTag(admin, 'minors'), await createTag(admin, 'seniors')]
  const group = await createGroup(admin, { name: 'cousins' })
  const ana = await server.person('reader', { access: { allowTags: [kids.id], denyTags: [adults.id] } })
  const grant = { sharingTagId: kids.id, accessMode: 'allow' } as const
  bodyOf(await admin.call(api.saveAccessGroupGrant, { params: { id: group.id }, body: grant }))
  expect(bodyOf(await admin.call(api.readSharingTag, { params: { id: kids.id } }))).toMatchObject({
    userCount: 1,
    groupCount: 1,
  })

  await admin.call(api.deleteSharingTag, { params: { id: kids.id } })

  expect(bodyOf(await admin.call(api.readUser, { params: { id: ana.id } })).access).toMatchObject({
    allowTags: [],
    denyTags: [adults.id],
  })
  expect(bodyOf(await admin.call(api.readAccessGroup, { params: { id: group.id } })).grants).toEqual([])
})

test('W1 a tag or group that goes away while users get it is never a fault', async () => {
  const admin = await server.person('admin')

  for (let round = 0; round < 20; round += 1) {
    const [tag, group] = [await createTag(admin, `tag ${round}`), await createGroup(admin, { name: `group ${round}` })]
    const access = { allowTags: [tag.id], groups: [group.id] }
    const outcomes = await Promise.all([
      admin.call(api.createUser, { body: { username: `user ${round}`, password: testPassword, access } }),
      admin.call(api.deleteSharingTag, { params: { id: tag.id } }),
      admin.call(api.createUser, { body: { username: `other ${round}`, password: testPassword, access } }),
      admin.call(api.deleteAccessGroup, { params: { id: group.id } }),
      admin.call(api.updateUser, { params: { id: admin.id }, body: { access } }),
    ])
    for (const { status } of outcomes) expect([200, 201, 204, 400]).toContain(status)
  }
})

test('W2 tags and groups with a wrong body are refused with where', async () => {
  const admin = await server.person('admin')
  const cases: readonly [string, unknown, string][] = [
    ['/admin/sharing-tags', {}, '/name'],
    ['/admin/sharing-tags', { name: '' }, '/name'],
    ['/admin/sharing-tags', { name: ' \u3000 ' }, '/name'],
    ['/admin/sharing-tags', { name: 'x'.repeat(101) }, '/name'],
    ['/admin/sharing-tags', { name: 'x', colour: 'red' }, '/colour'],
    ['/access-groups', { name: '   ' }, '/name'],
    ['/access-groups', { name: 'x', description: 'x'.repeat(1001) }, '/description'],
    ['/access-groups', { name: 'x', ageCeiling: 101 }, '/ageCeiling'],
    ['/access-groups', { name: 'x', ageCeiling: '12' }, '/ageCeiling'],
    ['/access-groups', { name: 'x', grants: [] }, '/grants'],
  ]

  for (const [path, body, where] of cases) {
    const { status, json } = await plainRequest(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.accessToken}` },
      body,
    })
    expect([body, status, json]).toMatchObject([body, 400, { error: 'validation_failed', details: [{ path: where }] }])
  }
})

test('HTTP-6 a change that names an older state of a group or tag is refused', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const admin = await server.person('admin')
  const tag = await createTag(admin, 'kids')
  const params = { id: tag.id }
  const etag = (await admin.call(api.readSharingTag, { params })).headers.get('etag') ?? ''
  const rename = (name: string) =>
    admin.call(api.updateSharingTag, { params, body: { name } }, { headers: { 'if-match': etag } })
  time.pass(second)

  expect((await rename('children')).status).toBe(200)
  const refused = await rename('little ones')

  expect([refused.status, errorOf(refused).error]).toEqual([412, 'precondition_failed'])
  expect((await admin.call(api.deleteSharingTag, { params }, { headers: { 'if-match': etag } })).status).toBe(412)
  expect(bodyOf(await admin.call(api.readSharingTag, { params })).name).toBe('children')
})

test('AUTH-7 of many who make a sharing tag by the same name at once all mean the same', async () => {
  const { db, clock } = server.context
  const make = () => sharingTagsNamed(db, ['New', 'Newer'], { mayCreate: true, now: clock(), path: '/sharingLabels' })

  const made = await Promise.all(Array.from({ length: 12 }, make))

  const rows = await db.read
    .selectFrom('sharing_tag')
    .select('id')
    .where('name', 'in', ['New', 'Newer'])
    .orderBy('name')
    .execute()
  expect(new Set(made.map((ids) => ids.join(' ')))).toEqual(new Set([rows.map(({ id }) => id).join(' ')]))
})
