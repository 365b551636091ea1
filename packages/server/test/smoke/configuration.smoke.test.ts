import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { callsOfFile } from './calls.ts'
import { claim, logLinesOf, startCarrel, withoutWorker } from './carrel.ts'
import { run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { readingAsUsersDo } from './without-rights.ts'

const secret = 'a-secret-that-nobody-may-see'
const databasePassword = 'hidden-database-password'

const call = callsOfFile()

test.each([
  ['CARREL_PORT', 'eighty', '"eighty", but must be a whole number from 0 to 65535'],
  ['CARREL_PORT', '65536', '"65536", but must be a whole number from 0 to 65535'],
  ['CARREL_LOG_LEVEL', 'loud', '"loud", but must be one of trace, debug, info, warn, error, fatal, silent'],
  ['CARREL_RATE_LIMIT_ENABLED', 'maybe', '"maybe", but must be true or false'],
  ['CARREL_BASE_PATH', 'carrel', '"carrel", but must be a path such as /carrel'],
  ['CARREL_TRUSTED_PROXIES', '10.0.0.0/33', '"10.0.0.0/33", but must be a list of addresses or CIDR ranges'],
  ['CARREL_PUBLIC_URL', 'books.example.org', '"books.example.org", but must be an http:// or https:// address'],
  ['CARREL_ROLES', 'api,cook', '"api,cook", but must be a list of api, worker'],
])('CFG-2 %s=%s stops the start with one line, wherever it stands', async (name, value, complaint) => {
  await using folder = await temporaryFolder()
  const fromEnvironment = await call(['serve'], { cwd: folder.path, env: { [name]: value } })
  await writeFile(join(folder.path, 'carrel.yaml'), `${name.slice('CARREL_'.length).toLowerCase()}: '${value}'\n`)
  const fromFile = await call(['serve'], { cwd: folder.path })

  for (const finished of [fromEnvironment, fromFile]) {
    expect(finished).toMatchObject({ code: 78, stdout: '' })
    expect(finished.stderr.split('\n')).toEqual([expect.stringContaining(`${name} is ${complaint}`), ''])
  }
  expect(await readdir(folder.path)).toEqual(['carrel.yaml'])
})

test.each([
  ['CARREL_ADMIN_PASSWORD', 'tiny-pwd', '10 to 256 characters'],
  ['CARREL_SECRET_KEY', secret, 'at least 32 characters'],
  [
    'CARREL_DATABASE_URL',
    `mysql://carrel:${databasePassword}@localhost/x`,
    'postgres://… (with an sslmode that is known, if any) or sqlite:FILE',
  ],
])('CFG-2 a wrong %s stops the start without being printed', async (name, value, allowed) => {
  await using folder = await temporaryFolder()

  expect(await call(['serve'], { cwd: folder.path, env: { [name]: value } })).toEqual({
    code: 78,
    stdout: '',
    stderr: `${name} is set to something, but must be ${allowed}\n`,
  })
})

test.each([
  ['RATE_LIMIT_ANONYMOUS_RPS', 'many', 'CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS is "many", but must be a whole number'],
  ['RATE_LIMIT_ANONYMOUS_RPS', '0', 'CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS is "0", but must be at least 1'],
  ['NO_SUCH_THING', 'x', 'CARREL_SETTING_NO_SUCH_THING names no setting'],
])('CFG-2 CARREL_SETTING_%s=%s stops the start with one line, before anything is made', async (name, value, line) => {
  await using folder = await temporaryFolder()
  const env = { CARREL_PORT: '0', [`CARREL_SETTING_${name}`]: value }

  for (const command of [['serve'], ['config', 'check']]) {
    expect(await call(command, { cwd: folder.path, env })).toEqual({
      code: 78,
      stdout: '',
      stderr: `${line}\n`,
    })
  }
  expect(await readdir(folder.path)).toEqual([])
})

test('CFG-2 CFG-4 the environment wins over carrel.yaml; an unknown variable is named in a warning', async () => {
  await using folder = await temporaryFolder()
  await writeFile(
    join(folder.path, 'carrel.yaml'),
    'log_format: text\nCARREL_DATA_DIR: from-file\nsetting.rate_limit.anonymous_burst: 20\nrate_limit_enabled: true\n',
  )
  const env = { CARREL_LOG_FORMAT: 'json', CARREL_PROT: '8081', CARREL_SETTING_RATE_LIMIT_AUTHENTICATED_BURST: '77' }
  const dataDir = join(folder.path, 'from-environment')
  await using carrel = await startCarrel({ cwd: folder.path, env: { ...env, ...withoutWorker }, dataDir })

  expect(await readdir(folder.path)).toEqual(expect.not.arrayContaining(['from-file']))
  expect(logLinesOf(carrel)).toContainEqual(
    expect.objectContaining({ level: 'warn', msg: 'CARREL_PROT is not a setting of Carrel and has no effect' }),
  )
  const { headers } = await carrel.call(api.readInfo, {})
  expect(headers.get('x-ratelimit-limit')).toBe('20')
  const ana = await claim(carrel)
  expect((await ana.call(api.readMe, {})).headers.get('x-ratelimit-limit')).toBe('77')
  expect(await ana.call(api.readSetting, { params: { key: 'rate_limit.authenticated_burst' } })).toMatchObject({
    body: { value: 77, defaultValue: 200 },
  })
})

test.each([
  ['port: [', 'is not valid YAML'],
  ['just words', 'must hold keys and values, one a line'],
  ['port: {a: 1}', 'port must be a text, a number, true, false or a list of these'],
])('CFG-2 a carrel.yaml of %j stops the start with one line', async (content, complaint) => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'carrel.yaml'), content)

  const finished = await call(['serve'], { cwd: folder.path })

  expect(finished).toMatchObject({ code: 78, stdout: '' })
  expect(finished.stderr.split('\n')).toEqual([expect.stringContaining(complaint), ''])
})

