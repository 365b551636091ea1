import * as api from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { begin, type Browser, newBrowser, signInAs } from '../../../test/oidc-browser.ts'
import { callbackUrl, publicUrl, settingsFor, startProvider } from '../../../test/oidc-provider.ts'
import { errorOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'

const creating = { CARREL_OIDC_MAIN_CREATE_USERS: 'true' }

/** The sign-in stops just before the last step: the result is the address the provider sends this browser back to. */
const atCallback = async (browser: Browser, options?: api.OidcLogin): Promise<string> =>
  browser.walk(await begin(browser, options))

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
