import * as api from '@carrel/api'
import {
  callback,
  env,
  openConnectedHouse,
  clientCredentials,
  setUpAt,
  browserOf,
  start,
  plainBegin,
  locationOf,
  pluginOf,
  trustedBy,
  askAnew,
  everythingKept,
} from '../../../test/plugins/connecting.ts'
import { type OAuthIssuer, startOAuthIssuer, answers, answersText } from '../../../test/plugins/oauth-issuer.ts'
import { read } from '../../../test/plugins/recommending-house.ts'
import { type TestServer, startServer } from '../../../test/start-server.ts'
import { minute, movableClock, second } from '../../../test/movable-clock.ts'
import { newBrowser } from '../../../test/oidc-browser.ts'
import { clientSecret, publicUrl, startProvider } from '../../../test/oidc-provider.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { describe, expect, test } from 'vitest'

describe('C19 signing in at the service of a plugin', () => {
  test('ends with a connection that the plugin uses for this user alone, and that is renewed', async () => {
    const { clock, pass } = movableClock(new Date().toISOString())
    await using provider = await startProvider([callback], { accessSeconds: 1 })
    provider.accounts.set('ana-1', { preferred_username: 'ana', picture: 'https://example.org/ana.png' })
    await using house = await openConnectedHouse({ clock })
    const { server } = house
    const { issuer } = provider
    const oauth = {
      authorizationUrl: `${issuer}/auth?ui_locales=de`,
      tokenUrl: `${issuer}/token`,
      userInfoUrl: `${issuer}/me`,
      scopes: ['openid', 'profile'],
    }
    const plugin = await setUpAt(house, { oauth })
    const { id } = plugin
    const admins = bodyOf(await house.admin.call(api.readPlugin, { params: { id } }))
    expect(admins).toMatchObject({ hasCredentials: false, oauthClientId: 'carrel', hasOauthClientSecret: true })
    expect(admins.manifest?.oauth).toEqual({ ...oauth, pkce: true, clientId: null })
    const [one, other] = [await server.person('reader'), await server.person('reader')]
    expect(await pluginOf(one, id)).toMatchObject({
      enabled: false,
      connected: false,
      requiresAuth: true,
      requiresOauth: true,
      oauthConfigured: true,
      connection: null,
    })

    const browser = browserOf(server)
    const address = await start(browser, one, id)
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
      ui_locales: 'de',
      response_type: 'code',
      client_id: 'carrel',
      redirect_uri: callback,
      scope: 'openid profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(await locationOf(browser, await browser.walk(address))).toBe(`/account/plugins?connected=${id}`)
    expect(await pluginOf(one, id)).toMatchObject({
      enabled: true,
      connected: true,
      connection: { kind: 'oauth', problem: null },
      externalUsername: 'ana',
      externalAvatarUrl: 'https://example.org/ana.png',
    })
    expect(await pluginOf(other, id)).toMatchObject({ connected: false, connection: null, externalUsername: null })

    const first = await trustedBy(one)
    expect(first).toEqual({ names: ['access_token'], token: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await read(other)).toEqual({ recommendations: [], sources: [] })
    const countOf = () => provider.requests.filter((each) => each === 'POST /token').length
    const before = countOf()
    pass(2 * second)
    await askAnew(one)
    const next = await trustedBy(one)
    expect(next.token).not.toBe(first.token)
    expect(countOf()).toBeGreaterThan(before)
    // Each refresh token can be used once: the next refresh needs the newest.
    pass(2 * second)
    await askAnew(one)
    expect((await trustedBy(one)).token).not.toBe(next.token)
    expect(await pluginOf(one, id)).toMatchObject({ connected: true })
    expect(await everythingKept(house)).not.toContain(clientSecret)
  })

  test('a state is good once, for five minutes, in the browser that began, and for nobody else', async () => {
    const { clock, pass } = movableClock()
    await using service = await startOAuthIssuer()
    await using house = await openConnectedHouse({ clock })
    const { server } = house
    const { id } = await setUpAt(house, service)
    const [one, other] = [await server.person('reader'), await server.person('reader')]
    const browser = browserOf(server)
    const back = await browser.walk(await start(browser, one, id))
    const foreign = browserOf(server)
    await start(foreign, other, id)

    expect(await locationOf(foreign, back)).toBe('/account/plugins?error=unknown')
    const signedInElsewhere = await plainRequest(back.replace(publicUrl, server.url), {
      headers: { cookie: other.cookie },
    })
    expect(signedInElsewhere.headers.location).toBe('/account/plugins?error=unknown')
    expect(await locationOf(browser, `${callback}?state=${'x'.repeat(43)}&code=1`)).toBe(
      '/account/plugins?error=unknown',
    )
    expect(service.tokenRequests).toEqual([])
    expect(await locationOf(browser, back)).toBe(`/account/plugins?connected=${id}`)
    expect(await locationOf(browser, back)).toBe('/account/plugins?error=unknown')
    expect(service.tokenRequests).toHaveLength(1)

    const late = await browser.walk(await start(browser, one, id))
    pass(5 * minute)
    expect(await locationOf(browser, late)).toBe('/account/plugins?error=expired')
    // An application begins for a browser in which the same user is signed in.
    const begun = bodyOf(await one.call(api.beginUserPluginSignIn, { params: { id } }))
    const theirs = await newBrowser(() => server).walk(begun.redirectUrl)
    const landed = await plainRequest(theirs.replace(publicUrl, server.url), { headers: { cookie: one.cookie } })
    expect(landed.headers.location).toBe(`/account/plugins?connected=${id}`)
    expect(errorOf(await server.call(api.finishUserPluginSignIn, { query: { state: '' } }))).toMatchObject({
      error: 'validation_failed',
    })
  })

  test('three may be under way at once; of twenty who come back together one gets in', async () => {
    await using service = await startOAuthIssuer()
    await using house = await openConnectedHouse()
    const { server } = house
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    const browser = browserOf(server)
    const begun = await Promise.all(Array.from({ length: 8 }, () => plainBegin(browser, one, id)))
    expect(begun.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = begun.find(({ status }) => status !== 200)
    expect(refused).toMatchObject({ status: 429, json: { error: 'rate_limit_exceeded' } })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)

    const again = browserOf(server)
    const two = await server.person('reader')
    const back = await again.walk(await start(again, two, id))
    const ends = await Promise.all(Array.from({ length: 20 }, () => locationOf(again, back)))
    expect(ends.filter((end) => end.includes('connected='))).toHaveLength(1)
    expect(service.tokenRequests).toHaveLength(1)
  })

  test('a second node takes the second step', async () => {
    await using service = await startOAuthIssuer()
    await using house = await openConnectedHouse()
    const { id } = await setUpAt(house, service)
    const one = await house.server.person('reader')
    await using second = await startServer({ env, address: house.server.context.config.database })
    let node: TestServer = house.server
    const browser = newBrowser(() => node)
    const back = await browser.walk(await start(browser, one, id))
    node = second
    expect(await locationOf(browser, back)).toBe(`/account/plugins?connected=${id}`)
    expect(await pluginOf(one, id)).toMatchObject({ connected: true, externalUsername: 'Ana of the service' })
  })

  test('what comes to nothing says why, and leaves nothing behind', async () => {
    await using service = await startOAuthIssuer()
    await using house = await openConnectedHouse()
    const { server } = house
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    const browser = browserOf(server)
    const endOf = async (change: (address: URL) => void): Promise<string | null> => {
      const address = new URL(await browser.walk(await start(browser, one, id)))
      change(address)
      return new URL(await locationOf(browser, address.href), publicUrl).searchParams.get('error')
    }
    const withError = (error: string) => (address: URL) => {
      address.searchParams.delete('code')
      address.searchParams.set('error', error)
    }
    expect(await endOf(withError('access_denied'))).toBe('denied')
    expect(await endOf(withError('server_error'))).toBe('unavailable')
    expect(await endOf((address) => address.searchParams.delete('code'))).toBe('failed')

    const wrong: [OAuthIssuer['answer'], string][] = [
      [answers(400, { error: 'invalid_grant' }), 'failed'],
      [answers(200, { error: 'bad_verification_code' }), 'failed'],
      [answers(200, { access_token: 'a b' }), 'failed'],
      [answers(200, ['no object']), 'failed'],
      [answersText('<html>'), 'failed'],
      [answersText('x'.repeat(300_000)), 'unavailable'],
      [answers(503, {}), 'unavailable'],
      [(_, response) => response.destroy().destroyed, 'unavailable'],
      // Redirects are not followed: the request contains a secret.
      [answersText('', { location: `${service.origin}/more` }), 'failed'],
    ]
    for (const [answer, expected] of wrong) {
      service.answer = answer
      expect(await endOf(() => undefined)).toBe(expected)
    }
    service.answer = undefined
    expect(await pluginOf(one, id)).toMatchObject({ connected: false, connection: null })

    const params = { id }
    const underWay = await browser.walk(await start(browser, one, id))
    bodyOf(await house.admin.call(api.disablePlugin, { params }))
    expect(await locationOf(browser, underWay)).toBe('/account/plugins?error=off')
    bodyOf(await house.admin.call(api.enablePlugin, { params }))
    const orphan = await browser.walk(await start(browser, one, id))
    expect((await house.admin.call(api.removePlugin, { params })).status).toBe(204)
    expect(await locationOf(browser, orphan)).toBe('/account/plugins?error=unknown')
  })

  test.each([
    ['nowhere to sign in', {}, clientCredentials, /Nobody signs in elsewhere/],
    ['nothing set up', { oauth: {} }, undefined, /has not set up signing in/],
    [
      'a script for an address',
      { oauth: { authorizationUrl: 'javascript:alert(1)' } },
      clientCredentials,
      /leads nowhere/,
    ],
    ['an address without a lock', { oauth: { authorizationUrl: 'http://example.org/' } }, clientCredentials, /https/],
    [
      'a private address',
      { oauth: { authorizationUrl: 'https://192.168.1.1/' } },
      clientCredentials,
      /private network/,
    ],
  ])('is refused where there is %s', async (_, config, credentials, message) => {
    await using house = await openConnectedHouse()
    const plugin = await house.setUp(config, { ...(credentials && { credentials }) })
    const one = await house.server.person('reader')
    const refused = errorOf(await one.call(api.beginUserPluginSignIn, { params: { id: plugin.id } }))
    expect(refused).toMatchObject({ error: 'conflict', message: expect.stringMatching(message) })
  })

  test('T-21 no service in a private network is asked unless the administrator allows it', async () => {
    await using service = await startOAuthIssuer()
    await using house = await openConnectedHouse()
    const { server, admin } = house
    const authorizationUrl = 'https://service.example.org/authorize'
    const { id } = await setUpAt(house, { oauth: { ...service.oauth, authorizationUrl } })
    const one = await server.person('reader')
    const setting = { params: { key: 'plugins.oauth_hosts' }, body: { value: [] } }
    bodyOf(await admin.call(api.saveSetting, setting))
    const browser = browserOf(server)
    const state = new URL(await start(browser, one, id)).searchParams.get('state')
    expect(await locationOf(browser, `${callback}?state=${state}&code=1`)).toBe('/account/plugins?error=unavailable')
    expect(service.tokenRequests).toEqual([])
    const line = server.logLines.find(({ msg }) => msg === 'A sign-in at the service of a plugin failed')
    expect(line).toMatchObject({ pluginId: id, userId: one.id, reason: expect.any(String) })
  })
})
