import * as api from '@carrel/api'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { basicDoor, basicHeader, openBasicDoor } from '../../../test/basic-door.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, testPassword, type TestServer } from '../../../test/start-server.ts'

interface Ana extends Person {
  readonly key: string
  readonly keyId: string
}

interface Scene {
  readonly server: TestServer
  readonly admin: Person
  readonly ana: Ana
}

const newPassword = 'brass-kettle-at-dawn'

/** It returns whether a credential is valid right now: the status of a request with it. */
const credentials = {
  token: async ({ server, ana }: Scene) =>
    (await server.call(api.readMe, {}, { headers: { authorization: `Bearer ${ana.accessToken}` } })).status,
  refresh: async ({ server, ana }: Scene) =>
    (await server.call(api.refresh, { body: { refreshToken: ana.refreshToken } })).status,
  cookie: async ({ server, ana }: Scene) =>
    (await server.call(api.readMe, {}, { headers: { cookie: ana.cookie } })).status,
  key: async ({ server, ana }: Scene) =>
    (await server.call(api.readMe, {}, { headers: { 'x-api-key': ana.key } })).status,
  'key as bearer': async ({ server, ana }: Scene) =>
    (await server.call(api.readMe, {}, { headers: { authorization: `Bearer ${ana.key}` } })).status,
  'key over Basic': async ({ server, ana }: Scene) =>
    (await server.call(basicDoor, {}, { headers: basicHeader('anything', ana.key) })).status,
  Basic: async ({ server, ana }: Scene) =>
    (await server.call(basicDoor, {}, { headers: basicHeader(ana.username, ana.password) })).status,
}
type Credential = keyof typeof credentials
const all = Object.keys(credentials) as Credential[]
const remembered = all.filter((name) => name !== 'refresh')
const ofSession = ['token', 'refresh', 'cookie'] as const

/** Each event says which credentials it ends; all others stay valid. */
const events: Record<string, { happens: (scene: Scene) => Promise<unknown>; ends: readonly Credential[] }> = {
  'the user is deactivated': {
    happens: ({ admin, ana }) => admin.call(api.updateUser, { params: { id: ana.id }, body: { isActive: false } }),
    ends: all,
  },
  'the user is deleted': {
    happens: ({ admin, ana }) => admin.call(api.deleteUser, { params: { id: ana.id } }),
    ends: all,
  },
  'an administrator sets a password': {
    happens: ({ admin, ana }) =>
      admin.call(api.updateUser, { params: { id: ana.id }, body: { password: newPassword } }),
    ends: [...ofSession, 'Basic'],
  },
  'the user changes the password elsewhere': {
    happens: async ({ server, ana }) => {
      const elsewhere = bodyOf(
        await server.call(api.login, { body: { username: ana.username, password: testPassword } }),
      )
      return server.call(
        api.changePassword,
        { body: { currentPassword: testPassword, newPassword } },
        { headers: { authorization: `Bearer ${elsewhere.accessToken}` } },
      )
    },
    ends: [...ofSession, 'Basic'],
  },
  'the session is ended': {
    happens: async ({ ana }) => {
      const { sessions } = bodyOf(await ana.call(api.listSessions, {}))
      return ana.call(api.endSession, { params: { id: sessions[0]?.id ?? '' } })
    },
    ends: ofSession,
  },
  'the user signs out': {
    happens: ({ ana }) => ana.call(api.logout, {}),
    ends: ofSession,
  },
  'the key is deleted': {
    happens: ({ ana }) => ana.call(api.deleteApiKey, { params: { id: ana.keyId } }),
    ends: ['key', 'key as bearer', 'key over Basic'],
  },
  'the key is switched off': {
    happens: ({ ana }) => ana.call(api.updateApiKey, { params: { id: ana.keyId }, body: { isActive: false } }),
    ends: ['key', 'key as bearer', 'key over Basic'],
  },
  'nothing happens': { happens: async () => ({ ok: true }), ends: [] },
}

const withKey = async (person: Person): Promise<Ana> => {
  const { key, id } = bodyOf(await person.call(api.createApiKey, { body: { name: 'Tablet' } }))
  return { ...person, key, keyId: id }
}

