import { nameOf } from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRequest } from '../plain-request.ts'
import { startServer, type TestServer } from '../start-server.ts'
import { addressOf, doorsOpen, isStream, otherMethodsOf } from './inputs.ts'

/** What changes nothing shares a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const paths = [...new Set(allEndpoints.map(({ path }) => path))]
const anyAt = (path: string) => {
  const endpoint = allEndpoints.find((each) => each.path === path)
  if (!endpoint) throw new Error(`Nothing at ${path}`)
  return endpoint
}

test('HTTP-1 C14 every other method of every address is 405 with Allow, before anything else is looked at', async () => {
  await using server = await startServer({ env: doorsOpen })
  const wrongly: unknown[] = []
  for (const path of paths) {
    for (const method of [...otherMethodsOf(allEndpoints, path), 'LINK', 'TRACE']) {
      const { status, headers, json } = await plainRequest(server.url + addressOf(anyAt(path)), { method })
      const allowed = headers.allow?.split(', ') ?? []
      const fits = status === 405 && !allowed.includes(method) && allowed.includes('OPTIONS')
      const isOurs = anyAt(path).shape.door === undefined
      if (!fits || (isOurs && (json as { error: string }).error !== 'method_not_allowed'))
        wrongly.push({ method, path, status, allowed })
    }
  }

  expect(wrongly).toEqual([])
})

test('HTTP-1 a parameter that is too long is refused as such, with whatever method', async () => {
  for (const method of ['GET', 'POST', 'PROPFIND', 'OPTIONS', 'TRACE']) {
    const { status, headers, json } = await plainRequest(`${server.url}/api/v1/users/${'a'.repeat(4097)}`, { method })
    expect([method, status, (json as { error: string }).error, headers.allow]).toEqual([
      method,
      400,
      'malformed_request',
      undefined,
    ])
  }
})

test('HTTP-1 a method that another address has is refused in the words of the address it was sent to', async () => {
  const reader = await server.person('reader')
  const { status, headers, json } = await plainRequest(`${server.url}/api/v1/books/list`, {
    headers: { authorization: `Bearer ${reader.accessToken}` },
  })
  expect([status, headers.allow, json]).toMatchObject([
    405,
    'OPTIONS, POST',
    { error: 'method_not_allowed', message: 'GET is not possible here, only OPTIONS, POST.' },
  ])
})

/** How long the process runs, what it counts, how much room there is and when it was asked is another answer each time. */
const varying: ReadonlySet<string> = new Set([
  '/health/live',
  '/metrics',
  '/api/v1/metrics/plugins',
  '/api/v1/metrics/tasks',
  '/api/v1/metrics/tasks/history',
  '/api/v1/reading-stats',
  '/api/v1/admin/server',
])

test('W17 OPTIONS answers 204 with Allow, and HEAD stands wherever GET does', async () => {
  await using server = await startServer({ env: doorsOpen })
  const admin = await server.person('admin')
  const authorization = `Bearer ${admin.accessToken}`
  for (const path of paths) {
    const methods = allEndpoints.filter((each) => each.path === path).map(({ method }) => method)
    const options = await plainRequest(server.url + addressOf(anyAt(path)), { method: 'OPTIONS' })
    expect(options.status).toBe(204)
    const expected = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
    expect(options.headers.allow?.split(', ').sort()).toEqual(expected.sort())
  }
  for (const endpoint of allEndpoints.filter((each) => each.method === 'GET' && !isStream(each))) {
    const address = server.url + addressOf(endpoint)
    const get = await plainRequest(address, { headers: { authorization } })
    const head = await plainRequest(address, { method: 'HEAD', headers: { authorization } })
    const varies = varying.has(endpoint.path)
    const expectedEtag = varies ? head.headers.etag : get.headers.etag
    expect([nameOf(endpoint), head.status, head.text, head.headers.etag]).toEqual([
      nameOf(endpoint),
      get.status,
      '',
      expectedEtag,
    ])
  }
})

test('HTTP-1 an address that does not exist is 404 without credentials, in JSON, wherever it stands', async () => {
  const nowhere = [
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v1/users/',
    '/api/v2/users',
    '/komga/api/v1/claim',
    '/~compat/api/v1/claim',
    '/%7Ecompat/api/v1/claim',
    '/nothing',
    '//',
  ]
  for (const address of nowhere) {
    const { status, headers, json } = await plainRequest(server.url + address)
    expect([address, status, headers['content-type'], (json as { error: string }).error]).toEqual([
      address,
      404,
      'application/json; charset=utf-8',
      'not_found',
    ])
  }
})

/** The wildcard takes everything behind it; the router drops a part of the path before it. */
const goesOn = (address: string): boolean => /(?:\*|\{path\})$/.test(address)

const besides = [
  '/api/docs',
  '/api/docs/start.css',
  '/api/docs/start.js',
  '/api/docs/swagger-ui.css',
  '/api/docs/swagger-ui-bundle.js',
]

test('HTTP-1 the server serves the contract and nothing else', async () => {
  const bound = server.app.served.map(nameOf)
  const routed = server.app.routes
    .patterns()
    .map((pattern) => pattern.replace('/~compat/', '/{prefix}/').replaceAll(/:(\w+)/g, '{$1}'))
    .sort()

  expect(bound.sort()).toEqual(allEndpoints.map(nameOf).sort())
  const expected = [...new Set([...paths, ...besides])].sort()
  expect(routed.filter((address) => !goesOn(address))).toEqual(expected.filter((address) => !goesOn(address)))
  expect(routed.filter(goesOn)).toHaveLength(expected.filter(goesOn).length)
})
