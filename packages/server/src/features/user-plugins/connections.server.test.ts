import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { unknownId } from '../../../test/contract/inputs.ts'
import { minute, movableClock, second } from '../../../test/movable-clock.ts'
import { type Browser, newBrowser } from '../../../test/oidc-browser.ts'
import { clientSecret, publicUrl, startProvider } from '../../../test/oidc-provider.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type OAuthService, sendJson, startOAuthService } from '../../../test/plugins/oauth-service.ts'
import { fixtures, type House, made, openHouse, read } from '../../../test/plugins/recommending-house.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import type { Person, ServerOptions, TestServer } from '../../../test/start-server.ts'
import { startServer } from '../../../test/start-server.ts'
import type { Context } from '../../context.ts'
import { PluginFault } from '../../plugins/fault.ts'
import { runPlugins } from '../plugins/run.ts'
import { ownTrust } from './own-trust.ts'

const callback = `${publicUrl}/api/v1/user/plugins/oauth/callback`
const env = { CARREL_PUBLIC_URL: publicUrl, CARREL_SETTING_PLUGINS_OAUTH_HOSTS: '127.0.0.1' }
const openConnectedHouse = (more: ServerOptions = {}): Promise<House> =>
  openHouse({ ...more, env: { ...env, ...more.env } })

const clientCredentials = { oauth_client_id: 'carrel', oauth_client_secret: clientSecret }
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const setUpAt = (house: House, { oauth }: Pick<OAuthService, 'oauth'>, more: object = {}) =>
  house.setUp({ oauth, tells: true, ...more }, { credentials: clientCredentials })

/** One in which this person is signed in here, and `account` at the service. */
const browserOf = (server: TestServer, account = 'ana-1'): Browser => newBrowser(() => server, account)

const start = async (browser: Browser, person: Person, pluginId: string): Promise<string> => {
  const reply = await plainBegin(browser, person, pluginId)
  if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`)
  return (reply.json as { redirectUrl: string }).redirectUrl
}

const plainBegin = (browser: Browser, { accessToken }: Person, pluginId: string) =>
  browser.open(`${publicUrl}/api/v1/user/plugins/${pluginId}/oauth/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
  })

const locationOf = async (browser: Browser, address: string): Promise<string> => {
  const landed = await browser.open(address)
  expect([landed.status, landed.headers['cache-control']]).toEqual([303, 'no-store'])
  return landed.headers.location ?? ''
}

/** The whole way; where it ends. */
const signIn = async (server: TestServer, person: Person, pluginId: string): Promise<string> => {
  const browser = browserOf(server)
  return locationOf(browser, await browser.walk(await start(browser, person, pluginId)))
}

const pluginOf = async ({ call }: Person, id: string) => bodyOf(await call(api.readUserPlugin, { params: { id } }))
const allOf = async ({ call }: Person) => bodyOf(await call(api.listUserPlugins, {}))

interface Trusted {
  readonly names: readonly string[]
  readonly token?: string
  readonly variable?: string
}

/** What the plugin says it was given for this person. */
const trustedBy = async (person: Person): Promise<Trusted> => {
  await read(person)
  const { recommendations } = await made(person)
  const told = recommendations.find(({ externalId }) => externalId === 'told')
  return (JSON.parse(told?.reason ?? '{}') as { trusted: Trusted }).trusted
}

/** Made anew, whatever there is. */
const askAnew = async (person: Person): Promise<api.RecommendationsResponse> => {
  await person.call(api.refreshRecommendations, {})
  return made(person)
}

/** Of those on this machine that have this in their environment, how many there are. */
const processesWith = (variable: string): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(variable)
    } catch {
      return false
    }
  }).length

interface Asked extends AsyncDisposable {
  /** Of the token that the plugin has for this user; or the code and the words of the fault. */
  tokenOf(pluginId: string, userId: string): Promise<string>
}

