import * as api from '@carrel/api'
import { expect, test, vi } from 'vitest'
import { basicDoor, basicHeader, openBasicDoor } from '../../../test/basic-door.ts'
import { minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

const knock = (server: TestServer, headers: Record<string, string> = {}) => server.call(basicDoor, {}, { headers })

test('AUTH-4 a door that takes Basic asks for it, and takes password, key, token and cookie alike', async () => {
  await using server = await startServer({ more: openBasicDoor })
  const ana = await server.person('reader', { username: 'Ana Lovelace', email: 'ana@example.org' })
  const { key } = bodyOf(await ana.call(api.createApiKey, { body: { name: 'Tablet' } }))
  const ways = {
    password: basicHeader(ana.username, ana.password),
    'e-mail address': basicHeader('ANA@example.org', ana.password),
    'key as password': basicHeader('whoever', key),
    token: { authorization: `Bearer ${ana.accessToken}` },
    'key as token': { authorization: `Bearer ${key}` },
    key: { 'x-api-key': key },
    cookie: { cookie: ana.cookie },
    'another spelling': {
      authorization: basicHeader(ana.username, ana.password).authorization.replace('Basic', 'bAsIc'),
    },
  }
  for (const [way, headers] of Object.entries(ways)) {
    const outcome = await knock(server, headers)
    expect([way, outcome.status, outcome.ok && outcome.body.id]).toEqual([way, 200, ana.id])
  }
  const refused = [
    {},
    basicHeader(ana.username, 'not-the-password'),
    basicHeader(ana.username, ''),
    basicHeader('', ana.password),
    { authorization: 'Basic' },
    { authorization: 'Basic !!!' },
    { authorization: `Basic ${Buffer.from('no colon').toString('base64')}` },
  ]
  for (const headers of refused) {
    const { status, headers: answered } = await knock(server, headers)
    expect([headers, status, answered.get('www-authenticate')]).toEqual([
      headers,
      401,
      'Basic realm="Carrel", charset="UTF-8"',
    ])
  }
})

test('AUTH-4 a password that was right is not checked again for five minutes, a wrong one each time', async () => {
  const { clock, pass } = movableClock()
  await using server = await startServer({ more: openBasicDoor, clock })
  const ana = await server.person('reader')
  const right = basicHeader(ana.username, ana.password)
  const verify = vi.spyOn(server.context.passwords, 'verify')
  const checked = async (headers: Record<string, string>): Promise<[number, number]> => {
    verify.mockClear()
    const { status } = await knock(server, headers)
    return [status, verify.mock.calls.length]
  }

  expect(await checked(right)).toEqual([200, 1])
  expect(await checked(right)).toEqual([200, 0])
  pass(5 * minute - 1)
  expect(await checked(right)).toEqual([200, 0])
  pass(1)
  expect(await checked(right)).toEqual([200, 1])
  const wrong = basicHeader(ana.username, 'not-the-password')
  expect([await checked(wrong), await checked(wrong)]).toEqual([
    [401, 1],
    [401, 1],
  ])
  expect(await checked(right)).toEqual([200, 0])
})

test('AUTH-4 a changed password ends the old one at once, though it was known to be right', async () => {
  await using server = await startServer({ more: openBasicDoor })
  const ana = await server.person('reader')
  expect((await knock(server, basicHeader(ana.username, ana.password))).status).toBe(200)
  const newPassword = 'brass-kettle-at-dawn'
  await ana.call(api.changePassword, { body: { currentPassword: ana.password, newPassword } })

  expect((await knock(server, basicHeader(ana.username, ana.password))).status).toBe(401)
  expect((await knock(server, basicHeader(ana.username, newPassword))).status).toBe(200)
})

test('AUTH-4 LIM-1 Basic draws on the bucket of its user', async () => {
  await using server = await startServer({
    more: openBasicDoor,
    env: { CARREL_RATE_LIMIT_ENABLED: 'true', CARREL_SETTING_RATE_LIMIT_AUTHENTICATED_RPS: '1' },
  })
  const ana = await server.person('reader')
  const { headers } = await knock(server, basicHeader(ana.username, ana.password))

  expect(headers.get('x-ratelimit-limit')).toBe('200')
})
