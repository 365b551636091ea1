import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { latestVersion } from '../../src/database/migrate.ts'
import { migrations } from '../../src/database/migrations/index.ts'
import { createLog } from '../../src/platform/log.ts'
import { openRowSource, openRowTarget } from '../../src/database/rows.ts'
import { copyRows } from '../../src/features/backups/archive/row-archive.ts'
import { bringUp } from '../../src/features/backups/restoring/prepare.ts'
import { digestsOf } from '../row-digests.ts'
import { stopAtVersion, writeDataOfBefore } from '../upgrade/data-of-before.ts'
import { databaseOf, releases } from '../upgrade/released.ts'
import { callsOfFile } from './calls.ts'
import { signIn, startCarrel, withoutWorker } from './carrel.ts'
import { newDatabase } from './postgres-of-file.ts'
import { run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

const call = callsOfFile()
/** That of the first program people have. */
const versionBefore = 41

interface CommandReport {
  readonly ok: boolean
  readonly schemaVersion: number | null
  readonly latestVersion: number
  readonly steps: readonly { readonly version: number; readonly name: string }[]
  readonly findings: readonly { readonly check: string; readonly status: string; readonly message: string }[]
}

const stepsSince = (version: number) =>
  migrations.filter((step) => step.version > version).map(({ version, name }) => ({ version, name }))

const installation = async () => {
  const folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  const file = join(dataDir, 'carrel.db')
  const backups = () => readdir(join(dataDir, 'backups')).catch((): string[] => [])
  const upgrade = async (args: readonly string[] = ['--check'], env: Readonly<Record<string, string>> = {}) => {
    const { code, stdout, stderr } = await call(['upgrade', ...args, '--json'], { cwd: folder.path, env })
    expect(stderr).not.toMatch(/error/i)
    return { code, ...(JSON.parse(stdout) as CommandReport) }
  }
  return {
    cwd: folder.path,
    dataDir,
    file,
    backups,
    upgrade,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

const digestOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

test('P-14 CFG-6 upgrade --check says which steps would be taken, and changes nothing', async () => {
  await using before = await installation()
  await writeDataOfBefore(before.file)
  const digest = await digestOf(before.file)

  const told = await before.upgrade()
  expect(told).toMatchObject({
    code: 0,
    ok: true,
    schemaVersion: versionBefore,
    latestVersion,
    steps: stepsSince(versionBefore),
  })
  expect(told.findings).toContainEqual(expect.objectContaining({ check: 'database', status: 'ok' }))
  expect(told.findings).toContainEqual(expect.objectContaining({ check: 'room for the copy', status: 'ok' }))
  const inLines = await run(['upgrade', '--check'], { cwd: before.cwd })
  expect(inLines).toMatchObject({ code: 0, stderr: '' })
  expect(inLines.stdout).toContain(`can bring this database from version ${versionBefore} to ${latestVersion}.\n`)

  expect(await digestOf(before.file)).toBe(digest)
  expect(await before.backups()).toEqual([])
})

test('P-14 CFG-6 upgrade takes the steps, and restore puts back the copy that it has kept', async () => {
  await using before = await installation()
  await writeDataOfBefore(before.file)
  const rows = Number(new Sqlite(before.file, { readonly: true }).prepare('select count(*) from book').pluck().get())

  expect(await before.upgrade([])).toMatchObject({ code: 0, steps: stepsSince(versionBefore) })
  expect(await before.upgrade()).toMatchObject({ code: 0, schemaVersion: latestVersion, steps: [] })
  const [copy = '', ...more] = await before.backups()
  expect(copy).toMatch(new RegExp(`^before-migration-from-${versionBefore}-.*\\.db$`))
  expect(more).toEqual([])

  new Sqlite(before.file).exec('delete from read_progress').close()
  expect(await call(['restore', join(before.dataDir, 'backups', copy)], { cwd: before.cwd })).toMatchObject({ code: 0 })
  const restored = new Sqlite(before.file, { readonly: true })
  expect(restored.prepare('select count(*) from book').pluck().get()).toBe(rows)
  restored.close()
})

test('P-14 of the copies from before migrations the three newest are kept', async () => {
  await using before = await installation()
  const folder = join(before.dataDir, 'backups')
  await mkdir(folder)
  const names = [1, 2, 3, 4].map((day) => `before-migration-from-4${day}-2026-01-0${day}T00-00-00-000Z.db`)
  for (const name of names) await writeFile(join(folder, name), '')
  await writeDataOfBefore(before.file)

  await before.upgrade([])

  const left = await before.backups()
  expect(left).toHaveLength(3)
  expect(left).toEqual(expect.arrayContaining(names.slice(2)))
})

test('P-14 CFG-6 a newer, an older and a damaged database are refused by their code, and stay as they are', async () => {
  await using newer = await installation()
  await call(['migrate'], { cwd: newer.cwd })
  stopAtVersion(newer.file, latestVersion + 3)
  expect(await newer.upgrade()).toMatchObject({ code: 3, ok: false, schemaVersion: latestVersion + 3, steps: [] })
  expect(await newer.upgrade([])).toMatchObject({ code: 3, ok: false })

  await using older = await installation()
  await writeDataOfBefore(older.file)
  stopAtVersion(older.file, 27)
  expect(await older.upgrade()).toMatchObject({ code: 3, ok: false, schemaVersion: 27, steps: [] })

  await using damaged = await installation()
  await writeDataOfBefore(damaged.file)
  const bytes = await readFile(damaged.file)
  bytes.fill(0x5a, 4096 * 20, 4096 * 40)
  await writeFile(damaged.file, bytes)
  const digest = await digestOf(damaged.file)
  expect(await damaged.upgrade([])).toMatchObject({ code: 1, ok: false, steps: [] })
  expect(await digestOf(damaged.file)).toBe(digest)
})

test('P-14 CFG-6 an installation without a database, and one that is up to date, have nothing to do', async () => {
  await using empty = await installation()
  expect(await empty.upgrade()).toMatchObject({ code: 0, ok: true, schemaVersion: null, steps: [] })
  await call(['migrate'], { cwd: empty.cwd })
  const again = await run(['upgrade'], { cwd: empty.cwd })
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('there is nothing to do') })
})

test.each(releases)(
  'P-14 the data folder of $program is taken over by a start, after a look at it',
  async (release) => {
    await using before = await installation()
    await writeFile(before.file, databaseOf(release))
    expect(await before.upgrade()).toMatchObject({ code: 0, ok: true, schemaVersion: release.schemaVersion })

    await using carrel = await startCarrel({ cwd: before.cwd, env: withoutWorker })
    expect((await signIn(carrel, 'ben')).accessToken).not.toBe('')
  },
)

test('P-14 CFG-6 on PostgreSQL a copy of all rows is kept too, and restore puts it back', async () => {
  await using before = await installation()
  const url = await newDatabase()
  const env = { CARREL_DATABASE_URL: url }
  await fillAtVersion(url, versionBefore)
  const rows = await digestsOf({ kind: 'postgres', url })

  expect(await before.upgrade(['--check'], env)).toMatchObject({
    code: 0,
    schemaVersion: versionBefore,
    steps: stepsSince(versionBefore),
  })
  expect(await before.backups()).toEqual([])
  expect(await before.upgrade([], env)).toMatchObject({ code: 0 })
  const [copy = ''] = await before.backups()
  expect(copy).toMatch(new RegExp(`^before-migration-from-${versionBefore}-.*\\.zip$`))

  const file = join(before.dataDir, 'backups', copy)
  expect(await call(['restore', file, '--verify-only'], { cwd: before.cwd, env })).toMatchObject({ code: 0 })
  const otherUrl = await newDatabase()
  const restored = await call(['restore', file], { cwd: before.cwd, env: { CARREL_DATABASE_URL: otherUrl } })
  expect(restored).toMatchObject({ code: 0 })
  const after = await digestsOf({ kind: 'postgres', url: otherUrl })
  const countOf = (digest: string | undefined) => digest?.split(' ')[0]
  for (const table of ['user', 'session', 'api_key', 'setting', 'library', 'file', 'book', 'read_progress'])
    expect([table, countOf(after[table])]).toEqual([table, countOf(rows[table])])

  expect(await before.upgrade([], { ...env, CARREL_COPY_BEFORE_MIGRATION: 'false' })).toMatchObject({
    code: 0,
    steps: [],
  })
})

/** A data folder is as a program of that version has left it. */
const fillAtVersion = async (url: string, version: number): Promise<void> => {
  const address = { kind: 'postgres', url } as const
  const log = createLog({ level: 'silent', format: 'json' })
  await bringUp(address, version, { log, clock: () => new Date() })
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'before.db')
  await writeDataOfBefore(file)
  const [source, target] = [await openRowSource({ kind: 'sqlite', file }), await openRowTarget(address)]
  await copyRows(source, target, () => undefined)
  await source.close()
  await target.close()
}
