import type * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRequest } from '../plain-request.ts'
import { rawRequest } from '../raw-request.ts'
import { startServer, type TestServer } from '../start-server.ts'

/** What is refused leaves nothing behind, and shares a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const isAlive = async (server: TestServer): Promise<void> => {
  expect((await plainRequest(`${server.url}/health`)).json).toEqual({ status: 'ok' })
}

const requireErrorShape = (body: string): api.ErrorReply => {
  const error = JSON.parse(body) as api.ErrorReply
  const { details: _details, reason: _reason, values: _values, ...always } = error
  expect(Object.keys(always).sort()).toEqual(['error', 'message', 'requestId'])
  expect(body).not.toMatch(/\bat .*\.(ts|js):\d|node_modules|<html/i)
  return error
}

const host = 'Host: carrel\r\n'
const unparsable: Record<string, string | Buffer> = {
  'no HTTP at all': 'GARBAGE\r\n\r\n',
  'a TLS greeting': Buffer.from('16030102000100', 'hex'),
  'the old short form': 'GET /\r\n\r\n',
  'no host': 'GET / HTTP/1.1\r\n\r\n',
  'two lengths': `POST /api/v1/auth/login HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`,
  'a length and chunks': `POST /api/v1/auth/login HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'an unknown transfer encoding': `POST /api/v1/auth/login HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'chunks that are none': `POST /api/v1/auth/login HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
  'a header without a colon': `GET / HTTP/1.1\r\n${host}nonsense\r\n\r\n`,
  'a line break in a header': `GET / HTTP/1.1\r\n${host}X-A: a\nb\r\n\r\n`,
  'an expectation nobody knows': `GET /api/v1/info HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`,
  'headers of 20 kB': `GET / HTTP/1.1\r\n${host}X-A: ${'a'.repeat(20_000)}\r\n\r\n`,
  'two thousand headers': `GET / HTTP/1.1\r\n${host}${'X-A: b\r\n'.repeat(2000)}\r\n`,
  'three hundred headers': `GET /api/v1/info HTTP/1.1\r\n${host}${'X-A: b\r\n'.repeat(300)}\r\n`,
  'two hosts': `GET /api/v1/info HTTP/1.1\r\n${host}${host}\r\n`,
  'an asterisk for an address': `GET * HTTP/1.1\r\n${host}\r\n`,
  'a greeting of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'garbage behind a request': `GET /api/v1/info HTTP/1.1\r\n${host}\r\nGARBAGE\r\n\r\n`,
  'a byte that is no letter': Buffer.from(`GET /api/v1/inf\xff HTTP/1.1\r\n${host}\r\n`, 'latin1'),
  'an address of 9 kB': `GET /${'a'.repeat(9000)} HTTP/1.1\r\n${host}\r\n`,
  'a percent sign and no digits': `GET /api/v1/users/%zz HTTP/1.1\r\n${host}\r\n`,
  'a character written too long': `GET /api/v1/users/%c0%ae HTTP/1.1\r\n${host}\r\n`,
  'a parameter of 5 kB': `GET /api/v1/users/${'a'.repeat(5000)} HTTP/1.1\r\n${host}\r\n`,
}

test('HTTP-1 LIM-2 what cannot be read is 400 in JSON with the headers of the limiter, and the server goes on', async () => {
  await using server = await startServer({ env: { CARREL_RATE_LIMIT_ENABLED: 'true' } })
  for (const [what, bytes] of Object.entries(unparsable)) {
    const { status, head, body } = await rawRequest(server.url, bytes)
    expect([what, status]).toEqual([what, 400])
    expect([what, requireErrorShape(body).error]).toEqual([what, 'malformed_request'])
    for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']) {
      expect(`${what}: ${head.toLowerCase()}`).toContain(`\n${header}: `)
    }
  }
  await isAlive(server)
})

test('HTTP-1 as many headers as we take are all read, the last one too', async () => {
  const { accessToken } = await server.person('reader')
  const ask = (headers: number) =>
    rawRequest(
      server.url,
      `GET /api/v1/user HTTP/1.1\r\n${host}${'X-A: b\r\n'.repeat(headers - 2)}Authorization: Bearer ${accessToken}\r\n\r\n`,
    )

  expect((await ask(100)).status).toBe(200)
  const refused = await ask(101)
  expect([refused.status, requireErrorShape(refused.body).message]).toEqual([
    400,
    'The request has more than 100 headers.',
  ])
})

test('HTTP-1 CONNECT is 405 like every method that is not served', async () => {
  const { status, head, body } = await rawRequest(server.url, `CONNECT example.org:443 HTTP/1.1\r\n${host}\r\n`)

  expect([status, requireErrorShape(body).error]).toEqual([405, 'method_not_allowed'])
  expect(head).toMatch(/^allow: GET, /im)
  await isAlive(server)
})

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const json = 'application/json'

/** Content type, body, and what it is refused with. */
const bodies: Record<string, readonly [string | undefined, string | Buffer, number, api.ErrorCode]> = {
  'broken JSON': [json, '{"value":', 400, 'malformed_request'],
  'two values': [json, '{} {}', 400, 'malformed_request'],
  'no JSON at all': [json, 'value=1', 400, 'malformed_request'],
  nothing: [json, '', 400, 'validation_failed'],
  'a list': [json, '[]', 400, 'validation_failed'],
  null: [json, 'null', 400, 'validation_failed'],
  '65 levels': [json, `{"value":${deep(65)}}`, 400, 'malformed_request'],
  '200,000 levels': [json, `{"value":${deep(200_000)}}`, 400, 'malformed_request'],
  'broken UTF-8': [json, Buffer.from('{"value":"\xff\xfe"}', 'latin1'), 400, 'malformed_request'],
  'a null character': [json, '{"value":"a\\u0000b"}', 400, 'validation_failed'],
  'half a character': [json, '{"value":"\\ud800"}', 400, 'validation_failed'],
  'a field too many': [json, '{"value":1,"isAdmin":true}', 400, 'validation_failed'],
  'a prototype': [json, '{"__proto__":{"isAdmin":true},"value":1}', 400, 'validation_failed'],
  '2 MB': [json, `{"value":"${'a'.repeat(2_000_000)}"}`, 413, 'payload_too_large'],
  'JSON that says it is text': ['text/plain', '{"value":1}', 415, 'unsupported_media_type'],
  'JSON that says nothing': [undefined, '{"value":1}', 415, 'unsupported_media_type'],
  'a form': ['application/x-www-form-urlencoded', 'value=1', 415, 'unsupported_media_type'],
  'a form in parts': ['multipart/form-data; boundary=x', '--x--', 415, 'unsupported_media_type'],
  'another character set': [`${json}; charset=utf-16`, '{"value":1}', 415, 'unsupported_media_type'],
  'two types in one': [`${json}, text/plain`, '{"value":1}', 415, 'unsupported_media_type'],
  'a type with JSON behind it': [`text/plain; ${json}`, '{"value":1}', 415, 'unsupported_media_type'],
  'half a type': ['application/;', '{"value":1}', 415, 'unsupported_media_type'],
  'a tab, and a wrong field': [`${json}\t`, '{"other":1}', 400, 'validation_failed'],
  'a semicolon, and a wrong field': [`${json};`, '{"other":1}', 400, 'validation_failed'],
  'a null character in a name': [json, '{"value":{"a/b":{"\\u0000":1}}}', 400, 'validation_failed'],
  'a type that only begins like it': ['application/jsonp', '{"value":1}', 415, 'unsupported_media_type'],
}

