import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeDatabase } from '../../test/test-database.ts'
import { createLog } from '../platform/log.ts'
import { copiedTables, leftOutTables } from './copied-tables.ts'
import { openDatabase } from './open.ts'
import { openRowSource, openRowTarget } from './rows.ts'

const log = createLog({ level: 'silent', format: 'json' })

test('CFG-6 each table either goes into every copy, or it is said why it does not', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'carrel-tables-'))
  const { address, remove } = await makeDatabase(directory)
  const database = await openDatabase(address, log, (error) => {
    throw error
  })
  const { rows } =
    address.kind === 'sqlite'
      ? // An index of words is a virtual table, which follows the table of the words.
        await sql<{ name: string }>`select name from pragma_table_list
          where schema = 'main' and type = 'table' and name not like 'sqlite_%'`.execute(database.read)
      : await sql<{ name: string }>`select tablename as name from pg_tables
          where schemaname = current_schema()`.execute(database.read)
  await database.close()
  const source = await openRowSource(address)
  await source.close()
  const target = await openRowTarget(address)
  await target.close()
  await remove()
  await rm(directory, { recursive: true, force: true })

  const there = rows.map(({ name }) => name).sort()
  const listed = new Set([...copiedTables, ...leftOutTables])
  expect(there.filter((name) => !listed.has(name))).toEqual([])
  expect(copiedTables.filter((name) => !there.includes(name))).toEqual([])
  expect(source.tables.map(({ name }) => name)).toEqual(copiedTables)
  expect(target.tables).toEqual(source.tables)
})
