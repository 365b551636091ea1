import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { basic, compatApp } from '../../../../test/compat-app.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { day, movableClock } from '../../../../test/movable-clock.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { plainRequest } from '../../../../test/plain-request.ts'
import { type Person, startServer, testPassword } from '../../../../test/start-server.ts'

const server = await startServer({ env: doorsOpen })
afterAll(() => server[Symbol.asyncDispose]())
const admin = await server.person('admin')

const me = '/api/v2/users/me'
const credentials = ({ username }: Person) => basic(username, testPassword)
const cookiesOf = (headers: { 'set-cookie'?: string[] | undefined }): string[] => headers['set-cookie'] ?? []

test('C14 COM-1 whoever has not signed in is told so in JSON, and asked only where no page has a form of its own', async () => {
  const app = compatApp(server.url)
  const plain = await app.send(me)
  expect([plain.status, plain.headers['www-authenticate'], plain.json]).toMatchObject([
    401,
    expect.stringMatching(/^Basic/),
    { status: 401, error: 'Unauthorized', path: '/komga/api/v2/users/me' },
  ])
  const page = await app.send(me, { headers: { 'x-requested-with': 'XMLHttpRequest' } })
  expect([page.status, page.headers['www-authenticate']]).toEqual([401, undefined])
  const probe = await app.send('/api/v1/client-settings/global/list')
  expect([probe.status, probe.json]).toEqual([200, {}])
})

test('AUTH-4 W6 a password opens a session that goes on without it, with its cookie at both paths', async () => {
  const ana = await server.person('reader')
  const app = compatApp(server.url, { headers: { 'user-agent': 'TachiyomiKomga/1' } })
  const first = await app.send(me, { headers: credentials(ana) })
  expect([first.status, first.json]).toMatchObject([200, { email: ana.username, ageRestriction: null }])
  const paths = cookiesOf(first.headers).map((each) => /^KOMGA-SESSION=.*; Path=([^;]*);/.exec(each)?.[1])
  expect(new Set(paths)).toEqual(new Set(['/komga', '/komga/']))
  expect(cookiesOf(first.headers).every((each) => /HttpOnly/.test(each) && /SameSite=Lax/.test(each))).toBe(true)

  const tracker = compatApp(server.url, { headers: { 'user-agent': 'Mihon v1' } })
  for (const [name, value] of app.cookies) tracker.cookies.set(name, value)
  const second = await tracker.send('/api/v1/libraries')
  expect([second.status, cookiesOf(second.headers)]).toEqual([200, []])
})

test('W6 a session comes in the header for whoever sends that header, even empty, and is then good there', async () => {
  const ana = await server.person('reader')
  const app = compatApp(server.url, { headers: { 'user-agent': 'KMReader/4' }, keepsCookies: false })
  const first = await app.send(`${me}?remember-me=true`, { headers: { ...credentials(ana), 'x-auth-token': '' } })
  const token = String(first.headers['x-auth-token'])
  expect(cookiesOf(first.headers).map((each) => each.split('=')[0])).toEqual(['komga-remember-me', 'komga-remember-me'])
  expect((await app.send('/api/v1/libraries', { headers: { 'x-auth-token': token } })).status).toBe(200)
  expect((await app.send('/api/v1/libraries', { headers: { 'x-auth-token': 'nonsense' } })).status).toBe(401)

  const [, remembered = ''] = /^komga-remember-me=([^;]+)/.exec(cookiesOf(first.headers)[0] ?? '') ?? []
  const cookie = `KOMGA-SESSION=over; komga-remember-me=${remembered}`
  expect((await app.send('/api/v1/libraries', { headers: { cookie } })).status).toBe(200)

  const swapped = await app.send('/api/v1/login/set-cookie', { headers: { 'x-auth-token': token } })
  expect([swapped.status, cookiesOf(swapped.headers)[0]?.startsWith(`KOMGA-SESSION=${token};`)]).toEqual([204, true])
})

