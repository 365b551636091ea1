import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { latestVersion } from '../../src/database/migrate.ts'
import { callsOfFile } from './calls.ts'
import { testPassword } from './carrel.ts'
import { run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

const newerVersion = latestVersion + 8

const call = callsOfFile()

test('CFG-6 a database of a newer program is left alone to the last byte, and exit code 3 says so', async () => {
  await using folder = await temporaryFolder()
  const env = { CARREL_PORT: '0' }
  const dataDir = join(folder.path, 'data')
  const file = join(dataDir, 'carrel.db')
  await call(['user', 'add', 'ana'], { cwd: folder.path, input: testPassword })
  const database = new Sqlite(file)
  database.exec(`update schema_version set version = ${newerVersion}`)
  database.pragma('wal_checkpoint(truncate)')
  database.close()
  const readState = async () => ({
    // The lock of a server says nothing of what is kept.
    names: (await readdir(dataDir, { recursive: true })).filter((name) => !name.startsWith('carrel.db.server')),
    digest: createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  })
  const before = await readState()

  const refusal = {
    code: 3,
    stdout: '',
    stderr: `The database has schema version ${newerVersion}, this program knows up to ${latestVersion}. Start the newer program again; nothing was changed.\n`,
  }

  expect(await run(['serve'], { cwd: folder.path, env })).toEqual({ ...refusal, signal: null })
  expect(await readState()).toEqual(before)
  for (const command of [['migrate'], ['user', 'add', 'bo'], ['user', 'passwd', 'ana']]) {
    expect(await call(command, { cwd: folder.path, env, input: testPassword })).toEqual(refusal)
    expect(await readState()).toEqual(before)
  }
})

test('CFG-6 a file with tables of another program is left as it is, and exit code 3 says so', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'tracks.db')
  const other = new Sqlite(file)
  other.exec('create table sqlites_own (id integer)')
  other.close()
  const env = { CARREL_PORT: '0', CARREL_DATABASE_URL: `sqlite:${file}` }

  expect(await call(['serve'], { cwd: folder.path, env })).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'The database has a table "sqlites_own" of another program, and none of Carrel\'s. Name a database of Carrel\'s own; no table was changed.\n',
  })
  expect((await call(['doctor'], { cwd: folder.path, env })).stdout).toContain(
    'a table "sqlites_own" of another program',
  )
  using again = new DatabaseSync(file, { readOnly: true })
  expect(again.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'sqlites_own' }])
})
