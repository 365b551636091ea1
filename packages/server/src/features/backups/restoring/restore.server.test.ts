import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tinyJpeg } from '../../../../test/books/pictures.ts'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { digestsOf } from '../../../../test/row-digests.ts'
import { makeDatabase, type TestDatabase, testOn } from '../../../../test/test-database.ts'
import type { Database } from '../../../database/database.ts'
import { latestVersion, NewerSchemaError, OlderSchemaError } from '../../../database/migrate.ts'
import { type DatabaseAddress, openDatabase } from '../../../database/open.ts'
import { openRowSource, type RowSource } from '../../../database/rows.ts'
import { lockDatabase } from '../../../database/swap-sqlite.ts'
import { newId } from '../../../platform/ids.ts'
import { createLog } from '../../../platform/log.ts'
import { coverStore } from '../../covers/covers.ts'
import { type ArchiveManifest, parseManifest, tablePart } from '../archive/archive-format.ts'
import { readHead, readPart, UnusableArchive } from '../archive/archive-reader.ts'
import { writeArchive } from '../archive/archive-writer.ts'
import { InTheWay, makeBackup, type MakeBackup, type PrepareContext, restore, verify } from '../backups.ts'

const log = createLog({ level: 'silent', format: 'json' })
const context: PrepareContext = { log, clock: () => new Date(), onProgress: () => undefined }
const at = '2026-11-01T10:00:00.000Z'

let folder = ''
let database: TestDatabase
let backup = ''
let exported = ''
let before: Record<string, string> = {}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carrel-restore-'))
  database = await makeDatabase(folder)
  await changing(database.address, fill)
  before = await digestsOf(database.address)
  backup = join(folder, 'backup.zip')
  exported = join(folder, 'export.zip')
  await makeBackup(optionsFor(database.address, backup, 'manual'), context)
  await makeBackup(optionsFor(database.address, exported, 'export'), context)
})
afterAll(async () => {
  await database.remove()
  await rm(folder, { recursive: true, force: true })
})

const optionsFor = (address: DatabaseAddress, file: string, reason: MakeBackup['reason']): MakeBackup => ({
  address,
  dataDir: folder,
  target: { file },
  reason,
  program: '0.0.0-test',
})

const changing = async (address: DatabaseAddress, change: (database: Database) => Promise<unknown>): Promise<void> => {
  const opened = await openDatabase(address, log, (error) => {
    throw error
  })
  try {
    await change(opened)
  } finally {
    await opened.close()
  }
}

const picture = { large: tinyJpeg(1), small: tinyJpeg(2) }

const fill = async (db: Database): Promise<void> => {
  const library = await addLibrary(db)
  const series = await addSeries(db, library, { title: 'Ünïcode 本 "quoted" \\ \n 🦊' })
  const ids = await addBooks(db, series, [{ number: 1 }, { number: 1.5 }, { number: 0.1 + 0.2, size: 2 ** 52 }])
  const content_hash = await coverStore({ dataDir: folder }).put(picture)
  await db.write(async (db) => {
    const cover = { entity: 'book' as const, page: null, width: 1, height: 1, placeholder: null, created_at: at }
    for (const [target, source] of ['upload', 'file'].entries())
      await db
        .insertInto('cover')
        .values({ ...cover, id: newId(), entity_id: ids[target] ?? '', source, content_hash, by_user_id: null })
        .execute()
    await db
      .insertInto('page_index')
      .values({ book_id: ids[0] ?? '', pages: Buffer.from([0, 255, 10, 13, 34]) })
      .execute()
    await db.insertInto('secret').values({ name: 'installation', value: 'must-not-leave' }).execute()
  })
}

const putBack = (file: string, address: DatabaseAddress, more: { onlyIntoEmpty?: boolean; dataDir?: string } = {}) =>
  restore({ file, address, dataDir: folder, onlyIntoEmpty: false, ...more }, context)

const newSetting = async (address: DatabaseAddress): Promise<void> =>
  changing(address, ({ write }) =>
    write((db) =>
      db
        .insertInto('setting')
        .values({ key: newId(), value: '1', updated_at: at, updated_by: null, updated_by_name: 'x' })
        .execute(),
    ),
  )