test('W6 a session ends a week after its last use, the remembered one goes on', async () => {
  const time = movableClock()
  await using server = await startServer({ env: doorsOpen, clock: time.clock })
  const ana = await server.person('reader')
  const app = compatApp(server.url)
  await app.send(`${me}?remember-me=true`, { headers: credentials(ana) })
  const session = { cookie: `KOMGA-SESSION=${app.cookies.get('KOMGA-SESSION') ?? ''}` }
  const remembered = { cookie: `komga-remember-me=${app.cookies.get('komga-remember-me') ?? ''}` }
  const bare = compatApp(server.url, { keepsCookies: false })
  time.pass(8 * day)
  expect((await bare.send(me, { headers: session })).status).toBe(401)
  expect((await bare.send(me, { headers: remembered })).status).toBe(200)
})

test('W6 neither kind of cookie opens the doors of the other', async () => {
  const ana = await server.person('reader')
  const app = compatApp(server.url)
  expect((await app.send(me, { headers: { cookie: ana.cookie } })).status).toBe(401)
  await app.send(me, { headers: credentials(ana) })
  const value = app.cookies.get('KOMGA-SESSION') ?? ''
  for (const cookie of [`KOMGA-SESSION=${value}`, `carrel_session=${value}`])
    expect((await plainRequest(`${server.url}/api/v1/user`, { headers: { cookie } })).status).toBe(401)
  const token = { 'x-auth-token': value }
  expect((await plainRequest(`${server.url}/api/v1/user`, { headers: token })).status).toBe(401)
})

