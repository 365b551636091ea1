import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { hour, movableClock } from '../../../test/movable-clock.ts'
import { begin, newBrowser, signInAs } from '../../../test/oidc-browser.ts'
import { settingsFor, startProvider } from '../../../test/oidc-provider.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'

const creating = { CARREL_OIDC_MAIN_CREATE_USERS: 'true' }

test('AUTH-8 while a provider is away its sign-in is 503, everything else goes on, and it comes back by itself', async () => {
  await using provider = await startProvider()
  await provider.stop()
  await using server = await startServer({
    env: settingsFor(provider.issuer, { ...creating, CARREL_OIDC_MAIN_DISPLAY_NAME: 'Our house' }),
  })
  const params = { provider: 'main' }
  for (const outcome of [
    await server.call(api.beginOidcLogin, { params }),
    await server.call(api.followOidcLogin, { params, query: {} }),
  ]) {
    expect([outcome.status, outcome.headers.get('retry-after'), errorOf(outcome).error]).toEqual([
      503,
      '5',
      'unavailable',
    ])
    expect(errorOf(outcome).message).toBe(
      'Our house does not answer as it should. Try again in a moment, or sign in with a password.',
    )
    expect(outcome.headers.getSetCookie()).toEqual([])
  }
  const ana = await server.person('reader')
  expect((await server.call(api.login, { body: { username: ana.username, password: ana.password } })).status).toBe(200)
  expect(bodyOf(await server.call(api.listOidcProviders, {})).enabled).toBe(true)
  expect((await server.call(api.readReadiness, {})).status).toBe(200)
  await provider.startAgain()
  expect((await signInAs(server, 'ana-1')).location).toBe('/')
})

test('AUTH-8 a provider that goes away between the steps is said to be away', async () => {
  await using provider = await startProvider()
  await using server = await startServer({ env: settingsFor(provider.issuer, creating) })
  const browser = newBrowser(() => server, 'ana-1')
  const atCallback = await browser.walk(await begin(browser))
  await provider.stop()

  expect((await browser.open(atCallback)).headers.location).toBe('/?error=oidc_unavailable')
})

test('AUTH-8 a provider is asked about itself once an hour, however many sign in', async () => {
  await using provider = await startProvider()
  const time = movableClock()
  await using server = await startServer({ env: settingsFor(provider.issuer), clock: time.clock })
  const discoveries = () => provider.requests.filter((request) => request.includes('openid-configuration')).length
  const browser = newBrowser(() => server)
  expect(discoveries()).toBe(0)
  await Promise.all(Array.from({ length: 5 }, () => begin(browser)))
  time.pass(hour - 1)
  await begin(browser)
  expect(discoveries()).toBe(1)
  time.pass(1)
  await begin(browser)
  expect(discoveries()).toBe(2)
})

test('AUTH-8 a provider that never answers, or never comes to an end, is given up after a while', async () => {
  const endless = createServer((request, response) => {
    if (request.url?.startsWith('/silent')) return
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = setInterval(() => response.write(' '), 200)
    response.once('close', () => clearInterval(drip))
  })
  await new Promise<void>((resolve) => void endless.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`
  const settings = settingsFor(`${issuer}/silent`)
  await using server = await startServer({
    env: {
      ...settings,
      CARREL_OIDC_PROVIDERS: 'main,two',
      CARREL_OIDC_TWO_ISSUER: `${issuer}/dripping`,
      CARREL_OIDC_TWO_CLIENT_ID: 'carrel',
      CARREL_OIDC_TWO_CLIENT_SECRET: settings.CARREL_OIDC_MAIN_CLIENT_SECRET ?? '',
    },
  })
  const begun = await Promise.all(
    ['main', 'two'].map((provider) => server.call(api.beginOidcLogin, { params: { provider } })),
  )
  endless.closeAllConnections()
  endless.close()

  expect(begun.map(({ status }) => status)).toEqual([503, 503])
})