test('CFG-2 a CARREL_CONFIG that is not there stops the start with one line', async () => {
  await using folder = await temporaryFolder()
  const env = { CARREL_CONFIG: 'missing.yaml' }

  const finished = await run(['serve'], { cwd: folder.path, env })

  expect(finished).toMatchObject({ code: 78, stdout: '' })
  expect(finished.stderr).toMatch(/^The configuration file \S*missing\.yaml cannot be read .*\n$/)
})

test.each([
  [{ CARREL_DATA_DIR: '/proc/carrel' }, /^CARREL_DATA_DIR is "\/proc\/carrel", which cannot be made .+\n$/],
  [{ CARREL_DATABASE_URL: 'sqlite:/proc/of/carrel.db' }, /^The folder of the database is "\/proc\/of", which .+\n$/],
])('CFG-1 a folder that its parent does not take stops the start with one line: %j', async (env, complaint) => {
  await using folder = await temporaryFolder()

  const finished = await run(['serve'], { cwd: folder.path, env })

  expect(finished).toMatchObject({ code: 78, stdout: '' })
  expect(finished.stderr).toMatch(complaint)
})

/** Each of them opens, reads or fills the database. */
const commandsOnData: readonly (readonly string[])[] = [
  ['serve'],
  ['migrate'],
  ['upgrade'],
  ['backup'],
  ['export', 'copy.zip'],
  ['export', 'everything', 'copy'],
  ['restore', 'here.txt'],
  ['restore', '--verify-only', 'here.txt'],
  ['import', 'here.txt'],
  ['import-from', 'carrel', 'folder'],
  ['import-from', 'kavita', 'here.txt'],
  ['user', 'add', 'noa'],
  ['scan'],
]

