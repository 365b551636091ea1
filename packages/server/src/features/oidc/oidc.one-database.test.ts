import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { begin, meIn, newBrowser, signInAs } from '../../../test/oidc-browser.ts'
import { clientSecret, publicUrl, settingsFor, startProvider } from '../../../test/oidc-provider.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { startServer, testPassword } from '../../../test/start-server.ts'

const creating = { CARREL_OIDC_MAIN_CREATE_USERS: 'true' }
const ana = { preferred_username: 'ana', email: 'ana@example.org', email_verified: true }
const app = 'com.example.reader:/signed-in'

/** An app reads this from the address it is opened with. */
const inFragment = (location: string): api.OidcSignedIn => {
  const fragment = location.slice(location.indexOf('#') + 1)
  return JSON.parse(Buffer.from(fragment, 'base64url').toString()) as api.OidcSignedIn
}

test('AUTH-8 AUTH-2 somebody signs in through a provider in a browser and has the cookie of any sign-in', async () => {
  await using provider = await startProvider()
  provider.accounts.set('ana-1', ana)
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const { browser, landed, location } = await signInAs(server, 'ana-1')

  expect([landed.status, location, landed.text]).toEqual([303, '/', ''])
  expect(landed.headers['cache-control']).toBe('no-store')
  expect(landed.headers['set-cookie']).toEqual([
    expect.stringMatching(/^carrel_session=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  expect(await meIn(server, browser)).toMatchObject({ username: 'ana', role: 'reader', email: 'ana@example.org' })
  const cookie = `carrel_session=${browser.cookie('carrel_session')}`
  const { sessions } = bodyOf(await server.callWith({ cookie })(api.listSessions, {}))
  expect(sessions).toMatchObject([{ current: true, ip: '127.0.0.1' }])
})

test('AUTH-8 C2 with https and a base path the cookies are Secure and the page is below the path', async () => {
  await using provider = await startProvider([`https://carrel.test/shelf/api/v1/auth/oidc/main/callback`])
  await using server = await startServer({
    env: settingsFor(provider.issuer, {
      ...creating,
      CARREL_PUBLIC_URL: 'https://carrel.test/shelf',
      CARREL_BASE_PATH: '/shelf',
    }),
  })
  const begun = await plainRequest(`${server.url}/shelf/api/v1/auth/oidc/main/login`, { method: 'POST' })
  const [cookie = ''] = begun.headers['set-cookie'] ?? []
  const { redirectUrl } = begun.json as { redirectUrl: string }
  const { redirect_uri: back, state } = Object.fromEntries(new URL(redirectUrl).searchParams)
  const denied = await plainRequest(
    `${server.url}/shelf/api/v1/auth/oidc/main/callback?state=${state}&error=access_denied`,
    { headers: { cookie: cookie.split(';')[0] } },
  )

  expect(cookie).toMatch(
    /^carrel_oidc=[\w-]{43}; Max-Age=600; Path=\/shelf\/api\/v1\/auth\/oidc; HttpOnly; Secure; SameSite=Lax$/,
  )
  expect(back).toBe('https://carrel.test/shelf/api/v1/auth/oidc/main/callback')
  expect(denied.headers.location).toBe('/shelf/?error=oidc_denied')
  const { providers } = bodyOf(await server.call(api.listOidcProviders, {}))
  expect(providers).toEqual([{ name: 'main', displayName: 'main', loginUrl: '/shelf/api/v1/auth/oidc/main/login' }])
})

test('AUTH-8 what the provider is asked for: a code, with PKCE, state and nonce, each new and long', async () => {
  await using provider = await startProvider()
  await using server = await startServer({
    env: settingsFor(provider.issuer, { CARREL_OIDC_MAIN_SCOPES: 'openid email' }),
  })
  const browser = newBrowser(() => server)
  const queries = [await begin(browser), await begin(browser)].map((url) =>
    Object.fromEntries(new URL(url).searchParams),
  )

  for (const parameters of queries) {
    expect(parameters).toEqual({
      client_id: 'carrel',
      redirect_uri: `${publicUrl}/api/v1/auth/oidc/main/callback`,
      scope: 'openid email',
      response_type: 'code',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
  }
  for (const name of ['state', 'nonce', 'code_challenge']) expect(queries[0]?.[name]).not.toBe(queries[1]?.[name])
  const rows = await server.context.db.read.selectFrom('oidc_sign_in').selectAll().execute()
  expect(rows).toHaveLength(2)
  for (const secret of queries.flatMap(({ state, nonce }) => [state ?? '', nonce ?? ''])) {
    expect(JSON.stringify(rows)).not.toContain(secret)
  }
})

test('AUTH-8 the second sign-in finds the same user, whatever has changed about the person', async () => {
  await using provider = await startProvider()
  provider.accounts.set('ana-1', ana)
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const first = await meIn(server, (await signInAs(server, 'ana-1')).browser)
  provider.accounts.set('ana-1', { preferred_username: 'other', email: 'other@example.org', email_verified: true })
  const second = await meIn(server, (await signInAs(server, 'ana-1')).browser)

  expect(second).toEqual(first)
  expect(await server.context.db.read.selectFrom('user').select('id').execute()).toHaveLength(1)
})

test('AUTH-8 AUTH-1 an app gets the tokens in the fragment of an address that is listed, and no cookie', async () => {
  await using provider = await startProvider()
  provider.accounts.set('ana-1', ana)
  await using server = await startServer({
    env: settingsFor(provider.issuer, { ...creating, CARREL_OIDC_REDIRECT_URIS: app }),
  })
  const { browser, location, landed } = await signInAs(server, 'ana-1', { redirectUri: app })
  const given = inFragment(location)

  expect(location.startsWith(`${app}#`)).toBe(true)
  expect([landed.headers['set-cookie'], browser.cookie('carrel_session')]).toEqual([undefined, undefined])
  expect(given).toEqual({
    accessToken: expect.any(String),
    tokenType: 'Bearer',
    expiresIn: 3600,
    refreshToken: expect.stringMatching(/^[\w-]{43}$/),
    user: expect.objectContaining({ username: 'ana', role: 'reader' }),
    newAccount: true,
    provider: 'main',
  })
  const me = await server.callWith({ authorization: `Bearer ${given.accessToken}` })(api.readMe, {})
  expect(bodyOf(me)).toEqual(given.user)
  const refreshed = bodyOf(await server.call(api.refresh, { body: { refreshToken: given.refreshToken } }))
  await server.call(api.logout, { body: { refreshToken: refreshed.refreshToken } })
  const after = await server.callWith({ authorization: `Bearer ${given.accessToken}` })(api.readMe, {})
  expect(after.status).toBe(401)
  expect(inFragment((await signInAs(server, 'ana-1', { redirectUri: app })).location).newAccount).toBe(false)
})

test('AUTH-8 an app begins with a call of its own and finishes in the browser it opens; the web app cannot', async () => {
  await using provider = await startProvider()
  await using server = await startServer({
    env: settingsFor(provider.issuer, { ...creating, CARREL_OIDC_REDIRECT_URIS: app }),
  })
  const finishElsewhere = async (options?: api.OidcLogin) => {
    const elsewhere = newBrowser(() => server, 'ana-1')
    return elsewhere.open(
      await elsewhere.walk(
        await begin(
          newBrowser(() => server),
          options,
        ),
      ),
    )
  }

  expect((await finishElsewhere({ redirectUri: app })).headers.location).toMatch(/^com\.example\.reader:\/signed-in#/)
  expect((await finishElsewhere()).status).toBe(401)
})

test('AUTH-8 a link leads straight to the provider, and binds the browser also when it is for an app', async () => {
  await using provider = await startProvider()
  await using server = await startServer({
    env: settingsFor(provider.issuer, { ...creating, CARREL_OIDC_REDIRECT_URIS: app }),
  })
  const link = `${publicUrl}/api/v1/auth/oidc/main/login`
  const browser = newBrowser(() => server, 'ana-1')
  const landed = await browser.open(await browser.walk(`${link}?returnTo=/series%3Fpage%3D2`))
  const begun = await newBrowser(() => server).open(`${link}?redirectUri=${encodeURIComponent(app)}`)
  const elsewhere = newBrowser(() => server, 'ana-1')

  expect([landed.status, landed.headers.location]).toEqual([303, '/series?page=2'])
  expect((await meIn(server, browser)).role).toBe('reader')
  expect([begun.status, begun.headers['cache-control']]).toEqual([303, 'no-store'])
  expect((await elsewhere.open(await elsewhere.walk(begun.headers.location ?? ''))).status).toBe(401)
})

test('AUTH-8 two tabs of a browser may each sign in', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const browser = newBrowser(() => server, 'ana-1')
  const [first, second] = [await begin(browser, { returnTo: '/first' }), await begin(browser, { returnTo: '/second' })]
  const landed = [await browser.open(await browser.walk(first)), await browser.open(await browser.walk(second))]

  expect(landed.map(({ headers }) => headers.location)).toEqual(['/first', '/second'])
})

test('AUTH-8 AUTH-5 who came through a provider has no password, and nobody signs in with one', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  provider.accounts.set('ana-1', ana)
  await signInAs(server, 'ana-1')
  for (const password of [testPassword, ' ', 'null', 'undefined']) {
    expect((await server.call(api.login, { body: { username: 'ana', password } })).status).toBe(401)
  }

  const [row] = await server.context.db.read.selectFrom('user').select('password_hash').execute()
  expect(row).toEqual({ password_hash: null })
})

test('AUTH-8 nothing the provider points to is fetched but its own endpoints', async () => {
  await using provider = await startProvider()
  provider.accounts.set('ana-1', { ...ana, picture: `${provider.issuer}/picture.png` })
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  await signInAs(server, 'ana-1')

  expect(provider.requests.length).toBeGreaterThan(4)
  expect(provider.requests.filter((request) => request.includes('picture'))).toEqual([])
})

test('AUTH-8 HTTP-1 without providers there are none, and none can be asked for', async () => {
  await using server = await startServer()
  const listed = bodyOf(await server.call(api.listOidcProviders, {}))
  const params = { provider: 'main' }
  const begun = await server.call(api.beginOidcLogin, { params })
  const finished = await server.call(api.finishOidcLogin, { params, query: { state: 'x' } })

  expect(listed).toEqual({ enabled: false, providers: [] })
  expect([begun.status, finished.status]).toEqual([404, 404])
})

test('AUTH-8 W17 no secret of a sign-in stands in the log', async () => {
  await using provider = await startProvider()
  provider.accounts.set('ana-1', ana)
  await using server = await startServer({
    env: settingsFor(provider.issuer, { ...creating, CARREL_OIDC_REDIRECT_URIS: app }),
  })
  const browser = newBrowser(() => server, 'ana-1')
  const atCallback = await browser.walk(await begin(browser, { redirectUri: app }))
  const { headers } = await browser.open(atCallback)
  const { accessToken, refreshToken } = inFragment(headers.location ?? '')
  const { code = '', state = '' } = Object.fromEntries(new URL(atCallback).searchParams)
  const log = JSON.stringify(server.logLines)

  expect(server.logLines.length).toBeGreaterThan(5)
  for (const secret of [accessToken, refreshToken, code, state, clientSecret, browser.cookie('carrel_oidc') ?? '']) {
    expect(secret.length).toBeGreaterThan(10)
    expect(log).not.toContain(secret)
  }
})
