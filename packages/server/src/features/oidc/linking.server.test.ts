import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { meIn, signInAs } from '../../../test/oidc-browser.ts'
import { type AccountClaims, settingsFor, startProvider } from '../../../test/oidc-provider.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

const linking = { CARREL_OIDC_MAIN_LINK_BY_EMAIL: 'true' }
const creating = { CARREL_OIDC_MAIN_CREATE_USERS: 'true' }
const verified = (email: string, more: AccountClaims = {}): AccountClaims => ({ email, email_verified: true, ...more })

const namesIn = async ({ context }: TestServer): Promise<string[]> => {
  const rows = await context.db.read.selectFrom('user').select('username').orderBy('username').execute()
  return rows.map(({ username }) => username)
}

test('AUTH-8 who is known to nobody is refused unless linking or creating is switched on', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer) })
  await server.person('reader', { username: 'ana', email: 'ana@example.org' })
  provider.accounts.set('ana-1', verified('ana@example.org', { preferred_username: 'ana' }))
  const { browser, location } = await signInAs(server, 'ana-1', { returnTo: '/series' })

  expect([location, browser.cookie('carrel_session')]).toEqual(['/?error=oidc_no_account', undefined])
  expect(await namesIn(server)).toEqual(['ana'])
})

test('AUTH-8 a verified address links to the user who has it when that is switched on, for good', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, linking) })
  const ana = await server.person('editor', { username: 'ana', email: 'Ana@Example.org' })
  provider.accounts.set('ana-1', verified('ana@example.ORG', { preferred_username: 'somebody' }))
  const linked = await meIn(server, (await signInAs(server, 'ana-1')).browser)
  provider.accounts.set('ana-1', {})
  const again = await meIn(server, (await signInAs(server, 'ana-1')).browser)

  expect(linked).toMatchObject({ id: ana.id, username: 'ana', email: 'Ana@Example.org', role: 'editor' })
  expect(again.id).toBe(ana.id)
  const byPassword = await server.call(api.login, { body: { username: 'ana', password: ana.password } })
  expect(byPassword.status).toBe(200)
})

test('AUTH-8 an address that somebody new got at the provider does not bring the account along', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, linking) })
  await server.person('reader', { email: 'office@example.org' })
  provider.accounts.set('first', verified('office@example.org'))
  provider.accounts.set('successor', verified('office@example.org'))

  expect((await signInAs(server, 'first')).location).toBe('/')
  expect((await signInAs(server, 'successor')).location).toBe('/?error=oidc_no_account')
})

test('AUTH-8 an inactive user is refused, linked or not, and is not made a second time', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, { ...linking, ...creating }) })
  const admin = await server.person('admin')
  const ana = await server.person('reader', { username: 'ana', email: 'ana@example.org' })
  provider.accounts.set('ana-1', verified('ana@example.org'))
  expect((await signInAs(server, 'ana-1')).location).toBe('/')
  const setActive = (isActive: boolean) => admin.call(api.updateUser, { params: { id: ana.id }, body: { isActive } })
  await setActive(false)
  const { browser, location } = await signInAs(server, 'ana-1')

  expect([location, browser.cookie('carrel_session')]).toEqual(['/?error=oidc_inactive', undefined])
  await setActive(true)
  expect((await signInAs(server, 'ana-1')).location).toBe('/')
})

test('AUTH-8 a new user gets a legal name of their own and touches nobody else’s', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const ana = await server.person('admin', { username: 'Ana', email: 'ana@example.org' })
  const long = 'x'.repeat(80)
  const claims: AccountClaims[] = [
    verified('ana@example.org', { preferred_username: 'ana' }),
    { preferred_username: 'ANA', email: 'unverified@example.org' },
    verified('ben@example.org', { preferred_username: 'ben.smith@corp.example' }),
    verified('cleo@example.org'),
    { preferred_username: ' Dora\u202e\u0007  the \n reader ' },
    { preferred_username: long },
    { preferred_username: long },
    { preferred_username: 12 },
    { preferred_username: '@' },
  ]
  const made = []
  for (const [index, each] of claims.entries()) {
    provider.accounts.set(`new-${index}`, each)
    const { username, email, role } = await meIn(server, (await signInAs(server, `new-${index}`)).browser)
    made.push([username, email, role])
  }

  expect(made).toEqual([
    ['ana-2', null, 'reader'],
    ['ANA-3', null, 'reader'],
    ['ben.smith', 'ben@example.org', 'reader'],
    ['cleo', 'cleo@example.org', 'reader'],
    ['Dora the reader', null, 'reader'],
    ['x'.repeat(64), null, 'reader'],
    [`${'x'.repeat(62)}-2`, null, 'reader'],
    ['user', null, 'reader'],
    ['user-2', null, 'reader'],
  ])
  expect(bodyOf(await ana.call(api.readProfile, {}))).toMatchObject({
    username: 'Ana',
    email: 'ana@example.org',
    role: 'admin',
  })
})

test('AUTH-8 somebody new who comes twice at the same moment is one user', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  await using second = await startServer({
    env: settingsFor(provider.issuer, creating),
    address: server.context.config.database,
  })
  provider.accounts.set('ana-1', { preferred_username: 'ana' })
  const ends = await Promise.all(
    Array.from({ length: 8 }, (_, index) => signInAs(index % 2 ? second : server, 'ana-1')),
  )

  expect(ends.map(({ location }) => location)).toEqual(ends.map(() => '/'))
  expect(await namesIn(server)).toEqual(['ana'])
})

test('AUTH-8 a provider that another one has taken the place of does not hand its people over', async () => {
  await using before = await startProvider()
  await using after = await startProvider()
  await using server = await startServer({ env: settingsFor(before.issuer, creating) })
  await using moved = await startServer({
    env: settingsFor(after.issuer),
    address: server.context.config.database,
  })

  expect((await signInAs(server, '1')).location).toBe('/')
  expect((await signInAs(moved, '1')).location).toBe('/?error=oidc_no_account')
})
