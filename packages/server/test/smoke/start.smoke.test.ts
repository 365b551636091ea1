import { once } from 'node:events'
import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { plainRequest } from '../plain-request.ts'
import { callsOfFile } from './calls.ts'
import { claim, logged, logLinesOf, signIn, startCarrel, testPassword, withoutWorker } from './carrel.ts'
import { endOf, launch, run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const call = callsOfFile()
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

test('CFG-1 CFG-5 with nothing set it serves on 127.0.0.1, with SQLite in ./data that nobody else can read, and tells its start in JSON', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path })
  const dataDir = join(folder.path, 'data')

  expect(new URL(carrel.url).hostname).toBe('127.0.0.1')
  expect(await carrel.call(api.readHealth, {})).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await carrel.call(api.readReadiness, {})).toMatchObject({ status: 200, body: { status: 'ok' } })
  const names = await readdir(dataDir)
  expect(names).toEqual(expect.arrayContaining(['carrel.db', 'secret.key', 'setup-token']))
  expect(await modeOf(dataDir)).toBe('700')
  expect(await Promise.all(names.map(async (name) => `${name} ${await modeOf(join(dataDir, name))}`))).toEqual(
    names.map((name) => `${name} 600`),
  )

  // Without a terminal the setup token has a line of its own.
  const token = (await readFile(join(dataDir, 'setup-token'), 'utf8')).trim()
  const announcement = await waitUntil('the setup token', () =>
    logLinesOf(carrel).find(({ setupToken }) => setupToken === token),
  )
  expect(announcement).toMatchObject({ level: 'info', setupToken: token })
  expect(logLinesOf(carrel)).toHaveLength(carrel.stdout().trimEnd().split('\n').length)
  expect(logLinesOf(carrel)).toContainEqual(
    expect.objectContaining({ msg: 'Carrel is ready', url: carrel.url, version: expect.any(String) }),
  )
})

test('CFG-1 the data directory is ./data of the folder it was started in, and the port 8080, unless set', async () => {
  await using folder = await temporaryFolder()

  const checked = await call(['config', 'check'], { cwd: folder.path })

  expect(checked.code).toBe(0)
  expect(checked.stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'CARREL_HOST=127.0.0.1  (default)',
      'CARREL_PORT=8080  (default)',
      'CARREL_DATA_DIR=./data  (default)',
    ]),
  )
  // Looking at the configuration makes nothing.
  expect(await readdir(folder.path)).toEqual([])
})

test('CFG-5 W7 the start-up block prints the setup token, which is gone after the claim; secret, tokens and sessions outlive a restart', async () => {
  await using folder = await temporaryFolder()
  const env = { ...withoutWorker, CARREL_LOG_FORMAT: 'text' }
  await using carrel = await startCarrel({ cwd: folder.path, env })
  const file = join(carrel.dataDir, 'setup-token')
  const token = (await readFile(file, 'utf8')).trim()
  const block = await waitUntil('the setup token', () => carrel.stdout().includes(token) && carrel.stdout())

  expect(block).toContain(`  Address    ${carrel.url}\n  Reference  ${carrel.url}/api/docs\n  Database   SQLite, `)
  expect(block).toContain(
    `Create the first one in a browser, at\n             ${carrel.url}\n  or here, in another terminal:\n             npx carrel user add NAME --role admin\n`,
  )
  expect(token).toMatch(/^[0-9a-f]{32}$/)
  expect(await carrel.call(api.readSetupStatus, {})).toMatchObject({ body: { setupRequired: true, hasUsers: false } })

  // A proxy passes on a request from elsewhere like this.
  const fromElsewhere = { 'x-forwarded-for': '192.0.2.7' }
  const body = { username: 'ana', password: testPassword }
  const setUp = (setupToken?: string) =>
    carrel.call(api.setUp, { body: { ...body, ...(setupToken && { setupToken }) } }, { headers: fromElsewhere })
  expect((await setUp()).status).toBe(403)
  expect((await setUp('0'.repeat(32))).status).toBe(403)
  const claimed = await setUp(token)
  expect(claimed.status).toBe(201)

  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await carrel.call(api.readSetupStatus, {})).toMatchObject({ body: { setupRequired: false, hasUsers: true } })
  expect((await setUp(token)).status).toBe(409)

  const secretFile = join(carrel.dataDir, 'secret.key')
  const secret = await readFile(secretFile, 'utf8')
  carrel.kill('SIGTERM')
  expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
  await using again = await startCarrel({ cwd: folder.path, env })
  expect(again.stdout()).not.toContain(token)
  expect(again.stdout()).not.toContain('Nobody has an account yet')
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await readFile(secretFile, 'utf8')).toBe(secret)
  expect(secret.trim().length).toBeGreaterThanOrEqual(32)
  const authorization = `Bearer ${bodyOf(claimed).accessToken}`
  const me = await again.callWith({ authorization })(api.readMe, {})
  expect(me).toMatchObject({ status: 200, body: { username: 'ana' } })
  again.kill('SIGTERM')
  await endOf(again)

  await chmod(secretFile, 0o644)
  const refused = await run(['serve'], { cwd: folder.path, env: { CARREL_PORT: '0' } })
  expect(refused).toEqual({
    code: 78,
    signal: null,
    stdout: '',
    stderr: `${secretFile} can be read by others: chmod 600 it\n`,
  })
})

