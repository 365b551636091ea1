import * as api from '@carrel/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { startServer, testPassword, type TestServer } from '../../../test/start-server.ts'

/** Most of the tests touch their own users alone, and share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const foreign = 'https://evil.example'

describe('AUTH-2 W6 a change by cookie is taken from our own pages only', () => {
  const cases: readonly [string, (own: string) => Record<string, string>, number][] = [
    ['Sec-Fetch-Site same-origin', () => ({ 'sec-fetch-site': 'same-origin' }), 200],
    [
      'Sec-Fetch-Site same-origin without caring for Origin',
      (own) => ({ 'sec-fetch-site': 'same-origin', origin: own }),
      200,
    ],
    ['Sec-Fetch-Site cross-site', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['Sec-Fetch-Site same-site', () => ({ 'sec-fetch-site': 'same-site' }), 403],
    ['Sec-Fetch-Site none', () => ({ 'sec-fetch-site': 'none' }), 403],
    [
      'Sec-Fetch-Site cross-site in spite of our Origin',
      (own) => ({ 'sec-fetch-site': 'cross-site', origin: own }),
      403,
    ],
    ['an Origin equal to ours', (own) => ({ origin: own }), 200],
    ['a foreign Origin', () => ({ origin: foreign }), 403],
    ['an Origin that begins as ours', (own) => ({ origin: `${own}.evil.example` }), 403],
    ['our Origin over https', (own) => ({ origin: own.replace('http:', 'https:') }), 403],
    ['Origin null', () => ({ origin: 'null' }), 403],
    ['neither header', () => ({}), 403],
  ]
  for (const [what, headersOf, status] of cases) {
    test(`${what}: ${status}`, async () => {
      const ana = await server.person('reader')
      const url = `${server.url}/api/v1/user`
      const cookie = `theme=dark; ${ana.cookie}`

      const headers = { cookie, ...headersOf(server.url) }
      const changed = await plainRequest(url, { method: 'PATCH', headers, body: { timeZone: 'Europe/Berlin' } })
      const read = await plainRequest(url, { headers })

      expect(changed.status).toBe(status)
      expect(read.status).toBe(200)
      expect(read.json).toMatchObject({ timeZone: status === 200 ? 'Europe/Berlin' : 'UTC' })
    })
  }
})

test('AUTH-2 with a public URL its origin is ours, and no other', async () => {
  await using server = await startServer({ env: { CARREL_PUBLIC_URL: 'https://books.example.org/' } })
  const ana = await server.person('reader')
  const change = async (origin: string) =>
    (
      await plainRequest(`${server.url}/api/v1/user`, {
        method: 'PATCH',
        headers: { cookie: ana.cookie, origin },
        body: { language: 'en' },
      })
    ).status

  expect(await change('https://books.example.org')).toBe(200)
  expect(await change(server.url)).toBe(403)
})

test('AUTH-2 tokens and keys need no such headers, wherever the page is from', async () => {
  const ana = await server.person('reader')
  const { key } = bodyOf(await ana.call(api.createApiKey, { body: { name: 'Tablet' } }))
  const save = (headers: Record<string, string>) =>
    server.call(
      api.savePreferences,
      { body: { preferences: { theme: 'dark' } } },
      { headers: { origin: foreign, 'sec-fetch-site': 'cross-site', ...headers } },
    )

  expect((await save({ authorization: `Bearer ${ana.accessToken}` })).status).toBe(200)
  expect((await save({ 'x-api-key': key })).status).toBe(200)
})

test('AUTH-2 signing out by cookie from a foreign page is refused and ends nothing', async () => {
  const ana = await server.person('reader')

  const refused = await server.call(api.logout, {}, { headers: { cookie: ana.cookie, 'sec-fetch-site': 'cross-site' } })

  expect(refused.status).toBe(403)
  expect((await ana.call(api.readMe, {})).status).toBe(200)
})

describe('W6 the first credential present decides', () => {
  const order = ['authorization', 'x-api-key', 'cookie'] as const

  for (const [rank, first] of order.entries()) {
    for (const later of order.slice(rank + 1)) {
      test(`${first} before ${later}`, async () => {
        const [ana, ben] = [await server.person('reader'), await server.person('reader')]
        const keyOf = async (person: typeof ana) =>
          bodyOf(await person.call(api.createApiKey, { body: { name: 'Tablet' } })).key
        const good = async (person: typeof ana) => ({
          authorization: `Bearer ${person.accessToken}`,
          'x-api-key': await keyOf(person),
          cookie: person.cookie,
        })
        const bad = { authorization: 'Bearer nonsense', 'x-api-key': 'nonsense', cookie: 'carrel_session=nonsense' }
        const ask = (headers: Record<string, string>) => server.call(api.readMe, {}, { headers })
        const [hers, his] = [await good(ana), await good(ben)]

        const bothGood = await ask({ [first]: hers[first], [later]: his[later] })
        const firstBad = await ask({ [first]: bad[first], [later]: his[later] })
        const laterBad = await ask({ [first]: hers[first], [later]: bad[later] })

        expect(bodyOf(bothGood).id).toBe(ana.id)
        expect(firstBad.status).toBe(401)
        expect(bodyOf(laterBad).id).toBe(ana.id)
      })
    }
  }
})

test('W6 an Authorization header that cannot be read is a bad credential, not none', async () => {
  const ana = await server.person('reader')

  for (const authorization of ['Bearer', 'Bearer ', 'Digest x', 'nonsense', ana.accessToken]) {
    const { status } = await server.call(api.readMe, {}, { headers: { authorization, cookie: ana.cookie } })
    expect([authorization, status]).toEqual([authorization, 401])
  }
  const empty = await plainRequest(`${server.url}/api/v1/auth/me`, {
    headers: { authorization: '', cookie: ana.cookie },
  })
  expect(empty.status).toBe(401)
})

test('W6 signing in works with a stale cookie, a bad token or a bad key, and from a foreign page', async () => {
  const ana = await server.person('reader')
  await ana.call(api.logout, {})
  const body = { username: ana.username, password: testPassword }

  for (const headers of [
    { cookie: ana.cookie },
    { authorization: `Bearer ${ana.accessToken}` },
    { 'x-api-key': 'carrel_nonsense' },
    { cookie: ana.cookie, 'sec-fetch-site': 'cross-site' },
  ]) {
    expect((await server.call(api.login, { body }, { headers })).status).toBe(200)
  }
})

test('C14 without credentials the answer is 401 and says how to come by some', async () => {
  const refused = await server.call(api.readMe, {})

  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="Carrel"')
  expect(errorOf(refused)).toMatchObject({ error: 'not_authenticated', message: expect.stringContaining('Sign in') })
})
