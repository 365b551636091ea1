import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { plainRequest } from '../plain-request.ts'
import { callsOfFile } from './calls.ts'
import { type Carrel, startCarrel, withoutWorker } from './carrel.ts'
import { postgresOfFile } from './postgres-of-file.ts'
import { endOf, type Program } from './program.ts'
import { rawConnection } from './raw-connection.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const postgres = postgresOfFile()
const call = callsOfFile()

const trace = { CARREL_LOG_LEVEL: 'trace', CARREL_RATE_LIMIT_ENABLED: 'false', CARREL_METRICS_ENABLED: 'true' }
const passwords = {
  first: 'first-password-violet',
  changed: 'changed-password-amber',
  ofAnother: 'another-password-teal',
  replaced: 'replaced-password-olive',
  wrong: 'wrong-password-maroon',
  inAName: 'password-as-name-coral',
  ofWrongType: 'password-in-a-list-ivory',
  inBrokenJson: 'password-broken-off-lilac',
  ofCommand: 'password-of-command-beige',
}

const basic = (username: string, password: string) => Buffer.from(`${username}:${password}`).toString('base64')

interface Secrets {
  readonly [what: string]: string
}

/** It uses each kind of secret in the ways it can be used, rightly and wrongly, and returns all of them. */
const useSecrets = async (carrel: Carrel, setupToken: string): Promise<Secrets> => {
  const fromElsewhere = { 'x-forwarded-for': '192.0.2.7' }
  const first = { username: 'ana', password: passwords.first }
  const wrongSetupToken = 'f'.repeat(32)
  await carrel.call(api.setUp, { body: { ...first, setupToken: wrongSetupToken } }, { headers: fromElsewhere })
  const setUp = await carrel.call(api.setUp, { body: { ...first, setupToken } }, { headers: fromElsewhere })
  const { accessToken, refreshToken } = bodyOf(setUp)
  const cookie = /carrel_session=([^;]+)/.exec(setUp.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const ana = carrel.callWith({ authorization: `Bearer ${accessToken}` })
  const keys = { created: bodyOf(await ana(api.createApiKey, { body: { name: 'Script' } })).key }
  const renewed = bodyOf(await carrel.call(api.refresh, { body: { refreshToken } }))
  await carrel.call(api.refresh, { body: { refreshToken: `${refreshToken}x` } })

  await usePasswords(carrel, ana)
  await useHeaders(carrel, { accessToken, cookie, key: keys.created, refreshToken })
  await sendBrokenThings(carrel, { accessToken, key: keys.created })
  await ana(api.changePassword, { body: { currentPassword: passwords.wrong, newPassword: passwords.changed } })
  await ana(api.changePassword, { body: { currentPassword: passwords.first, newPassword: passwords.changed } })
  await ana(api.logout, { body: { refreshToken: renewed.refreshToken } })
  return {
    ...passwords,
    wrongSetupToken,
    accessToken,
    refreshToken,
    cookie,
    key: keys.created,
    renewedAccessToken: renewed.accessToken,
    renewedRefreshToken: renewed.refreshToken,
    basicRight: basic('ana', passwords.first),
    basicWrong: basic('ana', passwords.wrong),
  }
}

const usePasswords = async (carrel: Carrel, ana: Carrel['call']): Promise<void> => {
  for (const [username, password] of [
    ['ana', passwords.first],
    ['ana', passwords.wrong],
    ['nobody', passwords.wrong],
    [passwords.inAName, 'x'],
  ] as const) {
    await carrel.call(api.login, { body: { username, password } })
  }
  const bo = bodyOf(await ana(api.createUser, { body: { username: 'bo', password: passwords.ofAnother } }))
  // A second one of that name breaks a rule of the database, which says what was in the statement.
  await ana(api.createUser, { body: { username: 'bo', password: passwords.ofAnother } })
  await ana(api.updateUser, { params: { id: bo.id }, body: { password: passwords.replaced } })
  const wrongType = { username: 'cy', password: [passwords.ofWrongType] } as unknown as api.NewUser
  await ana(api.createUser, { body: wrongType })
}

type Credentials = Readonly<Record<'accessToken' | 'cookie' | 'key' | 'refreshToken', string>>

const useHeaders = async (carrel: Carrel, credentials: Credentials): Promise<void> => {
  const { accessToken, cookie, key, refreshToken } = credentials
  for (const headers of [
    { authorization: `Bearer ${accessToken}` },
    { authorization: `bearer  ${key}` },
    { authorization: `Nonsense ${accessToken}` },
    { authorization: `Basic ${basic('ana', passwords.first)}` },
    { authorization: `Basic ${basic('ana', passwords.wrong)}` },
    { cookie: `theme=dark; carrel_session=${cookie}` },
    { cookie: `carrel_session=${cookie}x; KOMGA-SESSION=${cookie}; komga-remember-me=${cookie}` },
    { 'X-Api-Key': key },
    { 'X-API-KEY': `${key}x` },
    { 'x-auth-token': accessToken, 'proxy-authorization': `Basic ${basic('ana', passwords.first)}` },
    { 'x-auth-user': key, 'x-auth-key': refreshToken },
    { referer: `${carrel.url}/api/docs?apiKey=${key}`, 'x-original-uri': `/api/v1/info?token=${accessToken}` },
  ]) {
    for (const path of ['/api/v1/auth/me', '/api/v1/info', '/no/such/place']) {
      await plainRequest(carrel.url + path, { headers })
    }
  }
  await plainRequest(`${carrel.url}/api/v1/auth/me?apiKey=${key}&access_token=${accessToken}`)
  await plainRequest(`${carrel.url}/api/v1/users?q=${passwords.wrong}&pageSize=0`, { headers: { 'x-api-key': key } })
}

const sendBrokenThings = async (
  carrel: Carrel,
  credentials: Pick<Credentials, 'accessToken' | 'key'>,
): Promise<void> => {
  const { accessToken, key } = credentials
  for (const body of [
    `{"username":"ana","password":"${passwords.inBrokenJson}`,
    `"${passwords.inBrokenJson}`,
    passwords.inBrokenJson,
    `{"username":"ana","password":"${passwords.wrong}","${passwords.inBrokenJson}":true}`,
  ]) {
    await plainRequest(`${carrel.url}/api/v1/auth/login`, { method: 'POST', body })
  }
  for (const head of [`Authorization: Bearer ${accessToken}\r\nBad Header\u0000: x`, `X-API-Key: ${key}\r\nHost`]) {
    await using connection = await rawConnection(carrel.url)
    connection.write(`GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`)
    await waitUntil('the refusal', () => connection.received().includes('HTTP/1.1 400'))
  }
}

const foundIn = (output: string, secrets: Secrets): string[] =>
  Object.entries(secrets)
    .filter(([, secret]) => {
      if (secret.length < 20) throw new Error(`${secret} is too short to be looked for`)
      return output.includes(secret)
    })
    .map(([what]) => what)

const outputOf = (program: Pick<Program, 'stdout' | 'stderr'>): string => program.stdout() + program.stderr()

/** It removes the one line whose purpose it is to show the token. */
const withoutAnnouncement = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !line.includes('"msg":"Nobody has an account yet') && !/^ {13}[0-9a-f]{32}$/.test(line))
    .join('\n')

