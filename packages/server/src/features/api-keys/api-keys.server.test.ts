import * as api from '@carrel/api'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day, hour, movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, testPassword, type TestServer } from '../../../test/start-server.ts'

/** Most of the tests touch their own users alone, and share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const create = async (person: Person, body: api.NewApiKey) => bodyOf(await person.call(api.createApiKey, { body }))
const withKey = (server: TestServer, key: string) => server.callWith({ 'x-api-key': key })

test('AUTH-3 C5 a new key is shown once, in this form and with these fields', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')

  const created = await ana.call(api.createApiKey, { body: { name: ' Tablet ' } })
  const { key, ...dto } = bodyOf(created)

  expect(created.status).toBe(201)
  expect(created.headers.get('cache-control')).toBe('no-store')
  expect(key).toMatch(/^carrel_[a-z0-9]{8}_[\w-]{43}$/)
  expect(dto).toStrictEqual({
    id: expect.any(String),
    userId: ana.id,
    name: 'Tablet',
    keyPrefix: key.slice(0, 15),
    permissions: null,
    isActive: true,
    expiresAt: null,
    downloadMetadata: null,
    lastUsedAt: null,
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
  })
  expect(bodyOf(await ana.call(api.readApiKey, { params: { id: dto.id } }))).toStrictEqual(dto)
  expect(bodyOf(await ana.call(api.listApiKeys, {}))).toMatchObject({ data: [dto], total: 1, page: 1 })
})

test('AUTH-3 the database holds no key and no secret part of one, only a hash', async () => {
  const ana = await server.person('reader')
  const { key } = await create(ana, { name: 'Tablet' })
  expect((await withKey(server, key)(api.readMe, {})).status).toBe(200)
  const { db } = server.context
  const named =
    db.dialect.name === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`
  const { rows: tables } = await named.execute(db.read)

  const contents = []
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db.read)
    contents.push(JSON.stringify(rows))
  }
  const everything = contents.join('\n')

  expect(tables.length).toBeGreaterThan(10)
  expect(everything).toContain(key.slice(0, 15))
  expect(everything).not.toContain(key)
  expect(everything).not.toContain(key.slice(-43))
  expect(JSON.stringify(server.logLines)).not.toContain(key.slice(-43))
})

test('AUTH-3 a key may do a part of what its owner may, spelled either way', async () => {
  const ana = await server.person('reader')

  const { key, permissions } = await create(ana, {
    name: 'Tablet',
    permissions: ['series:read', 'books-read', 'api-keys-read', 'series-read'],
  })

  expect(permissions).toEqual(['series:read', 'books:read', 'api-keys:read'])
  const me = bodyOf(await withKey(server, key)(api.readMe, {}))
  expect([...me.permissions].sort()).toEqual(['api-keys:read', 'books:read', 'series:read'])
})

test('AUTH-3 a key may not do more than its owner, and is refused with where', async () => {
  const ana = await server.person('reader')
  const { id } = await create(ana, { name: 'Tablet', permissions: ['series:read'] })

  const created = await ana.call(api.createApiKey, {
    body: { name: 'More', permissions: ['series:read', 'series-write'] },
  })
  const changed = await ana.call(api.updateApiKey, { params: { id }, body: { permissions: ['system:admin'] } })

  expect(errorOf(created)).toMatchObject({ error: 'validation_failed', details: [{ path: '/permissions/1' }] })
  expect(errorOf(changed)).toMatchObject({ error: 'validation_failed', details: [{ path: '/permissions/0' }] })
  expect(bodyOf(await ana.call(api.listApiKeys, {})).total).toBe(1)
  expect(bodyOf(await ana.call(api.readApiKey, { params: { id } })).permissions).toEqual(['series:read'])
})

test('C4 a key does what key, user and role allow together, at this moment', async () => {
  const admin = await server.person('admin')
  const ben = await server.person('admin')
  const all = await create(ben, { name: 'All' })
  const some = await create(ben, { name: 'Some', permissions: ['users:read', 'settings:read', 'series:read'] })
  const seen = async (key: string) => {
    const call = withKey(server, key)
    const { permissions } = bodyOf(await call(api.readMe, {}))
    return [
      (await call(api.listUsers, {})).status,
      (await call(api.listSettings, {})).status,
      permissions.includes('series:read'),
    ]
  }

  expect([await seen(all.key), await seen(some.key)]).toEqual([
    [200, 200, true],
    [200, 200, true],
  ])
  await admin.call(api.updateUser, { params: { id: ben.id }, body: { role: 'reader', permissions: ['users:read'] } })
  expect([await seen(all.key), await seen(some.key)]).toEqual([
    [200, 403, true],
    [200, 403, true],
  ])
  await admin.call(api.updateUser, { params: { id: ben.id }, body: { permissions: [] } })
  expect([await seen(all.key), await seen(some.key)]).toEqual([
    [403, 403, true],
    [403, 403, true],
  ])
  await admin.call(api.updateUser, { params: { id: ben.id }, body: { role: 'admin' } })
  expect([await seen(all.key), await seen(some.key)]).toEqual([
    [200, 200, true],
    [200, 200, true],
  ])
})

test('C5 null means all that the owner has, an empty list means nothing', async () => {
  const ana = await server.person('editor')
  const all = await create(ana, { name: 'All', permissions: null })
  const none = await create(ana, { name: 'None', permissions: [] })

  const hers = bodyOf(await ana.call(api.readMe, {})).permissions

  expect(bodyOf(await withKey(server, all.key)(api.readMe, {})).permissions).toEqual(hers)
  expect(bodyOf(await withKey(server, none.key)(api.readMe, {})).permissions).toEqual([])
  expect(none.permissions).toEqual([])
  expect(all.permissions).toBeNull()
})

test('AUTH-3 a key is good until it expires', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')
  const { key, expiresAt } = await create(ana, { name: 'Tablet', expiresAt: '2026-11-22T12:00:00+02:00' })
  const status = async () => (await withKey(server, key)(api.readMe, {})).status

  expect(expiresAt).toBe('2026-11-22T10:00:00.000Z')
  expect(await status()).toBe(200)
  time.pass(day - second)
  expect(await status()).toBe(200)
  time.pass(second)
  expect(await status()).toBe(401)
})

test('AUTH-3 an expiry can be moved and taken away', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')
  const { key, id } = await create(ana, { name: 'Tablet', expiresAt: '2026-11-21T11:00:00Z' })
  const status = async () => (await withKey(server, key)(api.readMe, {})).status
  expect(await status()).toBe(200)
  const session = bodyOf(await server.call(api.login, { body: { username: ana.username, password: testPassword } }))
  const call = server.callWith({ authorization: `Bearer ${session.accessToken}` })

  await call(api.updateApiKey, { params: { id }, body: { expiresAt: '2026-11-21T10:30:00Z' } })
  time.pass(hour / 2)
  expect(await status()).toBe(401)
  await call(api.updateApiKey, { params: { id }, body: { expiresAt: null } })
  expect(await status()).toBe(200)
})

test('AUTH-3 an expiry that is no point in time is refused with where', async () => {
  const ana = await server.person('reader')
  const times = ['2026-12-31T23:59:60Z', '2026-11-21T10:00:00+01', '2026-02-30T00:00:00Z', 'tomorrow', '2026-11-21']

  for (const expiresAt of times) {
    const refused = await ana.call(api.createApiKey, { body: { name: 'Tablet', expiresAt } })
    const outcome = refused.ok ? { expiresAt: Date.parse(refused.body.expiresAt ?? '') > 0 } : errorOf(refused)
    const acceptable = [
      { expiresAt: true },
      expect.objectContaining({
        error: 'validation_failed',
        details: [expect.objectContaining({ path: '/expiresAt' })],
      }),
    ]
    expect(acceptable).toContainEqual(outcome)
  }
})

test('C5 the last use of a key is noted, and shown', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')
  const { key, id } = await create(ana, { name: 'Tablet' })
  const lastUsedAt = async () => bodyOf(await ana.call(api.readApiKey, { params: { id } })).lastUsedAt

  time.pass(second)
  await withKey(server, key)(api.readMe, {})
  await expect.poll(lastUsedAt).toBe('2026-11-21T10:00:01.000Z')
  time.pass(2 * 60 * second)
  await withKey(server, key)(api.readMe, {})
  await expect.poll(lastUsedAt).toBe('2026-11-21T10:02:01.000Z')
})

test('AUTH-3 what was noted of last uses is written when the server stops', async () => {
  await using first = await startServer()
  await using second = await startServer({ address: first.context.config.database })
  const ana = await first.person('reader')
  const { key, id } = await create(ana, { name: 'Tablet' })

  await withKey(first, key)(api.readMe, {})
  await first.app.close()

  const { last_used_at: at } = await second.context.db.read
    .selectFrom('api_key')
    .select('last_used_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(at).not.toBeNull()
})

test('C5 a user has at most fifty keys, also when many are made at once', async () => {
  const ana = await server.person('reader')
  const ben = await server.person('reader')

  const made = await Promise.all(
    Array.from({ length: 60 }, (_, index) => ana.call(api.createApiKey, { body: { name: `Key ${index}` } })),
  )

  const refused = made.filter(({ ok }) => !ok)
  expect(refused).toHaveLength(10)
  for (const each of refused) expect([each.status, errorOf(each).error]).toEqual([409, 'conflict'])
  const { data, total } = bodyOf(await ana.call(api.listApiKeys, { query: { pageSize: 100 } }))
  expect([data.length, total]).toEqual([50, 50])
  expect((await ben.call(api.createApiKey, { body: { name: 'His' } })).status).toBe(201)
  await ana.call(api.deleteApiKey, { params: { id: data[0]?.id ?? '' } })
  expect((await ana.call(api.createApiKey, { body: { name: 'One more' } })).status).toBe(201)
})

test("C5 another's key does not exist, for an administrator it does", async () => {
  const ana = await server.person('reader')
  const ben = await server.person('editor')
  const admin = await server.person('admin')
  const { id } = await create(ana, { name: 'Tablet' })
  const params = { id }

  for (const refused of [
    await ben.call(api.readApiKey, { params }),
    await ben.call(api.updateApiKey, { params, body: { isActive: false } }),
    await ben.call(api.deleteApiKey, { params }),
    await ben.call(api.listApiKeys, { query: { userId: ana.id } }),
    await admin.call(api.listApiKeys, { query: { userId: id } }),
  ]) {
    expect([refused.status, errorOf(refused).error]).toEqual([404, 'not_found'])
  }
  expect(bodyOf(await ben.call(api.listApiKeys, {})).total).toBe(0)
  expect(bodyOf(await admin.call(api.listApiKeys, {})).total).toBe(0)
  const hers = bodyOf(await admin.call(api.listApiKeys, { query: { userId: ana.id } }))
  expect(hers.data.map((key) => [key.id, key.userId])).toEqual([[id, ana.id]])
  expect(bodyOf(await admin.call(api.updateApiKey, { params, body: { isActive: false } })).isActive).toBe(false)
  expect((await admin.call(api.deleteApiKey, { params })).status).toBe(204)
  expect((await ana.call(api.readApiKey, { params })).status).toBe(404)
})

describe('C4 AUTH-3 a key is refused, whatever its permissions', () => {
  const id = '019aa3b2-6c7e-7000-8000-000000000005'
  const refusals: Record<string, (call: api.Client) => Promise<api.Outcome<unknown>>> = {
    'list keys': (call) => call(api.listApiKeys, {}),
    'create a key': (call) => call(api.createApiKey, { body: { name: 'Another' } }),
    'read a key': (call) => call(api.readApiKey, { params: { id } }),
    'change a key': (call) => call(api.updateApiKey, { params: { id }, body: { permissions: null } }),
    'delete a key': (call) => call(api.deleteApiKey, { params: { id } }),
    'change a password': (call) =>
      call(api.changePassword, { body: { currentPassword: testPassword, newPassword: 'brass-kettle-at-dawn' } }),
    'list sessions': (call) => call(api.listSessions, {}),
    'end a session': (call) => call(api.endSession, { params: { id } }),
    'sign out, which ends no key': (call) => call(api.logout, {}),
    "set another's password": (call) =>
      call(api.updateUser, { params: { id }, body: { password: 'brass-kettle-at-dawn' } }),
  }
  for (const [what, attempt] of Object.entries(refusals)) {
    test(`to ${what}`, async () => {
      const admin = await server.person('admin')
      const { key } = await create(admin, { name: 'Tablet' })

      for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
        const refused = await attempt(server.callWith(headers))
        expect([refused.status, errorOf(refused).error]).toEqual([403, 'not_allowed'])
      }
    })
  }
})

test('AUTH-3 a key can be renamed and switched off and on; what is absent stays', async () => {
  const ana = await server.person('reader')
  const { id, key } = await create(ana, {
    name: 'Tablet',
    permissions: ['series:read'],
    expiresAt: '2126-11-21T10:00:00.000Z',
  })
  const change = async (body: object) => bodyOf(await ana.call(api.updateApiKey, { params: { id }, body }))

  expect(await change({ name: 'Old tablet' })).toMatchObject({
    name: 'Old tablet',
    permissions: ['series:read'],
    isActive: true,
    expiresAt: '2126-11-21T10:00:00.000Z',
  })
  expect(await change({ isActive: false })).toMatchObject({ name: 'Old tablet', isActive: false })
  expect((await withKey(server, key)(api.readMe, {})).status).toBe(401)
  expect(await change({ isActive: true, permissions: null, expiresAt: null })).toMatchObject({
    isActive: true,
    permissions: null,
    expiresAt: null,
  })
  expect((await withKey(server, key)(api.readMe, {})).status).toBe(200)
})

test('W2 a key with a wrong body is refused with where', async () => {
  const ana = await server.person('reader')
  const cases: readonly [unknown, string][] = [
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: '   ' }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ name: 7 }, '/name'],
    [{ name: 'Tablet', permissions: ['series:everything'] }, '/permissions/0'],
    [{ name: 'Tablet', permissions: 'series:read' }, '/permissions'],
    [{ name: 'Tablet', userId: ana.id }, '/userId'],
    [{ name: 'Tablet', isActive: true }, '/isActive'],
    [{ name: 'Tablet', key: 'carrel_abc' }, '/key'],
  ]

  for (const [body, path] of cases) {
    const { status, json } = await plainRequest(`${server.url}/api/v1/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ana.accessToken}` },
      body,
    })
    expect([body, status, json]).toMatchObject([body, 400, { error: 'validation_failed', details: [{ path }] }])
  }
})

test('HTTP-5 keys are listed by name in natural order, by creation, or by last use', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')
  const keys: api.CreatedApiKey[] = []
  for (const name of ['Tablet 10', 'tablet 2', 'Éreader', 'eReader 1']) {
    time.pass(second)
    keys.push(await create(ana, { name }))
  }
  await server.context.db.write((db) =>
    db
      .updateTable('api_key')
      .set({ last_used_at: '2026-11-21T10:00:00.000Z' })
      .where('id', '=', keys[1]?.id ?? '')
      .execute(),
  )
  const listed = async (sort?: 'name,asc' | 'name,desc' | 'createdAt,desc' | 'lastUsedAt,asc' | 'lastUsedAt,desc') =>
    bodyOf(await ana.call(api.listApiKeys, { query: { ...(sort && { sort }) } })).data.map(({ name }) => name)

  expect(await listed()).toEqual(['Éreader', 'eReader 1', 'tablet 2', 'Tablet 10'])
  expect(await listed('name,desc')).toEqual(['Tablet 10', 'tablet 2', 'eReader 1', 'Éreader'])
  expect(await listed('createdAt,desc')).toEqual(['eReader 1', 'Éreader', 'tablet 2', 'Tablet 10'])
  expect((await listed('lastUsedAt,asc'))[0]).toBe('tablet 2')
  expect((await listed('lastUsedAt,desc'))[0]).toBe('tablet 2')
})
