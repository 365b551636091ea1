import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { meIn, signInAs } from '../../../test/oidc-browser.ts'
import { settingsFor, startProvider, type TestProvider } from '../../../test/oidc-provider.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

const creating = { CARREL_OIDC_MAIN_CREATE_USERS: 'true' }
const mapped = {
  ...creating,
  CARREL_OIDC_MAIN_ADMIN_GROUPS: 'admins, /carrel/admins',
  CARREL_OIDC_MAIN_EDITOR_GROUPS: 'editors',
  CARREL_OIDC_MAIN_READER_GROUPS: 'family',
}

/** It signs in with these groups, and returns the role that results. */
const roleWith = async (server: TestServer, provider: TestProvider, groups: unknown, account = 'ana-1') => {
  provider.accounts.set(account, { preferred_username: account, groups })
  const { browser, location } = await signInAs(server, account)
  return location === '/' ? (await meIn(server, browser)).role : location
}

test('AUTH-8 the highest role the groups give, whatever form they come in', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, mapped) })
  await server.person('admin')
  const cases: [unknown, string][] = [
    [['family', 'admins', 'editors'], 'admin'],
    [['editors', 'family'], 'editor'],
    [['/carrel/admins'], 'admin'],
    ['admins', 'admin'],
    ['editors', 'editor'],
    [['family'], 'reader'],
    [['Admins', 'ADMINS', 'admins '], 'reader'],
    ['admins,editors', 'reader'],
    [{ admins: true, 0: 'admins', length: 1 }, 'reader'],
    [[['admins'], { name: 'admins' }, 1, null], 'reader'],
    [[null, 'editors', 12], 'editor'],
    [12, 'reader'],
    [true, 'reader'],
    ['', 'reader'],
    [undefined, 'reader'],
  ]
  const given = []
  for (const [groups] of cases) given.push([groups, await roleWith(server, provider, groups)])

  expect(given).toEqual(cases)
})

test('AUTH-8 a role changes with the groups at the next sign-in, up and down, and at once for older sessions', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, mapped) })
  await server.person('admin')
  provider.accounts.set('ana-1', { groups: ['admins'] })
  const { browser } = await signInAs(server, 'ana-1')
  const asAna = server.callWith({ cookie: `carrel_session=${browser.cookie('carrel_session')}` })
  expect((await asAna(api.listUsers, {})).status).toBe(200)

  expect(await roleWith(server, provider, ['family'])).toBe('reader')
  expect((await asAna(api.listUsers, {})).status).toBe(403)
  expect(await roleWith(server, provider, ['editors'])).toBe('editor')
})

test('AUTH-8 AUTH-9 the last administrator keeps the role, whatever the provider says', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, mapped) })
  expect(await roleWith(server, provider, ['admins'])).toBe('admin')
  expect(await roleWith(server, provider, ['family'])).toBe('admin')
  expect(server.logLines.filter(({ level }) => level === 'warn')).toHaveLength(1)
  expect(await roleWith(server, provider, ['admins'], 'ben-1')).toBe('admin')
  expect(await roleWith(server, provider, ['family'])).toBe('reader')
  expect(await roleWith(server, provider, ['family'], 'ben-1')).toBe('admin')
})

test('AUTH-8 two administrators who lose their groups at the same moment do not both go', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, mapped) })
  await using second = await startServer({
    env: settingsFor(provider.issuer, mapped),
    address: server.context.config.database,
  })
  await roleWith(server, provider, ['admins'], 'ana-1')
  await roleWith(server, provider, ['admins'], 'ben-1')
  const roles = await Promise.all([roleWith(server, provider, [], 'ana-1'), roleWith(second, provider, [], 'ben-1')])

  expect(roles.sort()).toEqual(['admin', 'reader'])
})

test('AUTH-8 with no role by default nobody signs in who is in no mapped group, known or not', async () => {
  await using provider = await startProvider()
  await using server = await startServer({
    env: settingsFor(provider.issuer, { ...mapped, CARREL_OIDC_MAIN_DEFAULT_ROLE: 'none' }),
  })
  expect(await roleWith(server, provider, ['others'])).toBe('/?error=oidc_not_in_group')
  expect(await server.context.db.read.selectFrom('user').select('id').execute()).toEqual([])
  expect(await roleWith(server, provider, ['family'])).toBe('reader')
  expect(await roleWith(server, provider, ['others'])).toBe('/?error=oidc_not_in_group')
})

test('AUTH-8 without mapped groups roles are given here, and stay', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const admin = await server.person('admin')
  expect(await roleWith(server, provider, ['admins'])).toBe('reader')
  const { data } = bodyOf(await admin.call(api.listUsers, { query: { role: 'reader' } }))
  await admin.call(api.updateUser, { params: { id: data[0]?.id ?? '' }, body: { role: 'editor' } })

  expect(await roleWith(server, provider, ['admins'])).toBe('editor')
})

test('AUTH-8 the claim with the groups may have another name, and may stand inside another', async () => {
  await using provider = await startProvider()
  await using server = await startServer({
    env: settingsFor(provider.issuer, { ...mapped, CARREL_OIDC_MAIN_GROUPS_CLAIM: 'realm_access.roles' }),
  })
  await server.person('admin')
  provider.accounts.set('ana-1', { groups: ['admins'], realm_access: { roles: ['editors'] } })
  const { browser } = await signInAs(server, 'ana-1')

  expect((await meIn(server, browser)).role).toBe('editor')
})

test('AUTH-8 claims that stand only at the userinfo endpoint count as those in the token do', async () => {
  await using provider = await startProvider(undefined, { claimsInToken: false })
  await using server = await startServer({ env: settingsFor(provider.issuer, mapped) })
  provider.accounts.set('ana-1', {
    preferred_username: 'ana',
    email: 'ana@example.org',
    email_verified: true,
    groups: ['editors'],
  })
  const { browser } = await signInAs(server, 'ana-1')

  expect(await meIn(server, browser)).toMatchObject({ username: 'ana', email: 'ana@example.org', role: 'editor' })
})
