import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsOfFile } from './calls.ts'
import { claim, startCarrel, withoutWorker } from './carrel.ts'
import { newDatabase } from './postgres-of-file.ts'
import { run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

const call = callsOfFile()

const secrets = {
  CARREL_SECRET_KEY: 'the-secret-key-of-this-installation-crimson',
  CARREL_SECRET_KEY_FORMER: 'the-secret-key-of-before-its-time-mauve',
  CARREL_ADMIN_USERNAME: 'rootabaga',
  CARREL_ADMIN_PASSWORD: 'password-of-root-magenta',
  CARREL_PUBLIC_URL: 'https://somebody:hushhush@private-name.example.org',
  CARREL_PLUGIN_REGISTRY: 'https://npm:registry-token@registry.private-name.example',
  CARREL_LIBRARY_ROOTS: '/srv/secret-collection',
  CARREL_TRUSTED_PROXIES: '203.0.113.77',
  CARREL_SETTING_DISPLAY_CUSTOM_METADATA_TEMPLATE: 'template-of-mine',
}
const parts = ['hushhush', 'private-name', 'registry-token', 'secret-collection']

test('CFG-6 T-52 carrel support-bundle beside a running server writes a file for its owner alone, once, without secrets', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: { ...withoutWorker, CARREL_LOG_FORMAT: 'json' } })
  const setupToken = (await readFile(join(carrel.dataDir, 'setup-token'), 'utf8')).trim()
  const ana = await claim(carrel, 'anastasia-of-the-books')
  await writeFile(join(folder.path, 'carrel.log'), carrel.stdout())
  const env = { ...secrets, CARREL_DATA_DIR: carrel.dataDir, CARREL_PORT: new URL(carrel.url).port }
  const args = ['support-bundle', '--out', 'bundle.json', '--log', 'carrel.log']

  const made = await run(args, { cwd: folder.path, env })
  expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Read it before you send it.') })

  const file = join(folder.path, 'bundle.json')
  const text = await readFile(file, 'utf8')
  const bundle = JSON.parse(text) as Record<string, unknown>
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(bundle).toMatchObject({
    configuration: {
      CARREL_PORT: env.CARREL_PORT,
      CARREL_SECRET_KEY: '(set)',
      CARREL_ADMIN_USERNAME: '(set)',
      CARREL_CORS_ORIGINS: '(not set)',
    },
    findings: expect.arrayContaining([expect.objectContaining({ check: 'database', status: 'ok' })]),
    database: { rows: { user: 1 } },
    log: { lines: expect.arrayContaining([expect.objectContaining({ msg: 'Carrel is ready' })]) },
  })
  const secretKey = (await readFile(join(carrel.dataDir, 'secret.key'), 'utf8')).trim()
  const { accessToken, refreshToken, cookie } = ana
  const own = [setupToken, secretKey, accessToken, refreshToken, cookie, 'anastasia', folder.path, carrel.dataDir]
  expect([...own, ...Object.values(secrets), ...parts].filter((secret) => text.includes(secret))).toEqual([])

  const again = await call(args, { cwd: folder.path, env })
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('it is there already') })
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('CFG-6 T-52 carrel support-bundle works where no server can start, and tells no password of a database that is away', async () => {
  await using folder = await temporaryFolder()
  const unnamed = await call(['support-bundle'], {
    cwd: folder.path,
    env: { CARREL_DATA_DIR: join(folder.path, 'none') },
  })
  expect(unnamed.code).toBe(0)
  const [name = ''] = await readdir(folder.path)
  expect(name).toMatch(/^carrel-support-[\dTZ-]+\.json$/)
  expect(JSON.parse(await readFile(join(folder.path, name), 'utf8'))).toMatchObject({ database: null })

  const url = new URL(await newDatabase())
  url.password = 'wrong-password-of-database'
  url.pathname = '/name-of-no-database'
  url.username = 'account-of-database'
  const env = { CARREL_DATABASE_URL: url.href }
  expect(await call(['support-bundle', '--out', 'away.json'], { cwd: folder.path, env })).toMatchObject({ code: 0 })
  const text = await readFile(join(folder.path, 'away.json'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    database: null,
    configuration: { CARREL_DATABASE_URL: '(set)' },
    findings: expect.arrayContaining([expect.objectContaining({ check: 'database', status: 'failed' })]),
  })
  expect(['wrong-password', 'name-of-no', 'account-of', url.port].filter((each) => text.includes(each))).toEqual([])

  const misspelt = { CARREL_SECRET_KEY: 'too-short-a-key' }
  const wrong = await call(['support-bundle'], { cwd: folder.path, env: misspelt })
  expect(wrong).toMatchObject({ code: 78, stdout: '' })
  expect(wrong.stderr).not.toContain('too-short')
})
