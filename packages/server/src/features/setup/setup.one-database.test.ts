import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { minute, movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type PlainReply, plainRequest } from '../../../test/plain-request.ts'
import { startServer, testPassword, type TestServer } from '../../../test/start-server.ts'
import { createConfiguredAdmin, publishSetupToken } from './setup.ts'

const owner = { username: 'ana', password: testPassword }
/** A header that any proxy adds: whoever sends it is not at this machine. */
const fromAfar = { 'x-forwarded-for': '203.0.113.7' }

const claim = (
  server: TestServer,
  { headers = {}, body = {}, path = '/setup' }: { headers?: Record<string, string>; body?: object; path?: string } = {},
): Promise<PlainReply> =>
  plainRequest(`${server.url}/api/v1${path}`, { method: 'POST', headers, body: { ...owner, ...body } })

const tokenOf = async ({ context }: TestServer): Promise<string> => {
  const token = await publishSetupToken(context.db, context.secret, context.config.dataDir)
  if (token === undefined) throw new Error('There are users already')
  return token
}

test('C1 the first administrator is made once, signed in at once, and the status says so', async () => {
  await using server = await startServer()
  const status = async () => bodyOf(await server.call(api.readSetupStatus, {}))

  expect(await status()).toStrictEqual({ setupRequired: true, hasUsers: false, registrationEnabled: false })
  const claimed = await claim(server, { body: { email: 'ana@example.org' } })

  expect(claimed.status).toBe(201)
  expect(claimed.headers['set-cookie']?.[0]).toMatch(/^carrel_session=[\w-]{43}; .*Path=\/; HttpOnly; SameSite=Lax$/)
  expect(claimed.headers['cache-control']).toBe('no-store')
  expect(claimed.json).toStrictEqual({
    accessToken: expect.any(String),
    tokenType: 'Bearer',
    expiresIn: 3600,
    refreshToken: expect.stringMatching(/^[\w-]{43}$/),
    user: {
      id: expect.any(String),
      username: 'ana',
      email: 'ana@example.org',
      role: 'admin',
      permissions: expect.arrayContaining(['system:admin', 'users:write']),
      language: null,
      timeZone: 'UTC',
      downloadMetadata: 'original',
    },
  })
  expect(await status()).toStrictEqual({ setupRequired: false, hasUsers: true, registrationEnabled: false })
  const again = await claim(server, { body: { username: 'eve' } })
  expect([again.status, again.json]).toMatchObject([409, { error: 'conflict' }])
  const { accessToken } = claimed.json as api.SignedIn
  expect((await server.call(api.listUsers, {}, { headers: { authorization: `Bearer ${accessToken}` } })).status).toBe(
    200,
  )
})

test('C1 the older spelling of the address does the same', async () => {
  await using server = await startServer()

  expect((await claim(server, { path: '/setup/initialize' })).status).toBe(201)
  expect((await claim(server, { path: '/setup' })).status).toBe(409)
  expect((await claim(server, { path: '/setup/initialize' })).status).toBe(409)
})

