import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import * as api from '@carrel/api'
import { endpoint, record } from '@carrel/api'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { serve, serveCached } from '../serve.ts'

const text = 'It says the same over and over. '.repeat(200)
const reply = record({ text: Type.String() })
const shape = { tag: 'Test', access: 'open', summary: 'Much to say', reply } as const
const long = endpoint('GET /api/v1/test/long', shape)
const again = endpoint('GET /api/v1/test/again', shape)
const short = endpoint('GET /api/v1/test/short', shape)
const secret = endpoint('GET /api/v1/test/secret', { ...shape, secret: true })
const answer = { text }

let server: TestServer
beforeAll(async () => {
  server = await startServer({
    more: (app) => {
      serve(app, long, async () => ({ text }))
      serveCached(app, again, async () => answer)
      serve(app, short, async () => ({ text: 'Little' }))
      serve(app, secret, async () => ({ text }))
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}

/** The bytes as they come, since `fetch` undoes what was done to them. */
const receive = async (path: string, headers: Record<string, string>, method = 'GET'): Promise<Received> => {
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  const outgoing = request(server.url + path, { method, headers }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
    )
  })
  outgoing.on('error', reject)
  outgoing.end()
  return promise
}

const undone = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const

for (const path of ['/api/v1/test/long', '/api/v1/test/again'])
  for (const coding of ['zstd', 'br', 'gzip'] as const)
    test(`HTTP-6 W17 ${path} comes as ${coding} with a tag of its own, and is not sent twice`, async () => {
      const headers = { 'accept-encoding': coding }
      const plain = await receive(path, {})
      const [first, second] = [await receive(path, headers), await receive(path, headers)]
      const head = await receive(path, headers, 'HEAD')
      const { etag = '' } = first.headers as { etag?: string }
      const unchanged = await receive(path, { ...headers, 'if-none-match': etag })

      expect(first.headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(first.bytes.length) })
      expect(first.headers['vary']).toContain('Accept-Encoding')
      expect(JSON.parse(undone[coding](first.bytes).toString())).toEqual({ text })
      expect(first.bytes.length).toBeLessThan(plain.bytes.length / 10)
      expect(second.bytes).toEqual(first.bytes)
      expect([head.headers['etag'], head.headers['content-length'], head.bytes.length]).toEqual([
        etag,
        String(first.bytes.length),
        0,
      ])
      expect(etag).not.toBe(plain.headers['etag'])
      expect([unchanged.status, unchanged.headers['etag'], unchanged.bytes.length]).toEqual([304, etag, 0])
    })

test('HTTP-6 who takes nothing special, or refuses it, gets plain bytes; the better coding goes first', async () => {
  const path = '/api/v1/test/long'
  const plainly: Record<string, string>[] = [
    {},
    { 'accept-encoding': 'identity' },
    { 'accept-encoding': 'gzip;q=0' },
    { 'accept-encoding': 'deflate' },
  ]
  for (const headers of plainly) {
    const { headers: sent, bytes } = await receive(path, headers)
    expect([headers, sent['content-encoding'], bytes.toString()]).toEqual([
      headers,
      undefined,
      JSON.stringify({ text }),
    ])
    expect(sent['vary']).toContain('Accept-Encoding')
  }
  const { headers } = await receive(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
  expect(headers['content-encoding']).toBe('zstd')
})

test('HTTP-6 BREACH what holds credentials, is asked for from another site, or is small is never compressed', async () => {
  const headers = { 'accept-encoding': 'gzip' }
  const sent = await Promise.all([
    receive('/api/v1/test/secret', headers),
    receive('/api/v1/test/short', headers),
    receive('/api/v1/test/long', { ...headers, 'sec-fetch-site': 'cross-site' }),
    receive('/api/v1/test/long', { ...headers, 'sec-fetch-site': 'same-origin' }),
  ])

  expect(sent.map(({ headers: { 'content-encoding': coding } }) => coding)).toEqual([
    undefined,
    undefined,
    undefined,
    'gzip',
  ])
})

test('HTTP-6 a change with the tag of a compressed answer is taken, and refused when it is old', async () => {
  const admin = await server.person('admin')
  const made = bodyOf(await admin.call(api.createCollection, { body: { name: 'Long', summary: text.slice(0, 2000) } }))
  const path = `/api/v1/collections/${made.id}`
  const { headers } = await receive(path, {
    'accept-encoding': 'br',
    authorization: `Bearer ${admin.accessToken}`,
  })
  const tag = String(headers['etag'])
  const rename = (name: string) =>
    admin.call(api.updateCollection, { params: { id: made.id }, body: { name } }, { headers: { 'if-match': tag } })

  expect(tag).toMatch(/~br"$/)
  expect((await rename('Longer')).status).toBe(200)
  expect((await rename('Longest')).status).toBe(412)
})
