import { request } from 'node:http'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'

const megabyte = Buffer.alloc(1024 * 1024, 120)

interface Sent {
  readonly status: number | undefined
  readonly error: unknown
}

/** Writes so much, as fast as it is taken, and only then reads; whatever breaks on the way is a failure. */
const send = (
  url: string,
  { method, headers, megabytes }: { method: string; headers: Record<string, string>; megabytes: number },
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false })
    asking.once('error', (error) => reject(new Error(`${method} ${url} ${JSON.stringify(headers)}`, { cause: error })))
    asking.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({
          status: response.statusCode,
          error: text === '' ? '' : (JSON.parse(text) as { error: string }).error,
        })
      })
    })
    const write = (left: number): void => {
      if (left === 0) asking.end()
      else asking.write(megabyte, () => write(left - 1))
    }
    write(megabytes)
  })

test('A10 whoever sends a body that is not wanted gets to read why, wherever and for whatever reason', async () => {
  const env = { CARREL_SETTING_COMPAT_ENABLED: 'true', CARREL_RATE_LIMIT_ENABLED: 'true' }
  await using server = await startServer({ env })
  const admin = await server.person('admin')
  const reader = await server.person('reader')
  const { key } = bodyOf(
    await admin.call(api.createApiKey, { body: { name: 'Reads', permissions: ['series:read', 'books:read'] } }),
  )
  const as = ({ accessToken }: { accessToken: string }) => ({ authorization: `Bearer ${accessToken}` })
  const json = { 'content-type': 'application/json' }
  const id = '019aa3b2-0000-7000-8000-00000000dead'
  const refused: readonly [string, string, Record<string, string>, number][] = [
    ['POST', '/api/v1/series/list', { ...as(admin), ...json }, 413],
    ['POST', '/api/v1/series/list', { ...as(admin), 'content-type': 'text/plain' }, 415],
    ['POST', '/api/v1/series/list', { ...as(admin), ...json, 'content-encoding': 'gzip' }, 413],
    ['POST', '/api/v1/series/list', json, 401],
    ['POST', '/api/v1/users', { ...as(reader), ...json }, 403],
    ['POST', '/api/v1/nothing/here', { ...as(admin), ...json }, 404],
    ['POST', '/health', { ...as(admin), ...json }, 405],
    ['POST', '/api/v1/user/fonts', { ...as(admin), 'content-type': 'font/woff2' }, 413],
    ['POST', '/api/v1/user/fonts', { 'x-api-key': key, 'content-type': 'font/woff2' }, 403],
    ['POST', `/api/v1/series/${id}/covers`, { ...as(admin), 'content-type': 'image/png' }, 413],
    ['POST', `/api/v1/series/${id}/covers`, { ...as(admin), ...json }, 413],
    ['POST', '/api/v1/readlists/import', { ...as(admin), 'content-type': 'application/xml' }, 413],
    ['POST', '/komga/api/v1/series/list', { ...as(admin), ...json }, 413],
    ['POST', '/komga/api/v1/series/list', json, 401],
    ['PUT', '/koreader/webdav/statistics.sqlite3', json, 401],
    ['PUT', `/opds/v2/books/${id}/progression`, json, 401],
  ]

  for (const [method, path, headers, status] of refused)
    for (const length of [{}, { 'content-length': String(40 * megabyte.length) }])
      expect([
        method,
        path,
        (await send(server.url + path, { method, headers: { ...headers, ...length }, megabytes: 40 })).status,
      ]).toEqual([method, path, status])
})

test('A10 a refusal for asking too often is read too, and the connection can go on', async () => {
  await using server = await startServer({
    env: {
      CARREL_RATE_LIMIT_ENABLED: 'true',
      CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS: '1',
      CARREL_SETTING_RATE_LIMIT_ANONYMOUS_BURST: '1',
    },
  })
  const headers = { 'content-type': 'application/json' }
  const statuses: (number | undefined)[] = []
  for (let count = 0; count < 4; count += 1)
    statuses.push((await send(`${server.url}/api/v1/series/list`, { method: 'POST', headers, megabytes: 40 })).status)
  expect(statuses).toContain(429)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
})
