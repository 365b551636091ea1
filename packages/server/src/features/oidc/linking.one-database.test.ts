import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { signInAs } from '../../../test/oidc-browser.ts'
import { type AccountClaims, settingsFor, startProvider } from '../../../test/oidc-provider.ts'
import { startServer } from '../../../test/start-server.ts'

const linking = { CARREL_OIDC_MAIN_LINK_BY_EMAIL: 'true' }
const creating = { CARREL_OIDC_MAIN_CREATE_USERS: 'true' }
const verified = (email: string, more: AccountClaims = {}): AccountClaims => ({ email, email_verified: true, ...more })

test('AUTH-8 an app learns of a refusal at its own address', async () => {
  await using provider = await startProvider()
  const apps = ['com.example.reader:/signed-in', 'https://app.example.org/in?from=carrel']
  await using server = await startServer({
    env: settingsFor(provider.issuer, { CARREL_OIDC_REDIRECT_URIS: apps.join(',') }),
  })
  const ends = []
  for (const redirectUri of apps) ends.push((await signInAs(server, 'ana-1', { redirectUri })).location)

  expect(ends).toEqual([`${apps[0]}?error=oidc_no_account`, `${apps[1]}&error=oidc_no_account`])
})

test('AUTH-8 only an address that is verified, and is just this one, links', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, linking) })
  await server.person('reader', { username: 'kim', email: 'kim@example.org' })
  await server.person('reader', { username: 'fio', email: 'fiona@example.org' })
  const claims: AccountClaims[] = [
    { email: 'kim@example.org' },
    { email: 'kim@example.org', email_verified: false },
    { email: 'kim@example.org', email_verified: 'true' },
    { email: 'kim@example.org', email_verified: 1 },
    { email: ['kim@example.org'], email_verified: true },
    { email_verified: true, preferred_username: 'kim@example.org' },
    { email_verified: true, preferred_username: 'kim' },
    // Each folds to an address that somebody has: the Kelvin sign, a ligature, full width.
    verified('\u212aim@example.org'),
    verified('\ufb01ona@example.org'),
    verified('\uff4bim@example.org'),
    verified(' kim@example.org'),
    verified('kim@example.org\u0000'),
    verified('kim'),
    {},
  ]
  const ends = []
  for (const [index, each] of claims.entries()) {
    provider.accounts.set(`other-${index}`, each)
    ends.push((await signInAs(server, `other-${index}`)).location)
  }

  expect(ends).toEqual(claims.map(() => '/?error=oidc_no_account'))
  expect(await server.context.db.read.selectFrom('oidc_identity').select('subject').execute()).toEqual([])
})

test('AUTH-8 an address of somebody inactive links nobody', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, linking) })
  const admin = await server.person('admin')
  const ana = await server.person('reader', { email: 'ana@example.org' })
  await admin.call(api.updateUser, { params: { id: ana.id }, body: { isActive: false } })
  provider.accounts.set('ana-1', verified('ana@example.org'))

  expect((await signInAs(server, 'ana-1')).location).toBe('/?error=oidc_no_account')
})

test('AUTH-8 two providers know different people by the same subject', async () => {
  await using one = await startProvider()
  await using two = await startProvider(['http://carrel.test/api/v1/auth/oidc/two/callback'])
  const settings = settingsFor(one.issuer, creating)
  await using server = await startServer({
    env: {
      ...settings,
      CARREL_OIDC_PROVIDERS: 'main,two',
      CARREL_OIDC_TWO_ISSUER: two.issuer,
      CARREL_OIDC_TWO_CLIENT_ID: 'carrel',
      CARREL_OIDC_TWO_CLIENT_SECRET: settings.CARREL_OIDC_MAIN_CLIENT_SECRET ?? '',
    },
  })
  expect((await signInAs(server, '1')).location).toBe('/')
  expect((await signInAs(server, '1', undefined, 'two')).location).toBe('/?error=oidc_no_account')
})
