import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basicHeader } from '../../../test/basic-door.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const koreader = { 'user-agent': 'KOReader/2026.08 (https://koreader.rocks/) LuaSocket/3.1.0' }
const get = (path: string, headers: Record<string, string>) =>
  plainRequest(server.url + path, { headers: { ...koreader, ...headers } })
const connectionsOf = async ({ call }: Person) => bodyOf(await call(api.listConnections, {})).data

test('KOR-1 what an app did last stands there, by key and without secrets, the same kind in a row once', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  const { key } = bodyOf(await reader.call(api.createApiKey, { body: { name: 'E-reader' } }))
  await get(`/koreader/users/auth?password=${key}`, { 'x-auth-user': key })
  for (const document of ['1', '2', '3']) await get(`/koreader/syncs/progress/${document}?x=1`, { 'x-auth-user': key })
  await get(`/koreader/syncs/progress/${key}`, { 'x-auth-user': key })
  await get('/opds/v1/catalog', basicHeader(reader.username, reader.password))

  const [opds, sync, ...more] = await connectionsOf(reader)
  expect(more).toEqual([])
  expect(opds).toMatchObject({ door: 'opds', app: 'KOReader', signedInBy: 'password', keyName: null, trouble: null })
  expect(sync).toMatchObject({
    door: 'koreader',
    app: 'KOReader',
    signedInBy: 'key',
    keyName: 'E-reader',
    trouble: null,
  })
  expect(sync?.requests.map(({ method, path, status, count }) => [method, path, status, count])).toEqual([
    ['GET', '/koreader/syncs/progress/…', 200, 1],
    ['GET', '/koreader/syncs/progress/3', 200, 3],
    ['GET', '/koreader/users/auth', 200, 1],
  ])
  expect(JSON.stringify(sync)).not.toContain(key)
  expect(await connectionsOf(other)).toEqual([])
})

test('KOR-1 the same kind in a row is one line, however often it is written down', async () => {
  const reader = await server.person('reader')
  const { key } = bodyOf(await reader.call(api.createApiKey, { body: { name: 'Patient' } }))
  const paths = ['users/auth', 'syncs/progress/1', 'syncs/progress/2', 'syncs/progress/3', 'users/auth']
  for (const path of paths) {
    await get(`/koreader/${path}`, { 'x-auth-user': key })
    await connectionsOf(reader)
  }
  const [sync] = await connectionsOf(reader)
  expect(sync?.requests.map(({ path, count }) => [path, count])).toEqual([
    ['/koreader/users/auth', 1],
    ['/koreader/syncs/progress/3', 3],
    ['/koreader/users/auth', 1],
  ])
})

test('AUTH-5 a sign-in that failed is shown to whom the name belongs, in words, and to nobody else', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  await get('/koreader/users/auth', {
    'x-auth-user': reader.username,
    'x-auth-key': 'd41d8cd98f00b204e9800998ecf8427e',
  })
  await get('/opds/v1/catalog', basicHeader(reader.username, 'wrong'))
  await get('/opds/v1/catalog', basicHeader('role-nobody-at-all', 'wrong'))
  await get('/opds/v1/catalog', {})

  const seen = await connectionsOf(reader)
  expect(seen.map(({ door, signedInBy, trouble }) => `${door} ${signedInBy} ${trouble?.code}`).sort()).toEqual([
    'koreader nobody password_not_key',
    'opds nobody wrong_password',
  ])
  expect(JSON.stringify(seen)).not.toContain('wrong"')
  expect(await connectionsOf(other)).toEqual([])
  const limited = bodyOf(
    await reader.call(api.createApiKey, { body: { name: 'Small', permissions: ['progress:read'] } }),
  )
  await get('/opds/v1/catalog', { 'x-api-key': limited.key })
  const [refused] = await connectionsOf(reader)
  expect(refused).toMatchObject({ keyName: 'Small', trouble: { code: 'not_allowed', message: expect.any(String) } })
})

test('KOR-1 no more is kept than is said, over restarts too, and it goes with its user', async () => {
  const reader = await server.person('reader')
  const admin = await server.person('admin')
  const { key } = bodyOf(await reader.call(api.createApiKey, { body: { name: 'Busy' } }))
  for (let index = 0; index < 120; index += 1) {
    await get(index % 2 ? '/koreader/users/auth' : '/koreader/syncs/progress/x', { 'x-auth-user': key })
    if (index % 40 === 0) await connectionsOf(reader)
  }
  const [busy] = await connectionsOf(reader)
  expect(busy?.requests).toHaveLength(api.connectionRequestsMax)
  const apps = Array.from({ length: 55 }, (_, index) => `App${index}/1.0`)
  for (const agent of apps) await get('/koreader/users/auth', { 'x-auth-user': key, 'user-agent': agent })
  const stored = bodyOf(await reader.call(api.listConnections, { query: { pageSize: 200 } }))
  expect(stored.total).toBeLessThanOrEqual(50)

  const ofUser = { params: { id: reader.id } }
  expect(bodyOf(await admin.call(api.listConnectionsOfUser, ofUser)).total).toBe(stored.total)
  expect((await reader.call(api.listConnectionsOfUser, ofUser)).status).toBe(403)
  await using again = await startServer({ address: server.context.config.database })
  const next = again.callWith({ authorization: `Bearer ${reader.accessToken}` })
  expect(bodyOf(await next(api.listConnections, {})).total).toBe(stored.total)
  await admin.call(api.deleteUser, ofUser)
  const { db } = server.context
  expect(await db.read.selectFrom('connection').select('id').where('user_id', '=', reader.id).execute()).toEqual([])
})

test('COM-1 OPD-1 KOR-1 it says which address to type, under the public URL and the base path', async () => {
  await using behind = await startServer({
    env: { CARREL_PUBLIC_URL: 'https://books.example', CARREL_BASE_PATH: '/shelf' },
  })
  const { call } = await behind.person('reader')
  const { addresses } = bodyOf(await call(api.readDoorAddresses, {}))
  expect(addresses).toEqual([
    { kind: 'opds1', address: 'https://books.example/shelf/opds/v1/catalog', isOpen: true },
    { kind: 'opds2', address: 'https://books.example/shelf/opds/v2', isOpen: true },
    { kind: 'compat', address: 'https://books.example/shelf/komga', isOpen: false },
    { kind: 'koreader', address: 'https://books.example/shelf/koreader', isOpen: true },
    { kind: 'koreaderStatistics', address: 'https://books.example/shelf/koreader/webdav', isOpen: true },
  ])
})