test('W6 a change with a cookie is refused from another site, and taken where nothing is said of one', async () => {
  const ana = await server.person('reader')
  const app = compatApp(server.url)
  await app.send(me, { headers: credentials(ana) })
  const save = (headers: Record<string, string>) =>
    app.send('/api/v1/client-settings/user', { method: 'PATCH', headers, body: { 'webui.theme': { value: 'dark' } } })
  expect((await save({})).status).toBe(204)
  expect((await save({ origin: server.url })).status).toBe(204)
  expect((await save({ origin: 'https://elsewhere.example' })).status).toBe(403)
  expect((await save({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await app.send('/api/v1/client-settings/user/list')).json).toEqual({ 'webui.theme': { value: 'dark' } })
})

test('AUTH-1 sessions are listed with all others, and end by sign-out, a new password and a user who may not come in', async () => {
  const ana = await server.person('reader')
  const open = async () => {
    const app = compatApp(server.url, { headers: { 'user-agent': 'Komelia/1' } })
    await app.send(`${me}?remember-me=true`, { headers: basic(ana.username, testPassword) })
    return app
  }
  const app = await open()
  const { sessions } = bodyOf(await ana.call(api.listSessions, {}))
  expect(sessions.filter(({ userAgent }) => userAgent === 'Komelia/1')).toHaveLength(2)

  const cookies = new Map(app.cookies)
  expect((await app.send('/api/logout', { method: 'POST' })).status).toBe(204)
  expect([...app.cookies]).toEqual([])
  for (const [name, value] of cookies) app.cookies.set(name, value)
  expect((await app.send(me)).status).toBe(401)

  const other = await open()
  const newPassword = 'another-lamp-over-snow'
  bodyOf(await ana.call(api.changePassword, { body: { currentPassword: testPassword, newPassword } }))
  expect((await other.send(me)).status).toBe(401)
  const third = compatApp(server.url)
  await third.send(me, { headers: basic(ana.username, newPassword) })
  expect((await third.send(me)).status).toBe(200)
  bodyOf(await admin.call(api.updateUser, { params: { id: ana.id }, body: { isActive: false } }))
  expect((await third.send(me)).status).toBe(401)
})

test('AUTH-3 a session opened with a key may do what the key may, and ends with it', async () => {
  const ana = await server.person('reader')
  const made = bodyOf(await ana.call(api.createApiKey, { body: { name: 'role-1', permissions: ['libraries:read'] } }))
  const app = compatApp(server.url)
  const first = await app.send(me, { headers: { 'x-api-key': made.key } })
  expect(first.json).toMatchObject({ roles: ['USER'] })
  expect((await app.send('/api/v1/libraries')).status).toBe(200)
  expect((await app.send('/api/v1/books/nothing/file')).status).toBe(403)
  expect((await app.send('/api/v1/libraries', { headers: { 'x-api-key': made.key } })).status).toBe(200)
  expect((await app.send(me, { headers: basic('anybody', made.key) })).status).toBe(200)
  await ana.call(api.deleteApiKey, { params: { id: made.id } })
  expect((await app.send('/api/v1/libraries')).status).toBe(401)
})

test('AUTH-4 LIM-1 an application that keeps no cookies gets the same session each time, at the price of one password', async () => {
  const ana = await server.person('reader')
  const app = compatApp(server.url, { headers: { 'user-agent': 'grid', ...credentials(ana) }, keepsCookies: false })
  const verified = server.context.passwords.verify
  let hashes = 0
  Object.assign(server.context.passwords, {
    verify: (...args: Parameters<typeof verified>) => {
      hashes += 1
      return verified(...args)
    },
  })
  const replies = await Promise.all(Array.from({ length: 200 }, () => app.send('/api/v1/libraries')))
  Object.assign(server.context.passwords, { verify: verified })
  expect([hashes, new Set(replies.map(({ status }) => status))]).toEqual([1, new Set([200])])
  const { sessions } = bodyOf(await ana.call(api.listSessions, {}))
  expect(sessions.filter(({ userAgent }) => userAgent === 'grid')).toHaveLength(1)
})

test('COM-1 who is asked about is told in full: administrators, readers, those with limits', async () => {
  const ana = await server.person('reader', { access: { ageCeiling: 12 } })
  const roles = async (headers: Record<string, string>) => {
    const { json } = await compatApp(server.url).send(me, { headers })
    return json
  }
  const email = `role-9-${Date.now()}@example.org`
  const named = await server.person('admin', { email })
  expect(await roles(credentials(ana))).toMatchObject({
    roles: ['USER', 'FILE_DOWNLOAD', 'PAGE_STREAMING'],
    sharedAllLibraries: true,
    ageRestriction: { age: 12, restriction: 'ALLOW_ONLY' },
  })
  expect(await roles(basic(email, testPassword))).toMatchObject({
    id: named.id,
    email,
    roles: expect.arrayContaining(['ADMIN']) as unknown,
  })
})

test('COM-2 W13 ids are spelled as the application needs them that opened the session, or as an administrator says', async () => {
  const ana = await server.person('reader')
  const app = compatApp(server.url)
  const idOf = async (headers: Record<string, string> = {}) =>
    ((await app.send(me, { headers })).json as { id: string }).id
  expect(await idOf(credentials(ana))).toBe(ana.id)
  expect(await idOf({ 'user-agent': 'Aidoku/2' })).toBe(ana.id.replaceAll('-', ''))
  const signedIn = compatApp(server.url)
  await signedIn.send(me, { headers: { ...credentials(ana), 'user-agent': 'Aidoku/2' } })
  expect((await signedIn.send(me)).json).toMatchObject({ id: ana.id.replaceAll('-', '') })
  const force = (value: string) => admin.call(api.saveSetting, { params: { key: 'compat.spelling' }, body: { value } })
  bodyOf(await force('law'))
  expect(await idOf({ 'user-agent': 'Aidoku/2' })).toBe(ana.id)
  bodyOf(await force('komga'))
  expect(await idOf()).toBe(ana.id.replaceAll('-', ''))
  bodyOf(await force('auto'))
})

test('COM-2 W13 READ-2 a session that was opened without a name learns whose it is, there and wherever it is used next', async () => {
  const ana = await server.person('reader')
  const plain = ana.id.replaceAll('-', '')
  const app = compatApp(server.url)
  const idOf = async (headers: Record<string, string> = {}) =>
    ((await app.send(me, { headers })).json as { id: string }).id
  const namesOf = async () =>
    bodyOf(await ana.call(api.listSessions, {})).sessions.flatMap((each) => (each.current ? [] : [each.userAgent]))
  expect(await idOf(credentials(ana))).toBe(ana.id)
  expect(await idOf()).toBe(ana.id)
  expect(await namesOf()).toEqual([null])

  expect(await idOf({ 'user-agent': 'Aidoku/2' })).toBe(plain)
  expect(await idOf()).toBe(plain)
  await expect.poll(namesOf).toEqual(['Aidoku/2'])
  await using again = await startServer({ address: server.context.config.database, env: doorsOpen })
  const cookie = [...app.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await compatApp(again.url).send(me, { headers: { cookie } })).json).toMatchObject({ id: plain })
})

test('COM-2 W13 a key is known as the application that uses it, where that does not say its name', async () => {
  const ana = await server.person('reader')
  const plain = ana.id.replaceAll('-', '')
  const keyNamed = async (name: string) => bodyOf(await ana.call(api.createApiKey, { body: { name } })).key
  const [key, other] = [await keyNamed('app'), await keyNamed('script')]
  const idAt = async (url: string, headers: Record<string, string>) =>
    ((await compatApp(url).send(me, { headers })).json as { id: string }).id
  const idOf = (headers: Record<string, string>) => idAt(server.url, headers)
  expect(await idOf({ 'x-api-key': key })).toBe(ana.id)
  expect(await idOf({ 'x-api-key': key, 'user-agent': 'Aidoku/2' })).toBe(plain)
  // Its downloads go on in the background, as nobody, there and wherever they are answered from next.
  expect(await idOf({ 'x-api-key': key })).toBe(plain)
  expect(await idOf({ ...basic(ana.username, key), 'user-agent': 'Dalvik/2.1.0' })).toBe(plain)
  expect(await idOf({ 'x-api-key': other })).toBe(ana.id)
  await using again = await startServer({ address: server.context.config.database, env: doorsOpen })
  expect(await idAt(again.url, { 'x-api-key': key, 'user-agent': 'okhttp/4' })).toBe(plain)
  expect(await idAt(again.url, { 'x-api-key': other, 'user-agent': 'okhttp/4' })).toBe(ana.id)
})

test('COM-1 keys, users and what web applications ask administrators at their start', async () => {
  const app = compatApp(server.url, { headers: { authorization: `Bearer ${admin.accessToken}` } })
  const made = await app.send('/api/v2/users/me/api-keys', { method: 'POST', body: { comment: 'role-2' } })
  expect(made.json).toMatchObject({ comment: 'role-2', key: expect.stringMatching(/^carrel_/) as unknown })
  const { id } = made.json as { id: string }
  expect((await app.send('/api/v2/users/me/api-keys')).json).toMatchObject([{ id, key: '******' }])
  expect((await app.send(`/api/v2/users/me/api-keys/${id.replaceAll('-', '')}`, { method: 'DELETE' })).status).toBe(204)

  const email = `role-3-${Date.now()}@example.org`
  const user = await app.send('/api/v2/users', { method: 'POST', body: { email, password: testPassword, roles: [] } })
  const userId = (user.json as { id: string }).id
  expect([user.status, user.json]).toMatchObject([201, { email, sharedAllLibraries: true }])
  const change = { roles: ['ADMIN'], ageRestriction: { age: 16, restriction: 'EXCLUDE' } }
  expect((await app.send(`/api/v2/users/${userId}`, { method: 'PATCH', body: change })).status).toBe(204)
  const listed = (await app.send('/api/v2/users')).json as { id: string }[]
  expect(listed.find((each) => each.id === userId)).toMatchObject({
    roles: expect.arrayContaining(['ADMIN']) as unknown,
    ageRestriction: { age: 16, restriction: 'EXCLUDE' },
  })
  expect((await app.send(`/api/v2/users/${userId}`, { method: 'DELETE' })).status).toBe(204)

  for (const path of [
    '/actuator/info',
    '/api/v1/announcements',
    '/api/v1/releases',
    '/api/v1/settings',
    '/api/v1/history',
  ])
    expect([path, (await app.send(path)).status]).toEqual([path, 200])
  expect((await app.send('/api/v1/claim', { method: 'POST' })).status).toBe(400)
  expect((await app.send('/api/v2/users/me/authentication-activity')).json).toMatchObject({ first: true, number: 0 })
})
