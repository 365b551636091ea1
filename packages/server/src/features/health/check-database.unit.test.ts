import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/smoke/temporary-folder.ts'
import { openDegraded } from '../../database/degraded.ts'
import { createLog } from '../../platform/log.ts'
import { checkFile } from './check-database.ts'

const log = createLog({ level: 'silent', format: 'json' })

test('B1 a check ends only the damage that was known before it: what is met meanwhile may lie behind it', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'carrel.db')
  new Sqlite(file).exec('create table page (id integer)').close()
  const degraded = openDegraded({ log, databaseFile: file })
  const check = () =>
    checkFile({ config: { database: { kind: 'sqlite', file } }, db: { degraded }, log }, { limitMs: 60_000 })

  const checked = check()
  degraded.report({ reason: 'database_damaged', path: file, detail: 'database disk image is malformed' })
  expect(await checked).toEqual({ kind: 'sound' })
  expect(degraded.has('database_damaged')).toBe(true)

  expect(await check()).toEqual({ kind: 'sound' })
  expect(degraded.has('database_damaged')).toBe(false)
  degraded.close()
})
