import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { Client } from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { latestVersion } from '../../src/database/migrate.ts'
import { bodyOf } from '../outcome.ts'
import { type Carrel, claim, startCarrel, testPassword } from './carrel.ts'
import { postgresOfFile } from './postgres-of-file.ts'
import { run } from './program.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const postgres = postgresOfFile()
let env: Readonly<Record<string, string>>
beforeEach(async () => {
  env = { CARREL_DATABASE_URL: await postgres.newDatabase(), CARREL_RATE_LIMIT_ENABLED: 'false' }
})

/** A server of the same installation, on a machine of its own. */
const startNode = async (folder: TemporaryFolder, name: string): Promise<Carrel> => {
  const cwd = join(folder.path, name)
  await mkdir(cwd)
  return startCarrel({ cwd, env })
}

const query = async <Row extends object>(statement: string): Promise<Row[]> => {
  const client = new Client({ connectionString: env.CARREL_DATABASE_URL })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(statement)
    return rows
  } finally {
    await client.end()
  }
}

test('CFG-5 AUTH-1 W16 servers that share a PostgreSQL share the secret, the sessions and their ends', async () => {
  await using folder = await temporaryFolder()
  await using one = await startNode(folder, 'one')
  await using other = await startNode(folder, 'other')
  expect(await readdir(other.dataDir)).not.toContain('secret.key')
  const ana = await claim(one)
  const key = bodyOf(await ana.call(api.createApiKey, { body: { name: 'Script' } }))
  const elsewhere = {
    token: other.callWith({ authorization: `Bearer ${ana.accessToken}` }),
    cookie: other.callWith({ cookie: ana.cookie }),
    key: other.callWith({ 'x-api-key': key.key }),
  }
  const statusOf = async (name: keyof typeof elsewhere) => (await elsewhere[name](api.readMe, {})).status
  const refused = (name: keyof typeof elsewhere) =>
    waitUntil(`the other server to refuse the ${name}`, async () => (await statusOf(name)) === 401)

  expect([await statusOf('token'), await statusOf('cookie'), await statusOf('key')]).toEqual([200, 200, 200])
  expect(await other.call(api.readSetupStatus, {})).toMatchObject({ body: { setupRequired: false } })
  expect((await other.call(api.setUp, { body: { username: 'bo', password: testPassword } })).status).toBe(409)

  await ana.call(api.logout, {})
  await refused('token')
  await refused('cookie')
  const again = bodyOf(await other.call(api.login, { body: { username: 'ana', password: testPassword } }))
  const call = one.callWith({ authorization: `Bearer ${again.accessToken}` })
  expect(await statusOf('key')).toBe(200)
  expect((await call(api.deleteApiKey, { params: { id: key.id } })).status).toBe(204)
  await refused('key')
})

test('CFG-4 a setting changed at one server takes effect at the other', async () => {
  env = { ...env, CARREL_RATE_LIMIT_ENABLED: 'true' }
  await using folder = await temporaryFolder()
  await using one = await startNode(folder, 'one')
  await using other = await startNode(folder, 'other')
  const ana = await claim(one)
  const limitElsewhere = async () => (await other.call(api.readHealth, {})).headers.get('x-ratelimit-limit')
  expect(await limitElsewhere()).toBe('50')

  const params = { key: 'rate_limit.anonymous_burst' }
  expect((await ana.call(api.saveSetting, { params, body: { value: 77 } })).status).toBe(200)
  await waitUntil('the new limit', async () => (await limitElsewhere()) === '77')
  expect((await ana.call(api.resetSetting, { params })).status).toBe(200)
  expect(await waitUntil('the old limit', async () => (await limitElsewhere()) === '50')).toBe(true)
})

test('CFG-1 servers that start together migrate once, agree on one secret and one first administrator', async () => {
  env = { ...env, CARREL_ADMIN_USERNAME: 'root', CARREL_ADMIN_PASSWORD: testPassword }
  await using folder = await temporaryFolder()
  const names = ['one', 'two', 'three']
  await using nodes = new AsyncDisposableStack()
  const starts = await Promise.allSettled(names.map((name) => startNode(folder, name)))
  for (const start of starts) if (start.status === 'fulfilled') nodes.use(start.value)

  expect(starts.map(({ status }) => status)).toEqual(names.map(() => 'fulfilled'))

  expect(await query('select version from schema_version')).toEqual([{ version: latestVersion }])
  expect(await query('select username, role from "user"')).toEqual([{ username: 'root', role: 'admin' }])
  expect(await query('select name from secret')).toEqual([{ name: 'installation' }])
})

