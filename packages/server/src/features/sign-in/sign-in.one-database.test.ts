import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer, testPassword, type TestServer } from '../../../test/start-server.ts'

/** Each test signs in its own people, and all share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('AUTH-1 C2 signing in answers tokens, the user and the cookie of the web app', async () => {
  const ana = await server.person('reader', { username: 'Ana', email: 'ana@example.org' })

  const byName = await server.call(api.login, {
    body: { username: 'ana', password: testPassword, deviceName: 'Tablet' },
  })
  const byEmail = await server.call(api.login, { body: { username: 'ANA@example.org', password: testPassword } })

  expect(byName).toMatchObject({
    status: 200,
    body: {
      tokenType: 'Bearer',
      expiresIn: 3600,
      user: { id: ana.id, username: 'Ana', role: 'reader', timeZone: 'UTC' },
    },
  })
  expect(byEmail.status).toBe(200)
  expect(byName.headers.get('set-cookie')).toMatch(/^carrel_session=[\w-]{43}; .*Path=\/; HttpOnly; SameSite=Lax$/)
})

test('C2 the replies of signing in, of refreshing and of asking who one is have these fields and no others', async () => {
  const ana = await server.person('reader', { username: 'bea', email: 'bea@example.org' })
  const user = {
    id: ana.id,
    username: 'bea',
    email: 'bea@example.org',
    role: 'reader',
    permissions: [
      'libraries:read',
      'series:read',
      'books:read',
      'pages:read',
      'collections:read',
      'readlists:read',
      'progress:read',
      'progress:write',
      'api-keys:read',
      'api-keys:write',
      'api-keys:delete',
      'files:download',
    ],
    language: null,
    timeZone: 'UTC',
    downloadMetadata: 'original',
  }
  const tokens = {
    accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    tokenType: 'Bearer',
    expiresIn: 3600,
    refreshToken: expect.stringMatching(/^[\w-]{43}$/),
  }

  const signedIn = await server.call(api.login, { body: { username: 'bea', password: testPassword } })
  const refreshed = await server.call(api.refresh, { body: { refreshToken: bodyOf(signedIn).refreshToken } })

  expect(bodyOf(signedIn)).toStrictEqual({ ...tokens, user })
  expect(bodyOf(refreshed)).toStrictEqual(tokens)
  expect(bodyOf(await ana.call(api.readMe, {}))).toStrictEqual(user)
  expect(bodyOf(await ana.call(api.readProfile, {}))).toStrictEqual(user)
})

test('AUTH-1 a name is found whatever its case and width, and with spaces around it', async () => {
  await server.person('reader', { username: 'Zoë' })

  for (const username of ['zoë', 'ZOË', 'ｚｏë', '  Zoë ', 'zoe\u0308']) {
    const { status } = await server.call(api.login, { body: { username, password: testPassword } })
    expect([username, status]).toEqual([username, 200])
  }
  const withoutAccent = await server.call(api.login, { body: { username: 'zoe', password: testPassword } })
  expect(withoutAccent.status).toBe(401)
})

test('W6 a browser keeps the cookie longer than thirty days, since each use moves the end of the session', async () => {
  const { username } = await server.person('reader')

  const signedIn = await server.call(api.login, { body: { username, password: testPassword } })

  const [, seconds = ''] = /Max-Age=(\d+)/.exec(signedIn.headers.get('set-cookie') ?? '') ?? []
  expect(Number(seconds)).toBe(400 * 24 * 60 * 60)
})

test('C2 the cookie is for the base path, and Secure where the public address is https', async () => {
  await using server = await startServer({
    env: { CARREL_PUBLIC_URL: 'https://books.example.org/shelf', CARREL_BASE_PATH: '/shelf' },
  })
  await server.person('reader', { username: 'ana' })

  const signedIn = await server.call(api.login, { body: { username: 'ana', password: testPassword } })

  expect(signedIn.headers.get('set-cookie')).toMatch(
    /^carrel_session=[\w-]{43}; .*Path=\/shelf; HttpOnly; Secure; SameSite=Lax$/,
  )
})

test('AUTH-2 a reply that holds tokens may be kept by nobody', async () => {
  const ana = await server.person('reader')

  const signedIn = await server.call(api.login, { body: { username: ana.username, password: testPassword } })
  const refreshed = await server.call(api.refresh, { body: { refreshToken: ana.refreshToken } })

  expect(signedIn.headers.get('cache-control')).toBe('no-store')
  expect(refreshed.headers.get('cache-control')).toBe('no-store')
})

test('AUTH-5 an unknown name, a wrong password and an inactive user get the same answer', async () => {
  // Failures count for everybody who signs in from here.
  await using server = await startServer()
  const admin = await server.person('admin')
  const ben = await server.person('reader', { username: 'ben' })
  await server.person('reader', { username: 'cleo' })
  bodyOf(await admin.call(api.updateUser, { params: { id: ben.id }, body: { isActive: false } }))

  const tries = [
    { username: 'nobody', password: testPassword },
    { username: 'nobody@example.org', password: testPassword },
    { username: 'cleo', password: 'not-the-password' },
    { username: 'ben', password: testPassword },
  ]
  const answers = []
  for (const body of tries) {
    const refused = await server.call(api.login, { body })
    const { requestId, ...rest } = { requestId: '', ...errorOf(refused) }
    expect(requestId).not.toBe('')
    const headers = [...refused.headers.entries()].filter(([name]) => !['date', 'x-request-id'].includes(name))
    answers.push(JSON.stringify({ status: refused.status, rest, headers }))
  }

  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toContain('"status":401')
})

test('AUTH-1 no password, token or cookie stands in the database or in the log as it is', async () => {
  const ana = await server.person('reader')
  const refreshed = bodyOf(await server.call(api.refresh, { body: { refreshToken: ana.refreshToken } }))
  await server.call(api.readMe, {}, { headers: { cookie: ana.cookie } })
  const { db } = server.context
  const stored = JSON.stringify([
    await db.read.selectFrom('user').selectAll().execute(),
    await db.read.selectFrom('session').selectAll().execute(),
    await db.read.selectFrom('refresh_token').selectAll().execute(),
  ])
  const logged = JSON.stringify(server.logLines)

  const secrets = [
    testPassword,
    ana.accessToken,
    ana.refreshToken,
    refreshed.refreshToken,
    ana.cookie.replace('carrel_session=', ''),
  ]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10)
    expect(stored).not.toContain(secret)
    expect(logged).not.toContain(secret)
  }
})
