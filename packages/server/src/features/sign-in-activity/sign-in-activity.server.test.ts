import * as api from '@carrel/api'
import type { CompatActivity, CompatPage, CompatUser } from '@carrel/api/doors'
import { expect, test } from 'vitest'
import { basic, compatApp } from '../../../test/compat-app.ts'
import { doorsOpen } from '../../../test/contract/inputs.ts'
import { compatClient } from '../../../test/doors/compat-client.ts'
import { day, hour, movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, testPassword, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { enqueue } from '../../tasks/queue.ts'
import { cleanUpSignInActivity } from './tasks.ts'

const all = async (admin: Pick<Person, 'call'>, query: { userId?: string; success?: boolean } = {}) =>
  bodyOf(await admin.call(api.listSignInActivity, { query: { ...query, pageSize: 200 } })).data
const own = async (person: Person) => bodyOf(await person.call(api.listOwnSignInActivity, {})).data
/** A key outlasts the hours that a test lets pass. */
const byKey = async (server: TestServer, person: Person): Promise<Pick<Person, 'call'>> => {
  const { key } = bodyOf(await person.call(api.createApiKey, { body: { name: 'lasting' } }))
  return { call: server.callWith({ 'x-api-key': key }) }
}
const login = (server: TestServer, username: string, password: string, userAgent: string) =>
  server.callWith({ 'user-agent': userAgent })(api.login, { body: { username, password } })

test('C7 who signs in, and who fails to, is written down with where from and with what', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const ana = await server.person('reader', { username: 'ana', email: 'ana@example.org' })
  await login(server, 'ANA', testPassword, 'tablet')
  await login(server, 'ana@example.org', 'not-the-password', 'stranger')
  await login(server, 'nobody-known', 'not-the-password', 'stranger')
  const [unknown, wrong, good, ...earlier] = await all(admin)
  const from = { ip: '127.0.0.1', apiKeyId: null, apiKeyName: null, source: 'password' }
  expect([unknown, wrong, good]).toMatchObject([
    { ...from, typedName: 'nobody-known', userId: null, username: null, success: false, userAgent: 'stranger' },
    { ...from, typedName: 'ana@example.org', userId: ana.id, username: 'ana', success: false },
    { ...from, typedName: null, userId: ana.id, success: true, error: null, userAgent: 'tablet' },
  ])
  expect(wrong?.error).toBe('User name or password is wrong.')
  expect(earlier.map(({ userId }) => userId)).toEqual([ana.id, admin.id])
  expect((await all(admin, { userId: ana.id, success: false })).map(({ id }) => id)).toEqual([wrong?.id])

  // Her own list has what was tried as her, without what was typed; nobody else's is hers.
  expect((await own(ana)).map(({ success, typedName }) => [success, typedName])).toEqual([
    [false, null],
    [true, null],
    [true, null],
  ])
  expect((await ana.call(api.listSignInActivity, {})).status).toBe(403)
  bodyOf(await admin.call(api.deleteUser, { params: { id: ana.id } }))
  expect((await all(admin)).map(({ userId }) => userId)).toEqual([null, admin.id])
})

test('C7 a key, a password or a remembered session that comes with every request is one line an hour', async () => {
  const time = movableClock()
  await using server = await startServer({ env: doorsOpen, clock: time.clock })
  const admin = await byKey(server, await server.person('admin'))
  const ana = await server.person('reader')
  const { key, id: keyId } = bodyOf(await ana.call(api.createApiKey, { body: { name: 'script' } }))
  const rows = async () =>
    (await all(admin, { userId: ana.id })).map(({ source, apiKeyName, error, lastAt }) => ({
      source,
      apiKeyName,
      error,
      lastAt,
    }))
  const before = (await rows()).length
  const withKey = server.callWith({ 'x-api-key': key })
  for (let round = 0; round < 20; round += 1) bodyOf(await withKey(api.listLibraries, {}))
  const app = compatApp(server.url, { keepsCookies: false, headers: basic(ana.username, testPassword) })
  for (let round = 0; round < 5; round += 1) await app.send('/api/v1/libraries')
  const remembered = compatApp(server.url)
  await remembered.send('/api/v2/users/me?remember-me=true', { headers: basic(ana.username, testPassword) })
  const cookie = `komga-remember-me=${remembered.cookies.get('komga-remember-me') ?? ''}`
  for (let round = 0; round < 3; round += 1)
    await compatApp(server.url, { keepsCookies: false }).send('/api/v1/libraries', { headers: { cookie } })
  expect((await rows()).slice(0, -before)).toMatchObject([
    { source: 'remember_me' },
    { source: 'password' },
    { source: 'api_key', apiKeyName: 'script' },
  ])
  for (let round = 0; round < 5; round += 1)
    await plainRequest(`${server.url}/api/v1/libraries`, { headers: { 'x-api-key': 'carrel_nothing' } })
  const [bad, ...others] = await all(admin, { success: false })
  expect([bad, others]).toMatchObject([{ source: 'api_key', userId: null, error: 'This API key is not good.' }, []])

  time.pass(10 * 60 * second)
  bodyOf(await withKey(api.listLibraries, {}))
  expect((await rows())[0]).toMatchObject({ source: 'api_key', lastAt: time.clock().toISOString() })
  expect(await rows()).toHaveLength(before + 3)
  time.pass(hour)
  bodyOf(await withKey(api.listLibraries, {}))
  expect(await rows()).toHaveLength(before + 4)
  // Activity of a key is still listed when the key is deleted.
  await server.context.db.write((db) => db.deleteFrom('api_key').where('id', '=', keyId).execute())
  expect((await rows())[0]).toMatchObject({ source: 'api_key', apiKeyName: 'script' })
})

