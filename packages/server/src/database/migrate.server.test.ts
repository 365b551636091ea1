import { spawn } from 'node:child_process'
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { makeDatabase, testOn } from '../../test/test-database.ts'
import { createLog } from '../platform/log.ts'
import { copyBeforeMigration } from './copy-before-migration.ts'
import type { Database } from './database.ts'
import { latestVersion, migrate, type MigrateOptions, NewerSchemaError, schemaVersion } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { type Migration, schemaChange } from './migrations/migration.ts'
import { type DatabaseAddress, openDatabase } from './open.ts'

const log = createLog({ level: 'silent', format: 'json' })
const clock = () => new Date('2026-11-21T10:00:00.000Z')

/** It makes a table, notes in it that it ran, and then does `more`. */
const nextStep = (more: () => void = () => undefined): Migration => ({
  version: latestVersion + 1,
  name: 'shelves',
  run: async (db, dialect) => {
    await schemaChange(db, dialect).createTable('shelf', { columns: { id: 'text' }, primaryKey: ['id'] })
    await sql`insert into shelf (id) values ('first')`.execute(db)
    await sql`update setting set value = '"changed"'`.execute(db)
    more()
  },
})

interface Upgrade extends AsyncDisposable {
  readonly database: Database
  readonly directory: string
  readonly address: DatabaseAddress
  readonly copies: readonly number[]
  /** It migrates to the version that this step makes. */
  run(step: Migration, more?: Partial<MigrateOptions>): Promise<number>
  openAgain(): Promise<Database>
}

const openHere = (address: DatabaseAddress): Promise<Database> =>
  openDatabase(address, log, (error) => {
    throw error
  })