test('CFG-6 a restore brings back every row there was, and keeps the database there is', async () => {
  for (const file of [backup, exported]) {
    await newSetting(database.address)
    const changed = await digestsOf(database.address)
    expect(changed).not.toEqual(before)

    const { aside = '' } = await putBack(file, database.address)

    expect(await digestsOf(database.address)).toEqual(before)
    expect(await digestsOf(placeOf(aside))).toEqual(changed)
  }
  // A secret stored as a row is that of the database that was replaced.
  await changing(database.address, async ({ read, dialect }) => {
    const row = await read.selectFrom('secret').select('value').executeTakeFirst()
    expect(row?.value).toBe(dialect.name === 'postgres' ? 'must-not-leave' : undefined)
  })
})

const placeOf = (asideName: string): DatabaseAddress => {
  const { address } = database
  if (address.kind === 'sqlite') return { kind: 'sqlite', file: asideName }
  const url = new URL(address.url)
  return { kind: 'postgres', url: `${url.href}?options=-c%20search_path%3D${asideName.replace('the schema ', '')}` }
}

test('CFG-6 what a backup holds comes back without the installation it was made on, pictures too', async () => {
  for (const file of [backup, exported]) {
    const dataDir = join(folder, newId())
    const address = { kind: 'sqlite', file: join(dataDir, 'carrel.db') } as const

    expect(await putBack(file, address, { dataDir, onlyIntoEmpty: true })).toEqual({ kept: undefined, pictures: 1 })

    expect(await digestsOf(address)).toEqual(before)
    const store = coverStore({ dataDir })
    const source = await openRowSource(address)
    const [name] = await hashesIn(source)
    await source.close()
    expect(await store.get(name ?? '', 'large')).toEqual(picture.large)
    expect(await store.get(name ?? '', 'small')).toEqual(picture.small)
    expect((await readdir(dataDir)).sort()).toEqual(['carrel.db', 'carrel.db.lock', 'covers'])
    await expect(putBack(file, address, { dataDir, onlyIntoEmpty: true })).rejects.toThrow(InTheWay)
    await expect(putBack(file, address, { dataDir, onlyIntoEmpty: true })).rejects.toThrow('--replace')
  }
})

test('P-2 P-15 a picture that a power cut has left empty or cut short is left out of a backup, which is made all the same', async () => {
  const dataDir = join(folder, newId())
  const name = await coverStore({ dataDir }).put(picture)
  const large = join(dataDir, 'covers', name.slice(0, 2), name.slice(2, 4), `${name}.large.jpg`)
  for (const [size, pictures] of [
    [undefined, 1],
    [0, 0],
    [picture.large.length - 20, 0],
  ] as const) {
    if (size !== undefined) await truncate(large, size)
    const file = join(folder, `${newId()}.zip`)

    await makeBackup({ ...optionsFor(database.address, file, 'manual'), dataDir }, context)

    await verify(file, folder, context)
    expect((await readHead(file)).manifest.pictures).toBe(pictures)
  }
})

const hashesIn = async (source: RowSource): Promise<string[]> => {
  const table = source.tables.find(({ name }) => name === 'cover')
  if (!table) throw new Error('There is no table of covers')
  const hashes: string[] = []
  for await (const rows of source.rows(table))
    for (const row of rows) hashes.push(String(row[table.columns.indexOf('content_hash')]))
  return hashes
}

test('CFG-6 the secret of the installation is in no copy', async () => {
  for (const file of [backup, exported]) {
    const { manifest } = await readHead(file)
    for (const part of manifest.parts)
      for await (const chunk of readPart(file, part)) expect(chunk.includes('must-not-leave')).toBe(false)
  }
})

