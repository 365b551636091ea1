import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type Carrel, claim, startCarrel, testPassword, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { type TemporaryFolder, temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { foreignSite, watchedPage } from './browser.ts'

let home: TemporaryFolder
let carrel: Carrel
let ana: Visitor
beforeAll(async () => {
  home = await temporaryFolder()
  carrel = await startCarrel({ cwd: home.path, env: { CARREL_RATE_LIMIT_ENABLED: 'false' } })
  ana = await claim(carrel)
})
afterAll(async () => {
  await carrel[Symbol.asyncDispose]()
  await home[Symbol.asyncDispose]()
})

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly contentType?: string
}

/** A script of the page that is open would send it like this, with the cookie. */
const sendFrom = (
  page: Page,
  base: string,
  sent: Sent & { readonly mode?: 'cors' | 'no-cors' },
): Promise<number | 'blocked'> =>
  page.evaluate(
    async ([url, { method, body, contentType, mode = 'cors' }]) => {
      try {
        const headers = contentType === undefined ? {} : { 'content-type': contentType }
        const init = { method, headers, mode, credentials: 'include' as const }
        const response = await fetch(url, body === undefined ? init : { ...init, body })
        return response.type === 'opaque' ? 'blocked' : response.status
      } catch {
        return 'blocked'
      }
    },
    [base + sent.path, sent] as const,
  )

/** The page is ours, with its policy, and has nothing on it that takes time. */
const plainPage = '/api/docs/start.js'

const signInThroughPage = async (page: Page, { url }: Carrel): Promise<void> => {
  await page.goto(url + plainPage)
  const body = JSON.stringify({ username: 'ana', password: testPassword })
  expect(
    await sendFrom(page, url, { method: 'POST', path: '/api/v1/auth/login', body, contentType: 'application/json' }),
  ).toBe(200)
}

/** The attempts below try to get at these. */
const possessions = async ({ call }: Visitor) => ({
  preferences: bodyOf(await call(api.readPreferences, {})),
  keys: bodyOf(await call(api.listApiKeys, {})).total,
  users: bodyOf(await call(api.listUsers, {})).total,
  sessions: bodyOf(await call(api.listSessions, {})).sessions.length,
  profile: bodyOf(await call(api.readProfile, {})),
})

const json = 'application/json'
const attempts = (userId: string): Sent[] => [
  { method: 'PUT', path: '/api/v1/user/preferences/theme', body: '{"value":"stolen"}', contentType: json },
  { method: 'PUT', path: '/api/v1/user/preferences', body: '{"preferences":{"theme":"stolen"}}', contentType: json },
  { method: 'PATCH', path: '/api/v1/user', body: '{"language":"xx"}', contentType: json },
  { method: 'POST', path: '/api/v1/api-keys', body: '{"name":"stolen"}', contentType: json },
  { method: 'POST', path: '/api/v1/api-keys', body: '{"name":"stolen"}', contentType: 'text/plain' },
  {
    method: 'POST',
    path: '/api/v1/users',
    body: '{"username":"eve","password":"quiet-lamp-over-snow"}',
    contentType: 'text/plain',
  },
  { method: 'POST', path: '/api/v1/auth/logout' },
  { method: 'POST', path: '/api/v1/auth/logout', body: '{}', contentType: 'text/plain' },
  { method: 'DELETE', path: '/api/v1/user/preferences/theme' },
  { method: 'DELETE', path: `/api/v1/users/${userId}` },
]

test.each([
  ['another port of the same host, to which the browser sends the cookie', '127.0.0.1'],
  ['another host', 'localhost'],
])('AUTH-2 W6 a page at %s changes nothing in the name of its visitor', async (_, host) => {
  const bo = bodyOf(await ana.call(api.createUser, { body: { username: `bo at ${host}`, password: testPassword } }))
  await ana.call(api.savePreference, { params: { key: 'theme' }, body: { value: 'dark' } })
  await using site = await foreignSite()
  await using watched = await watchedPage()
  const { page } = watched
  await signInThroughPage(page, carrel)
  const before = await possessions(ana)

  await page.goto(`http://${host}:${site.port}/`)
  for (const attempt of attempts(bo.id)) {
    for (const mode of ['cors', 'no-cors'] as const) {
      // The page does not see the answer either.
      expect(await sendFrom(page, carrel.url, { ...attempt, mode })).toBe('blocked')
    }
  }
  expect(await sendFrom(page, carrel.url, { method: 'GET', path: '/api/v1/auth/me' })).toBe('blocked')

  expect(await possessions(ana)).toEqual(before)
  await page.goto(carrel.url + plainPage)
  expect(await sendFrom(page, carrel.url, { method: 'GET', path: '/api/v1/auth/me' })).toBe(200)
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
  'AUTH-2 W6 a form of a foreign page, sent as %s with the cookie, is refused',
  async (enctype) => {
    await using watched = await watchedPage()
    const { page } = watched
    await signInThroughPage(page, carrel)
    const before = await possessions(ana)

    for (const [path, field] of [
      ['/api/v1/api-keys', '{"name":"stolen","x":"'],
      ['/api/v1/auth/logout', '{"x":"'],
    ] as const) {
      const form = `<!doctype html><form method="post" enctype="${enctype}" action="${carrel.url}${path}"><input name='${field}' value='"}'></form>`
      await using site = await foreignSite(form)
      await page.goto(`http://127.0.0.1:${site.port}/`)
      const answered = page.waitForResponse((response) => response.url() === carrel.url + path)
      await page.evaluate('document.forms[0].submit()')
      const response = await answered
      // The cookie did come along: it was not for want of it.
      expect((await response.request().allHeaders()).cookie).toContain('carrel_session=')
      expect(response.status()).toBe(403)
      await page.waitForURL(carrel.url + path)
    }

    expect(await possessions(ana)).toEqual(before)
  },
)

test('AUTH-2 W6 a page of our own reads and changes with the cookie, which no script can see', async () => {
  await using watched = await watchedPage()
  const { page, complaints } = watched
  await signInThroughPage(page, carrel)
  const send = (sent: Sent) => sendFrom(page, carrel.url, sent)
  const saved = { method: 'PUT', path: '/api/v1/user/preferences/theme', body: '{"value":"dark"}', contentType: json }

  expect(await send({ method: 'GET', path: '/api/v1/auth/me' })).toBe(200)
  expect(await send(saved)).toBe(200)
  expect(await page.evaluate('document.cookie')).toBe('')
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual([])
  expect(await page.context().cookies()).toMatchObject([
    { name: 'carrel_session', httpOnly: true, sameSite: 'Lax', path: '/' },
  ])
  expect(complaints).toEqual([])

  expect(await send({ method: 'POST', path: '/api/v1/auth/logout' })).toBe(204)
  expect(await page.context().cookies()).toEqual([])
  expect(await send({ method: 'GET', path: '/api/v1/auth/me' })).toBe(401)
})

test('AUTH-2 no page can put ours into a frame', async () => {
  await using site = await foreignSite(`<!doctype html><iframe src="${carrel.url}/api/docs"></iframe>`)
  await using watched = await watchedPage()
  const { page } = watched

  await page.goto(`http://127.0.0.1:${site.port}/`)
  const frame = page.frames()[1]

  expect(await frame?.locator('#reference').count()).toBe(0)
})
