import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { hardMountOf, requireMounts } from '../fuse.ts'
import { bodyOf } from '../outcome.ts'
import { callsOfFile } from './calls.ts'
import { claim, startCarrel, withoutWorker } from './carrel.ts'
import { damageTables } from './damage.ts'
import { endOf, run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

const call = callsOfFile()

interface DoctorReport {
  readonly ok: boolean
  readonly findings: readonly {
    readonly check: string
    readonly status: string
    readonly message: string
    readonly advice?: string
  }[]
}

const examine = async (cwd: string, env: Record<string, string>) => {
  const { code, stdout, stderr } = await call(['doctor', '--json'], { cwd, env })
  expect(stderr).toBe('')
  const { ok, findings } = JSON.parse(stdout) as DoctorReport
  return { code, ok, about: (check: string) => findings.find((each) => each.check === check), findings }
}

test('CFG-6 carrel doctor finds nothing wrong with a running server, and says so in lines too', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path })
  await claim(carrel)
  const env = { CARREL_DATA_DIR: carrel.dataDir, CARREL_PORT: new URL(carrel.url).port }

  const { code, ok, about, findings } = await examine(folder.path, env)

  expect(findings.filter(({ status }) => status === 'failed')).toEqual([])
  expect([code, ok]).toEqual([0, true])
  expect(about('database')).toMatchObject({ status: 'ok', message: expect.stringContaining('is sound') })
  expect(about('schema')).toMatchObject({ status: 'ok' })
  expect(about('port')).toMatchObject({ status: 'ok', message: expect.stringContaining('is ready') })
  expect(about('decoders')).toMatchObject({ status: 'ok' })
  expect(about('secrets')).toMatchObject({ status: 'ok' })
  for (const check of ['node', 'data folder', 'free space', 'libraries', 'plugins', 'clock', 'public address'])
    expect(about(check)).toBeDefined()
  const inLines = await run(['doctor'], { cwd: folder.path, env })
  expect(inLines).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok +database +.*is sound/m) })
  expect(await call(['doctor', '--help'], { cwd: folder.path })).toMatchObject({ code: 0 })
})

/** Before anything else a process believes that all its files lie on a share of NFS. */
const onNfs = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'
  const { statfs } = fs.promises
  fs.promises.statfs = async (...input) => Object.assign(await statfs(...input), { type: 0x6969 })
  syncBuiltinESMExports()`

test('CFG-6 a database of SQLite on another machine is warned of, by the start and by carrel doctor', async () => {
  await using folder = await temporaryFolder()
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(onNfs)}` }
  await using carrel = await startCarrel({ cwd: folder.path, env: { ...env, ...withoutWorker } })
  expect(carrel.stdout()).toContain('The database lies on another machine')

  const ofRun = { ...env, CARREL_DATA_DIR: carrel.dataDir, CARREL_PORT: new URL(carrel.url).port }
  const { code, stdout } = await run(['doctor', '--json'], { cwd: folder.path, env: ofRun })
  const { findings } = JSON.parse(stdout) as DoctorReport

  expect(code).toBe(0)
  expect(findings).toContainEqual({
    check: 'data folder',
    status: 'warning',
    message: expect.stringContaining('carrel.db lies on another machine'),
    advice: expect.stringContaining('CARREL_DATA_DIR'),
  })
})

test('CFG-6 carrel doctor works where no server can start: it names what is wrong and what to do', async () => {
  await using folder = await temporaryFolder()
  await using first = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const ana = await claim(first)
  const root = join(folder.path, 'books')
  await mkdir(root)
  await ana.call(api.createLibrary, { body: { name: 'Books', roots: [root], watch: false } })
  await ana.call(api.createLibrary, { body: { name: 'Gone', roots: [root], watch: false } })
  first.kill('SIGTERM')
  await endOf(first)
  await chmod(join(first.dataDir, 'secret.key'), 0o644)
  const env = { CARREL_DATA_DIR: first.dataDir, CARREL_PORT: String(await freePort()) }

  const unwell = await examine(folder.path, {
    ...env,
    CARREL_PUBLIC_URL: 'https://books.example.org',
    CARREL_TRUSTED_PROXIES: '',
  })
  expect([unwell.code, unwell.ok]).toEqual([1, false])
  expect(unwell.about('secrets')).toMatchObject({ status: 'failed', advice: expect.stringContaining('chmod 600') })
  expect(unwell.about('public address')).toMatchObject({ status: 'warning' })
  expect(unwell.about('library Books')).toMatchObject({ status: 'warning', message: `${root} is empty.` })
  await rm(root, { recursive: true })
  expect((await examine(folder.path, env)).about('library Books')).toMatchObject({ status: 'failed' })

  await damageTables(join(first.dataDir, 'carrel.db'), ['collection'])
  const damaged = await examine(folder.path, env)
  expect(damaged.about('database')).toMatchObject({
    status: 'failed',
    advice: expect.stringContaining('carrel restore'),
  })
  await writeFile(join(first.dataDir, 'carrel.db'), '')
  expect((await examine(folder.path, env)).about('database')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('is empty'),
  })
  await rm(join(first.dataDir, 'carrel.db'))
  expect((await examine(folder.path, env)).about('database')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('is missing'),
  })
  const elsewhere = await run(['doctor'], { cwd: folder.path, env: { ...env, TZ: 'Foo/Bar' } })
  expect(elsewhere.stdout).toMatch(/^WARNING +clock +.*time zone unknown.*goes by UTC/m)
  const wrong = await run(['doctor'], { cwd: folder.path, env: { ...env, CARREL_PORT: 'eighty' } })
  expect(wrong).toMatchObject({ code: 1, stdout: expect.stringMatching(/^WRONG +configuration /m) })
})

test('CFG-6 carrel doctor does not wait for storage that hangs, and names it', async ({ skip }) => {
  requireMounts(skip)
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const ana = await claim(carrel)
  const source = join(folder.path, 'books')
  await mkdir(source)
  await writeFile(join(source, 'note.txt'), 'here')
  await using mount = await hardMountOf(source)
  expect(
    bodyOf(await ana.call(api.createLibrary, { body: { name: 'Far', roots: [mount.path], watch: false } })).id,
  ).toBeDefined()

  mount.hang()
  const { code, about } = await examine(folder.path, {
    CARREL_DATA_DIR: carrel.dataDir,
    CARREL_PORT: new URL(carrel.url).port,
  })
  mount.answer()

  expect(about('library Far')).toMatchObject({ status: 'failed', message: expect.stringContaining('does not answer') })
  expect(code).toBe(1)
})