test('CFG-6 a damaged backup is refused, and the database is as it was', async () => {
  const damaged = join(folder, 'damaged.zip')
  const standing = await digestsOf(database.address)
  for (const file of [backup, exported]) {
    const { size } = await stat(file)
    for (const target of [3, size >> 2, size >> 1, size - 3000, size - 100, size - 10]) {
      await copyFile(file, damaged)
      const handle = await open(damaged, 'r+')
      const byte = Buffer.alloc(1)
      await handle.read(byte, 0, 1, target)
      await handle.write(Buffer.from([(byte[0] ?? 0) ^ 4]), 0, 1, target)
      await handle.close()
      await expect(putBack(damaged, database.address), `byte ${target}`).rejects.toThrow(UnusableArchive)
      await expect(verify(damaged, folder, context)).rejects.toThrow(UnusableArchive)
    }
  }
  await writeFile(damaged, 'SQLite format 3\0 and nonsense')
  await expect(putBack(damaged, database.address)).rejects.toThrow(UnusableArchive)
  expect(await digestsOf(database.address)).toEqual(standing)
  expect((await readdir(folder)).filter((name) => name.startsWith('.carrel-unfinished'))).toEqual([])
})

interface Forgery {
  readonly manifest?: Partial<ArchiveManifest>
  readonly rows?: Readonly<Record<string, (lines: string) => string>>
}

/** An archive whose digests are right, and whose content is not. */
const forged = async ({ manifest = {}, rows = {} }: Forgery): Promise<string> => {
  const file = join(folder, `${newId()}.zip`)
  const head = await readHead(exported)
  const writer = await writeArchive(file)
  for (const part of head.manifest.parts) {
    const chunks: Buffer[] = []
    for await (const chunk of readPart(exported, part)) chunks.push(chunk)
    const table = Object.keys(rows).find((name) => tablePart(name) === part.name)
    const text = Buffer.concat(chunks).toString()
    const change = table === undefined ? undefined : rows[table]
    await writer.add(part.name, [Buffer.from(change ? change(text) : text)] as unknown as AsyncIterable<Buffer>)
  }
  await writer.end({ ...head.manifest, ...manifest })
  return file
}

test('CFG-6 an archive whose digests are right is refused when its content is not', async () => {
  const standing = await digestsOf(database.address)
  const refused = async (forgery: Forgery, why: string | RegExp): Promise<void> => {
    const file = await forged(forgery)
    const refusal: unknown = await putBack(file, database.address).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(UnusableArchive)
    expect((refusal as Error).message).toMatch(why)
  }
  const tables = (await readHead(exported)).manifest.tables

  // The check runs on both databases, because each finds other errors.
  const withoutLibrary = {
    rows: { library: (text: string) => text.replace(/\n[^]*$/, '\n') },
    manifest: { tables: { ...tables, library: 0 } },
  }
  await refused(withoutLibrary, database.address.kind === 'sqlite' ? /refers to a library/ : /do not fit together/)
  if (database.address.kind === 'sqlite') {
    await refused({ manifest: { tables: { ...tables, book: 4 } } }, /rows of book/)
    await refused({ manifest: { pictures: 2 } }, /pictures/)
    await refused(
      { rows: { book: (text) => text.replace('"age_rating"', '"age_rating\\" from x"') } },
      /columns of book/,
    )
    await refused({ rows: { book: (text) => text.replace(/\[.*\]\n$/, '[1]\n') } }, /another length/)
    await refused({ manifest: { tables: { ...tables, of_a_plugin: 1 } } }, /knows nothing of its of_a_plugin/)
  }
  const newer = await forged({ manifest: { schemaVersion: latestVersion + 1, program: '9.9.9' } })
  await expect(putBack(newer, database.address)).rejects.toThrow(NewerSchemaError)
  await expect(verify(newer, folder, context)).rejects.toThrow(/^Carrel 9\.9\.9 has made it/)
  const older = await forged({ manifest: { schemaVersion: 27, program: '0.1.0' } })
  await expect(putBack(older, database.address)).rejects.toThrow(OlderSchemaError)
  await expect(verify(older, folder, context)).rejects.toThrow(
    'Carrel 0.1.0 has made it, with schema version 27, this program takes over from 41 on. Restore it with the program that has made it; nothing was changed.',
  )
  expect(await digestsOf(database.address)).toEqual(standing)
  expect(parseManifest(JSON.stringify((await readHead(exported)).manifest))).toBeDefined()
})

