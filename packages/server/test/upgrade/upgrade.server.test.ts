import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrateFresh } from '../migrate-fresh.ts'
import { bodyOf } from '../outcome.ts'
import { digestsOf } from '../row-digests.ts'
import { startServer, testPassword, type TestServer } from '../start-server.ts'
import { makeDatabase, testOn } from '../test-database.ts'
import { contentOf, schemaOf, stopAtVersion, writeDataOfBefore } from './data-of-before.ts'
import { workOn } from '../work.ts'
import { makeBackup, type PrepareContext, restore } from '../../src/features/backups/backups.ts'
import { renewCovers } from '../../src/features/covers/renew-covers.ts'
import { rebuildReading, recountFigures } from '../../src/features/reading/tasks.ts'
import { joinFiles } from '../../src/features/scan/several-files/join-files.ts'
import { readNamesAgain } from '../../src/features/scan/read-again/read-names-again.ts'
import { writersIn } from '../../src/catalogue/terms/terms.ts'
import { rebuildSearch } from '../../src/catalogue/search-index/tasks.ts'
import { verifyCatalogue } from '../../src/catalogue/shown/tasks.ts'
import { createLog } from '../../src/platform/log.ts'
import type { Database } from '../../src/database/database.ts'
import { copiedTables } from '../../src/database/copied-tables.ts'
import { latestVersion, migrate, OlderSchemaError, schemaVersion } from '../../src/database/migrate.ts'
import { migrations } from '../../src/database/migrations/index.ts'
import { type DatabaseAddress, openDatabase } from '../../src/database/open.ts'
import { beforeAnybodyKeeps } from '../../src/database/whom-it-concerns.ts'

const log = createLog({ level: 'silent', format: 'json' })
const clock = () => new Date('2026-11-23T10:00:00.000Z')
const context: PrepareContext = { log, clock, onProgress: () => undefined }
/** The baseline takes the place of these. */
const versionBefore = 41

interface DataOfBefore extends AsyncDisposable {
  readonly directory: string
  /** The file as the old program has left it. */
  readonly file: string
  /** The same on the database of this run. */
  readonly address: DatabaseAddress
}

