import * as api from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { movableClock, minute, second } from '../../../test/movable-clock.ts'
import { begin, type Browser, meIn, newBrowser, signInAs } from '../../../test/oidc-browser.ts'
import { callbackUrl, publicUrl, settingsFor, startProvider } from '../../../test/oidc-provider.ts'
import { errorOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'

const creating = { CARREL_OIDC_MAIN_CREATE_USERS: 'true' }

/** The sign-in stops just before the last step: the result is the address the provider sends this browser back to. */
const atCallback = async (browser: Browser, options?: api.OidcLogin): Promise<string> =>
  browser.walk(await begin(browser, options))

test('AUTH-8 a state that is missing, made up, of another browser or of another provider finishes nothing', async () => {
  await using provider = await startProvider([callbackUrl('main'), callbackUrl('two')])
  const settings = settingsFor(provider.issuer, creating)
  await using server = await startServer({
    env: {
      ...settings,
      CARREL_OIDC_PROVIDERS: 'main,two',
      CARREL_OIDC_TWO_ISSUER: provider.issuer,
      CARREL_OIDC_TWO_CLIENT_ID: 'carrel',
      CARREL_OIDC_TWO_CLIENT_SECRET: settings.CARREL_OIDC_MAIN_CLIENT_SECRET ?? '',
      CARREL_OIDC_TWO_CREATE_USERS: 'true',
    },
  })
  const browser = newBrowser(() => server, 'ana-1')
  const other = newBrowser(() => server, 'mallory')
  const address = await atCallback(browser)
  await begin(other)
  const withState = (state: string) => {
    const url = new URL(address)
    url.searchParams.set('state', state)
    return url.href
  }
  const stored = await server.context.db.read.selectFrom('oidc_sign_in').select('state_hash').executeTakeFirst()
  const refused = {
    missing: await browser.open(`${callbackUrl('main')}?code=x`),
    empty: await browser.open(withState('')),
    'twice in the address': await browser.open(`${address}&state=x`),
    'made up': await browser.open(withState('A'.repeat(43))),
    'as it is stored': await browser.open(withState(stored?.state_hash ?? '')),
    'of a browser with another mark': await other.open(address),
    'of a browser without a mark': await newBrowser(() => server).open(address),
    'of another provider': await browser.open(address.replace('/main/', '/two/')),
  }

  const answers = Object.entries(refused).map(([what, { status, json }]) => [
    what,
    status,
    (json as api.ErrorReply).error,
  ])
  expect(answers).toEqual([
    ['missing', 400, 'validation_failed'],
    ['empty', 400, 'validation_failed'],
    ['twice in the address', 400, 'validation_failed'],
    ['made up', 401, 'not_authenticated'],
    ['as it is stored', 401, 'not_authenticated'],
    ['of a browser with another mark', 401, 'not_authenticated'],
    ['of a browser without a mark', 401, 'not_authenticated'],
    ['of another provider', 401, 'not_authenticated'],
  ])
  for (const { headers } of Object.values(refused))
    expect([headers['set-cookie'], headers.location]).toEqual([undefined, undefined])
  // None of these requests has used up the state.
  expect((await browser.open(address)).headers.location).toBe('/')
})

test('AUTH-8 a state is good once', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const browser = newBrowser(() => server, 'ana-1')
  const address = await atCallback(browser)

  expect((await browser.open(address)).status).toBe(303)
  expect((await browser.open(address)).status).toBe(401)
})

test('AUTH-8 a sign-in may take ten minutes; later it says so, and an hour later nobody knows of it', async () => {
  await using provider = await startProvider()
  const time = movableClock()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating), clock: time.clock })
  const browser = newBrowser(() => server, 'ana-1')
  const inTime = await atCallback(browser)
  time.pass(10 * minute - second)
  expect((await browser.open(inTime)).headers.location).toBe('/')
  const late = await atCallback(browser, { returnTo: '/series' })
  time.pass(10 * minute)
  expect((await browser.open(late)).headers.location).toBe('/?error=oidc_expired')
  expect((await browser.open(late)).status).toBe(401)

  await atCallback(browser)
  time.pass(71 * minute)
  await begin(browser)
  expect(await server.context.db.read.selectFrom('oidc_sign_in').select('state_hash').execute()).toHaveLength(1)
})

test('AUTH-8 of sign-ins that nobody finishes there are never more than ten thousand; the oldest give way', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const browser = newBrowser(() => server, 'ana-1')
  const address = await atCallback(browser)
  const { db } = server.context
  const soon = Date.now() + 10 * minute
  for (let first = 0; first < 10_000; first += 1000) {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      state_hash: `stranger ${first + index}`,
      provider: 'main',
      browser_hash: null,
      redirect_uri: null,
      return_to: '/',
      expires_at: new Date(soon + first + index).toISOString(),
    }))
    await db.write((db) => db.insertInto('oidc_sign_in').values(rows).execute())
  }
  const newest = await atCallback(browser)

  expect(await db.read.selectFrom('oidc_sign_in').select('state_hash').execute()).toHaveLength(10_000)
  expect((await browser.open(address)).status).toBe(401)
  expect((await browser.open(newest)).headers.location).toBe('/')
})