describe('W7 C1 whoever is surely at this machine needs no token, anybody else does', () => {
  type Env = Record<string, string>
  const cases: readonly [string, (own: URL) => Env, number, Env?][] = [
    ['by 127.0.0.1', () => ({}), 201],
    ['by the name localhost', ({ port }) => ({ host: `localhost:${port}` }), 201],
    ['by [::1]', ({ port }) => ({ host: `[::1]:${port}` }), 201],
    ['without a port in Host', () => ({ host: 'localhost' }), 201],
    ['from a page of our own', ({ host }) => ({ origin: `http://${host}` }), 201],
    ['passed on with Forwarded', () => ({ forwarded: 'for=203.0.113.7' }), 403],
    ['passed on with Via', () => ({ via: '1.1 proxy' }), 403],
    ['passed on with X-Real-IP', () => ({ 'x-real-ip': '203.0.113.7' }), 403],
    ['passed on with X-Forwarded-For', () => fromAfar, 403],
    ['passed on with X-Forwarded-For of this machine', () => ({ 'x-forwarded-for': '127.0.0.1' }), 403],
    ['passed on with an empty X-Forwarded-For', () => ({ 'x-forwarded-for': '' }), 403],
    ['passed on with X-Forwarded-Proto', () => ({ 'x-forwarded-proto': 'https' }), 403],
    ['passed on with X-Forwarded-Whatever', () => ({ 'x-forwarded-whatever': '1' }), 403],
    ['to a foreign Host', () => ({ host: 'evil.example' }), 403],
    ['to a Host that begins as ours', ({ port }) => ({ host: `localhost.evil.example:${port}` }), 403],
    ['to a Host that ends as ours', ({ port }) => ({ host: `evil.localhost:${port}` }), 403],
    ['to a Host with a user before it', ({ port }) => ({ host: `evil@localhost:${port}` }), 403],
    ['to another address of this machine', ({ port }) => ({ host: `192.168.1.5:${port}` }), 403],
    ['from a foreign page', () => ({ origin: 'http://evil.example' }), 403],
    ['from a page of another port', () => ({ origin: 'http://127.0.0.1:1' }), 403],
    ['from a page over https', ({ host }) => ({ origin: `https://${host}` }), 403],
    ['from a page without origin', () => ({ origin: 'null' }), 403],
    ['where a public URL is set', () => ({}), 403, { CARREL_PUBLIC_URL: 'https://books.example.org' }],
    ['where a local public URL is set', () => ({}), 403, { CARREL_PUBLIC_URL: 'http://localhost:8080' }],
    ['where proxies are trusted', () => ({}), 403, { CARREL_TRUSTED_PROXIES: '10.0.0.0/8' }],
  ]

  for (const [what, headersOf, status, env = {}] of cases) {
    test(`${what}: ${status}`, async () => {
      await using server = await startServer({ env })
      const headers = headersOf(new URL(server.url))

      const without = await claim(server, { headers })
      const withToken = await claim(server, {
        headers,
        body: { setupToken: await tokenOf(server).catch(() => 'none') },
      })

      expect(without.status).toBe(status)
      expect(withToken.status).toBe(status === 201 ? 409 : 201)
    })
  }
})

test('W7 C1 a wrong, an empty and a missing token are refused alike, and nobody is made', async () => {
  await using server = await startServer()
  const token = await tokenOf(server)

  const refusals = [
    await claim(server, { headers: fromAfar }),
    await claim(server, { headers: fromAfar, body: { setupToken: '' } }),
    await claim(server, { headers: fromAfar, body: { setupToken: token.slice(0, -1) } }),
    await claim(server, { headers: fromAfar, body: { setupToken: token.toUpperCase() } }),
  ]

  for (const refused of refusals) expect([refused.status, refused.json]).toMatchObject([403, { error: 'not_allowed' }])
  expect(bodyOf(await server.call(api.readSetupStatus, {})).setupRequired).toBe(true)
})

test('A9 W7 who sends no token has not guessed: only wrong ones count', async () => {
  await using server = await startServer()
  const setupToken = await tokenOf(server)
  for (let count = 0; count < 6; count += 1)
    for (const body of [undefined, { setupToken: '' }])
      expect((await claim(server, { headers: fromAfar, ...(body && { body }) })).status).toBe(403)

  expect((await claim(server, { headers: fromAfar, body: { setupToken } })).status).toBe(201)
})

