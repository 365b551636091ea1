import { readFileSync } from 'node:fs'
import * as api from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { plainRequest } from '../plain-request.ts'
import { startServer, type TestServer } from '../start-server.ts'
import { addressOf, doorsOpen } from './inputs.ts'

const columns = ['anonymous', 'reader', 'editor', 'admin', 'key'] as const
type Column = (typeof columns)[number]

const expected = readFileSync(new URL('route-access.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(/\s+/))
  .map(([method = '', path = '', ...cells]) => ({ route: `${method} ${path}`, cells }))

/** It makes new credentials for each column: a route may end the session that calls it. */
const credentials = async (server: TestServer, column: Column): Promise<Record<string, string>> => {
  if (column === 'anonymous') return {}
  const person = await server.person(column === 'key' ? 'admin' : column)
  if (column !== 'key') return { authorization: `Bearer ${person.accessToken}` }
  const { key } = bodyOf(await person.call(api.createApiKey, { body: { name: 'everything' } }))
  return { 'x-api-key': key }
}

/** Asks with an empty body and ids that do not exist: whether one may ask is settled before either is looked at. */
const verdict = async (server: TestServer, route: api.Endpoint, headers: Record<string, string>): Promise<string> => {
  const hasBody = route.shape.body !== undefined
  const response = await fetch(server.url + addressOf(route), {
    method: route.method,
    headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: '[]' }),
  })
  if (response.status === 401 && route.shape.access !== 'open')
    expect(response.headers.get('www-authenticate')).toMatch(route.shape.door ? /^Basic/ : /^Bearer/)
  await response.body?.cancel()
  // A wrong name or password does not concern access to the route.
  return response.status === 401 || response.status === 403 ? String(response.status) : 'ok'
}

test('AUTH-6 the table has a row for each route and a route for each row', () => {
  expect(expected.map(({ route }) => route).sort()).toEqual(allEndpoints.map(api.nameOf).sort())
})

for (const column of columns) {
  test(`AUTH-6 HTTP-2 each route answers ${column} as the table says`, async () => {
    await using server = await startServer({ env: { ...doorsOpen, CARREL_METRICS_ENABLED: 'true' } })
    const seen: string[] = []
    let current = await credentials(server, column)
    for (const { route } of expected) {
      const endpoint = allEndpoints.find((each) => api.nameOf(each) === route)
      if (!endpoint) continue
      seen.push(`${route} ${await verdict(server, endpoint, current)}`)
      if (endpoint.method !== 'GET') current = await credentials(server, column)
    }

    expect(seen).toEqual(expected.map(({ route, cells }) => `${route} ${cells[columns.indexOf(column)]}`))
  })
}

/** These ask with a body, or make no more than an answer to be fetched later. */
const asking = [
  'POST /api/v1/books/list',
  'POST /api/v1/books/list/letters',
  'POST /api/v1/books/facets',
  'POST /api/v1/series/list',
  'POST /api/v1/series/list/letters',
  'POST /api/v1/series/facets',
  'POST /api/v1/user/exports/series',
  'POST /{prefix}/api/v1/books/list',
  'POST /{prefix}/api/v1/series/list',
  'POST /{prefix}/api/v1/series/list/alphabetical-groups',
  'PROPFIND /koreader/webdav',
  'PROPFIND /koreader/webdav/{path}',
]
/** A caller who is not signed in may ask these: a key is not checked, or only ends itself. */
const entrances = [
  'POST /api/v1/auth/oidc/{provider}/login',
  'POST /api/v1/setup',
  'POST /api/v1/setup/initialize',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/refresh',
  'POST /api/v1/auth/logout',
  'POST /{prefix}/api/v1/claim',
  'POST /{prefix}/api/logout',
  'POST /koreader/users/create',
  'POST /api/v1/auth/one-time-link',
]

test('A11 C4 a key that may only read changes nothing, whichever route it is', async () => {
  await using server = await startServer({ env: doorsOpen })
  const admin = await server.person('admin')
  const permissions = api.permissions.filter((each) => each.endsWith(':read') || each === 'files:download')
  const { key } = bodyOf(await admin.call(api.createApiKey, { body: { name: 'Only reads', permissions } }))
  const changes = allEndpoints.filter(
    (each) => each.method !== 'GET' && ![...asking, ...entrances].includes(api.nameOf(each)),
  )
  const taken: string[] = []
  for (const endpoint of changes)
    if ((await verdict(server, endpoint, { 'x-api-key': key })) !== '403') taken.push(api.nameOf(endpoint))

  expect(taken).toEqual([])
  expect(changes.length).toBeGreaterThan(150)
  const refused: string[] = []
  for (const name of asking) {
    const endpoint = allEndpoints.find((each) => api.nameOf(each) === name)
    if (!endpoint || (await verdict(server, endpoint, { 'x-api-key': key })) !== 'ok') refused.push(name)
  }
  expect(refused).toEqual([])
})

test('AUTH-2 W6 every change with a session cookie needs a page of our own, whichever route it is', async () => {
  await using server = await startServer({ env: { ...doorsOpen, CARREL_METRICS_ENABLED: 'true' } })
  const { cookie } = await server.person('admin')
  // The compatibility door does not know this cookie, and has its own rule for its own.
  const changes = allEndpoints.filter(
    ({ method, shape }) => method !== 'GET' && shape.access !== 'open' && shape.door !== 'compat',
  )
  const foreign = [
    {},
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
  ]
  const taken: unknown[] = []
  for (const endpoint of changes) {
    for (const headers of foreign) {
      const { status } = await plainRequest(server.url + addressOf(endpoint), {
        method: endpoint.method,
        headers: { cookie, ...headers },
        ...(endpoint.shape.body && { body: '[]' }),
      })
      if (status !== 403) taken.push([api.nameOf(endpoint), headers, status])
    }
  }

  expect(taken).toEqual([])
  expect(changes.length).toBeGreaterThan(20)
  const ours = await plainRequest(`${server.url}/api/v1/user/preferences/key`, {
    method: 'PUT',
    headers: { cookie, origin: server.url },
    body: { value: 1 },
  })
  expect(ours.status).toBe(200)
})