/** Each scene has its own people, and all share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer({ more: openBasicDoor })
})
// Whoever is refused with a password that has ended would have the next wait.
beforeEach(() => server.context.db.write((db) => db.deleteFrom('sign_in_failure').execute()))
afterAll(() => server[Symbol.asyncDispose]())

const openScene = async (): Promise<Scene> => {
  const admin = await server.person('admin')
  const ana = await withKey(await server.person('reader'))
  return { server, admin, ana }
}

describe('AUTH-1 what ends access ends it on the very next request', () => {
  for (const [event, { happens, ends }] of Object.entries(events)) {
    test(`when ${event}`, async () => {
      const scene = await openScene()
      // Every answer is remembered by now, which is what could go wrong.
      for (const name of remembered) expect([name, await credentials[name](scene)]).toEqual([name, 200])

      expect(await happens(scene)).toMatchObject({ ok: true })

      const seen = []
      for (const name of all) seen.push([name, await credentials[name](scene)])
      expect(seen).toEqual(all.map((name) => [name, ends.includes(name) ? 401 : 200]))
    })
  }
})

describe('AUTH-6 a changed role counts on the very next request', () => {
  const needsAdmin = ['token', 'cookie', 'key'] as const
  const headersOf = ({ accessToken, cookie, key }: Ana) => ({
    token: { authorization: `Bearer ${accessToken}` },
    cookie: { cookie },
    key: { 'x-api-key': key },
  })

  for (const name of needsAdmin) {
    test(`with a ${name}`, async () => {
      const admin = await server.person('admin')
      const ben = await withKey(await server.person('admin'))
      const headers = headersOf(ben)[name]
      const listing = () => server.call(api.listUsers, {}, { headers })
      expect((await listing()).status).toBe(200)

      await admin.call(api.updateUser, { params: { id: ben.id }, body: { role: 'reader' } })
      const demoted = await listing()
      const me = bodyOf(await server.call(api.readMe, {}, { headers }))
      await admin.call(api.updateUser, { params: { id: ben.id }, body: { role: 'admin' } })
      const promoted = await listing()

      expect([demoted.status, errorOf(demoted).error]).toEqual([403, 'not_allowed'])
      expect(me).toMatchObject({ role: 'reader' })
      expect(me.permissions).not.toContain('users:read')
      expect(promoted.status).toBe(200)
    })
  }
})

test('AUTH-6 a permission given or taken beyond the role counts on the very next request', async () => {
  const admin = await server.person('admin')
  const ana = await server.person('reader')
  const set = (permissions: string[]) => admin.call(api.updateUser, { params: { id: ana.id }, body: { permissions } })

  const before = await ana.call(api.listUsers, {})
  await set(['users:read'])
  const given = await ana.call(api.listUsers, {})
  await set([])
  const taken = await ana.call(api.listUsers, {})

  expect([before.status, given.status, taken.status]).toEqual([403, 200, 403])
})

test('AUTH-1 a deactivated user who is activated again signs in anew, and keys work again', async () => {
  const scene = await openScene()
  const setActive = (isActive: boolean) =>
    scene.admin.call(api.updateUser, { params: { id: scene.ana.id }, body: { isActive } })

  await setActive(false)
  await setActive(true)

  expect(await credentials.token(scene)).toBe(401)
  expect(await credentials.refresh(scene)).toBe(401)
  expect(await credentials.key(scene)).toBe(200)
  const again = await server.call(api.login, { body: { username: scene.ana.username, password: testPassword } })
  expect(again.status).toBe(200)
})

test('AUTH-1 what one node ends, another refuses soon', async () => {
  const scene = await openScene()
  await using second = await startServer({ address: server.context.config.database, more: openBasicDoor })
  const onSecond = { ...scene, server: second }
  for (const name of remembered) expect([name, await credentials[name](onSecond)]).toEqual([name, 200])

  await scene.admin.call(api.updateUser, { params: { id: scene.ana.id }, body: { isActive: false } })

  for (const name of all) {
    await expect.poll(() => credentials[name](onSecond)).toBe(401)
  }
})

test('AUTH-4 the main API refuses Basic, right or wrong', async () => {
  const ana = await server.person('reader')

  const right = await server.call(api.readMe, {}, { headers: basicHeader(ana.username, testPassword) })
  const wrong = await server.call(api.readMe, {}, { headers: basicHeader(ana.username, 'not-the-password') })

  expect([right.status, wrong.status]).toEqual([401, 401])
  expect(right.headers.get('www-authenticate')).not.toMatch(/basic/i)
})
