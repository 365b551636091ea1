import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { Client } from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { latestVersion } from '../../src/database/migrate.ts'
import { callsOfFile } from './calls.ts'
import { type Carrel, startCarrel, testPassword, withoutWorker } from './carrel.ts'
import { postgresOfFile } from './postgres-of-file.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const postgres = postgresOfFile()
const call = callsOfFile()
let env: Readonly<Record<string, string>>
beforeEach(async () => {
  env = { CARREL_DATABASE_URL: await postgres.newDatabase() }
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

test('LIM-3 HTTP-2 without its PostgreSQL each server limits on its own, and tells the others when it is back', async () => {
  env = { ...env, ...withoutWorker, CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS: '1' }
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
  await call(['migrate'], { cwd: folder.path, env })
  await query(`update schema_version set version = ${latestVersion + 1}`)

  for (const command of ['serve', 'migrate']) {
    expect(await call([command], { cwd: folder.path, env })).toMatchObject({
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
    const finished = await call(['serve'], { cwd: folder.path, env: { CARREL_DATABASE_URL: url.href } })
    expect(finished).toMatchObject({ code: 1, stdout: '' })
    expect(finished.stderr).toMatch(/^The database cannot be opened: .+\n$/)
    expect(finished.stderr).not.toContain(url.password)
  }
})

test('CFG-1 a PostgreSQL in which no tables can be made stops the start with one line that says what to do', async () => {
  await using folder = await temporaryFolder()
  const inDatabase = async (...statements: readonly string[]) => {
    env = { CARREL_DATABASE_URL: await postgres.newDatabase() }
    const url = new URL(env.CARREL_DATABASE_URL ?? '')
    for (const statement of statements) await query(statement.replace('THIS', url.pathname.slice(1)))
    return url
  }
  const asTenant = (url: URL): URL => Object.assign(url, { username: 'tenant', password: 'secret-of-tenant' })
  const latin = await inDatabase(
    `create role tenant login password 'secret-of-tenant'`,
    `create database latin encoding 'LATIN1' locale 'C' template template0`,
  )
  latin.pathname = '/latin'
  const unfit: readonly (readonly [URL, RegExp])[] = [
    [latin, /encoded as LATIN1.+encoding 'UTF8'/],
    // What PostgreSQL 15 and newer do by themselves.
    [
      asTenant(await inDatabase()),
      /"tenant" may make no tables there: alter database "\w+" owner to "tenant", or grant/,
    ],
    [await inDatabase('alter database THIS set search_path = nowhere'), /no schema that the search_path of/],
    [await inDatabase('alter database THIS set default_transaction_read_only = on'), /it takes no changes/],
  ]

  for (const [url, reason] of unfit) {
    const finished = await call(['serve'], { cwd: folder.path, env: { CARREL_DATABASE_URL: url.href } })
    expect(finished).toMatchObject({ code: 1, stdout: '' })
    expect(finished.stderr).toMatch(/^The database cannot be opened: .+\n$/)
    expect(finished.stderr).toMatch(reason)
    const examined = await call(['doctor'], { cwd: folder.path, env: { CARREL_DATABASE_URL: url.href } })
    expect(examined.stdout).toMatch(reason)
  }
})

test('CFG-6 carrel doctor says of a PostgreSQL that it answers and how large it is', async () => {
  await using folder = await temporaryFolder()
  const own = { cwd: folder.path, env: { CARREL_DATABASE_URL: await postgres.newDatabase() } }
  expect(await call(['migrate'], own)).toMatchObject({ code: 0 })

  const { stdout } = await call(['doctor', '--json'], own)

  const { findings } = JSON.parse(stdout) as { readonly findings: readonly unknown[] }
  expect(findings).toContainEqual({
    check: 'database',
    status: 'ok',
    message: expect.stringMatching(/^PostgreSQL answers \(\d+ MiB\)\.$/),
  })
})

test('CFG-6 a PostgreSQL with tables of another program is left alone, and exit code 3 says so', async () => {
  await query('create table book (id integer)')
  await using folder = await temporaryFolder()

  const finished = await call(['serve'], { cwd: folder.path, env })

  expect(finished).toMatchObject({ code: 3, stdout: '' })
  expect(finished.stderr).toMatch(/^The database has a table "book" of another program.+no table was changed\.\n$/)
  expect(await query(`select tablename from pg_tables where schemaname = 'public'`)).toEqual([{ tablename: 'book' }])
})

test('CFG-1 a schema of the name of its role, without any right to others, is enough', async () => {
  await query(`create role alone login password 'secret-of-alone'`)
  await query(`create schema alone authorization alone`)
  const url = Object.assign(new URL(env.CARREL_DATABASE_URL ?? ''), { username: 'alone', password: 'secret-of-alone' })
  env = { ...withoutWorker, CARREL_DATABASE_URL: url.href }
  await using folder = await temporaryFolder()
  await using one = await startNode(folder, 'one')
  expect((await one.call(api.readReadiness, {})).status).toBe(200)
})