testOn(
  'postgres',
  'CFG-6 a restore on PostgreSQL is refused while somebody has the database, and leaves no schema of its own or of dead ones',
  async () => {
    if (database.address.kind !== 'postgres') throw new Error('It is not PostgreSQL')
    const { url } = database.address
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(
      'create schema carrel_restore_of_a_dead_one; create table carrel_restore_of_a_dead_one.book (id text)',
    )

    await changing(database.address, () =>
      expect(putBack(backup, { kind: 'postgres', url })).rejects.toThrow('Carrel is running on this database'),
    )
    const { rows } = await client.query("select nspname from pg_namespace where nspname like 'carrel_restore%'")
    expect(rows).toEqual([])
    await client.end()
  },
)

testOn(
  'sqlite',
  'CFG-6 a restore on SQLite is refused while somebody has the database, and takes a copy of a migration',
  async () => {
    if (database.address.kind !== 'sqlite') throw new Error('It is not SQLite')
    const { file } = database.address
    const standing = await digestsOf(database.address)
    const server = lockDatabase(file, 'shared')
    await expect(putBack(backup, database.address)).rejects.toThrow('Carrel is running on')
    server?.release()

    const copy = join(folder, 'copy.db')
    await copyFile(file, copy)
    await newSetting(database.address)
    await putBack(copy, database.address)
    expect(await digestsOf(database.address)).toEqual(standing)
    expect(await readFile(copy)).toHaveLength((await stat(copy)).size)
  },
)

testOn(
  'sqlite',
  'CFG-6 a database that is damaged itself makes way for a backup, and is kept with its log',
  async () => {
    const dataDir = join(folder, newId())
    const address = { kind: 'sqlite', file: join(dataDir, 'carrel.db') } as const
    await putBack(backup, address, { dataDir })
    await writeFile(address.file, 'nonsense')
    await writeFile(`${address.file}-wal`, 'of a log')

    const { aside = '' } = await putBack(backup, address, { dataDir })

    expect(await digestsOf(address)).toEqual(before)
    expect(await readFile(aside, 'utf8')).toBe('nonsense')
    expect(await readFile(`${aside}-wal`, 'utf8')).toBe('of a log')
  },
)

testOn(
  'sqlite',
  'CFG-6 what only the log of the old database holds is kept with it, and never meets the new one',
  async () => {
    if (database.address.kind !== 'sqlite') throw new Error('It is not SQLite')
    const dataDir = join(folder, newId())
    await mkdir(dataDir)
    const address = { kind: 'sqlite', file: join(dataDir, 'carrel.db') } as const
    const writing = new Sqlite(database.address.file)
    writing.pragma('journal_mode = wal')
    writing.exec("insert into setting values ('of the log', '1', '', null, '')")
    // The files are as a power cut leaves them.
    for (const suffix of ['', '-wal']) await copyFile(database.address.file + suffix, address.file + suffix)
    writing.close()

    const { aside = '' } = await putBack(backup, address, { dataDir })

    expect(await digestsOf(address)).toEqual(before)
    const old = new Sqlite(aside, { readonly: true })
    expect(old.prepare("select value from setting where key = 'of the log'").pluck().get()).toBe('1')
    old.close()
  },
)

testOn('sqlite', 'CFG-6 of a database that is damaged there is no backup, and nothing with its name', async () => {
  const dataDir = join(folder, newId())
  const address = { kind: 'sqlite', file: join(dataDir, 'carrel.db') } as const
  await putBack(backup, address, { dataDir })
  const raw = new Sqlite(address.file)
  raw.pragma('foreign_keys = off')
  raw.exec("insert into series_sharing_tag values ('nothing', 'nothing')")
  raw.close()
  for (const reason of ['manual', 'export'] as const) {
    const options = { ...optionsFor(address, join(dataDir, 'never.zip'), reason), dataDir }
    await expect(makeBackup(options, context)).rejects.toThrow('a row of series_sharing_tag refers to a')
  }
  expect((await readdir(dataDir)).filter((name) => name.includes('never') || name.startsWith('.'))).toEqual([])
})
