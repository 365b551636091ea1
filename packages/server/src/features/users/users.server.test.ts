import * as api from '@carrel/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, testPassword, type TestServer } from '../../../test/start-server.ts'

const openAccess = {
  libraries: 'all',
  ageCeiling: null,
  includeUnrated: false,
  allowTags: [],
  denyTags: [],
  groups: [],
}
const createUser = async (admin: Person, body: Omit<api.NewUser, 'password'>) =>
  bodyOf(await admin.call(api.createUser, { body: { password: testPassword, ...body } }))
interface UserQuery {
  readonly q?: string
  readonly role?: api.Role
  readonly sort?: 'username,desc'
  readonly page?: number
  readonly pageSize?: number
}
/** Names are given once. */
let given = 0
const createTag = async (admin: Person, name: string) =>
  bodyOf(await admin.call(api.createSharingTag, { body: { name: `${name} ${(given += 1)}` } })).id
const createGroup = async (admin: Person, name: string) =>
  bodyOf(await admin.call(api.createAccessGroup, { body: { name: `${name} ${(given += 1)}` } })).id
/** Most of the tests touch their own users alone, and share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const library = (last: number) => `019aa3b2-6c7e-7000-8000-00000000000${last}`

test('C3 a user made of a name and a password has these fields and no others', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const admin = await server.person('admin')

  const created = await admin.call(api.createUser, { body: { username: ' ana ', password: testPassword } })
  const user = bodyOf(created)

  expect(created.status).toBe(201)
  expect(user).toStrictEqual({
    id: expect.any(String),
    username: 'ana',
    email: null,
    role: 'reader',
    permissions: [],
    isActive: true,
    lastLoginAt: null,
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
    access: openAccess,
  })
  expect(bodyOf(await admin.call(api.readUser, { params: { id: user.id } }))).toStrictEqual(user)
  time.pass(second)
  expect((await server.call(api.login, { body: { username: 'ana', password: testPassword } })).status).toBe(200)
  expect(bodyOf(await admin.call(api.readUser, { params: { id: user.id } })).lastLoginAt).toBe(
    '2026-11-21T10:00:01.000Z',
  )
})

test('C3 AUTH-7 a user with all fields comes back as given', async () => {
  const admin = await server.person('admin')
  const [kids, grownUps] = [await createTag(admin, 'kids'), await createTag(admin, 'grown-ups')]
  const group = await createGroup(admin, 'children')
  const access = {
    libraries: [library(1), library(2)],
    ageCeiling: 12,
    includeUnrated: true,
    allowTags: [kids],
    denyTags: [grownUps],
    groups: [group],
  }

  const user = await createUser(admin, {
    username: 'ben',
    email: 'Ben@Example.org',
    role: 'editor',
    permissions: ['settings:read', 'plugins-read'],
    isActive: false,
    access,
  })

  expect(user).toMatchObject({
    username: 'ben',
    email: 'Ben@Example.org',
    role: 'editor',
    permissions: ['settings:read', 'plugins:read'],
    isActive: false,
    access,
  })
  expect(bodyOf(await admin.call(api.readUser, { params: { id: user.id } }))).toStrictEqual(user)
  const { data } = bodyOf(await admin.call(api.listUsers, { query: { q: 'ben' } }))
  expect(data).toStrictEqual([user])
})

test('C3 the list is an envelope, by name in natural order, filtered by role and part of a name', async () => {
  await using server = await startServer()
  const admin = await server.person('admin', { username: 'root' })
  for (const [username, role] of [
    ['Vol 10', 'reader'],
    ['vol 2', 'editor'],
    ['Äpfel', 'reader'],
  ] as const) {
    await createUser(admin, { username, role, email: `${role}-${username.length}@books.example` })
  }
  const list = async (query: UserQuery) => bodyOf(await admin.call(api.listUsers, { query }))
  const names = async (query: UserQuery) => (await list(query)).data.map(({ username }) => username)

  expect(await names({})).toEqual(['Äpfel', 'root', 'vol 2', 'Vol 10'])
  expect(await names({ sort: 'username,desc' })).toEqual(['Vol 10', 'vol 2', 'root', 'Äpfel'])
  expect(await names({ role: 'reader' })).toEqual(['Äpfel', 'Vol 10'])
  expect(await names({ q: 'VOL' })).toEqual(['vol 2', 'Vol 10'])
  expect(await names({ q: 'editor-' })).toEqual(['vol 2'])
  expect(await names({ q: 'vol', role: 'reader' })).toEqual(['Vol 10'])
  expect(await list({ q: 'vol', page: 2, pageSize: 1 })).toMatchObject({
    data: [{ username: 'Vol 10' }],
    page: 2,
    pageSize: 1,
    total: 2,
    totalPages: 2,
    links: {
      self: '/api/v1/users?q=vol&page=2&pageSize=1',
      first: '/api/v1/users?q=vol&page=1&pageSize=1',
      prev: '/api/v1/users?q=vol&page=1&pageSize=1',
      next: null,
      last: '/api/v1/users?q=vol&page=2&pageSize=1',
    },
  })
  expect((await list({ page: 99 })).data).toEqual([])
})

test('C3 a search for a name takes every character as it is', async () => {
  await using server = await startServer()
  const admin = await server.person('admin', { username: 'root' })
  const names = ['100% sure', 'a_b', 'a\\b', 'axb', "o'hara", 'x"y', '漫画', 'ﬁne']
  for (const username of names) await createUser(admin, { username })
  const usernamesFor = async (q: string) =>
    bodyOf(await admin.call(api.listUsers, { query: { q } })).data.map(({ username }) => username)

  expect(await usernamesFor('%')).toEqual(['100% sure'])
  expect(await usernamesFor('_')).toEqual(['a_b'])
  expect(await usernamesFor('a_b')).toEqual(['a_b'])
  expect(await usernamesFor('\\')).toEqual(['a\\b'])
  expect(await usernamesFor('a\\b')).toEqual(['a\\b'])
  expect(await usernamesFor('\\_')).toEqual([])
  expect(await usernamesFor("'")).toEqual(["o'hara"])
  expect(await usernamesFor('"')).toEqual(['x"y'])
  expect(await usernamesFor('画')).toEqual(['漫画'])
  expect(await usernamesFor('FINE')).toEqual(['ﬁne'])
})

test('AUTH-9 a name or address that differs in case or width alone is taken', async () => {
  const admin = await server.person('admin')
  await createUser(admin, { username: 'Zoë', email: 'zoe@example.org' })
  const other = await createUser(admin, { username: 'bob', email: 'bob@example.org' })
  const create = (username: string, email?: string) =>
    admin.call(api.createUser, { body: { username, password: testPassword, ...(email && { email }) } })
  const rename = (body: api.UserPatch) => admin.call(api.updateUser, { params: { id: other.id }, body })

  for (const refused of [
    await create('ZOË'),
    await create('ｚｏë'),
    await create('zoe\u0308'),
    await create(' Zoë '),
    await create('someone', 'ZOE@example.org'),
    await rename({ username: 'zOË' }),
    await rename({ email: 'Zoe@Example.ORG' }),
  ]) {
    expect([refused.status, errorOf(refused).error]).toEqual([409, 'already_exists'])
  }
  expect((await create('zoe')).status).toBe(201)
  expect((await rename({ username: 'BOB', email: 'BOB@example.org' })).status).toBe(200)
  expect(bodyOf(await admin.call(api.readUser, { params: { id: other.id } }))).toMatchObject({
    username: 'BOB',
    email: 'BOB@example.org',
  })
})

test('AUTH-9 of twenty users of one name made at once there is one', async () => {
  const admin = await server.person('admin')

  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      admin.call(api.createUser, { body: { username: index % 2 ? 'viola' : 'VIOLA', password: testPassword } }),
    ),
  )

  expect(made.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(made.filter(({ status }) => status === 409)).toHaveLength(19)
})

test('HTTP-6 in a change what is absent stays and null clears', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const admin = await server.person('admin')
  const before = await createUser(admin, {
    username: 'ana',
    email: 'ana@example.org',
    permissions: ['settings:read'],
    access: { libraries: [library(1)], ageCeiling: 12, includeUnrated: true },
  })
  const change = async (body: api.UserPatch) =>
    bodyOf(await admin.call(api.updateUser, { params: { id: before.id }, body }))
  time.pass(second)
  const updatedAt = '2026-11-21T10:00:01.000Z'

  expect(await change({})).toStrictEqual({ ...before, updatedAt })
  expect(await change({ role: 'editor' })).toStrictEqual({ ...before, role: 'editor', updatedAt })
  expect(await change({ email: null })).toStrictEqual({ ...before, role: 'editor', email: null, updatedAt })
  expect(await change({ access: { ageCeiling: null } })).toMatchObject({
    access: { ...before.access, ageCeiling: null },
  })
  expect(await change({ access: { libraries: 'all' }, permissions: [] })).toMatchObject({
    permissions: [],
    access: { ...before.access, ageCeiling: null, libraries: 'all' },
  })
})

test('AUTH-7 lists of an access record replace, each on its own, and the rest stays', async () => {
  const admin = await server.person('admin')
  const [a, b, c] = [await createTag(admin, 'a'), await createTag(admin, 'b'), await createTag(admin, 'c')]
  const [one, two] = [await createGroup(admin, 'one'), await createGroup(admin, 'two')]
  const { id } = await createUser(admin, {
    username: 'lea',
    access: { allowTags: [a, b], denyTags: [c], groups: [one], libraries: [library(1), library(2)] },
  })
  const change = async (access: Partial<api.Access>) =>
    bodyOf(await admin.call(api.updateUser, { params: { id }, body: { access } })).access

  expect(await change({ allowTags: [b] })).toMatchObject({ allowTags: [b], denyTags: [c], groups: [one] })
  expect(await change({ groups: [two, one] })).toMatchObject({ allowTags: [b], groups: [one, two] })
  expect(await change({ groups: [two] })).toMatchObject({ groups: [two] })
  expect(await change({ libraries: [library(3)] })).toMatchObject({ libraries: [library(3)], denyTags: [c] })
  expect(await change({ libraries: [] })).toMatchObject({ libraries: [] })
  expect(await change({ denyTags: [a], allowTags: [c] })).toMatchObject({ allowTags: [c], denyTags: [a] })
  expect(await change({ denyTags: [], allowTags: [], groups: [], libraries: 'all' })).toEqual(openAccess)
})

test('AUTH-7 a tag cannot be allowed and denied at once, also when one of them stood before', async () => {
  const admin = await server.person('admin')
  const tag = await createTag(admin, 'kids')
  const { id, access } = await createUser(admin, { username: 'mia', access: { allowTags: [tag] } })
  const both = { allowTags: [tag], denyTags: [tag] }

  const created = await admin.call(api.createUser, {
    body: { username: 'otto', password: testPassword, access: both },
  })
  const changed = await admin.call(api.updateUser, { params: { id }, body: { access: both } })
  const denied = await admin.call(api.updateUser, { params: { id }, body: { access: { denyTags: [tag] } } })

  for (const refused of [created, changed, denied]) {
    expect(errorOf(refused)).toMatchObject({ error: 'validation_failed', details: [{ path: '/access/denyTags' }] })
  }
  expect(bodyOf(await admin.call(api.readUser, { params: { id } })).access).toEqual(access)
  expect(bodyOf(await admin.call(api.listUsers, { query: { q: 'otto' } })).total).toBe(0)
})

test('AUTH-7 an unknown tag or group is refused with where, and nothing is changed', async () => {
  const admin = await server.person('admin')
  const tag = await createTag(admin, 'kids')
  const { id } = await createUser(admin, { username: 'nora' })
  const nobody = library(9)
  const cases: readonly [Partial<api.Access>, string][] = [
    [{ allowTags: [tag, nobody] }, '/access/allowTags/1'],
    [{ denyTags: [nobody] }, '/access/denyTags/0'],
    [{ groups: [nobody] }, '/access/groups/0'],
    [{ allowTags: [tag], ageCeiling: 6, groups: [nobody] }, '/access/groups/0'],
  ]

  for (const [access, path] of cases) {
    const body = { access, role: 'editor' as const }
    const refused = await admin.call(api.updateUser, { params: { id }, body })
    expect(errorOf(refused)).toMatchObject({ error: 'validation_failed', details: [{ path }] })
  }
  expect(bodyOf(await admin.call(api.readUser, { params: { id } }))).toMatchObject({
    role: 'reader',
    access: openAccess,
  })
})

test('W2 a user with a wrong body is refused with where', async () => {
  const admin = await server.person('admin')
  const { total } = bodyOf(await admin.call(api.listUsers, {}))
  const good = { username: 'ana', password: testPassword }
  const cases: readonly [unknown, string][] = [
    [{ password: testPassword }, '/username'],
    [{ username: 'ana' }, '/password'],
    [{ ...good, username: '' }, '/username'],
    [{ ...good, username: '   ' }, '/username'],
    [{ ...good, username: 'a@b' }, '/username'],
    [{ ...good, username: 'a\nb' }, '/username'],
    [{ ...good, username: 'a\u0085b' }, '/username'],
    [{ ...good, username: 'x'.repeat(65) }, '/username'],
    [{ ...good, password: 'nine-char' }, '/password'],
    [{ ...good, password: 'x'.repeat(257) }, '/password'],
    [{ ...good, password: 'password1234' }, '/password'],
    [{ ...good, username: 'annabel', password: 'Annabel-2026!' }, '/password'],
    [{ ...good, email: 'nonsense' }, '/email'],
    [{ ...good, email: `${'x'.repeat(250)}@example.org` }, '/email'],
    [{ ...good, role: 'owner' }, '/role'],
    [{ ...good, role: null }, '/role'],
    [{ ...good, permissions: ['series:all'] }, '/permissions/0'],
    [{ ...good, isActive: 'yes' }, '/isActive'],
    [{ ...good, id: library(1) }, '/id'],
    [{ ...good, access: { ageCeiling: -1 } }, '/access/ageCeiling'],
    [{ ...good, access: { ageCeiling: 1.5 } }, '/access/ageCeiling'],
    [{ ...good, access: { sees: 'all' } }, '/access/sees'],
    [{ ...good, access: { allowTags: ['kids'] } }, '/access/allowTags/0'],
  ]

  for (const [body, path] of cases) {
    const { status, json } = await plainRequest(`${server.url}/api/v1/users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.accessToken}` },
      body,
    })
    expect([body, status, json]).toMatchObject([body, 400, { error: 'validation_failed', details: [{ path }] }])
  }
  expect(bodyOf(await admin.call(api.listUsers, {})).total).toBe(total)
})

test('C3 a new password ends all sessions of the user', async () => {
  const admin = await server.person('admin')
  const ana = await server.person('reader')
  const newPassword = 'brass-kettle-at-dawn'

  bodyOf(await admin.call(api.updateUser, { params: { id: ana.id }, body: { password: newPassword } }))

  expect((await ana.call(api.readMe, {})).status).toBe(401)
  const withOld = await server.call(api.login, { body: { username: ana.username, password: testPassword } })
  const withNew = await server.call(api.login, { body: { username: ana.username, password: newPassword } })
  expect([withOld.status, withNew.status]).toEqual([401, 200])
})

test('C3 P-24 what a user was saving while they were deleted is told to try again or to sign in, never a fault', async () => {
  const admin = await server.person('admin')

  for (let round = 0; round < 5; round += 1) {
    const reader = await server.person('reader')
    const save = (value: number) =>
      reader.call(api.savePreference, { params: { key: `number-${value}` }, body: { value } })
    const saveMany = (from: number) => Array.from({ length: 20 }, (_, index) => save(from + index))
    await save(0)

    const saved = saveMany(1)
    const deleted = admin.call(api.deleteUser, { params: { id: reader.id } })
    saved.push(...saveMany(21))

    expect((await deleted).status).toBe(204)
    for (const { status } of await Promise.all(saved)) expect([200, 401, 503]).toContain(status)
    expect((await save(50)).status).toBe(401)
  }
})

test('C3 a user who is deleted is gone with all that was theirs', async () => {
  const admin = await server.person('admin')
  const ana = await server.person('reader', { username: 'tess' })
  const tag = await createTag(admin, 'kids')
  const group = await createGroup(admin, 'children')
  await admin.call(api.updateUser, { params: { id: ana.id }, body: { access: { allowTags: [tag], groups: [group] } } })
  bodyOf(await ana.call(api.createApiKey, { body: { name: 'Tablet' } }))
  bodyOf(await ana.call(api.savePreferences, { body: { preferences: { theme: 'dark' } } }))

  expect((await admin.call(api.deleteUser, { params: { id: ana.id } })).status).toBe(204)

  expect((await admin.call(api.readUser, { params: { id: ana.id } })).status).toBe(404)
  expect((await admin.call(api.deleteUser, { params: { id: ana.id } })).status).toBe(404)
  expect(bodyOf(await admin.call(api.readAccessGroup, { params: { id: group } }))).toMatchObject({ memberCount: 0 })
  expect(bodyOf(await admin.call(api.readSharingTag, { params: { id: tag } }))).toMatchObject({ userCount: 0 })
  const { db } = server.context
  for (const table of ['session', 'api_key', 'user_preference'] as const) {
    expect(await db.read.selectFrom(table).selectAll().where('user_id', '=', ana.id).execute()).toEqual([])
  }
  expect((await createUser(admin, { username: 'tess' })).id).not.toBe(ana.id)
})

describe('C4 users are for administrators', () => {
  for (const role of ['reader', 'editor'] as const) {
    test(`a ${role} is refused`, async () => {
      const ana = await server.person(role)
      const params = { id: ana.id }

      for (const refused of [
        await ana.call(api.listUsers, {}),
        await ana.call(api.readUser, { params }),
        await ana.call(api.createUser, { body: { username: 'ben', password: testPassword } }),
        await ana.call(api.updateUser, { params, body: { role: 'admin' } }),
        await ana.call(api.deleteUser, { params }),
        await ana.call(api.readEffectiveAccess, { params }),
        await ana.call(api.listGroupsOfUser, { params }),
      ]) {
        expect([refused.status, errorOf(refused).error]).toEqual([403, 'not_allowed'])
      }
      expect(bodyOf(await ana.call(api.readMe, {})).role).toBe(role)
    })
  }
})

test('C4 nobody hands out or takes over what they do not have themselves', async () => {
  const admin = await server.person('admin')
  const clerk = await server.person('editor', { permissions: ['users:read', 'users:write', 'users:delete'] })
  const ana = await server.person('reader')
  const params = { id: ana.id }
  const attempts = [
    await clerk.call(api.updateUser, { params: { id: clerk.id }, body: { role: 'admin' } }),
    await clerk.call(api.updateUser, { params: { id: clerk.id }, body: { permissions: ['system:admin'] } }),
    await clerk.call(api.updateUser, { params, body: { role: 'admin' } }),
    await clerk.call(api.updateUser, { params, body: { permissions: ['settings:write'] } }),
    await clerk.call(api.createUser, { body: { username: 'eve', password: testPassword, role: 'admin' } }),
    await clerk.call(api.createUser, {
      body: { username: 'eve', password: testPassword, permissions: ['settings:write'] },
    }),
    await clerk.call(api.updateUser, { params: { id: admin.id }, body: { password: 'brass-kettle-at-dawn' } }),
    await clerk.call(api.updateUser, { params: { id: admin.id }, body: { isActive: false } }),
    await clerk.call(api.deleteUser, { params: { id: admin.id } }),
  ]

  expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 403))
  expect((await clerk.call(api.updateUser, { params, body: { role: 'editor' } })).status).toBe(200)
  expect((await clerk.call(api.createUser, { body: { username: 'ravi', password: testPassword } })).status).toBe(201)
  expect((await clerk.call(api.deleteUser, { params })).status).toBe(204)
  expect((await admin.call(api.readMe, {})).status).toBe(200)
})

test('A4 what readers may do can be withheld from one of them, and given back; nothing else can', async () => {
  const admin = await server.person('admin')
  const editor = await server.person('editor')
  const params = { id: editor.id }
  const withhold = (withheldPermissions: string[]) =>
    admin.call(api.updateUser, { params, body: { withheldPermissions } })
  const mine = async () => bodyOf(await editor.call(api.readMe, {})).permissions
  expect(bodyOf(await withhold(['files-download', 'pages:read'])).withheldPermissions).toEqual([
    'files:download',
    'pages:read',
  ])
  const left = await mine()
  expect([left.includes('files:download'), left.includes('pages:read'), left.includes('series:write')]).toEqual([
    false,
    false,
    true,
  ])
  expect(errorOf(await withhold(['series:write']))).toMatchObject({ error: 'validation_failed' })
  expect(bodyOf(await withhold([]))).not.toHaveProperty('withheldPermissions')
  expect(await mine()).toContain('files:download')
  const made = await createUser(admin, { username: 'without', withheldPermissions: ['files:download'] })
  expect(made.withheldPermissions).toEqual(['files:download'])
})