test('CFG-1 CFG-6 a data folder that is a file, or a database that is a folder, is told in one line by every command', async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  await writeFile(join(cwd, 'here.txt'), 'no folder')
  await mkdir(join(cwd, 'folder', 'carrel.db'), { recursive: true })
  const complaints = [
    ['here.txt', /^CARREL_DATA_DIR is "\S+here\.txt", which is no folder: remove it, or name a folder\n$/],
    ['folder', /^The database is "\S+carrel\.db", which is a folder: remove it, or name a file\n$/],
  ] as const
  for (const [dataDir, complaint] of complaints)
    for (const args of commandsOnData) {
      const { code, stdout, stderr } = await call(args, { cwd, env: { CARREL_DATA_DIR: dataDir } })
      expect([args, code, stdout]).toEqual([args, 78, ''])
      expect(stderr).toMatch(complaint)
    }
  expect(await readdir(cwd)).toEqual(['folder', 'here.txt'])
  const doctor = await call(['doctor'], { cwd, env: { CARREL_DATA_DIR: 'folder' } })
  expect(doctor).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/WRONG +database +\S+carrel\.db is a folder\./),
  })
})

test('CFG-1 CFG-6 what this account may not read is told as that, and not as missing', async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  for (const name of ['locked.zip', 'data/carrel.db']) {
    await mkdir(join(cwd, 'data'), { recursive: true })
    await writeFile(join(cwd, name), '')
    await chmod(join(cwd, name), 0)
  }
  const withDatabase = { cwd, ...readingAsUsersDo, env: { CARREL_DATA_DIR: 'data' } }
  for (const args of [['backup'], ['upgrade', '--check']]) {
    const ended = await run(args, withDatabase)
    expect([args, ended.code, ended.stdout]).toEqual([args, 78, ''])
    expect(ended.stderr).toMatch(/^The database is "\S+carrel\.db", which this account may not read \(EACCES.+\)\n$/)
  }
  const restored = await run(['restore', 'locked.zip'], { cwd, ...readingAsUsersDo })
  expect(restored.code).toBe(2)
  expect(restored.stderr).toMatch(/^locked\.zip may not be read by this account\.\n/)
})

test('CFG-2 config check prints what is in effect, with every secret masked', async () => {
  await using folder = await temporaryFolder()
  const secretKey = `${secret}-which-is-long-enough`
  await writeFile(join(folder.path, 'key'), `${secretKey}\n`)
  const env = {
    CARREL_PORT: '1234',
    CARREL_ADMIN_USERNAME: 'root',
    CARREL_ADMIN_PASSWORD: secret,
    CARREL_SECRET_KEY_FILE: join(folder.path, 'key'),
    CARREL_DATABASE_URL: `postgres://carrel:${databasePassword}@db.example.org:5432/carrel?sslpassword=${databasePassword}`,
    CARREL_WHATEVER: 'x',
  }

  const { code, stdout, stderr } = await call(['config', 'check'], { cwd: folder.path, env })

  expect(code).toBe(0)
  expect(stderr).toBe('CARREL_WHATEVER is not a setting of Carrel and has no effect\n')
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining(['CARREL_PORT=1234', 'CARREL_ADMIN_USERNAME=root', 'CARREL_ADMIN_PASSWORD=********']),
  )
  expect(stdout).toMatch(/^CARREL_SECRET_KEY=\*+$/m)
  expect(stdout).toMatch(/^CARREL_DATABASE_URL=.*db\.example\.org.*$/m)
  for (const hidden of [secret, databasePassword]) expect(stdout).not.toContain(hidden)
})

test('CFG-2 of names and passwords for the first administrator there are both or none', async () => {
  await using folder = await temporaryFolder()

  expect(await call(['serve'], { cwd: folder.path, env: { CARREL_ADMIN_USERNAME: 'root' } })).toMatchObject({
    code: 78,
    stderr: 'CARREL_ADMIN_USERNAME and CARREL_ADMIN_PASSWORD belong together: set both or neither\n',
  })
})
