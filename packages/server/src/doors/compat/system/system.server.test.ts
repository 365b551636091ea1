import * as api from '@carrel/api'
import type { CompatMetric, CompatServerSettings } from '@carrel/api/doors'
import { afterAll, expect, test } from 'vitest'
import { basic, compatApp } from '../../../../test/compat-app.ts'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { compatClient } from '../../../../test/doors/compat-client.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { startServer, testPassword } from '../../../../test/start-server.ts'

const server = await startServer({ env: doorsOpen })
afterAll(() => server[Symbol.asyncDispose]())
const admin = await server.person('admin')
const app = compatClient(server, admin)
const settings = async () => (await app.get<CompatServerSettings>('api/v1/settings')).body
const change = (body: unknown) => app.send('PATCH', 'api/v1/settings', body)

test('C9 settings have every key that strict clients decode, and say what is', async () => {
  const nowhere = { configurationSource: null, databaseSource: null, effectiveValue: null }
  const { port, workerConcurrency } = server.context.config
  expect(await settings()).toStrictEqual({
    deleteEmptyCollections: false,
    deleteEmptyReadLists: false,
    rememberMeDurationDays: 365,
    thumbnailSize: 'DEFAULT',
    taskPoolSize: workerConcurrency,
    serverPort: { configurationSource: port, databaseSource: null, effectiveValue: port },
    serverContextPath: { configurationSource: '/komga', databaseSource: null, effectiveValue: '/komga' },
    koboProxy: false,
    koboPort: null,
    kepubifyPath: nowhere,
  })
})

test('C10 settings that mean something are changed, the others may be sent as they are and are refused else', async () => {
  for (const [thumbnailSize, edge] of [
    ['XLARGE', 1200],
    ['DEFAULT', 400],
    ['MEDIUM', 600],
  ] as const) {
    expect((await change({ thumbnailSize })).status).toBe(204)
    expect((await settings()).thumbnailSize).toBe(thumbnailSize)
    const setting = await admin.call(api.readSetting, { params: { key: 'thumbnail.max_dimension' } })
    expect(bodyOf(setting).value).toBe(edge)
  }
  const standing = await settings()
  for (const body of [
    { taskPoolSize: standing.taskPoolSize + 1 },
    { deleteEmptyCollections: true },
    { rememberMeDurationDays: 30 },
    { renewRememberMeKey: true },
    { serverPort: 1 },
    { koboProxy: true },
    { kepubifyPath: '/bin/kepubify', thumbnailSize: 'LARGE' },
  ]) {
    const [field = ''] = Object.keys(body)
    const refused = await change(body)
    expect([refused.status, refused.body]).toMatchObject([400, { message: expect.stringContaining(field) as unknown }])
  }
  const { serverPort, serverContextPath, kepubifyPath, ...asTheyAre } = standing
  const effective = { serverPort: serverPort.effectiveValue, serverContextPath: serverContextPath.effectiveValue }
  expect((await change({ ...asTheyAre, ...effective, kepubifyPath: kepubifyPath.effectiveValue })).status).toBe(204)
  expect(await settings()).toEqual(standing)
  const reader = compatClient(server, await server.person('reader'))
  expect((await reader.send('PATCH', 'api/v1/settings', { thumbnailSize: 'LARGE' })).status).toBe(403)
})

test('C10 figures of the server are told to administrators, of all and of one library', async () => {
  const { db } = server.context
  const [one, other] = [await addLibrary(db, { name: 'One' }), await addLibrary(db, { name: 'Two', path: '/data/two' })]
  for (const [library, count] of [
    [one, 2],
    [other, 3],
  ] as const)
    await addBooks(
      db,
      await addSeries(db, library),
      Array.from({ length: count }, () => ({ size: 1000 })),
    )
  const metric = async (name: string, tag = '') => (await app.get<CompatMetric>(`actuator/metrics/${name}${tag}`)).body
  const { names } = (await app.get<{ names: string[] }>('actuator/metrics')).body
  for (const name of names)
    expect(await metric(name)).toMatchObject({
      name,
      measurements: expect.arrayContaining([
        { statistic: expect.any(String) as unknown, value: expect.any(Number) as unknown },
      ]) as unknown,
    })
  expect(await metric('komga.books')).toMatchObject({
    measurements: [{ statistic: 'VALUE', value: 5 }],
    availableTags: [{ tag: 'library', values: [one.id, other.id] }],
  })
  expect((await metric('komga.books', `?tag=library:${other.id}`)).measurements).toEqual([
    { statistic: 'VALUE', value: 3 },
  ])
  expect((await metric('komga.books.filesize', `?tag=library:${one.id}`)).measurements).toEqual([
    { statistic: 'VALUE', value: 2000 },
  ])
  expect((await app.get('actuator/metrics/jvm.memory')).status).toBe(404)
  const reader = compatClient(server, await server.person('reader'))
  expect((await reader.get('actuator/metrics')).status).toBe(403)
  expect((await reader.get('actuator/metrics/komga.books')).status).toBe(403)
})

test('C10 a password is changed by a session that was begun with it, not by a key or a remembered session', async () => {
  const ana = await server.person('reader')
  const path = '/api/v2/users/me/password'
  const newPassword = 'another-lamp-over-snow'
  const put = (headers: Record<string, string>, body: unknown = { password: newPassword }) =>
    compatApp(server.url, { keepsCookies: false }).send(path, { method: 'PATCH', headers, body })
  const web = compatApp(server.url)
  await web.send('/api/v2/users/me?remember-me=true', { headers: basic(ana.username, testPassword) })
  const remembered = `komga-remember-me=${web.cookies.get('komga-remember-me') ?? ''}`
  const { key } = bodyOf(await ana.call(api.createApiKey, { body: { name: 'app' } }))
  for (const headers of [{ cookie: remembered }, { 'x-api-key': key }, { authorization: `Bearer ${ana.accessToken}` }])
    expect((await put(headers)).status).toBe(403)
  expect((await web.send(path, { method: 'PATCH', body: { password: 'password1234' } })).status).toBe(400)
  expect((await web.send(path, { method: 'PATCH', body: { password: newPassword } })).status).toBe(204)
  expect((await web.send('/api/v2/users/me')).status).toBe(200)
  const signsIn = async (password: string) =>
    (await server.call(api.login, { body: { username: ana.username, password } })).status
  expect([await signsIn(testPassword), await signsIn(newPassword)]).toEqual([401, 200])
  expect((await ana.call(api.readMe, {})).status).toBe(401)
  expect((await compatApp(server.url).send('/api/v2/users/me', { headers: { cookie: remembered } })).status).toBe(401)
})
