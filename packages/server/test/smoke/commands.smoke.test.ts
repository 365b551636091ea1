import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { migrations } from '../../src/database/migrations/index.ts'
import { bodyOf } from '../outcome.ts'
import { callsOfFile } from './calls.ts'
import { claim, signIn, startCarrel, testPassword, withoutWorker } from './carrel.ts'
import { run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

const commands = [
  'serve',
  'worker',
  'migrate',
  'upgrade',
  'user add',
  'user passwd',
  'scan',
  'backup',
  'restore',
  'export everything',
  'export sidecars',
  'import-from sidecars',
  'import-from carrel',
  'export',
  'import',
  'import-from',
  'objects move',
  'config check',
  'openapi',
  'doctor',
  'support-bundle',
]
const newPassword = 'brass-kettle-at-dawn'

const call = callsOfFile()

test('CFG-6 --help of every command says how it is called, and makes nothing', async () => {
  await using folder = await temporaryFolder()
  const overview = await run(['--help'], { cwd: folder.path })
  const listed = [...overview.stdout.matchAll(/^ {2}([\w-]+(?: \w+)?) {2,}\S/gm)].map(([, name]) => name)

  expect(overview).toMatchObject({ code: 0, stderr: '' })
  expect(listed).toEqual(commands)
  for (const name of commands) {
    const help = await call([...name.split(' '), '--help'], { cwd: folder.path })
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(new RegExp(`^Usage: carrel ${name}\\b`))
  }
})

test('CFG-6 what does not exist is a wrong call: exit code 2, and the help on standard error', async () => {
  await using folder = await temporaryFolder()
  const unknown = await run(['dance'], { cwd: folder.path })
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toMatch(/^There is no command "dance"\.\n\nUsage: carrel COMMAND/)
  expect(await call(['user'], { cwd: folder.path })).toMatchObject({ code: 2, stdout: '' })
  for (const args of [
    ['serve', '--fast'],
    ['migrate', 'now'],
    ['openapi', '--yaml'],
    ['user', 'add'],
    ['user', 'passwd', 'a', 'b'],
  ]) {
    const finished = await call(args, { cwd: folder.path })
    expect(finished).toMatchObject({ code: 2, stdout: '' })
    expect(finished.stderr).toMatch(/\n\nUsage: carrel \w+/)
    expect(finished.stderr).not.toMatch(/^\s+at /m)
  }
})

test('CFG-6 help is there in the words in which people ask for it, of one command, of some and of all', async () => {
  await using folder = await temporaryFolder()
  const asked = (line: string) => call(line.split(' '), { cwd: folder.path })
  const overview = await asked('--help')

  for (const line of ['-h', 'help']) expect([line, await asked(line)]).toEqual([line, overview])
  for (const line of ['help user add', 'user add -h', '--help user add'])
    expect([line, await asked(line)]).toEqual([line, await asked('user add --help')])
  for (const line of ['user --help', 'user -h', 'help user']) {
    const { code, stdout } = await asked(line)
    expect([line, code]).toEqual([line, 0])
    expect(stdout).toMatch(
      /^Usage: carrel user COMMAND .*\n\n {2}user add .*\n {2}user passwd .*\n\n {2}carrel COMMAND/,
    )
  }
  expect(await asked('config --help')).toMatchObject({ code: 0, stdout: expect.stringContaining('  config check  ') })
  expect(await asked('-v')).toEqual(await asked('--version'))
})

test('CFG-6 help with what is no command is a wrong call as well', async () => {
  await using folder = await temporaryFolder()
  for (const [line, listed] of [
    ['nonsense --help', '  serve  '],
    ['help nonsense', '  serve  '],
    ['user dance --help', '  user passwd  '],
    ['config', '  config check  '],
  ] as const) {
    const { code, stdout, stderr } = await call(line.split(' '), { cwd: folder.path })
    expect([line, code, stdout]).toEqual([line, 2, ''])
    expect(stderr).toMatch(/^There is no command ".+"\.\n\nUsage: carrel /)
    expect(stderr).toContain(listed)
  }
})

test('CFG-6 C6 whoever names an export that is there already is told so with the same code, and the help names what may be named', async () => {
  await using folder = await temporaryFolder()
  const asked = (line: string) => call(line.split(' '), { cwd: folder.path, input: testPassword })
  expect(await asked('user add ana')).toMatchObject({ code: 0 })
  expect(await asked('export .')).toMatchObject({ code: 0 })
  for (const line of ['export taken.zip', 'export everything full']) {
    expect([line, await asked(line)]).toMatchObject([line, { code: 0 }])
    const again = await asked(line)
    expect([line, again.code]).toEqual([line, 2])
    expect(again.stderr).toContain('is there already')
  }
  expect((await asked('export taken.zip')).stderr).toContain('Usage: carrel export FILE|FOLDER\n')
})

test('CFG-6 --version prints the version and nothing else', async () => {
  await using folder = await temporaryFolder()
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }

  expect(await run(['--version'], { cwd: folder.path })).toEqual({
    code: 0,
    signal: null,
    stdout: `${version}\n`,
    stderr: '',
  })
})

