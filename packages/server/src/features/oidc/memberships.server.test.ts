import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { meIn, signInAs } from '../../../test/oidc-browser.ts'
import { settingsFor, startProvider } from '../../../test/oidc-provider.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer } from '../../../test/start-server.ts'

const creating = { CARREL_OIDC_MAIN_CREATE_USERS: 'true' }

const createGroup = async (admin: Person, name: string, ...oidcGroups: string[]): Promise<string> => {
  const { id } = bodyOf(await admin.call(api.createAccessGroup, { body: { name, ageCeiling: 12 } }))
  for (const oidcGroupName of oidcGroups) await map(admin, id, oidcGroupName)
  return id
}

const map = async (admin: Person, id: string, oidcGroupName: string): Promise<api.OidcMapping> =>
  bodyOf(await admin.call(api.addAccessGroupOidcMapping, { params: { id }, body: { oidcGroupName } }))

const membersOf = async (admin: Person, id: string): Promise<string[]> => {
  const { members } = bodyOf(await admin.call(api.readAccessGroup, { params: { id } }))
  return members.map(({ username, source }) => `${username} ${source}`)
}

test('AUTH-8 AUTH-7 groups at a provider put people into access groups and take them out, at each sign-in', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const admin = await server.person('admin', { username: 'boss' })
  const children = await createGroup(admin, 'children', 'kids', 'Guests')
  const school = await createGroup(admin, 'school', 'pupils', 'kids')
  const unmapped = await createGroup(admin, 'unmapped')
  const after = async (groups: unknown) => {
    provider.accounts.set('ana-1', { preferred_username: 'ana', groups })
    expect((await signInAs(server, 'ana-1')).location).toBe('/')
    return Promise.all([children, school, unmapped].map((id) => membersOf(admin, id)))
  }

  expect(await after(['kids'])).toEqual([['ana oidc'], ['ana oidc'], []])
  expect(await after(['Guests', 'kids'])).toEqual([['ana oidc'], ['ana oidc'], []])
  expect(await after('Guests')).toEqual([['ana oidc'], [], []])
  expect(await after(['guests', 'KIDS', 'pupils '])).toEqual([[], [], []])
  expect(await after(['pupils'])).toEqual([[], ['ana oidc'], []])
  expect(await after({ pupils: true })).toEqual([[], [], []])
})

test('AUTH-8 AUTH-7 who was put into a group by hand stays, whatever the provider says', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const admin = await server.person('admin')
  const before = await createGroup(admin, 'before', 'kids')
  const later = await createGroup(admin, 'later', 'kids')
  const signIn = async (groups: string[]) => {
    provider.accounts.set('ana-1', { preferred_username: 'ana', groups })
    return meIn(server, (await signInAs(server, 'ana-1')).browser)
  }
  const { id: userId } = await signIn([])
  const add = (id: string) => admin.call(api.addAccessGroupMembers, { params: { id }, body: { userIds: [userId] } })
  await add(before)
  await signIn(['kids'])
  expect([await membersOf(admin, before), await membersOf(admin, later)]).toEqual([['ana manual'], ['ana oidc']])
  // Saving a user keeps the source of each membership, although the list is sent as a whole.
  await admin.call(api.updateUser, { params: { id: userId }, body: { access: { groups: [before, later] } } })
  expect(await membersOf(admin, later)).toEqual(['ana oidc'])
  await add(later)
  await signIn([])

  expect([await membersOf(admin, before), await membersOf(admin, later)]).toEqual([['ana manual'], ['ana manual']])
})

test('AUTH-8 what a group takes away counts at once in the sessions that are open', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const admin = await server.person('admin')
  await createGroup(admin, 'children', 'kids')
  const ceilingOf = async (id: string) =>
    bodyOf(await admin.call(api.readEffectiveAccess, { params: { id } })).ageCeiling
  provider.accounts.set('ana-1', { groups: [] })
  const { id } = await meIn(server, (await signInAs(server, 'ana-1')).browser)
  expect(await ceilingOf(id)).toBeNull()
  const revision = (await server.context.db.revisions()).access
  provider.accounts.set('ana-1', { groups: ['kids'] })
  await signInAs(server, 'ana-1')

  expect(await ceilingOf(id)).toBe(12)
  expect((await server.context.db.revisions()).access).toBeGreaterThan(revision)
})

test('AUTH-8 AUTH-7 groups of providers are listed with an access group, once each, and can be taken back', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const id = await createGroup(admin, 'children')
  const other = await createGroup(admin, 'other', 'kids')
  const kids = await map(admin, id, 'kids')
  const capital = await map(admin, id, 'Kids')
  const add = (oidcGroupName: string, groupId = id) =>
    admin.call(api.addAccessGroupOidcMapping, { params: { id: groupId }, body: { oidcGroupName } })
  const remove = (mappingId: string, groupId = id) =>
    admin.call(api.deleteAccessGroupOidcMapping, { params: { id: groupId, mappingId } })

  expect(kids).toStrictEqual({ id: expect.any(String), oidcGroupName: 'kids', createdAt: expect.any(String) })
  const { oidcMappings } = bodyOf(await admin.call(api.readAccessGroup, { params: { id } }))
  expect(oidcMappings).toHaveLength(2)
  expect(oidcMappings).toEqual(expect.arrayContaining([kids, capital]))
  expect([(await add('kids')).status, errorOf(await add('kids')).error]).toEqual([409, 'already_exists'])
  expect((await add('x\u0007')).status).toBe(400)
  expect((await add('kids', '019aa3b2-0000-7000-8000-00000000dead')).status).toBe(404)
  expect([
    (await remove(kids.id, other)).status,
    (await remove(kids.id)).status,
    (await remove(kids.id)).status,
  ]).toEqual([404, 204, 404])
  expect(bodyOf(await admin.call(api.readAccessGroup, { params: { id } })).oidcMappings).toEqual([capital])
  for (let count = 1; count < 100; count += 1) await map(admin, id, `group ${count}`)
  expect(errorOf(await add('one more'))).toMatchObject({ error: 'conflict' })
})