test('HTTP-1 HTTP-2 a body that is wrong in any way is refused for what is wrong with it', async () => {
  const { accessToken } = await server.person('reader')
  const url = `${server.url}/api/v1/user/preferences/key`
  for (const [what, [type, body, status, code]] of Object.entries(bodies)) {
    const response = await fetch(url, {
      method: 'PUT',
      headers: { authorization: `Bearer ${accessToken}`, ...(type !== undefined && { 'content-type': type }) },
      body: type === undefined ? new Blob([body]) : body,
    })
    const error = requireErrorShape(await response.text())
    expect([what, response.status, error.error]).toEqual([what, status, code])
    expect(error.requestId).toBe(response.headers.get('x-request-id'))
  }
  const compressed = await plainRequest(url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${accessToken}`, 'content-encoding': 'gzip' },
    body: { value: 1 },
  })
  expect(compressed.status).toBe(415)
  await isAlive(server)
})

test('HTTP-1 a JSON type is one however it is written', async () => {
  const { accessToken } = await server.person('reader')
  const types = ['\t', ';', '; ', '\t;charset=utf-8', '; charset="UTF-8"', ';charset=utf8'].map((more) => json + more)
  for (const type of [...types, json.toUpperCase(), ` ${json}`, 'application/merge-patch+json']) {
    const body = '{"value":1}'
    const head = `PUT /api/v1/user/preferences/key HTTP/1.1\r\n${host}Authorization: Bearer ${accessToken}\r\n`
    const { status } = await rawRequest(
      server.url,
      `${head}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    expect([type, status]).toEqual([type, 200])
  }
})

