import * as api from '@carrel/api'
import { endpoint, record } from '@carrel/api'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { serve } from '../serve.ts'

/** Most of the tests touch their own things alone, and share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

test('HTTP-1 the security headers stand on every kind of answer, each surface with its own policy', async () => {
  const reader = await server.person('reader')
  const authorization = `Bearer ${reader.accessToken}`
  const answers = {
    '/api/v1/info': "default-src 'none'; frame-ancestors 'none'",
    '/api/v1/nothing': "default-src 'none'; frame-ancestors 'none'",
    '/api/v1/users': "default-src 'none'; frame-ancestors 'none'",
    '/api/v1/user': "default-src 'none'; frame-ancestors 'none'",
    '/api/v1/users/%zz': "default-src 'none'; frame-ancestors 'none'",
    '/api/docs': "default-src 'none'; script-src 'self'; style-src 'self'",
    '/api/docs/swagger-ui-bundle.js': "default-src 'none'; script-src 'self'",
    '/': "default-src 'none'; frame-ancestors 'none'",
  }
  for (const [address, policy] of Object.entries(answers)) {
    const { headers } = await plainRequest(server.url + address, { headers: { authorization } })
    expect([address, headers]).toMatchObject([address, everywhere])
    expect(headers['content-security-policy']).toContain(policy)
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/)
    expect([headers.server, headers['x-powered-by']]).toEqual([undefined, undefined])
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('HTTP-6 W17 a record has an ETag, is not kept without asking, and is not sent twice', async () => {
  const reader = await server.person('reader')
  const ask = (etag?: string) =>
    plainRequest(`${server.url}/api/v1/user`, {
      headers: {
        authorization: `Bearer ${reader.accessToken}`,
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
    })
  const first = await ask()
  const etag = first.headers.etag ?? ''

  expect(etag).toMatch(/^"[\w-]+"$/)
  expect(first.headers['cache-control']).toBe('private, no-cache')
  expect(first.headers.vary).toContain('Authorization')
  for (const tag of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
    const again = await ask(tag)
    expect([tag, again.status, again.text, again.headers.etag]).toEqual([tag, 304, '', etag])
  }
  expect((await ask('"other"')).status).toBe(200)
})

test('HTTP-6 HTTP-8 what is not well is never just unchanged', async () => {
  const sick = endpoint('GET /api/v1/test/sick', {
    summary: 'Not well',
    tag: 'Test',
    access: 'open',
    reply: record({ ok: Type.Boolean() }),
  })
  const answer = async ({ reply }: { reply: FastifyReply }) => {
    reply.code(503)
    return { ok: false }
  }
  await using server = await startServer({ more: (app) => serve(app, sick, answer) })
  const { status, text } = await plainRequest(`${server.url}/api/v1/test/sick`, { headers: { 'if-none-match': '*' } })

  expect([status, text]).toEqual([503, '{"ok":false}'])
})

test('HTTP-6 If-Match guards a change: who has not seen the latest is refused and changes nothing', async () => {
  const admin = await server.person('admin')
  const made = await admin.call(api.createSharingTag, { body: { name: 'first' } })
  const { id } = bodyOf(made)
  const read = await admin.call(api.readSharingTag, { params: { id } })
  const etag = read.headers.get('etag') ?? ''
  const rename = (name: string, ifMatch: string) =>
    admin.call(api.updateSharingTag, { params: { id }, body: { name } }, { headers: { 'if-match': ifMatch } })

  expect(made.headers.get('etag')).toBe(etag)
  const changed = await rename('second', etag)
  expect(changed.status).toBe(200)
  expect((await rename('third', etag)).status).toBe(412)
  expect((await rename('third', `"x", ${changed.headers.get('etag')}`)).status).toBe(200)
  expect((await rename('fourth', '*')).status).toBe(200)
  expect((await admin.call(api.deleteSharingTag, { params: { id } }, { headers: { 'if-match': etag } })).status).toBe(
    412,
  )
  expect(bodyOf(await admin.call(api.readSharingTag, { params: { id } })).name).toBe('fourth')
  expect((await admin.call(api.updateSharingTag, { params: { id }, body: { name: 'fifth' } })).status).toBe(200)
})

test('W17 what holds credentials is kept by nobody, and neither is an error', async () => {
  const reader = await server.person('reader')
  const login = await server.call(api.login, { body: { username: reader.username, password: reader.password } })
  const wrong = await server.call(api.readMe, {})

  expect([login.headers.get('cache-control'), login.headers.get('etag')]).toEqual(['no-store', null])
  expect(wrong.headers.get('cache-control')).toBe('no-store')
})

test('W17 no other origin may read anything unless it is listed, and then with no cookie', async () => {
  const listed = 'https://reader.example.org'
  await using closed = await startServer()
  await using open = await startServer({ env: { CARREL_CORS_ORIGINS: listed } })
  const allowed = async (url: string, origin: string, method = 'GET') =>
    (await plainRequest(`${url}/api/v1/info`, { method, headers: { origin } })).headers

  const twins = [
    'null',
    'https://evil.example',
    `${listed}.evil.example`,
    'http://reader.example.org',
    `${listed}:8443`,
    listed.toUpperCase(),
  ]
  for (const origin of [listed, ...twins]) {
    expect((await allowed(closed.url, origin))['access-control-allow-origin']).toBeUndefined()
  }
  for (const origin of twins) expect((await allowed(open.url, origin))['access-control-allow-origin']).toBeUndefined()
  const simple = await allowed(open.url, listed)
  const preflight = await allowed(open.url, listed, 'OPTIONS')

  expect(simple).toMatchObject({
    'access-control-allow-origin': listed,
    vary: 'Authorization, Cookie, X-API-Key, Origin, Accept-Encoding',
  })
  expect(preflight['access-control-allow-headers']).toContain('Authorization')
  expect([simple, preflight].map((headers) => headers['access-control-allow-credentials'])).toEqual([
    undefined,
    undefined,
  ])
})

const old = endpoint('GET /api/v1/test/old', {
  summary: 'Something that is to go',
  tag: 'Test',
  access: 'open',
  reply: record({ ok: Type.Boolean() }),
  deprecated: { since: '2026-01-01T00:00:00Z', sunset: '2027-01-01T00:00:00Z' },
})

test('HTTP-9 what is to go says so, and when', async () => {
  await using server = await startServer({ more: (app) => serve(app, old, async () => ({ ok: true })) })
  const { headers } = await plainRequest(`${server.url}/api/v1/test/old`)
  const document = bodyOf(await server.call(api.readOpenApi, {})) as {
    paths: Record<string, Record<string, { deprecated?: boolean }>>
  }

  expect(headers).toMatchObject({ deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' })
  expect(document.paths['/api/v1/test/old']?.get?.deprecated).toBe(true)
})

const broken = endpoint('GET /api/v1/test/broken', {
  summary: 'An answer that is not to the letter',
  tag: 'Test',
  access: 'open',
  reply: record({ ok: Type.Boolean() }),
})

test('W2 an answer that does not fit its contract is a fault where replies are checked, and loses the surplus elsewhere', async () => {
  const answer = async () => ({ ok: true, password: 'secret' })
  await using lenient = await startServer({
    env: { CARREL_CHECK_REPLIES: 'false' },
    more: (app) => serve(app, broken, answer),
  })
  expect((await plainRequest(`${lenient.url}/api/v1/test/broken`)).text).toBe('{"ok":true}')

  const strict = await startServer({ more: (app) => serve(app, broken, answer) })
  const { status, json } = await plainRequest(`${strict.url}/api/v1/test/broken`)
  expect([status, (json as api.ErrorReply).error]).toEqual([500, 'internal_error'])
  expect(strict.logLines.some(({ msg }) => msg === 'Contract broken')).toBe(true)
  await expect(strict[Symbol.asyncDispose]()).rejects.toThrow('Contract broken')
})

test('HTTP-1 a fault of ours is 500 without a word of where it was', async () => {
  const fails = endpoint('GET /api/v1/test/fails', { summary: 'Fails', tag: 'Test', access: 'open', reply: record({}) })
  const server = await startServer({
    more: (app) =>
      serve(app, fails, async () => {
        throw new Error('the secret is 42')
      }),
  })
  const { status, text } = await plainRequest(`${server.url}/api/v1/test/fails`)

  expect(status).toBe(500)
  expect(text).not.toContain('the secret')
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow('the secret is 42')
})
