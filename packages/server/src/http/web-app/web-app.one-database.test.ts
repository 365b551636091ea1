import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRequest } from '../../../test/plain-request.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { findWebApp } from './web-app.ts'

const html =
  '<head><meta name="carrel-base" content="" /><script src="./assets/start-1a.js"></script><link href="./assets/look-2b.css"></head>'
const script = 'console.log("a script long enough to be worth packing")'

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carrel-web-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), html)
  await writeFile(join(folder, 'read.html'), html.replace('start', 'read'))
  await writeFile(join(folder, 'assets/start-1a.js'), script)
  await writeFile(join(folder, 'assets/start-1a.js.gz'), gzipSync(script))
  await writeFile(join(folder, 'assets/look-2b.css'), 'body { margin: 0 }')
  server = await startAt('')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const startAt = async (basePath: string, env: Readonly<Record<string, string>> = {}): Promise<TestServer> => {
  const webApp = findWebApp(basePath, folder)
  return startServer({ env: { CARREL_BASE_PATH: basePath, ...env }, ...(webApp && { webApp }) })
}
const get = (path: string, headers = {}, method = 'GET') => plainRequest(server.url + path, { headers, method })
const browser = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

test.each([
  '/',
  '/people/H.%20G.%20Wells',
  '/series',
  '/series/019aa3b2?page=2&q=a.b',
  '/read-lists',
  '/reading',
  '/sign-in',
  '/somewhere/else',
])('%s is a page of the app, asked for anew each time and sent once', async (path) => {
  const { status, headers, text } = await get(path, browser)
  expect([status, text]).toEqual([200, html.replaceAll('./assets', '/assets')])
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['cache-control']).toBe('no-cache')
  expect(headers['content-security-policy']).toContain("script-src 'self'")
  expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/)
  const again = await get(path, { ...browser, 'if-none-match': headers.etag })
  expect([again.status, again.text]).toEqual([304, ''])
})

test.each([
  ['', '/read/019aa3b2?page=2'],
  ['', '/read/1/'],
  ['', '/read'],
  ['/books', '/books/read/019aa3b2'],
])('W5 below "%s" %s is the reader: a document and a policy of its own', async (basePath, path) => {
  await using there = await startAt(basePath)
  const { status, headers, text } = await plainRequest(there.url + path, { headers: browser })
  expect([status, text]).toMatchObject([200, expect.stringContaining(`src="${basePath}/assets/read-1a.js"`)])
  const [own = {}, others] = String(headers['content-security-policy']).split(', ').map(directivesOf)
  // By its path, on our own server: both policies hold.
  expect(own['script-src']).toEqual([`*:*${basePath}/assets/`])
  expect(own['connect-src']).toEqual(['api/', 'media/', 'health'].map((each) => `*:*${basePath}/${each}`))
  expect(others).toEqual({ 'default-src': ["'self'", 'blob:'] })
  for (const name of ['frame-src', 'img-src', 'font-src', 'style-src']) expect(own[name]).toContain('blob:')
  expect(own).toMatchObject({ 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] })
  expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|data:/)
  expect(headers['cache-control']).toBe('no-cache')
})

const directivesOf = (policy: string): Record<string, string[]> =>
  Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values]
    }),
  )

test.each([
  ['GET', '/api', browser],
  ['GET', '/api/v1/nothing', browser],
  ['GET', '/opds/v1.2/catalog', browser],
  ['GET', '/komga/api/v1/series', browser],
  ['GET', '/health/nothing', browser],
  ['GET', '/media/nothing', browser],
  ['GET', '/assets/nothing-1a.js', browser],
  ['GET', '/assets/start-1a.js.gz', browser],
  ['GET', '/assets/..%2findex.html', browser],
  ['GET', '/assets/', browser],
  ['GET', '/favicon.ico', browser],
  ['GET', '/wp-login.php', browser],
  ['GET', '/series', { accept: 'application/json' }],
  ['POST', '/series', browser],
  ['DELETE', '/', browser],
])('HTTP-1 %s %s is no page: the answer is 404 in JSON', async (method, path, headers) => {
  const reply = await get(path, headers, method)
  expect([reply.status, reply.json]).toMatchObject([404, { error: 'not_found' }])
  expect(reply.headers['content-security-policy']).toMatch(/^default-src 'none'; (frame-ancestors|script-src)/)
})

test('HTTP-1 with another method a file of the app answers which it has', async () => {
  const { status, headers } = await get('/assets/start-1a.js', {}, 'DELETE')
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test.each([
  ['gzip, deflate, br', 'gzip'],
  ['gzip;q=0.5', 'gzip'],
  ['gzip;q=0, identity', undefined],
  ['', undefined],
])('a file of the app is kept for ever, and packed as "%s" allows', async (accepted, packing) => {
  const { text, headers } = await get('/assets/start-1a.js', packing ? {} : { 'accept-encoding': accepted })
  expect(text).toBe(script)
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  const response = await fetch(`${server.url}/assets/start-1a.js`, { headers: { 'accept-encoding': accepted } })
  expect([await response.text(), response.headers.get('content-encoding')]).toEqual([script, packing ?? null])
})

test('the page comes packed to whoever takes it so', async () => {
  const response = await server.app.inject({ url: '/', headers: { ...browser, 'accept-encoding': 'br, gzip' } })
  expect(response.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(response.rawPayload).toString()).toContain('/assets/start-1a.js')
  const file = await server.app.inject({ url: '/assets/start-1a.js', headers: { 'accept-encoding': 'br, gzip' } })
  expect(gunzipSync(file.rawPayload).toString()).toBe(script)
})

test('below a base path the page knows where it lives', async () => {
  await using below = await startAt('/books')
  const { status, text } = await plainRequest(`${below.url}/books/series`, { headers: browser })
  expect([status, text]).toEqual([
    200,
    html.replaceAll('./assets', '/books/assets').replace('content=""', 'content="/books"'),
  ])
  expect((await plainRequest(`${below.url}/books/assets/start-1a.js`)).text).toBe(script)
})

test('without a built app there is the API alone', async () => {
  expect(findWebApp('', join(folder, 'nothing'))).toBeUndefined()
  await using bare = await startServer()
  expect((await plainRequest(`${bare.url}/`, { headers: browser })).status).toBe(404)
})

test('LIM-2 the headers of the limit stand on pages of the app, its files and what is not there', async () => {
  await using limited = await startAt('', { CARREL_RATE_LIMIT_ENABLED: 'true' })
  for (const path of ['/', '/assets/start-1a.js', '/assets/nothing-3c.js']) {
    const { headers } = await plainRequest(limited.url + path, { headers: browser })
    const limits = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])
    expect([path, ...limits]).toEqual([path, ...limits.map(() => expect.stringMatching(/^\d+$/))])
  }
})