test('CFG-6 CFG-5 AUTH-1 user add beside a running server claims it; the new password of user passwd ends sessions at once', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const command = (args: string[], input: string) =>
    run(['user', ...args], { cwd: folder.path, input, env: { CARREL_DATA_DIR: carrel.dataDir } })

  await command(['add', 'root', '--role', 'admin'], testPassword)
  expect(await carrel.call(api.readSetupStatus, {})).toMatchObject({ body: { setupRequired: false } })
  expect((await carrel.call(api.setUp, { body: { username: 'late', password: testPassword } })).status).toBe(409)
  expect((await signIn(carrel, 'root')).user.role).toBe('admin')

  expect(await command(['add', 'ana', '--role', 'editor', '--email', 'ana@example.org'], `${testPassword}\n`)).toEqual({
    code: 0,
    signal: null,
    stdout: 'Created ana, editor.\n',
    stderr: '',
  })
  const ana = await signIn(carrel, 'ana@example.org')
  const key = bodyOf(await ana.call(api.createApiKey, { body: { name: 'Script' } })).key
  const byCookie = carrel.callWith({ cookie: ana.cookie })
  const byKey = carrel.callWith({ 'x-api-key': key })
  const statuses = () => Promise.all([ana.call, byCookie, byKey].map(async (ask) => (await ask(api.readMe, {})).status))
  expect(ana.user.role).toBe('editor')
  expect(await statuses()).toEqual([200, 200, 200])

  expect(await command(['passwd', 'ANA'], `${newPassword}\n`)).toMatchObject({
    code: 0,
    stdout: 'The password of ana is replaced; all their sessions have ended.\n',
  })

  expect(await statuses()).toEqual([401, 401, 200])
  expect((await carrel.call(api.refresh, { body: { refreshToken: ana.refreshToken } })).status).toBe(401)
  expect((await carrel.call(api.login, { body: { username: 'ana', password: testPassword } })).status).toBe(401)
  expect((await signIn(carrel, 'ana', newPassword)).user.username).toBe('ana')
})

test('CFG-6 AUTH-5 the commands refuse what the server would refuse, in one sentence and without the password', async () => {
  await using folder = await temporaryFolder()
  const command = (args: string[], input: string) => call(['user', ...args], { cwd: folder.path, input })
  await command(['add', 'ana'], testPassword)

  const cases: [string[], string, number, RegExp][] = [
    [['add', 'ANA'], testPassword, 1, /^There is already a user with this user name\.\n$/],
    [['add', 'bo'], 'password123', 1, /^.*commonest.*\n$/],
    [['add', 'bo'], 'tiny', 2, /^The password must have 10 to 256 characters\./],
    [['add', 'b@o'], testPassword, 2, /^A user name has 1 to 64 characters/],
    [['add', 'bo', '--role', 'king'], testPassword, 2, /^The role must be one of reader, editor, admin\./],
    [['passwd', 'nobody'], testPassword, 2, /^There is no user nobody\./],
    [['passwd', 'ana'], 'password123', 1, /^.*commonest.*\n$/],
  ]
  for (const [args, input, code, complaint] of cases) {
    const finished = await command(args, input)
    expect(finished).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(complaint) })
    expect(finished.stderr).not.toContain(input)
    expect(finished.stderr).not.toMatch(/^\s+at /m)
  }
})

test('CFG-6 HTTP-7 beside a running server openapi prints the document that it shows, and migrate changes nothing for it', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const ana = await claim(carrel)

  const printed = await run(['openapi'], { cwd: folder.path })
  const shown = bodyOf(await carrel.call(api.readOpenApi, {}))
  const migrated = await run(['migrate'], { cwd: folder.path })

  expect(printed).toMatchObject({ code: 0, stderr: '' })
  expect(printed.stdout).toBe(`${JSON.stringify(shown, null, 2)}\n`)
  expect(shown).toMatchObject({ openapi: '3.1.0', info: { version: '2.2.0' } })
  expect(migrated.code).toBe(0)
  expect((await ana.call(api.readMe, {})).status).toBe(200)
})

test('CFG-6 migrate makes the database and, called again, leaves it as it is', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'data/carrel.db')
  const first = await run(['migrate'], { cwd: folder.path })
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  const second = await run(['migrate'], { cwd: folder.path })

  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The database is at version \d+\.\n$/) })
  expect(second).toEqual({ code: 0, signal: null, stdout: first.stdout, stderr: '' })
  expect(
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ).toBe(digest)
})

test('CFG-6 of several calls of migrate at once all find the database made, and one has made it', async () => {
  await using folder = await temporaryFolder()

  const calls = await Promise.all([1, 2, 3, 4].map(() => run(['migrate'], { cwd: folder.path })))

  expect(calls.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  const steps = calls.flatMap(({ stderr }) => stderr.match(/Migrated the database/g) ?? [])
  expect(steps).toHaveLength(migrations.length)
})

test('CFG-6 a database that is none stops every command with one line', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'notes.db'), 'These are my notes, and not a database. '.repeat(200))
  const env = { CARREL_PORT: '0', CARREL_DATABASE_URL: `sqlite:${join(folder.path, 'notes.db')}` }

  for (const command of [['serve'], ['migrate'], ['user', 'add', 'ana']]) {
    const { code, stderr } = await call(command, { cwd: folder.path, env, input: testPassword })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The database cannot be opened: .*\n$/)
  }
})
