import type * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { movableClock, minute, second } from '../../../test/movable-clock.ts'
import { begin, type Browser, meIn, newBrowser } from '../../../test/oidc-browser.ts'
import { callbackUrl, settingsFor, startProvider } from '../../../test/oidc-provider.ts'
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
