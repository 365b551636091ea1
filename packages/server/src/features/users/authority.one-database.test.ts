import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, testPassword, type TestServer } from '../../../test/start-server.ts'

/** Each test has its own people, and all share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const newcomer = { username: 'newcomer', password: testPassword }

test('AUTH-6 whoever may make users cannot make one that may do more than they', async () => {
  const clerk = await server.person('reader', { permissions: ['users:read', 'users:write', 'users:delete'] })

  const admin = await clerk.call(api.createUser, { body: { ...newcomer, role: 'admin' } })
  const extra = await clerk.call(api.createUser, { body: { ...newcomer, permissions: ['settings:write'] } })
  const reader = await clerk.call(api.createUser, { body: { ...newcomer, permissions: ['users:read'] } })

  expect([admin.status, extra.status, reader.status]).toEqual([403, 403, 201])
})

test('AUTH-6 nobody changes or deletes somebody who may do more than they, nor raises themselves', async () => {
  const admin = await server.person('admin')
  const clerk = await server.person('reader', { permissions: ['users:read', 'users:write', 'users:delete'] })

  const takeover = await clerk.call(api.updateUser, {
    params: { id: admin.id },
    body: { password: 'a-password-of-mine' },
  })
  const removal = await clerk.call(api.deleteUser, { params: { id: admin.id } })
  const rise = await clerk.call(api.updateUser, { params: { id: clerk.id }, body: { role: 'admin' } })

  expect([takeover.status, removal.status, rise.status]).toEqual([403, 403, 403])
  expect((await admin.call(api.readMe, {})).status).toBe(200)
})

test('C4 a key of an administrator makes users within its permissions and changes no password', async () => {
  const admin = await server.person('admin')
  const reader = await server.person('reader')
  const keyWith = async (permissions: string[] | null) => {
    const created = await admin.call(api.createApiKey, { body: { name: 'script', permissions } })
    return server.callWith({ 'x-api-key': created.ok ? created.body.key : '' })
  }
  const narrow = await keyWith([...api.permissionsOfRole.reader, 'users:write', 'users:delete'])
  const wide = await keyWith(null)

  const raised = await narrow(api.createUser, { body: { ...newcomer, role: 'admin' } })
  const made = await narrow(api.createUser, { body: { ...newcomer, username: 'made-with-a-key' } })
  const renamed = await narrow(api.updateUser, { params: { id: reader.id }, body: { username: 'renamed' } })
  const newPassword = await wide(api.updateUser, {
    params: { id: reader.id },
    body: { password: 'a-password-of-mine' },
  })
  const removed = await narrow(api.deleteUser, { params: { id: reader.id } })

  expect([raised.status, made.status, renamed.status, newPassword.status, removed.status]).toEqual([
    403, 201, 200, 403, 204,
  ])
})

test('C4 a key changes the language of its owner, and not the address they sign in with', async () => {
  const reader = await server.person('reader')
  const created = await reader.call(api.createApiKey, { body: { name: 'app' } })
  const call = server.callWith({ 'x-api-key': created.ok ? created.body.key : '' })

  expect((await call(api.updateProfile, { body: { language: 'de' } })).status).toBe(200)
  expect((await call(api.updateProfile, { body: { email: 'thief@example.org' } })).status).toBe(403)
})
