import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { latestVersion } from '../../src/database/migrate.ts'
import { migrateFresh } from '../migrate-fresh.ts'
import { bodyOf } from '../outcome.ts'
import { stopAtVersion, writeDataOfBefore } from '../upgrade/data-of-before.ts'
import { callsOfFile } from './calls.ts'
import { signIn, startCarrel, testPassword, withoutWorker } from './carrel.ts'
import { run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

const call = callsOfFile()

const folderOfBefore = async () => {
  const folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  await mkdir(dataDir)
  const file = join(dataDir, 'carrel.db')
  await writeDataOfBefore(file)
  return { cwd: folder.path, dataDir, file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test('W16 CFG-6 the data folder of the commit before the baseline is taken over by the next start', async () => {
  await using folder = await folderOfBefore()
  const { cwd } = folder
  const migrated = await run(['migrate'], { cwd })
  expect(migrated).toMatchObject({ code: 0, stdout: `The database is at version ${latestVersion}.\n` })

  await using carrel = await startCarrel({ cwd })

  const ben = await signIn(carrel, 'ben')
  const { data } = bodyOf(await ben.call(api.listSeries, { query: { pageSize: 100 } }))
  expect(data.map(({ title }) => title)).toContain('Straße')
  // The worker does what the old migrations have left to tasks.
  const find = async () =>
    bodyOf(await ben.call(api.listSeriesByCondition, { body: { fullTextSearch: 'strasse' } })).total
  await expect.poll(find).toBe(1)
})

const refusal =
  'The database has schema version 27, this program takes over from 41 on. Go on with the program that has made it, or begin with an empty data directory; nothing was changed.\n'

test('W16 CFG-6 one that stopped before is left alone to the last byte, and exit code 3 says what to do', async () => {
  await using folder = await folderOfBefore()
  const { cwd, dataDir, file } = folder
  stopAtVersion(file, 27)
  const digest = async () =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  const before = await digest()

  for (const command of [['serve'], ['migrate'], ['user', 'add', 'bo']]) {
    const ended = await call(command, { cwd, env: { CARREL_PORT: '0' }, input: testPassword })
    expect(ended).toEqual({ code: 3, stdout: '', stderr: refusal })
    expect(await digest()).toBe(before)
    expect(await readdir(dataDir)).not.toContain('backups')
  }
  const { code, stdout } = await call(['doctor', '--json'], { cwd })
  expect(code).toBe(1)
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly object[] }
  expect(findings).toContainEqual({
    check: 'schema',
    status: 'failed',
    message: 'The database has schema version 27, this program takes over from 41 on.',
    advice: 'Go on with the program that has made it, or begin with an empty data directory.',
  })
})

/** Its tables, indexes and triggers, and how many rows each table has. */
const contentOf = (file: string) => {
  const database = new Sqlite(file, { readonly: true })
  const made = database.prepare<[], { type: string; name: string; sql: string | null }>(
    'select type, name, sql from sqlite_master order by type, name',
  )
  const content = made.all().map((each) => ({
    ...each,
    rows: each.type === 'table' ? database.prepare(`select count(*) from "${each.name}"`).pluck().get() : undefined,
  }))
  database.close()
  return content
}

test('CFG-6 a new server begins as a copy of what the migrations make', async () => {
  await using migrated = await temporaryFolder()
  const file = join(migrated.path, 'migrated.db')
  await migrateFresh({ kind: 'sqlite', file })
  const copied = fileURLToPath(new URL('../../dist/empty.db', import.meta.url))
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })

  const made = contentOf(file)
  expect(contentOf(copied)).toEqual(made)
  expect(made.length).toBeGreaterThan(100)
  expect(carrel.stdout()).not.toContain('Migrated the database')
})