test('C7 whoever tries and tries is told of once more, not each time', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const ana = await server.person('reader')
  const statuses: number[] = []
  for (let round = 0; round < 12; round += 1)
    statuses.push((await login(server, ana.username, 'not-the-password', 'guesser')).status)
  const wrong = statuses.filter((status) => status === 401).length
  const rows = await all(admin, { userId: ana.id, success: false })
  expect([wrong < statuses.length, rows.length]).toEqual([true, wrong + 1])
  expect(rows.filter(({ error }) => error?.startsWith('Refused')).length).toBe(1)
})

test('C7 sign-ins are forgotten after 90 days', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const admin = await server.person('admin')
  await all(admin)
  time.pass(60 * day)
  await login(server, admin.username, testPassword, 'later')
  time.pass(31 * day)
  await login(server, admin.username, 'not-the-password', 'now')
  await using _ = workOn(server, [cleanUpSignInActivity])
  await server.context.db.write((db) => enqueue(db, cleanUpSignInActivity, { byHand: true }, { now: time.clock() }))
  const left = async () =>
    (await server.context.db.read.selectFrom('sign_in_activity').select('user_agent').execute()).map(
      ({ user_agent }) => user_agent,
    )
  await expect.poll(left).toEqual(['later', 'now'])
})

test('C7 at the compatibility door an administrator sees all, with a source that strict clients can read', async () => {
  await using server = await startServer({ env: doorsOpen })
  const admin = await server.person('admin')
  const ana = await server.person('reader', { username: 'ana' })
  const path = 'api/v2/users/authentication-activity'
  const [asAdmin, asAna] = [compatClient(server, admin, 'web'), compatClient(server, ana, 'phone')]
  await asAna.get('api/v1/libraries')
  await compatClient(server, { username: 'ana', password: 'not-the-password' }, 'thief').get('api/v1/libraries')
  const { key } = bodyOf(await ana.call(api.createApiKey, { body: { name: 'Reader' } }))
  await compatApp(server.url, { headers: { 'x-api-key': key } }).send('/api/v1/libraries')
  const { body } = await asAdmin.get<CompatPage<CompatActivity>>(`${path}?size=50`)
  expect(body.content.every(({ source, dateTime }) => source !== '' && dateTime.endsWith('Z'))).toBe(true)
  expect(body.content).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ email: 'ana', success: true, source: 'Password', userAgent: 'phone' }),
      expect.objectContaining({ email: 'ana', success: false, source: 'Password', userAgent: 'thief' }),
      expect.objectContaining({ email: 'ana', success: true, source: 'ApiKey', apiKeyComment: 'Reader' }),
      expect.objectContaining({ email: admin.username, source: 'Password' }),
    ]),
  )
  const mine = (await asAna.get<CompatPage<CompatActivity>>('api/v2/users/me/authentication-activity')).body.content
  expect(new Set(mine.map(({ userId }) => userId))).toEqual(new Set([ana.id]))
  expect(mine.some(({ success }) => !success)).toBe(true)
  expect((await asAna.get(path)).status).toBe(403)
  const second = (await asAdmin.get<CompatPage<CompatActivity>>(`${path}?size=2&page=1`)).body
  expect(second).toMatchObject({ number: 1, size: 2, numberOfElements: 2 })

  const latest = (client: typeof asAna, id: string, more = '') =>
    client.get<CompatActivity>(`api/v2/users/${id}/authentication-activity/latest${more}`)
  const [apiKey] = (await asAna.get<{ id: string }[]>('api/v2/users/me/api-keys')).body
  expect((await latest(asAdmin, ana.id, `?apikey_id=${apiKey?.id ?? ''}`)).body).toMatchObject({ source: 'ApiKey' })
  expect((await latest(asAdmin, ana.id)).body).toMatchObject({ userId: ana.id, success: true })
  expect([(await latest(asAna, ana.id)).status, (await latest(asAna, admin.id)).status]).toEqual([200, 404])
  const users = (await asAdmin.get<CompatUser[]>('api/v2/users')).body
  expect(users).toHaveLength(2)
})