/** A database at the version of this program, with something in it. */
const beforeUpgrade = async (): Promise<Upgrade> => {
  const directory = await mkdtemp(join(tmpdir(), 'carrel-migrate-'))
  const { address, remove } = await makeDatabase(directory)
  const database = await openHere(address)
  const row = { key: 'compat.prefix', value: '"kept"', updated_at: '', updated_by: null, updated_by_name: 'ana' }
  await database.write((db) => db.insertInto('setting').values(row).execute())
  const copies: number[] = []
  const opened = [database]
  const keepCopy = async (fromVersion: number) => {
    copies.push(fromVersion)
  }
  return {
    database,
    directory,
    address,
    copies,
    run: (step, more) => migrate({ database, log, clock, keepCopy, steps: [...migrations, step], ...more }),
    openAgain: async () => {
      const again = await openHere(address)
      opened.push(again)
      return again
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((each) => each.close()))
      await remove()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const stateOf = async (database: Database) => {
  const settings = await database.read.selectFrom('setting').select('value').execute()
  const hasShelves = await database.dialect.tableExists(database.read, 'shelf')
  const shelves = hasShelves ? (await sql<{ id: string }>`select id from shelf`.execute(database.read)).rows : undefined
  return { version: await schemaVersion(database), settings, shelves }
}

const before = { version: latestVersion, settings: [{ value: '"kept"' }], shelves: undefined }
const after = { version: latestVersion + 1, settings: [{ value: '"changed"' }], shelves: [{ id: 'first' }] }

test('W16 an upgrade runs the steps that are new, once, and keeps a copy before', async () => {
  await using upgrade = await beforeUpgrade()
  expect(await stateOf(upgrade.database)).toEqual(before)

  expect(await upgrade.run(nextStep())).toBe(1)
  expect(await stateOf(upgrade.database)).toEqual(after)
  expect(await upgrade.run(nextStep())).toBe(0)
  expect(await stateOf(upgrade.database)).toEqual(after)
  expect(upgrade.copies).toEqual([latestVersion])
})

test('W16 a step that fails half-way leaves version and data as they were, and can be tried again', async () => {
  await using upgrade = await beforeUpgrade()
  const failing = nextStep(() => {
    throw new Error('the power went')
  })

  await expect(upgrade.run(failing)).rejects.toThrow('the power went')
  expect(await stateOf(upgrade.database)).toEqual(before)
  expect(await upgrade.run(nextStep())).toBe(1)
  expect(await stateOf(upgrade.database)).toEqual(after)
})

test('W16 a process killed in the middle of a step leaves version and data as they were', async () => {
  await using upgrade = await beforeUpgrade()
  const script = fileURLToPath(new URL('../../test/hang-in-migration.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(upgrade.address)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = new Promise((resolve) => child.once('close', resolve))
  const output = await new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    child.stderr.setEncoding('utf8').once('data', resolve)
  })
  child.kill('SIGKILL')
  await gone

  expect(output).toBe('half-way\n')
  const database = await upgrade.openAgain()
  expect(await stateOf(database)).toEqual(before)
  expect(await upgrade.run(nextStep(), { database })).toBe(1)
  expect(await stateOf(database)).toEqual(after)
})

test('W16 a copy that cannot be kept stops the upgrade before the first change', async () => {
  await using upgrade = await beforeUpgrade()
  const keepCopy = () => Promise.reject(new Error('no room for a copy'))

  await expect(upgrade.run(nextStep(), { keepCopy })).rejects.toThrow('no room for a copy')
  expect(await stateOf(upgrade.database)).toEqual(before)
})

test('W16 a database of a newer program is refused, and nothing runs', async () => {
  await using upgrade = await beforeUpgrade()
  await upgrade.run(nextStep())
  const { database, copies } = upgrade

  const refusal = migrate({ database, log, clock, keepCopy: () => Promise.reject(new Error('Not to be called')) })

  await expect(refusal).rejects.toThrow(NewerSchemaError)
  await expect(refusal).rejects.toThrow(`version ${latestVersion + 1}, this program knows up to ${latestVersion}`)
  expect(await stateOf(database)).toEqual(after)
  expect(copies).toHaveLength(1)
})

test('W16 of several that migrate at once, an empty database too, each step is run by one', async () => {
  await using upgrade = await beforeUpgrade()
  const address = await emptied(upgrade.address, upgrade.directory)
  const runs: string[] = []
  const counted = [...migrations, nextStep()].map((step) => ({
    ...step,
    run: async (...given: Parameters<Migration['run']>) => {
      await step.run(...given)
      runs.push(step.name)
    },
  }))
  const databases = await Promise.all([1, 2, 3].map(() => openHere(address)))
  const keepCopy = async () => undefined

  const applied = await Promise.all(
    databases.map((database) => migrate({ database, log, clock, keepCopy, steps: counted })),
  )

  const [database] = databases
  expect(database && (await stateOf(database))).toMatchObject({
    version: latestVersion + 1,
    shelves: [{ id: 'first' }],
  })
  expect(applied.reduce((sum, count) => sum + count)).toBe(counted.length)
  expect(runs).toEqual(counted.map(({ name }) => name))
  await Promise.all(databases.map((each) => each.close()))
})

/** The same place without any table. */
const emptied = async (address: DatabaseAddress, directory: string): Promise<DatabaseAddress> => {
  if (address.kind === 'sqlite') return { kind: 'sqlite', file: join(directory, 'empty.db') }
  const client = new Client({ connectionString: address.url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.end()
  return address
}

const nameOfCopy = (fromVersion: number): string => `before-migration-from-${fromVersion}.db`

const fileOf = ({ address }: Upgrade): string => (address.kind === 'sqlite' ? address.file : '')

testOn('sqlite', 'W16 the copy before an upgrade opens, is sound and holds what was there', async () => {
  await using upgrade = await beforeUpgrade()
  const directory = join(upgrade.directory, 'backups')
  const keepCopy = async (fromVersion: number) => {
    await copyBeforeMigration({ file: fileOf(upgrade), target: join(directory, nameOfCopy(fromVersion)) })
  }
  await upgrade.run(nextStep(), { keepCopy })

  const names = await readdir(directory)
  expect(names).toEqual([nameOfCopy(latestVersion)])
  const raw = new Sqlite(join(directory, names[0] ?? ''), { readonly: true })
  expect(raw.pragma('integrity_check', { simple: true })).toBe('ok')
  raw.close()
  const copy = await openHere({ kind: 'sqlite', file: join(directory, names[0] ?? '') })
  expect(await stateOf(copy)).toEqual(before)
  await copy.close()
})

testOn('sqlite', 'W16 a damaged file is told before the upgrade, which then does not begin', async () => {
  await using upgrade = await beforeUpgrade()
  await upgrade.database.write((db) =>
    db
      .insertInto('setting')
      .values(
        Array.from({ length: 400 }, (_, index) => ({
          key: `filler-${index}`,
          value: 'x'.repeat(400),
          updated_at: '',
          updated_by: null,
          updated_by_name: '',
        })),
      )
      .execute(),
  )
  const file = fileOf(upgrade)
  const raw = new Sqlite(file)
  raw.pragma('wal_checkpoint(truncate)')
  const pages = raw.pragma('page_count', { simple: true }) as number
  raw.close()
  await overwrite(file, (pages - 10) * 4096)
  const directory = join(upgrade.directory, 'backups')
  const keepCopy = async (fromVersion: number) => {
    await copyBeforeMigration({ file, target: join(directory, nameOfCopy(fromVersion)) })
  }

  await expect(upgrade.run(nextStep(), { keepCopy })).rejects.toThrow(
    /is damaged .*: restore a backup; nothing was changed/s,
  )
  expect(await schemaVersion(upgrade.database)).toBe(latestVersion)
  expect(await readdir(directory)).toEqual([])
})

const overwrite = async (file: string, position: number): Promise<void> => {
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(4096, 0x5a), 0, 4096, position)
  await handle.close()
}

testOn('postgres', 'W16 the schema needs nothing of PostgreSQL that distributed databases lack', async () => {
  await using upgrade = await beforeUpgrade()
  const namesOf = async (statement: string): Promise<readonly string[]> =>
    (await sql<{ name: string }>`${sql.raw(statement)}`.execute(upgrade.database.read)).rows.map(({ name }) => name)
  const here = 'current_schema()::regnamespace'

  const objects = {
    triggers: await namesOf('select tgname as name from pg_trigger where not tgisinternal'),
    functions: await namesOf(`select proname as name from pg_proc where pronamespace = ${here}`),
    types: await namesOf(
      `select typname as name from pg_type where typnamespace = ${here} and typtype in ('d', 'e', 'r')`,
    ),
    inherited: await namesOf('select inhrelid::regclass::text as name from pg_inherits'),
    generated: await namesOf(`select attname as name from pg_attribute where attgenerated <> ''`),
    deferrable: await namesOf('select conname as name from pg_constraint where condeferrable'),
    unlogged: await namesOf(`select relname as name from pg_class where relkind = 'r' and relpersistence <> 'p'`),
    indexes: await namesOf(`select distinct amname || case when amname = 'gin' then ' ' || indnatts else '' end as name
      from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
      where relnamespace = ${here} order by 1`),
  }

  // Where there are no unlogged tables, that one is as the others are.
  expect(objects).toEqual({
    triggers: [],
    functions: [],
    types: [],
    inherited: [],
    generated: [],
    deferrable: [],
    unlogged: ['rate_bucket'],
    indexes: ['btree', 'gin 1'],
  })
})