test('CFG-3 CARREL_ADMIN_* makes the first administrator, and is ignored with one log line once there are users', async () => {
  await using folder = await temporaryFolder()
  const env = { ...withoutWorker, CARREL_ADMIN_USERNAME: 'Root', CARREL_ADMIN_PASSWORD: testPassword }
  await using first = await startCarrel({ cwd: folder.path, env })
  expect((await signIn(first, 'root')).user).toMatchObject({ username: 'Root', role: 'admin' })
  expect(await readdir(first.dataDir)).not.toContain('setup-token')
  expect(first.stdout()).not.toContain('setupToken')
  first.kill('SIGTERM')
  await endOf(first)

  const changed = { ...withoutWorker, CARREL_ADMIN_USERNAME: 'other', CARREL_ADMIN_PASSWORD: 'brass-kettle-at-dawn' }
  await using second = await startCarrel({ cwd: folder.path, env: changed })
  const lines = logLinesOf(second).filter(({ msg }) => String(msg).includes('CARREL_ADMIN_'))
  expect(lines.map(({ msg }) => msg)).toEqual([
    'There are users already: CARREL_ADMIN_USERNAME and CARREL_ADMIN_PASSWORD are ignored',
  ])
  const root = await signIn(second, 'root')
  expect(bodyOf(await root.call(api.listUsers, {})).data.map(({ username }) => username)).toEqual(['Root'])
})

test('CFG-3 W17 an administrator whose password is too short or too common stops the start, and is not printed', async () => {
  await using folder = await temporaryFolder()
  const attempt = (CARREL_ADMIN_PASSWORD: string) =>
    call(['serve'], {
      cwd: folder.path,
      env: { CARREL_PORT: '0', CARREL_ADMIN_USERNAME: 'root', CARREL_ADMIN_PASSWORD },
    })

  expect(await attempt('short-one')).toMatchObject({
    code: 78,
    stdout: '',
    stderr: 'CARREL_ADMIN_PASSWORD is set to something, but must be 10 to 256 characters\n',
  })
  const common = await attempt('1234567890')
  expect(common).toMatchObject({ code: 78, stdout: '' })
  expect(common.stderr).toMatch(/^CARREL_ADMIN_PASSWORD is one of the commonest passwords.*\n$/)
  expect(common.stderr).not.toContain('1234567890')
  expect(await readdir(folder.path)).toEqual([])
})

test('CFG-3 under CARREL_BASE_PATH everything is there, with a proxy that takes the path away and one that does not', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: { ...withoutWorker, CARREL_BASE_PATH: '/books/' } })
  const { origin } = new URL(carrel.url)
  expect(carrel.url).toBe(`${origin}/books`)

  const paths = ['/books/health', '/health', '/books/api/v1/info', '/api/v1/info', '/books', '/books/']
  const statusOf = async (path: string) => `${path} ${(await plainRequest(`${origin}${path}`)).status}`
  expect(await Promise.all(paths.map(statusOf))).toEqual(paths.map((path) => `${path} 200`))
  // Only a whole path segment is the base path: this is some page of the app, not the health of the server.
  expect((await plainRequest(`${origin}/bookshelf/health`)).headers['content-type']).toContain('text/html')
  const front = await plainRequest(`${origin}/books/`)
  expect([...front.text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address)).toSatisfy(
    (addresses: string[]) => addresses.length > 0 && addresses.every((address) => address.startsWith('/books/')),
  )
  const visitor = await claim(carrel)
  const reply = await carrel.call(api.login, { body: { username: 'ana', password: testPassword } })
  expect(reply.headers.get('set-cookie')).toContain('Path=/books;')
  expect(bodyOf(await visitor.call(api.listUsers, {})).links.self).toMatch(/^\/books\/api\/v1\/users\?/)
})

test('CFG-3 a port that is taken stops the start with one line', async () => {
  await using folder = await temporaryFolder()
  await using other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo

  expect(await run(['serve'], { cwd: folder.path, env: { CARREL_PORT: String(port) } })).toMatchObject({
    code: 78,
    stderr: `Port ${port} is taken by another program: stop that one or set CARREL_PORT\n`,
  })
})

test('CFG-1 a server that is told to stop while it starts leaves nothing that hinders the next', async () => {
  await using folder = await temporaryFolder()
  await using stopped = launch(['serve'], { cwd: folder.path, env: { CARREL_PORT: '0' } })
  stopped.kill('SIGTERM')
  await endOf(stopped)

  await using carrel = await startCarrel({ cwd: folder.path })
  expect((await carrel.call(api.readHealth, {})).status).toBe(200)
  expect(logged(carrel, 'Carrel is ready')).toBe(true)
})

test.each(['', ':/etc/localtime', 'Middle-earth/Shire'])(
  'TSK-1 CFG-6 what happens by itself does so where TZ is "%s", by UTC, which the start and carrel doctor say',
  async (TZ) => {
    await using folder = await temporaryFolder()
    await using carrel = await startCarrel({ cwd: folder.path, env: { TZ } })
    using database = new DatabaseSync(join(carrel.dataDir, 'carrel.db'), { readOnly: true })
    const backup = database.prepare("select pattern from schedule where name = 'backup'")

    await waitUntil('a schedule of backups', () => backup.get() !== undefined)
    const doctor = await run(['doctor'], { cwd: folder.path, env: { TZ, CARREL_DATA_DIR: carrel.dataDir } })

    expect(backup.get()?.['pattern']).toMatch(/ UTC$/)
    expect(carrel.stdout()).toContain('The time zone of this machine is not known')
    expect(doctor.stdout).toContain('Set TZ to a name')
  },
)