test('HTTP-8 HTTP-2 without its PostgreSQL the server says so and lives, and works again when it is back', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startNode(folder, 'one')
  const ana = await claim(carrel)
  const saved = { params: { key: 'reader.fit' }, body: { value: 'width' } }
  expect((await ana.call(api.savePreference, saved)).status).toBe(200)

  await postgres.pause()
  const calls = {
    read: () => ana.call(api.readPreferences, {}),
    write: () => ana.call(api.savePreference, saved),
    login: () => carrel.call(api.login, { body: { username: 'ana', password: testPassword } }),
    byCookie: () => carrel.callWith({ cookie: ana.cookie })(api.readMe, {}),
  }
  for (const ask of Object.values(calls)) {
    const outcome = await ask()
    expect(outcome).toMatchObject({ status: 503, error: { error: 'unavailable', requestId: expect.any(String) } })
    expect(Number(outcome.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }
  expect(await carrel.call(api.readHealth, {})).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect((await carrel.call(api.readLiveness, {})).status).toBe(200)
  expect((await carrel.call(api.readInfo, {})).status).toBe(200)
  const unready = await carrel.call(api.readReadiness, {})
  expect(unready).toMatchObject({
    status: 503,
    error: { status: 'not_ready', checks: { database: { status: 'failed' } } },
  })
  expect(unready.headers.get('retry-after')).toBe('5')

  await postgres.resume()
  await waitUntil('the server to be ready again', async () => (await carrel.call(api.readReadiness, {})).status === 200)
  expect(await calls.read()).toMatchObject({ status: 200, body: { preferences: { 'reader.fit': 'width' } } })
  expect((await calls.write()).status).toBe(200)
  expect((await calls.login()).status).toBe(200)
  expect((await calls.byCookie()).status).toBe(200)
})

test('LIM-3 HTTP-2 without its PostgreSQL each server limits on its own, and tells the others when it is back', async () => {
  env = { ...env, CARREL_RATE_LIMIT_ENABLED: 'true', CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS: '1' }
  await using folder = await temporaryFolder()
  await using one = await startNode(folder, 'one')
  await using other = await startNode(folder, 'other')
  const ask = async ({ call }: Carrel) => {
    const { status, headers } = await call(api.readInfo, {})
    return { status, remaining: Number(headers.get('x-ratelimit-remaining')) }
  }
  const lastDraw = async () =>
    (await query<{ filled_at: string }>(`select filled_at from rate_bucket where key like 'network %'`))[0]?.filled_at
  expect([await ask(one), await ask(other)]).toEqual([
    { status: 200, remaining: 49 },
    { status: 200, remaining: 48 },
  ])
  expect(await ask(one)).toEqual({ status: 200, remaining: 47 })
  const before = await lastDraw()

  await postgres.pause()
  const statuses = []
  for (let count = 0; count < 60; count += 1) statuses.push((await ask(one)).status)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(statuses.slice(0, 47)).toEqual(Array.from({ length: 47 }, () => 200))

  await postgres.resume()
  await waitUntil('a draw on the shared bucket', async () => {
    await ask(one)
    return (await lastDraw()) !== before
  })
  expect((await ask(other)).remaining).toBeLessThan(20)
})

test('CFG-6 a PostgreSQL of a newer program is left alone, and exit code 3 says so', async () => {
  await using folder = await temporaryFolder()
  await run(['migrate'], { cwd: folder.path, env })
  await query(`update schema_version set version = ${latestVersion + 1}`)

  for (const command of ['serve', 'migrate']) {
    expect(await run([command], { cwd: folder.path, env })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`schema version ${latestVersion + 1}, this program knows up to ${latestVersion}`),
    })
  }
})

test('CFG-1 a PostgreSQL that is not there, or not for us, stops the start with one line without its password', async () => {
  await using folder = await temporaryFolder()
  const wrongPassword = new URL(env.CARREL_DATABASE_URL ?? '')
  wrongPassword.password = 'not-the-right-one'
  const nobodyThere = new URL(wrongPassword)
  nobodyThere.port = '1'
  const noDatabase = new URL(env.CARREL_DATABASE_URL ?? '')
  noDatabase.pathname = '/missing'

  for (const url of [wrongPassword, nobodyThere, noDatabase]) {
    const finished = await run(['serve'], { cwd: folder.path, env: { CARREL_DATABASE_URL: url.href } })
    expect(finished).toMatchObject({ code: 1, stdout: '' })
    expect(finished.stderr).toMatch(/^The database cannot be opened: .+\n$/)
    expect(finished.stderr).not.toContain(url.password)
  }
})