/** Plugins as a worker runs them, asked without a task. */
const asked = (context: Context): Asked => {
  const plugins = runPlugins(context, { own: ownTrust(context), timing: { shutdownMs: 500, backOffFirstMs: 20 } })
  const params = { library: [], limit: 10, excludeIds: [] }
  return {
    tokenOf: async (pluginId, userId) => {
      try {
        const reply = await plugins.call({ pluginId, userId }, 'recommendations/get', params)
        const { recommendations } = reply as { recommendations: readonly { externalId: string; reason: string }[] }
        const told = recommendations.find(({ externalId }) => externalId === 'told')
        return (JSON.parse(told?.reason ?? '{}') as { trusted: Trusted }).trusted.token ?? 'nothing'
      } catch (error) {
        if (error instanceof PluginFault) return `${error.code}: ${error.message}`
        throw error
      }
    },
    [Symbol.asyncDispose]: plugins.stop,
  }
}

const everythingKept = async (house: House): Promise<string> => {
  const { db } = house.server.context
  const tables = [
    'user_plugin',
    'user_plugin_connection',
    'user_plugin_sign_in',
    'plugin',
    'plugin_failure',
    'task',
  ] as const
  const rows = await Promise.all(tables.map((table) => db.read.selectFrom(table).selectAll().execute()))
  return JSON.stringify([rows, house.server.logLines])
}

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
    // Each token of theirs is good for one renewal: the next has to be asked for with the newest.
    pass(2 * second)
    await askAnew(one)
    expect((await trustedBy(one)).token).not.toBe(next.token)
    expect(await pluginOf(one, id)).toMatchObject({ connected: true })
    // Node says no more of what it has not been asked: nothing of the secret is where it could be read.
    expect(await everythingKept(house)).not.toContain(clientSecret)
  })

  test('a state is good once, for five minutes, in the browser that began, and for nobody else', async () => {
    const { clock, pass } = movableClock()
    await using service = await startOAuthService()
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
    await using service = await startOAuthService()
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
    await using service = await startOAuthService()
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
    await using service = await startOAuthService()
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

    const answers: [OAuthService['answer'], string][] = [
      [(_, response) => void sendJson(response, 400, { error: 'invalid_grant' }) ?? true, 'failed'],
      [(_, response) => void sendJson(response, 200, { error: 'bad_verification_code' }) ?? true, 'failed'],
      [(_, response) => void sendJson(response, 200, { access_token: 'a b' }) ?? true, 'failed'],
      [(_, response) => void sendJson(response, 200, ['no object']) ?? true, 'failed'],
      [(_, response) => void response.end('<html>') ?? true, 'failed'],
      [(_, response) => void response.end('x'.repeat(300_000)) ?? true, 'unavailable'],
      [(_, response) => void sendJson(response, 503, {}) ?? true, 'unavailable'],
      [(_, response) => void response.destroy() ?? true, 'unavailable'],
      // Nothing goes on to where it is sent: there is a secret in it.
      [(_, response) => void response.writeHead(307, { location: `${service.origin}/more` }).end() ?? true, 'failed'],
    ]
    for (const [answer, expected] of answers) {
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
    await using service = await startOAuthService()
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
    server.forgive('')
  })
})

