import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer, testPassword } from '../../../test/start-server.ts'

test('C2 AUTH-1 an administrator sees where somebody is signed in and ends all of it, but not what they ask with', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const ana = await server.person('reader')
  const onTablet = bodyOf(
    await server.call(api.login, { body: { username: ana.username, password: testPassword, deviceName: 'Tablet' } }),
  )
  const sessionsOf = async (id: string) => bodyOf(await admin.call(api.listSessionsOfUser, { params: { id } })).sessions

  expect((await sessionsOf(ana.id)).map(({ deviceName, current }) => [deviceName, current])).toEqual([
    ['Tablet', false],
    [null, false],
  ])
  expect((await sessionsOf(admin.id)).map(({ current }) => current)).toEqual([true])

  expect((await admin.call(api.endSessionsOfUser, { params: { id: ana.id } })).status).toBe(204)
  expect(await sessionsOf(ana.id)).toEqual([])
  expect((await ana.call(api.readMe, {})).status).toBe(401)
  expect((await server.call(api.refresh, { body: { refreshToken: onTablet.refreshToken } })).status).toBe(401)

  expect((await admin.call(api.endSessionsOfUser, { params: { id: admin.id } })).status).toBe(204)
  expect((await admin.call(api.readMe, {})).status).toBe(200)
})

test('AUTH-1 nobody ends the sessions of somebody who may do more, and there are none of nobody', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const helper = await server.person('reader', { permissions: ['system:admin'] })

  const refused = await helper.call(api.endSessionsOfUser, { params: { id: admin.id } })
  expect(errorOf(refused)).toMatchObject({ error: 'not_allowed' })
  expect((await admin.call(api.readMe, {})).status).toBe(200)
  const id = '019aa3b2-0000-7000-8000-00000000dead'
  expect((await admin.call(api.listSessionsOfUser, { params: { id } })).status).toBe(404)
  expect((await admin.call(api.endSessionsOfUser, { params: { id } })).status).toBe(404)
})
