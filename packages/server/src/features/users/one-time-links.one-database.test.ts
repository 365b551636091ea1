import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

const { clock, pass } = movableClock()
let server: TestServer
let admin: Person
beforeAll(async () => {
  server = await startServer({ clock })
  admin = await server.person('admin')
})
afterAll(() => server[Symbol.asyncDispose]())

const linkFor = async (id: string) => bodyOf(await admin.call(api.createOneTimeLink, { params: { id } }))
const use = (token: string, password: string) => server.call(api.redeemOneTimeLink, { body: { token, password } })

test('C25 with a one-time link somebody chooses a password, once', async () => {
  const reader = await server.person('reader')
  const { token } = await linkFor(reader.id)
  const other = await linkFor(reader.id)
  expect(bodyOf(await use(token, 'brass-kettle-at-dawn'))).toEqual({ username: reader.username })
  const signedIn = await server.call(api.login, {
    body: { username: reader.username, password: 'brass-kettle-at-dawn' },
  })
  expect(signedIn.status).toBe(200)
  for (const again of [token, other.token, `${token}x`, 'nonsense'])
    expect(errorOf(await use(again, 'another-kettle-at-dusk'))).toMatchObject({ error: 'not_allowed' })
})

test('C25 a one-time link ends with its two weeks, and with the user', async () => {
  const reader = await server.person('reader')
  const { token } = await linkFor(reader.id)
  await admin.call(api.updateUser, { params: { id: reader.id }, body: { isActive: false } })
  expect(errorOf(await use(token, 'brass-kettle-at-dawn'))).toMatchObject({ error: 'not_allowed' })
  await admin.call(api.updateUser, { params: { id: reader.id }, body: { isActive: true } })
  pass(15 * day)
  expect(errorOf(await use(token, 'brass-kettle-at-dawn'))).toMatchObject({ error: 'not_allowed' })
})
