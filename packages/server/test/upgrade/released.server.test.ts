import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { restore } from '../../src/features/backups/backups.ts'
import { latestVersion, migrate } from '../../src/database/migrate.ts'
import { migrations } from '../../src/database/migrations/index.ts'
import { type DatabaseAddress, openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/platform/log.ts'
import { bodyOf } from '../outcome.ts'
import { startServer, testPassword } from '../start-server.ts'
import { makeDatabase, makeEmptyDatabase, testDialect, testOn } from '../test-database.ts'
import { schemaOf } from './data-of-before.ts'
import { databaseOf, digestsOfMigrations, postgresSchemaOf, releases } from './released.ts'
import { listPostgresSchema, tablesOf, whatOlderNodesWouldMiss } from './schema-listing.ts'

const log = createLog({ level: 'silent', format: 'json' })
const clock = () => new Date('2026-11-28T10:00:00.000Z')

const temporaryFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'carrel-released-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const migrateTo = async (address: DatabaseAddress, version: number): Promise<void> => {
  const database = await openDatabase(address, log, (error) => {
    throw error
  })
  const steps = migrations.filter((step) => step.version <= version)
  await migrate({ database, log, clock, keepCopy: async () => undefined, steps })
  await database.close()
}

testOn('sqlite', 'P-14 W16 no migration that has gone out is edited, and the first release is kept', async () => {
  const present = digestsOfMigrations()
  expect(releases.map(({ program }) => program)).toContain('0.1.0')
  for (const { migrations: released } of releases)
    expect(Object.fromEntries(Object.keys(released).map((name) => [name, present[name]]))).toEqual(released)
})

testOn('sqlite', 'P-14 W16 what a release had made of SQLite, its migrations still make', async () => {
  for (const release of releases) {
    await using folder = await temporaryFolder()
    const [storedFile, made] = [join(folder.path, 'kept.db'), join(folder.path, 'made.db')]
    await writeFile(storedFile, databaseOf(release))
    await migrateTo({ kind: 'sqlite', file: made }, release.schemaVersion)
    expect(schemaOf(made)).toEqual(schemaOf(storedFile))
  }
})

testOn('postgres', 'P-14 W16 what a release had made of PostgreSQL, its migrations still make', async () => {
  for (const release of releases) {
    const { url, remove } = await makeEmptyDatabase()
    await migrateTo({ kind: 'postgres', url }, release.schemaVersion)
    expect(await listPostgresSchema(url)).toEqual(postgresSchemaOf(release))
    await remove()
  }
})

test.each(releases)('P-14 W16 people go on over the data of $program', async (release) => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'released.db')
  await writeFile(file, databaseOf(release))
  const { address, remove } = await makeDatabase(folder.path)
  if (testDialect === 'sqlite') await writeFile(address.kind === 'sqlite' ? address.file : '', databaseOf(release))
  else {
    const options = { file, address, dataDir: folder.path, onlyIntoEmpty: false }
    await restore(options, { log, clock: () => new Date(), onProgress: () => undefined })
  }
  await migrateTo(address, latestVersion)
  await using server = await startServer({ address })

  const { accessToken } = bodyOf(await server.call(api.login, { body: { username: 'ben', password: testPassword } }))
  const ben = server.callWith({ authorization: `Bearer ${accessToken}` })
  const { data } = bodyOf(await ben(api.listSeries, { query: { pageSize: 100 } }))
  expect(data.map(({ title }) => title)).toEqual(expect.arrayContaining(['Novel', 'Series 0', 'Straße']))
  const params = { id: data.find(({ title }) => title === 'Novel')?.id ?? '' }
  expect(bodyOf(await ben(api.readSeriesRating, { params }))).toMatchObject({ rating: 85 })
  await remove()
})

/** What a statement does to a new database, as the older node sees it. */
const missedAfter = async (file: string, statement: string): Promise<readonly string[]> => {
  const before = tablesOf(file)
  const database = new Sqlite(file)
  database.exec(statement)
  database.close()
  return whatOlderNodesWouldMiss(before, tablesOf(file))
}

testOn('sqlite', 'E13 a migration that takes something from nodes of the version before is found', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'made.db')
  await migrateTo({ kind: 'sqlite', file }, latestVersion)

  expect(await missedAfter(file, 'alter table book add column shelf text')).toEqual([])
  expect(await missedAfter(file, "alter table book add column room text not null default ''")).toEqual([])
  expect(await missedAfter(file, 'create table shelf (id text primary key, room text not null)')).toEqual([])
  expect(await missedAfter(file, 'create index book_by_shelf on book (shelf)')).toEqual([])
  expect(await missedAfter(file, 'alter table book drop column room')).toEqual(['book.room is gone'])
  expect(await missedAfter(file, 'alter table shelf rename to plank')).toEqual(['shelf is gone'])
  expect(await missedAfter(file, 'create unique index book_shelf on book (shelf)')).toEqual([
    'book has a new unique book_shelf',
  ])
})

testOn(
  'sqlite',
  'E13 migrations after the first release only add, so that old and new nodes run side by side',
  async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'made.db')
    const first = Math.min(...releases.map(({ schemaVersion }) => schemaVersion))
    await migrateTo({ kind: 'sqlite', file }, first)
    let before = tablesOf(file)
    for (const { version, name } of migrations.filter((step) => step.version > first)) {
      await migrateTo({ kind: 'sqlite', file }, version)
      const after = tablesOf(file)
      expect({ name, missed: whatOlderNodesWouldMiss(before, after) }).toEqual({ name, missed: [] })
      before = after
    }
  },
)