// What the worker logs is looked through once.
test.each([
  ['json', {}],
  ['text', withoutWorker],
])('T-52 AUTH-3 whatever is logged, as %s on SQLite, no secret is', async (format, roles) => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: { ...trace, ...roles, CARREL_LOG_FORMAT: format } })
  const setupToken = (await readFile(join(carrel.dataDir, 'setup-token'), 'utf8')).trim()
  const secretKey = (await readFile(join(carrel.dataDir, 'secret.key'), 'utf8')).trim()

  const secrets = { ...(await useSecrets(carrel, setupToken)), setupToken, secretKey }
  const env = { ...trace, CARREL_LOG_FORMAT: format }
  const added = await call(['user', 'add', 'di'], { cwd: folder.path, env, input: passwords.ofCommand })
  carrel.kill('SIGTERM')
  await endOf(carrel)

  const output = withoutAnnouncement(outputOf(carrel)) + added.stdout + added.stderr
  expect(output).toContain('[redacted]')
  expect(output).toContain('insert into ')
  expect(foundIn(output, secrets)).toEqual([])
})

test('T-52 CFG-5 whatever is logged on PostgreSQL, no secret of the configuration is either', async () => {
  await using folder = await temporaryFolder()
  const url = new URL(await postgres.newDatabase())
  const env = {
    ...trace,
    CARREL_DATABASE_URL: url.href,
    CARREL_SECRET_KEY: 'the-secret-key-of-this-installation-crimson',
    CARREL_ADMIN_USERNAME: 'root',
    CARREL_ADMIN_PASSWORD: 'password-of-root-magenta',
  }
  await using carrel = await startCarrel({ cwd: folder.path, env })
  const root = { username: 'root', password: env.CARREL_ADMIN_PASSWORD }
  const { accessToken, refreshToken } = bodyOf(await carrel.call(api.login, { body: root }))
  const ana = carrel.callWith({ authorization: `Bearer ${accessToken}` })
  await usePasswords(carrel, ana)
  // While the database is gone, errors of the driver are logged.
  await postgres.pause()
  await carrel.call(api.login, { body: root })
  await carrel.call(api.refresh, { body: { refreshToken } })
  await ana(api.readMe, {})
  await carrel.call(api.readReadiness, {})
  await postgres.resume()
  carrel.kill('SIGTERM')
  await endOf(carrel)

  const output = outputOf(carrel)
  const secrets = {
    ...passwords,
    accessToken,
    refreshToken,
    secretKey: env.CARREL_SECRET_KEY,
    adminPassword: env.CARREL_ADMIN_PASSWORD,
    databaseUrl: url.href,
    databasePassword: `:${url.password}@127.0.0.1`,
  }
  expect(output).toContain('insert into ')
  expect(output).toMatch(/ECONNREFUSED|terminat/)
  expect(foundIn(output, secrets)).toEqual([])
  expect(output).not.toContain(url.password)
})
