import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, hour, minute, movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer, testPassword, type TestServer } from '../../../test/start-server.ts'

/** Most of the tests touch their own users alone, and share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const refresh = (server: TestServer, refreshToken: string) => server.call(api.refresh, { body: { refreshToken } })
const meWith = (server: TestServer, accessToken: string) =>
  server.call(api.readMe, {}, { headers: { authorization: `Bearer ${accessToken}` } })
const signIn = async (server: TestServer, username: string, deviceName?: string) =>
  bodyOf(
    await server.call(api.login, { body: { username, password: testPassword, ...(deviceName && { deviceName }) } }),
  )

test('AUTH-1 a refresh token is good for one use and its successor takes over', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')

  const first = bodyOf(await refresh(server, ana.refreshToken))
  time.pass(hour)
  const second = bodyOf(await refresh(server, first.refreshToken))

  expect(new Set([ana.refreshToken, first.refreshToken, second.refreshToken]).size).toBe(3)
  expect((await meWith(server, second.accessToken)).status).toBe(200)
})

test('F4 P-9 nodes whose clocks are a minute apart take each other’s tokens, each until it is over by its own', async () => {
  const behind = movableClock()
  const ahead = movableClock()
  ahead.pass(minute)
  await using one = await startServer({ clock: behind.clock })
  await using two = await startServer({ clock: ahead.clock, address: one.context.config.database })
  for (const [here, there] of [
    [one, two],
    [two, one],
  ] as const) {
    const ana = await here.person('reader')
    expect((await meWith(there, ana.accessToken)).status).toBe(200)
    const refreshed = bodyOf(await refresh(there, ana.refreshToken))
    expect((await meWith(here, refreshed.accessToken)).status).toBe(200)
    const next = bodyOf(await refresh(here, refreshed.refreshToken))
    expect((await meWith(there, next.accessToken)).status).toBe(200)
  }
  const { accessToken } = await one.person('reader')
  for (const { pass } of [behind, ahead]) pass(hour - second)
  expect((await meWith(one, accessToken)).status).toBe(200)
  expect((await meWith(two, accessToken)).status).toBe(401)
})

test('W6 the token just rotated answers with the same successor for ten seconds', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')

  const first = bodyOf(await refresh(server, ana.refreshToken))
  time.pass(10 * second)
  const again = bodyOf(await refresh(server, ana.refreshToken))

  expect(again.refreshToken).toBe(first.refreshToken)
  expect((await refresh(server, again.refreshToken)).status).toBe(200)
})

test('W6 AUTH-1 a rotated token used after the grace ends the whole family', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')
  const other = await signIn(server, ana.username)
  const successor = bodyOf(await refresh(server, ana.refreshToken))

  time.pass(10 * second + 1)
  const replayed = await refresh(server, ana.refreshToken)

  expect(replayed.status).toBe(401)
  expect((await refresh(server, successor.refreshToken)).status).toBe(401)
  expect((await meWith(server, successor.accessToken)).status).toBe(401)
  expect((await meWith(server, ana.accessToken)).status).toBe(401)
  expect((await server.call(api.readMe, {}, { headers: { cookie: ana.cookie } })).status).toBe(401)
  expect((await refresh(server, other.refreshToken)).status).toBe(200)
})

test('W6 twenty refreshes of one token at once leave one family, and nobody is signed out', async () => {
  const ana = await server.person('reader')

  const pairs = (await Promise.all(Array.from({ length: 20 }, () => refresh(server, ana.refreshToken)))).map(bodyOf)

  expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).toBe(1)
  for (const { accessToken } of pairs) expect((await meWith(server, accessToken)).status).toBe(200)
  expect((await refresh(server, pairs[0]?.refreshToken ?? '')).status).toBe(200)
  expect(bodyOf(await ana.call(api.listSessions, {})).sessions).toHaveLength(1)
})

test('AUTH-1 a refresh token lasts thirty days and no longer', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')
  const ben = await server.person('reader')

  time.pass(30 * day)
  const inTime = await refresh(server, ana.refreshToken)
  time.pass(1)
  const late = await refresh(server, ben.refreshToken)

  expect(inTime.status).toBe(200)
  expect(late.status).toBe(401)
})

test('AUTH-1 a session that is only ever refreshed lives on', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')

  time.pass(20 * day)
  const first = bodyOf(await refresh(server, ana.refreshToken))
  time.pass(20 * day)
  const second = bodyOf(await refresh(server, first.refreshToken))

  expect((await meWith(server, second.accessToken)).status).toBe(200)
})

test('W6 a session that nobody used for thirty days is over, one in use slides on', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')
  const withCookie = () => server.call(api.readMe, {}, { headers: { cookie: ana.cookie } })
  const lastUse = async () => {
    const { last_used_at: at } = await server.context.db.read
      .selectFrom('session')
      .select('last_used_at')
      .where('user_id', '=', ana.id)
      .executeTakeFirstOrThrow()
    return at
  }

  time.pass(29 * day)
  expect((await withCookie()).status).toBe(200)
  await expect.poll(lastUse).toBe(time.clock().toISOString())
  time.pass(29 * day)
  expect((await withCookie()).status).toBe(200)
  await expect.poll(lastUse).toBe(time.clock().toISOString())
  time.pass(30 * day)
  expect((await withCookie()).status).toBe(401)
})

test('AUTH-1 an access token is good for an hour', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')

  time.pass(hour - second)
  expect((await ana.call(api.readMe, {})).status).toBe(200)
  time.pass(second)
  expect((await ana.call(api.readMe, {})).status).toBe(401)
})

test('AUTH-1 a session can be ended with its token, its cookie, or its refresh token alone', async () => {
  const ways = {
    token: (ana: { accessToken: string }) => ({ headers: { authorization: `Bearer ${ana.accessToken}` }, body: {} }),
    cookie: (ana: { cookie: string }) => ({
      headers: { cookie: ana.cookie, 'sec-fetch-site': 'same-origin' },
      body: {},
    }),
    'refresh token': (ana: { refreshToken: string }) => ({ headers: {}, body: { refreshToken: ana.refreshToken } }),
  }
  for (const [way, partsOf] of Object.entries(ways)) {
    const ana = await server.person('reader')
    const other = await signIn(server, ana.username)
    const { headers, body } = partsOf(ana)

    const signedOut = await server.call(api.logout, { body }, { headers })

    expect([way, signedOut.status]).toEqual([way, 204])
    expect(signedOut.headers.get('set-cookie')).toMatch(/^carrel_session=; .*Expires=Thu, 01 Jan 1970/)
    expect([way, (await ana.call(api.readMe, {})).status]).toEqual([way, 401])
    expect([way, (await refresh(server, ana.refreshToken)).status]).toEqual([way, 401])
    expect((await server.call(api.readMe, {}, { headers: { cookie: ana.cookie } })).status).toBe(401)
    expect((await meWith(server, other.accessToken)).status).toBe(200)
  }
})

test('AUTH-1 signing out without anything, with a bad token or an unknown refresh token is 204', async () => {
  expect((await server.call(api.logout, {})).status).toBe(204)
  expect((await server.call(api.logout, { body: { refreshToken: 'x'.repeat(43) } })).status).toBe(204)
  expect((await server.call(api.logout, {}, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(204)
})

test('C2 the list of sessions shows the latest used first and which one is current', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')
  await server.person('reader')
  time.pass(second)
  const tablet = await signIn(server, ana.username, 'Tablet')
  time.pass(second)

  const { sessions } = bodyOf(await ana.call(api.listSessions, {}))

  expect(sessions.map(({ deviceName, current }) => [deviceName, current])).toEqual([
    ['Tablet', false],
    [null, true],
  ])
  expect(sessions[0]).toStrictEqual({
    id: expect.any(String),
    deviceName: 'Tablet',
    userAgent: expect.any(String),
    ip: '127.0.0.1',
    createdAt: '2026-11-21T10:00:01.000Z',
    lastUsedAt: '2026-11-21T10:00:01.000Z',
    current: false,
  })
  const fromTablet = await server.call(
    api.listSessions,
    {},
    { headers: { authorization: `Bearer ${tablet.accessToken}` } },
  )
  expect(bodyOf(fromTablet).sessions.map(({ current }) => current)).toEqual([true, false])
})

test("AUTH-1 one's own session can be ended and then is gone; another's is 404", async () => {
  const ana = await server.person('reader')
  const ben = await server.person('admin')
  const tablet = await signIn(server, ana.username, 'Tablet')
  const { sessions } = bodyOf(await ana.call(api.listSessions, {}))
  const id = sessions.find(({ deviceName }) => deviceName === 'Tablet')?.id ?? ''

  const byAnother = await ben.call(api.endSession, { params: { id } })
  expect((await meWith(server, tablet.accessToken)).status).toBe(200)
  const byOwner = await ana.call(api.endSession, { params: { id } })

  expect(errorOf(byAnother)).toMatchObject({ error: 'not_found' })
  expect(byOwner.status).toBe(204)
  expect((await meWith(server, tablet.accessToken)).status).toBe(401)
  expect((await ana.call(api.endSession, { params: { id } })).status).toBe(404)
  expect(bodyOf(await ana.call(api.listSessions, {})).sessions).toHaveLength(1)
})

test('AUTH-1 changing the password ends the other sessions and keeps this one', async () => {
  const ana = await server.person('reader')
  const tablet = await signIn(server, ana.username)

  const changed = await ana.call(api.changePassword, {
    body: { currentPassword: testPassword, newPassword: 'brass-kettle-at-dawn' },
  })

  expect(changed.status).toBe(204)
  expect((await ana.call(api.readMe, {})).status).toBe(200)
  expect((await refresh(server, ana.refreshToken)).status).toBe(200)
  expect((await meWith(server, tablet.accessToken)).status).toBe(401)
  expect((await refresh(server, tablet.refreshToken)).status).toBe(401)
  const withOld = await server.call(api.login, { body: { username: ana.username, password: testPassword } })
  const withNew = await server.call(api.login, { body: { username: ana.username, password: 'brass-kettle-at-dawn' } })
  expect([withOld.status, withNew.status]).toEqual([401, 200])
})

test('C2 AUTH-5 a wrong old password is 403, a common or short new one 400, and neither changes anything', async () => {
  const ana = await server.person('reader', { username: 'annabel' })
  const change = (currentPassword: string, newPassword: string) =>
    ana.call(api.changePassword, { body: { currentPassword, newPassword } })

  const wrong = await change('not-the-password', 'brass-kettle-at-dawn')
  const common = await change(testPassword, 'Password1234')
  const ownName = await change(testPassword, 'annabel123456')
  const short = await change(testPassword, 'nine-char')

  expect([wrong.status, errorOf(wrong).error]).toEqual([403, 'not_allowed'])
  for (const refused of [common, ownName, short]) {
    expect(refused.status).toBe(400)
    expect(errorOf(refused)).toMatchObject({ error: 'validation_failed', details: [{ path: '/newPassword' }] })
  }
  const still = await server.call(api.login, { body: { username: 'annabel', password: testPassword } })
  expect(still.status).toBe(200)
})

test('AUTH-5 guessing the old password is throttled as guessing at sign-in is', async () => {
  await using server = await startServer()
  const ana = await server.person('reader')
  const change = (currentPassword: string) =>
    ana.call(api.changePassword, { body: { currentPassword, newPassword: 'brass-kettle-at-dawn' } })

  const statuses = []
  for (let guess = 0; guess < 6; guess += 1) statuses.push((await change(`wrong-guess-${guess}`)).status)

  expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
  expect((await change(testPassword)).status).toBe(429)
})

test('AUTH-1 a user has at most about five hundred live sessions, the oldest ending first', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')
  const at = time.clock().toISOString()
  const rows = Array.from({ length: 510 }, (_, index) => ({
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    user_id: ana.id,
    cookie_hash: `hash ${index}`,
    device_name: null,
    user_agent: null,
    ip: null,
    network: '192.0.2.1',
    created_at: at,
    last_used_at: new Date(time.clock().getTime() + index).toISOString(),
    ended_at: null,
  }))
  await server.context.db.write((db) => db.insertInto('session').values(rows).execute())
  time.pass(hour)

  const latest = await signIn(server, ana.username)

  const live = await server.context.db.read.selectFrom('session').select('id').where('ended_at', 'is', null).execute()
  expect(live.length).toBeLessThanOrEqual(501)
  expect((await meWith(server, latest.accessToken)).status).toBe(200)
  expect((await refresh(server, ana.refreshToken)).status).toBe(401)
})