test('C14 of several things that are wrong the first in order is told', async () => {
  await using server = await startServer()
  const reader = await server.person('reader')
  const admin = await server.person('admin')
  const ask = async (address: string, headers: Record<string, string>, body = '{', method = 'POST') =>
    (await fetch(server.url + address, { method, headers, body })).status
  const as = ({ accessToken }: { accessToken: string }, type = json) => ({
    authorization: `Bearer ${accessToken}`,
    'content-type': type,
  })

  expect(await ask('/api/v1/nothing', { authorization: 'Bearer wrong', 'content-type': 'text/plain' })).toBe(404)
  expect(await ask('/api/v1/nothing', { 'content-type': 'no type;;=' })).toBe(404)
  expect(await ask('/api/v1/nothing', { 'content-type': json }, 'a'.repeat(2_000_000))).toBe(404)
  expect(await ask('/api/v1/users', { authorization: 'Bearer wrong' }, '{', 'DELETE')).toBe(405)
  expect(await ask('/api/v1/users', { 'content-type': json }, 'a'.repeat(2_000_000), 'PUT')).toBe(405)
  expect(await ask('/api/v1/users', { 'content-type': json }, 'a'.repeat(2_000_000))).toBe(401)
  expect(await ask('/api/v1/users', as(reader), 'a'.repeat(2_000_000))).toBe(403)
  expect(await ask('/api/v1/users', { 'content-type': 'text/plain' })).toBe(401)
  expect(await ask('/api/v1/users', as(reader, 'text/plain'))).toBe(403)
  expect(await ask('/api/v1/users', as(admin, 'text/plain'))).toBe(415)
  expect(await ask('/api/v1/users', as(admin), 'a'.repeat(2_000_000))).toBe(413)
  expect(await ask('/api/v1/users', as(admin))).toBe(400)
  expect(await ask('/api/v1/users/019aa3b2-0000-7000-8000-00000000dead', as(admin), '{"role":"nobody"}', 'PATCH')).toBe(
    400,
  )
  expect(await ask('/api/v1/users/019aa3b2-0000-7000-8000-00000000dead', as(admin), '{"role":"reader"}', 'PATCH')).toBe(
    404,
  )
  const stale = { ...as(admin), 'if-match': '"stale"' }
  expect(await ask(`/api/v1/users/${admin.id}`, stale, '{"role":"reader"}', 'PATCH')).toBe(412)
  expect(await ask(`/api/v1/users/${admin.id}`, as(admin), '{"role":"reader"}', 'PATCH')).toBe(409)
})