test('W7 after five wrong tokens a minute the next tries wait, the right one too', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const setupToken = await tokenOf(server)
  const tries = []
  for (let count = 0; count < 6; count += 1) {
    tries.push((await claim(server, { headers: fromAfar, body: { setupToken: `wrong ${count}` } })).status)
    time.pass(second)
  }

  expect(tries).toEqual([403, 403, 403, 403, 403, 429])
  const tooSoon = await claim(server, { headers: fromAfar, body: { setupToken } })
  expect(tooSoon.status).toBe(429)
  expect(tooSoon.headers['retry-after']).toBe('54')
  expect(tooSoon.json).toStrictEqual({
    error: 'rate_limit_exceeded',
    message: expect.any(String),
    retry_after: 54,
  })
  time.pass(minute)
  expect((await claim(server, { headers: fromAfar, body: { setupToken } })).status).toBe(201)
})

test('W7 CFG-5 the token has 128 bits, stands in a file only the owner can read, and is gone afterwards', async () => {
  await using server = await startServer()
  const file = join(server.context.config.dataDir, 'setup-token')

  const token = await tokenOf(server)

  expect(token).toMatch(/^[0-9a-f]{32}$/)
  expect((await readFile(file, 'utf8')).trim()).toBe(token)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await tokenOf(server)).toBe(token)
  expect((await claim(server)).status).toBe(201)
  await expect(stat(file)).rejects.toThrow('ENOENT')
  const { db, secret, config } = server.context
  expect(await publishSetupToken(db, secret, config.dataDir)).toBeUndefined()
})

test('W7 a file of the token that cannot be removed is logged, and the administrator is signed in', async () => {
  await using server = await startServer()
  const file = join(server.context.config.dataDir, 'setup-token')
  await mkdir(file)

  expect((await claim(server)).status).toBe(201)

  const warning = { level: 'warn', msg: 'The file setup-token could not be removed' }
  expect(server.logLines).toContainEqual(expect.objectContaining(warning))
})

test('C1 CFG-5 W7 of fifty claims at once one wins', async () => {
  await using server = await startServer()
  await using second = await startServer({ address: server.context.config.database })

  const claims = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      claim(index % 2 ? second : server, { body: { username: `claimer-${index}` } }),
    ),
  )

  expect(claims.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(claims.filter(({ status }) => status === 409)).toHaveLength(49)
  const users = await server.context.db.read.selectFrom('user').select(['username', 'role']).execute()
  const [winner] = claims.flatMap(({ status, json }) => (status === 201 ? [(json as api.SignedIn).user.username] : []))
  expect(users).toEqual([{ username: winner, role: 'admin' }])
})

test('C1 a claim with a bad name, a common or short password is refused and can be repeated', async () => {
  await using server = await startServer()

  for (const [body, path] of [
    [{ username: 'a@b' }, '/username'],
    [{ username: '  ' }, '/username'],
    [{ password: 'short' }, '/password'],
    [{ password: 'password123' }, '/password'],
    [{ role: 'admin' }, '/role'],
    [{ email: 'nonsense' }, '/email'],
  ] as const) {
    const { status, json } = await claim(server, { body })
    expect([body, status, json]).toMatchObject([body, 400, { error: 'validation_failed', details: [{ path }] }])
  }
  expect((await claim(server)).status).toBe(201)
})

test('CFG-3 the configured administrator is made when there is nobody, and only then', async () => {
  await using server = await startServer()
  const make = (username: string) => createConfiguredAdmin(server.context, username, testPassword)

  const made = await Promise.all([make('ana'), make('ben')])

  expect(made.filter((each) => each)).toEqual([true])
  expect(await make('eve')).toBe(false)
  const users = await server.context.db.read.selectFrom('user').select(['username', 'role']).execute()
  expect(users).toEqual([{ username: made[0] ? 'ana' : 'ben', role: 'admin' }])
})

test('C1 the status is open to anybody, also with bad credentials', async () => {
  await using server = await startServer()

  const answered = await server.call(api.readSetupStatus, {}, { headers: { authorization: 'Bearer nonsense' } })
  const other = await server.call(api.listUsers, {}, { headers: { authorization: 'Bearer nonsense' } })

  expect(answered.status).toBe(200)
  expect(errorOf(other).error).toBe('not_authenticated')
})