describe('C19 a connection', () => {
  test('is one user’s own: a token is sealed, given to the plugin for them, and shown to nobody', async () => {
    await using house = await openConnectedHouse()
    const { server } = house
    const asks = [{ key: 'access_token', label: 'Token', required: true, credentialType: 'password' }]
    const plugin = await house.setUp({ asks, tells: true }, { credentialDelivery: 'both' })
    const { id } = plugin
    const params = { id }
    const manifest = bodyOf(await house.admin.call(api.readPlugin, { params })).manifest
    expect(manifest?.requiredCredentials).toMatchObject([{ key: 'access_token', credentialType: 'password' }])
    const [one, other] = [await server.person('reader'), await server.person('reader')]
    expect(await pluginOf(one, id)).toMatchObject({
      connected: false,
      requiresAuth: true,
      requiresOauth: false,
      takesToken: true,
    })
    expect(errorOf(await one.call(api.enableUserPlugin, { params }))).toMatchObject({ error: 'conflict' })
    const accessToken = 'a-token-of-one-reader'
    const saved = await one.call(api.saveUserPluginCredentials, { params, body: { accessToken } })
    expect(bodyOf(saved)).toMatchObject({
      enabled: true,
      connected: true,
      connection: { kind: 'token', problem: null },
    })
    expect(await trustedBy(one)).toEqual({
      names: ['access_token'],
      token: hashOf(accessToken),
      variable: hashOf(accessToken),
    })
    expect(await pluginOf(other, id)).toMatchObject({ connected: false, connection: null })
    expect(await read(other)).toEqual({ recommendations: [], sources: [] })

    bodyOf(await house.admin.call(api.updatePlugin, { params, body: { credentialDelivery: 'env' } }))
    await askAnew(one)
    expect(await trustedBy(one)).toEqual({ names: [], variable: hashOf(accessToken) })
    const shown = [await allOf(one), await pluginOf(one, id), await read(one)]
    const toAdmin = bodyOf(await house.admin.call(api.readPlugin, { params }))
    expect(JSON.stringify([shown, toAdmin])).not.toContain(accessToken)
    expect(await everythingKept(house)).not.toContain(accessToken)

    for (const wrong of ['', 'with space', 'é', 'x'.repeat(20_000)])
      expect(
        errorOf(await one.call(api.saveUserPluginCredentials, { params, body: { accessToken: wrong } })),
      ).toMatchObject({ error: 'validation_failed' })
    const unknown = { params: { id: unknownId } }
    for (const refused of [
      await one.call(api.saveUserPluginCredentials, { ...unknown, body: { accessToken } }),
      await one.call(api.beginUserPluginSignIn, unknown),
      await one.call(api.disconnectUserPlugin, unknown),
    ])
      expect(errorOf(refused)).toMatchObject({ error: 'not_found' })
    const plain = await house.setUp({})
    const onPlain = { params: { id: plain.id }, body: { accessToken } }
    expect(errorOf(await one.call(api.saveUserPluginCredentials, onPlain))).toMatchObject({ error: 'conflict' })
  })

  test('ends with all that the plugin has of its user, and with its process', async () => {
    await using service = await startOAuthService()
    await using house = await openConnectedHouse()
    const { server } = house
    const { db } = server.context
    const { id } = await setUpAt(house, service)
    const params = { id }
    const [one, other] = [await server.person('reader'), await server.person('reader')]
    for (const person of [one, other]) {
      await signIn(server, person, id)
      bodyOf(await person.call(api.saveUserPluginConfig, { params, body: { config: { mood: 'calm' } } }))
      await trustedBy(person)
    }
    const stored = (user: Person) =>
      ({
        plugin_id: id,
        owner: user.id,
        user_id: user.id,
        key: 'k',
        data: '1',
        expires_at: null,
        updated_at: 'x',
      }) as const
    await db.write(async (db) => {
      await db
        .insertInto('plugin_data')
        .values([stored(one), stored(other)])
        .execute()
    })
    const folderOf = (person: Person) => join(server.context.config.dataDir, 'plugins', 'data', id, person.id)
    const runsFor = (person: Person): boolean => processesWith(`HOME=${folderOf(person)}`) > 0
    expect([runsFor(one), runsFor(other), existsSync(folderOf(one))]).toEqual([true, true, true])
    expect((await one.call(api.disconnectUserPlugin, { params })).status).toBe(204)
    await waitUntil('the end of the process', () => !runsFor(one) && !existsSync(folderOf(one)))
    expect([runsFor(other), existsSync(folderOf(other))]).toEqual([true, true])
    const ownersIn = async (
      table: 'user_plugin_connection' | 'recommendation_batch' | 'recommendation' | 'plugin_data',
    ) => {
      const rows = await db.read.selectFrom(table).select('user_id').execute()
      return [...new Set(rows.map(({ user_id }) => user_id))]
    }
    for (const table of ['user_plugin_connection', 'recommendation_batch', 'recommendation', 'plugin_data'] as const)
      expect([table, await ownersIn(table)]).toEqual([table, [other.id]])
    expect(await pluginOf(one, id)).toMatchObject({
      connected: false,
      connection: null,
      config: {},
      externalUsername: null,
    })
    expect(await read(one)).toEqual({ recommendations: [], sources: [] })
    expect(await pluginOf(other, id)).toMatchObject({ connected: true, config: { mood: 'calm' } })
    expect((await one.call(api.disconnectUserPlugin, { params })).status).toBe(204)

    // Nor does it take being offered to end one.
    bodyOf(await house.admin.call(api.disablePlugin, { params }))
    expect((await other.call(api.disconnectUserPlugin, { params })).status).toBe(204)
    expect(await ownersIn('user_plugin_connection')).toEqual([])
    const newcomer = await server.person('reader')
    expect(errorOf(await newcomer.call(api.disconnectUserPlugin, { params }))).toMatchObject({ error: 'not_found' })
  })

  test('is renewed once when the service refuses it, and given up when that does not help: no fault of the plugin', async () => {
    await using service = await startOAuthService()
    await using house = await openConnectedHouse()
    const { server, admin } = house
    const plugin = await setUpAt(house, service, { refuses: ['number-1'] })
    const { id } = plugin
    const params = { id }
    const one = await server.person('reader')
    await signIn(server, one, id)
    expect(await trustedBy(one)).toMatchObject({ token: hashOf('access-number-2') })
    expect(service.tokenRequests.map((form) => form.get('refresh_token'))).toEqual([null, 'refresh-number-1'])

    bodyOf(await admin.call(api.updatePlugin, { params, body: { config: { ...plugin.config, refuses: ['number'] } } }))
    await askAnew(one)
    const broken = { enabled: true, connected: false, connection: { kind: 'oauth', problem: 'token_refused' } }
    await waitUntil('the end of the connection', async () => ((await pluginOf(one, id)).connected ? undefined : true))
    expect(await pluginOf(one, id)).toMatchObject(broken)
    const asked = service.tokenRequests.length
    expect(asked).toBe(3)
    await one.call(api.refreshRecommendations, {})
    expect(await read(one)).toEqual({ recommendations: [], sources: [] })
    expect(service.tokenRequests).toHaveLength(asked)
    const { failures, windowFailures } = bodyOf(await admin.call(api.readPluginFailures, { params }))
    expect(windowFailures).toBe(0)
    expect(failures.length).toBeGreaterThan(0)
    expect(JSON.stringify(failures)).not.toContain('access-number')
    expect(await everythingKept(house)).not.toMatch(/(access|refresh)-number/)
    expect(bodyOf(await admin.call(api.readPlugin, { params }))).toMatchObject({ enabled: true })

    // Whoever connects again begins anew.
    bodyOf(await admin.call(api.updatePlugin, { params, body: { config: { ...plugin.config, refuses: [] } } }))
    await signIn(server, one, id)
    expect(await pluginOf(one, id)).toMatchObject({ connected: true, connection: { problem: null } })
  })

  test('ends where the service does not renew it, and waits where the service is away', async () => {
    const { clock, pass } = movableClock()
    await using service = await startOAuthService({ lifeSeconds: 120 })
    await using house = await openConnectedHouse({ clock })
    const { server } = house
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    await signIn(server, one, id)
    await using plugins = asked(server.context)
    const token = () => plugins.tokenOf(id, one.id)

    service.answer = (_, response) => void sendJson(response, 503, {}) ?? true
    // A minute before its end it is to be renewed, and is good still when that cannot be.
    pass(90 * second)
    expect(await token()).toBe(hashOf('access-number-1'))
    expect(service.tokenRequests).toHaveLength(2)
    pass(minute)
    for (let times = 0; times < 3; times += 1) expect(await token()).toMatch(/^UNAVAILABLE: .*does not answer/)
    expect(await pluginOf(one, id)).toMatchObject({ connected: true, connection: { problem: null } })
    // Asked once in a minute, however often the plugin is wanted.
    expect(service.tokenRequests).toHaveLength(3)

    service.answer = undefined
    pass(2 * minute)
    expect(await token()).toBe(hashOf('access-number-2'))
    service.answer = (_, response) => void sendJson(response, 400, { error: 'invalid_grant' }) ?? true
    pass(2 * minute)
    expect(await token()).toMatch(/^UNAVAILABLE: .*has to connect it again/)
    expect(await pluginOf(one, id)).toMatchObject({ connected: false, connection: { problem: 'refresh_refused' } })
    const count = service.tokenRequests.length
    expect(await token()).toMatch(/^UNAVAILABLE/)
    expect(service.tokenRequests).toHaveLength(count)
  })

  test('is renewed by one of many who want it at once, on whichever node', async () => {
    const { clock, pass } = movableClock()
    await using service = await startOAuthService({ lifeSeconds: 120 })
    await using house = await openConnectedHouse({ clock })
    const { server } = house
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    await signIn(server, one, id)
    await using here = asked(server.context)
    await using second = await startServer({ env, address: server.context.config.database, clock })
    await cp(fixtures, join(second.context.config.dataDir, 'plugins', 'recommending'), { recursive: true })
    await using there = asked(second.context)
    pass(90_000)
    const tokens = await Promise.all([here, there, here, there, here].map((each) => each.tokenOf(id, one.id)))
    expect(new Set(tokens)).toEqual(new Set([hashOf('access-number-2')]))
    expect(service.tokenRequests).toHaveLength(2)
  })

  test('is not brought back by a renewal that was under way when it ended', async () => {
    const { clock, pass } = movableClock()
    await using service = await startOAuthService({ lifeSeconds: 120 })
    await using house = await openConnectedHouse({ clock })
    const { server } = house
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    await signIn(server, one, id)
    await using plugins = asked(server.context)
    const held = Promise.withResolvers<ServerResponse>()
    service.answer = (_, response) => {
      held.resolve(response)
      return true
    }
    pass(90 * second)
    const token = plugins.tokenOf(id, one.id)
    const response = await held.promise
    expect((await one.call(api.disconnectUserPlugin, { params: { id } })).status).toBe(204)
    sendJson(response, 200, { access_token: 'access-too-late', expires_in: 100 })
    // It runs for them as for somebody who has never entrusted it with anything.
    expect(await token).toBe('nothing')
    expect(await pluginOf(one, id)).toMatchObject({ connected: false, connection: null })
  })

  test('is sealed anew under another key, and the former one can go; without it, it is said to be unreadable', async () => {
    await using service = await startOAuthService()
    await using house = await openConnectedHouse()
    const { server } = house
    const { context } = server
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    await signIn(server, one, id)
    const sealed = async () => {
      const { tokens } = await context.db.read
        .selectFrom('user_plugin_connection')
        .select('tokens')
        .executeTakeFirstOrThrow()
      const { oauth_client_secret } = await context.db.read
        .selectFrom('plugin')
        .select('oauth_client_secret')
        .executeTakeFirstOrThrow()
      return [tokens, oauth_client_secret]
    }
    const before = await sealed()
    const secret = 'another secret for tests, and for nothing but tests'
    const config = { ...context.config, formerSecretKey: context.secret }
    await using rotating = asked({ ...context, secret, config })
    await waitUntil('the tokens sealed anew', async () => (await sealed()).every((each, at) => each !== before[at]))
    expect(await rotating.tokenOf(id, one.id)).toBe(hashOf('access-number-1'))
    await using later = asked({ ...context, secret })
    expect(await later.tokenOf(id, one.id)).toBe(hashOf('access-number-1'))
    expect(await pluginOf(one, id)).toMatchObject({ connected: true })

    await using strangers = asked(context)
    expect(await strangers.tokenOf(id, one.id)).toMatch(/^UNAVAILABLE: .*has to connect it again/)
    expect(await pluginOf(one, id)).toMatchObject({ connected: false, connection: { problem: 'unreadable' } })
    // Nor does one node that has the wrong one spoil it for the others.
    expect(await later.tokenOf(id, one.id)).toBe(hashOf('access-number-1'))
    expect(await pluginOf(one, id)).toMatchObject({ connected: true, connection: { problem: null } })
  })

  test('ends when it has run out and nothing came along to renew it with', async () => {
    const { clock, pass } = movableClock()
    await using service = await startOAuthService({ lifeSeconds: 120, canRefresh: false })
    await using house = await openConnectedHouse({ clock })
    const { server } = house
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    await signIn(server, one, id)
    await trustedBy(one)
    pass(2 * minute)
    await askAnew(one)
    expect(await pluginOf(one, id)).toMatchObject({ connected: false, connection: { problem: 'expired' } })
    expect(service.tokenRequests).toHaveLength(1)
  })
})