/** PostgreSQL gets it by a restore, which takes a file of SQLite over as it is. */
const dataOfBefore = async (): Promise<DataOfBefore> => {
  const directory = await mkdtemp(join(tmpdir(), 'carrel-upgrade-'))
  const file = join(directory, 'before.db')
  await writeDataOfBefore(file)
  const { address, remove } = await makeDatabase(directory)
  if (address.kind === 'sqlite') await writeDataOfBefore(address.file)
  else await restore({ file, address, dataDir: directory, onlyIntoEmpty: false }, context)
  return {
    directory,
    file,
    address,
    async [Symbol.asyncDispose]() {
      await remove()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const opened = async <Result>(
  address: DatabaseAddress,
  use: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const database = await openDatabase(address, log, (error) => {
    throw error
  })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

const broughtUp = (address: DatabaseAddress, steps = migrations): Promise<number> =>
  opened(address, (database) => migrate({ database, log, clock, keepCopy: async () => undefined, steps }))

testOn(
  'sqlite',
  'W16 a database that has gone all migrations before the baseline is at it, and no row of it changes',
  async () => {
    await using data = await dataOfBefore()
    const address = { kind: 'sqlite', file: data.file } as const
    const before = contentOf(data.file)
    const own = Object.entries(before).filter(([table]) => !table.includes('_search_text'))
    expect(own.length).toBeGreaterThan(130)
    const empty = own.filter(([, rows]) => rows.length === 0).map(([table]) => table)
    // These go into no copy, and nobody waits for what is in them.
    expect(empty.sort()).toEqual(['plugin_call', 'secret', 'user_plugin_sign_in'])
    const upToBaseline = migrations.filter(({ version }) => version <= versionBefore)

    expect(await broughtUp(address, upToBaseline)).toBe(0)

    expect(contentOf(data.file)).toEqual(before)
    expect(await broughtUp(address)).toBe(migrations.length - upToBaseline.length)
    expect(await opened(address, schemaVersion)).toBe(latestVersion)
  },
)

test('W16 a restore takes over every row of such a database, whichever it is restored to', async () => {
  await using data = await dataOfBefore()
  const { directory, address } = data
  await restore(
    { file: data.file, address, dataDir: directory, onlyIntoEmpty: false },
    { ...context, clock: () => new Date() },
  )

  await broughtUp({ kind: 'sqlite', file: data.file })
  const expected = await digestsOf({ kind: 'sqlite', file: data.file })
  expect(Object.keys(expected).sort()).toEqual([...copiedTables].sort())
  expect(await digestsOf(address)).toEqual(expected)
  expect(await opened(address, schemaVersion)).toBe(latestVersion)
})

testOn('sqlite', 'W16 the schema of such a database is that of a new one', async () => {
  await using data = await dataOfBefore()
  const fresh = join(data.directory, 'fresh.db')
  await migrateFresh({ kind: 'sqlite', file: fresh })
  await broughtUp({ kind: 'sqlite', file: data.file })

  const [before, after] = [schemaOf(data.file), schemaOf(fresh)]
  expect(Object.keys(before).length).toBeGreaterThan(400)
  expect(before).toEqual(after)
})

const signedIn = async (server: TestServer, username: string) => {
  const { accessToken } = bodyOf(await server.call(api.login, { body: { username, password: testPassword } }))
  return server.callWith({ authorization: `Bearer ${accessToken}` })
}

test('W16 over such a database people sign in as before and find what was theirs', async () => {
  await using data = await dataOfBefore()
  await broughtUp(data.address)
  await using server = await startServer({ address: data.address })

  const ben = await signedIn(server, 'ben')
  const { data: series } = bodyOf(await ben(api.listSeries, { query: { pageSize: 100 } }))
  expect(series.map(({ title }) => title)).toEqual(expect.arrayContaining(['Novel', 'Series 0', 'Straße']))
  const novel = series.find(({ title }) => title === 'Novel')
  expect(novel).toMatchObject({ publisher: 'Carrel Press', year: 1999 })
  const params = { id: novel?.id ?? '' }
  expect(bodyOf(await ben(api.readSeriesRating, { params }))).toMatchObject({ rating: 85, notes: 'The rain chapter.' })
  expect(bodyOf(await ben(api.listWantToRead, {})).total).toBe(2)
  expect(bodyOf(await ben(api.listApiKeys, {})).data).toMatchObject([{ name: 'Tablet' }])
  expect(bodyOf(await ben(api.listFilterPresets, {})).presets).toMatchObject([{ name: 'Ongoing' }])
  expect(bodyOf(await ben(api.readPreferences, {}))).toMatchObject({ preferences: { 'reader.fit': 'width' } })
  const ana = await signedIn(server, 'ana')
  const setting = bodyOf(await ana(api.readSetting, { params: { key: 'rate_limit.anonymous_rps' } }))
  expect(setting).toMatchObject({ value: 20 })
  expect(bodyOf(await ana(api.readServerStatus, {})).database.schemaVersion).toBe(latestVersion)
})

test('C21 a library that was grouped by its first level of folders goes on so, and nothing in it moves', async () => {
  await using data = await dataOfBefore()
  await broughtUp(data.address)
  await using server = await startServer({ address: data.address })

  const ana = await signedIn(server, 'ana')
  const { data: libraries } = bodyOf(await ana(api.listLibraries, { query: { sort: 'name,asc' } }))
  expect(libraries.map(({ name, grouping }) => [name, grouping])).toEqual([
    ['Comics', { policy: 'volume_folders', config: {} }],
    ['Library 1', { policy: 'top_folder', config: {} }],
    ['Library 2', { policy: 'top_folder', config: {} }],
  ])
})

test('W16 whoever has written a series or a book stands in its row, in the order they were named in', async () => {
  await using data = await dataOfBefore()
  await broughtUp(data.address)

  const { kept, named } = await opened(data.address, async ({ read }) => {
    const writersOf = (entity: 'series' | 'book') =>
      read.selectFrom(entity).select(['id', 'writers']).where('writers', 'is not', null).execute()
    const people = await sql<{ id: string; name: string; role: string }>`
      select link.series_id as id, term.name, link.role, link.place from series_term as link
        join term on term.id = link.term_id where term.kind = 'person'
      union all
      select link.book_id, term.name, link.role, link.place from book_term as link
        join term on term.id = link.term_id where term.kind = 'person'
      order by 4, 2`.execute(read)
    return { kept: [...(await writersOf('series')), ...(await writersOf('book'))], named: people.rows }
  })

  const writers = named.filter(({ role }) => ['author', 'co_author', 'writer', ''].includes(role.toLowerCase()))
  const expected = new Map(
    [...Map.groupBy(writers, ({ id }) => id)].map(([id, names]) => [id, [...new Set(names.map(({ name }) => name))]]),
  )
  expect(writers.length).toBeGreaterThan(0)
  expect(new Map(kept.map(({ id, writers }) => [id, writersIn(writers)]))).toEqual(expected)
})

test('W16 C21 what migrations have left to tasks is done by this program', async () => {
  await using data = await dataOfBefore()
  await broughtUp(data.address)
  await using server = await startServer({ address: data.address })
  const left = [joinFiles, readNamesAgain, rebuildReading, rebuildSearch, recountFigures, renewCovers, verifyCatalogue]
  const { read } = server.context.db
  const statesOfTasks = async () => {
    const types = left.map(({ type }) => type)
    const rows = await read
      .selectFrom('task')
      .select(['type', 'status'])
      .distinct()
      .where('type', 'in', types)
      .orderBy('type')
      .execute()
    return rows.map(({ type, status }) => `${type} ${status}`)
  }
  const all = (status: string) => left.map(({ type }) => `${type} ${status}`)
  expect(await statesOfTasks()).toEqual(all('pending'))
  const ben = await signedIn(server, 'ben')
  const titlesMatching = async () =>
    bodyOf(await ben(api.listSeriesByCondition, { body: { fullTextSearch: 'strasse' } })).data.map(({ title }) => title)
  expect(await titlesMatching()).toEqual([])

  await using _ = workOn(server, left)

  await expect.poll(statesOfTasks).toEqual(all('completed'))
  expect(await titlesMatching()).toEqual(['Straße'])
  const unbuilt = await read.selectFrom('figure_zone').select('zone').where('built_start', 'is not', null).execute()
  expect(unbuilt).toEqual([])
})

const inBetween = [1, 27, versionBefore - 1]
const refusalAt = (version: number): string =>
  `The database has schema version ${version}, this program takes over from 41 on. Go on with the program that has made it, or begin with an empty data directory; nothing was changed.`

test('W16 a database that stopped before is refused with what to do, and nothing of it changes', async () => {
  await using data = await dataOfBefore()
  const before = await digestsOf(data.address)
  for (const version of inBetween) {
    const refusal = await opened(data.address, async (database) => {
      await database.write((db) =>
        beforeAnybodyKeeps(() => sql`update schema_version set version = ${version}`.execute(db)),
      )
      const keepCopy = () => Promise.reject(new Error('Not to be called'))
      return migrate({ database, log, clock, keepCopy }).catch((error: unknown) => error)
    })
    expect(refusal).toBeInstanceOf(OlderSchemaError)
    expect(refusal).toMatchObject({ message: refusalAt(version) })
    expect(await opened(data.address, schemaVersion)).toBe(version)
  }
  expect(await digestsOf(data.address)).toEqual(before)
})

test('W16 such a database is neither restored nor copied: that is for the program before', async () => {
  await using data = await dataOfBefore()
  stopAtVersion(data.file, 27)
  const options = { file: data.file, address: data.address, dataDir: data.directory, onlyIntoEmpty: false }
  await expect(restore(options, context)).rejects.toThrow(
    'It has schema version 27, this program takes over from 41 on. Restore it with the program that has made it; nothing was changed.',
  )

  const copy = makeBackup(
    {
      address: { kind: 'sqlite', file: data.file },
      dataDir: data.directory,
      target: { folder: data.directory },
      reason: 'manual',
      program: '0.1.0',
    },
    context,
  )
  await expect(copy).rejects.toThrow(
    'The database has schema version 27, this program takes over from 41 on. Copy it with the program that has made it.',
  )
})