test('AUTH-8 of twenty callbacks with one state, over two nodes, exactly one signs in', async () => {
  await using provider = await startProvider()
  const env = settingsFor(provider.issuer, creating)
  await using server = await startServer({ env })
  await using other = await startServer({ env, address: server.context.config.database })
  let next = 0
  const browser = newBrowser(() => ((next += 1) % 2 ? server : other), 'ana-1')
  const address = await atCallback(browser)
  const replies = await Promise.all(Array.from({ length: 20 }, () => browser.open(address)))
  const statuses = replies.map(({ status }) => status)

  expect(statuses.filter((status) => status === 303)).toHaveLength(1)
  expect(statuses.filter((status) => status === 401)).toHaveLength(19)
  expect(await server.context.db.read.selectFrom('session').select('id').execute()).toHaveLength(1)
  expect((await meIn(server, browser)).role).toBe('reader')
})

test('AUTH-8 who is not let in at the provider is told so, and what the provider writes goes nowhere', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer) })
  // A browser that names no account is refused by the provider itself.
  const browser = newBrowser(() => server)
  expect((await browser.open(await atCallback(browser))).headers.location).toBe('/?error=oidc_denied')
  const ends = []
  for (const error of ['login_required', 'temporarily_unavailable', 'server_error', 'invalid_request', '<script>&x=']) {
    const url = new URL(callbackUrl('main'))
    url.search = new URLSearchParams({
      error,
      error_description: '<b>call 555</b>',
      state: new URL(await begin(browser)).searchParams.get('state') ?? '',
    }).toString()
    ends.push((await browser.open(url.href)).headers.location)
  }

  expect(ends).toEqual(
    ['oidc_denied', 'oidc_unavailable', 'oidc_unavailable', 'oidc_failed', 'oidc_failed'].map(
      (code) => `/?error=${code}`,
    ),
  )
})

describe('AUTH-8 it ends only at a page of ours', () => {
  const foreign = [
    'https://evil.example',
    'https://carrel.test/series',
    '//evil.example',
    '//evil.example/series',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    ' //evil.example',
    'series',
    '?x',
    'javascript:alert(1)',
    '/series\r\nset-cookie: a=b',
    '/\u0000',
    '/\u0085',
    '/a b',
  ]

  test('what leads away is refused, in the body and in the link', async () => {
    await using provider = await startProvider()
    await using server = await startServer({ env: settingsFor(provider.issuer) })
    const taken: unknown[] = []
    for (const returnTo of foreign) {
      const input = { params: { provider: 'main' } }
      const byCall = await server.call(api.beginOidcLogin, { ...input, body: { returnTo } })
      const byLink = await server.call(api.followOidcLogin, { ...input, query: { returnTo } })
      for (const outcome of [byCall, byLink]) {
        if (outcome.status !== 400 || errorOf(outcome).error !== 'validation_failed')
          taken.push([returnTo, outcome.status])
      }
    }

    expect(taken).toEqual([])
    expect(await server.context.db.read.selectFrom('oidc_sign_in').select('state_hash').execute()).toEqual([])
  })

  test('what stays here is where it ends, spelled for a header', async () => {
    await using provider = await startProvider()
    await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
    const ends = []
    for (const returnTo of ['/', '/series/1?page=2#top', '/search?q=https://evil.example', '/Bücher', '/a/../b']) {
      ends.push((await signInAs(server, 'ana-1', { returnTo })).location)
    }

    expect(ends).toEqual(['/', '/series/1?page=2#top', '/search?q=https://evil.example', '/B%C3%BCcher', '/b'])
  })
})

test('AUTH-8 tokens go to an address the operator lists, to the letter, and to no other', async () => {
  await using provider = await startProvider()
  const listed = 'https://app.example.org/in'
  await using server = await startServer({ env: settingsFor(provider.issuer, { CARREL_OIDC_REDIRECT_URIS: listed }) })
  const others = [
    `${listed}/`,
    `${listed}?x`,
    `${listed}#x`,
    'https://APP.example.org/in',
    'http://app.example.org/in',
    'https://app.example.org/in2',
    'https://app.example.org',
    'https://app.example.org/x/../in',
    `${listed}%20`,
    `${listed}\n`,
    `${publicUrl}/`,
    'javascript:alert(1)',
    '/',
  ]
  const statuses = []
  for (const redirectUri of others) {
    const input = { params: { provider: 'main' } }
    statuses.push(
      (await server.call(api.beginOidcLogin, { ...input, body: { redirectUri } })).status,
      (await server.call(api.followOidcLogin, { ...input, query: { redirectUri } })).status,
    )
  }

  expect(statuses).toEqual(statuses.map(() => 400))
  const good = await server.call(api.beginOidcLogin, { params: { provider: 'main' }, body: { redirectUri: listed } })
  expect(good.status).toBe(200)
})
