import { createHash, randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { readHead } from '../../src/features/backups/archive/archive-reader.ts'
import { comic, libraryFolder } from '../library-folder.ts'
import { bodyOf } from '../outcome.ts'
import { callsOfFile } from './calls.ts'
import { claim, signIn, startCarrel, testPassword, type Visitor } from './carrel.ts'
import { newDatabase } from './postgres-of-file.ts'
import { endOf, launch, launcher, type ProgramOptions, run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

const call = callsOfFile()

const unlimited = { CARREL_RATE_LIMIT_ENABLED: 'false' }
const books = 60

/** It writes preferences one after the other, until told to stop; it returns what was acknowledged. */
const writeOn = (admin: Visitor) => {
  const acknowledged = new Map<string, string>()
  const over = new AbortController()
  const writing = (async () => {
    while (!over.signal.aborted) {
      const [key, value] = [`writer-${acknowledged.size}`, randomUUID()]
      bodyOf(await admin.call(api.savePreference, { params: { key }, body: { value } }))
      acknowledged.set(key, value)
      await delay(5)
    }
  })()
  return {
    soFar: () => new Map(acknowledged),
    stop: async () => {
      over.abort()
      await writing
    },
  }
}

interface InstallationOptions extends ProgramOptions {
  readonly env: Readonly<Record<string, string>>
}

/** Books and series of the library, as they are counted and as they are listed. */
const allThere = [books, 9, books, books]

/** A backup made beside a server that scans and is written to, restored in another place, serves there. */
const backUpWhileScanning = async (
  from: InstallationOptions,
  to: InstallationOptions,
): Promise<(number | undefined)[]> => {
  await using folder = await libraryFolder()
  for (let index = 0; index < books; index += 1)
    await folder.write(`S${index % 9}/${index}.cbz`, comic({ seed: index }))
  const archive = join(from.cwd, 'kept.zip')
  const acknowledged = await (async () => {
    await using carrel = await startCarrel(from)
    const admin = await claim(carrel)
    const writer = writeOn(admin)
    const { id } = bodyOf(
      await admin.call(api.createLibrary, { body: { name: 'L', roots: [folder.path], watch: false } }),
    )
    await delay(300)
    const soFar = writer.soFar()
    expect(await run(['backup', '--to', archive], from)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The backup is .*kept\.zip, \d+ bytes, \d+ rows; .* is sound\.\n$/),
    })
    await writer.stop()
    // It went on all the while.
    expect(writer.soFar().size).toBeGreaterThan(soFar.size)
    expect(bodyOf(await admin.call(api.readLibrary, { params: { id } })).name).toBe('L')
    expect(await run(['restore', archive], from)).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/Carrel is running on .*Nothing was changed\.\n$/),
    })
    carrel.kill('SIGTERM')
    await endOf(carrel)
    return soFar
  })()

  expect(await run(['restore', archive], to)).toMatchObject({ code: 0, stdout: `${archive} is in place.\n` })

  await using carrel = await startCarrel(to)
  const admin = await signIn(carrel, 'ana')
  const { preferences } = bodyOf(await admin.call(api.readPreferences, {}))
  expect([...acknowledged].filter(([key, value]) => preferences[key] !== value)).toEqual([])
  expect(await run(['scan', '--wait'], to)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${books} files`),
  })
  const [library] = bodyOf(await admin.call(api.listLibraries, {})).data
  const listed = bodyOf(await admin.call(api.listBooks, { query: { pageSize: 500 } }))
  const paths = new Set(listed.data.map(({ path }) => path))
  return [library?.bookCount, library?.seriesCount, listed.total, paths.size]
}

test('CFG-6 a backup made beside a scan has all that was acknowledged before, and serves in another place', async () => {
  await using from = await temporaryFolder()
  await using to = await temporaryFolder()
  const [one, other] = [
    { cwd: from.path, env: unlimited },
    { cwd: to.path, env: unlimited },
  ]
  expect(await backUpWhileScanning(one, other)).toEqual(allThere)
})

test('CFG-6 the same on PostgreSQL, from one database to another', async () => {
  await using from = await temporaryFolder()
  await using to = await temporaryFolder()
  const [one, other] = [await newDatabase(), await newDatabase()]
  const there = await backUpWhileScanning(
    { cwd: from.path, env: { ...unlimited, CARREL_DATABASE_URL: one } },
    { cwd: to.path, env: { ...unlimited, CARREL_DATABASE_URL: other } },
  )
  expect(there).toEqual(allThere)
})

/** An installation that nothing runs on, with some megabytes in it. */
const filled = async (cwd: string) => {
  await call(['user', 'add', 'ana', '--role', 'admin'], { cwd, input: testPassword })
  const file = join(cwd, 'data/carrel.db')
  mark(file, 'old', 4000)
  return { cwd, file, backups: join(cwd, 'data/backups') }
}

const mark = (file: string, word: string, rows = 0): void => {
  const database = new Sqlite(file)
  const insert = database.prepare('insert or replace into setting values (?, ?, ?, null, ?)')
  database.transaction(() => {
    insert.run('mark', JSON.stringify(word), '', '')
    for (let row = 0; row < rows; row += 1) insert.run(`filler-${row}`, JSON.stringify(randomUUID().repeat(20)), '', '')
  })()
  database.close()
}

const markOf = (file: string): unknown => {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    return JSON.parse(String(database.prepare("select value from setting where key = 'mark'").pluck().get()))
  } finally {
    database.close()
  }
}

const digestOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

/** It kills the command at moments spread over the time it takes; `look` runs after each. */
const killOften = async (
  args: readonly string[],
  options: ProgramOptions,
  check: () => Promise<void>,
): Promise<void> => {
  const startedAt = performance.now()
  expect(await run(args, options)).toMatchObject({ code: 0 })
  const takesMs = performance.now() - startedAt
  for (const part of [0.4, 0.55, 0.7, 0.8, 0.9]) {
    await using program = launch(args, options)
    await delay(takesMs * part)
    program.kill('SIGKILL')
    await endOf(program)
    await check()
  }
}

test('CFG-6 W16 a backup that is killed leaves nothing with a name, and the next one takes away what is left', async () => {
  await using folder = await temporaryFolder()
  const { backups, ...installation } = await filled(folder.path)

  await killOften(['backup'], installation, async () => {
    for (const name of await readdir(backups)) {
      if (name.startsWith('.carrel-unfinished-')) continue
      const head = await readHead(join(backups, name))
      expect(head.size).toBe((await stat(join(backups, name))).size)
    }
  })

  expect(await run(['backup'], installation)).toMatchObject({ code: 0 })
  const names = await readdir(backups)
  expect(names.filter((name) => !/^carrel-[\dTZ-]+\.zip$/.test(name))).toEqual([])
  const newest = names.sort().at(-1) ?? ''
  expect(await call(['restore', join(backups, newest), '--verify-only'], installation)).toMatchObject({ code: 0 })
})

test('CFG-6 W16 a restore that is killed leaves the old database or the new one, whole', async () => {
  await using folder = await temporaryFolder()
  const { file, ...installation } = await filled(folder.path)
  const archive = join(folder.path, 'old.zip')
  expect(await call(['backup', '--to', archive], installation)).toMatchObject({ code: 0 })
  const seen: unknown[] = []

  await killOften(['restore', archive], installation, async () => {
    seen.push(markOf(file))
    mark(file, 'new')
  })

  expect(seen.filter((word) => word !== 'old' && word !== 'new')).toEqual([])
  expect(await run(['restore', archive], installation)).toMatchObject({ code: 0 })
  expect(markOf(file)).toBe('old')
  const left = await readdir(join(folder.path, 'data'))
  expect(left.filter((name) => name.startsWith('.'))).toEqual([])
  // The state before each restore is kept.
  const asideName =
    left
      .filter((name) => name.startsWith('before-restore-'))
      .sort()
      .at(-1) ?? ''
  expect(markOf(join(folder.path, 'data', asideName, 'carrel.db'))).toBe('new')
})

test('CFG-6 a backup that the disk does not take says so, leaves nothing and keeps the last one', async () => {
  await using folder = await temporaryFolder()
  const { backups, cwd } = await filled(folder.path)
  expect(await call(['backup'], { cwd })).toMatchObject({ code: 0 })
  const before = await readdir(backups)

  const script = join(cwd, 'limited.sh')
  // No file may become longer than this.
  await writeFile(script, `ulimit -f 2000; exec "${process.execPath}" "${launcher}" backup\n`)
  const full = await run([], { cwd, node: '/bin/sh', entry: script })
  expect(full).toMatchObject({ code: 1, stdout: '' })
  expect(full.stderr).toMatch(/\nNothing can be written to .*backups \(.*\): no backup was made\.\n$/)
  expect(await readdir(backups)).toEqual(before)
})

test('CFG-6 what is exported is imported on the other database, and comes out of it the same', async () => {
  await using folder = await temporaryFolder()
  const { cwd } = await filled(folder.path)
  const env = { CARREL_DATABASE_URL: await newDatabase(), CARREL_DATA_DIR: join(cwd, 'other') }
  const again = { CARREL_DATA_DIR: join(cwd, 'again') }
  const partsOf = async (name: string) =>
    (await readHead(join(cwd, name))).manifest.parts.map((part) => [part.name, part.size, part.sha256])

  expect(await run(['export', 'one.zip'], { cwd })).toMatchObject({ code: 0 })
  expect(await run(['import', 'one.zip'], { cwd, env })).toMatchObject({ code: 0 })
  expect(await call(['export', 'two.zip'], { cwd, env })).toMatchObject({ code: 0 })
  expect(await partsOf('two.zip')).toEqual(await partsOf('one.zip'))
  expect(await call(['import', 'two.zip'], { cwd, env: again })).toMatchObject({ code: 0 })
  expect(await call(['export', 'three.zip'], { cwd, env: again })).toMatchObject({ code: 0 })
  expect(await partsOf('three.zip')).toEqual(await partsOf('one.zip'))

  expect(await call(['import', 'one.zip'], { cwd, env })).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('with --replace its database makes way and is kept. Nothing was changed.\n'),
  })
  // A backup of SQLite goes into PostgreSQL as well.
  expect(await call(['backup', '--to', 'file.zip'], { cwd })).toMatchObject({ code: 0 })
  expect(await call(['import', 'file.zip', '--replace'], { cwd, env })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/The old database is kept: the schema before_restore_\w+\.\n$/),
  })
  expect(await call(['export', 'four.zip'], { cwd, env })).toMatchObject({ code: 0 })
  expect(await partsOf('four.zip')).toEqual(await partsOf('one.zip'))
})

test('C26 everything goes through a folder from SQLite to PostgreSQL and back, and is the same', async () => {
  await using folder = await temporaryFolder()
  const { cwd } = await filled(folder.path)
  const env = { CARREL_DATABASE_URL: await newDatabase(), CARREL_DATA_DIR: join(cwd, 'other') }
  const again = { CARREL_DATA_DIR: join(cwd, 'again') }
  const filesOf = async (name: string) => {
    const { createdAt: _, ...manifest } = JSON.parse(await readFile(join(cwd, name, 'manifest.json'), 'utf8')) as {
      readonly createdAt: string
    }
    return manifest
  }

  expect(await run(['export', 'everything', 'one'], { cwd })).toMatchObject({ code: 0 })
  expect(await run(['import-from', 'carrel', 'one'], { cwd, env })).toMatchObject({ code: 0 })
  expect(await call(['export', 'everything', 'two'], { cwd, env })).toMatchObject({ code: 0 })
  expect(await filesOf('two')).toEqual(await filesOf('one'))
  expect(await call(['import-from', 'carrel', 'two'], { cwd, env: again })).toMatchObject({ code: 0 })
  expect(await call(['export', 'everything', 'three'], { cwd, env: again })).toMatchObject({ code: 0 })
  expect(await filesOf('three')).toEqual(await filesOf('one'))

  const refused = await call(['import-from', 'carrel', 'one'], { cwd, env })
  expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('such a folder fills an empty one alone') })
  expect(refused.stderr).toContain('carrel import --replace')
  expect(await call(['export', 'everything', 'one'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is there already and not empty'),
  })
  expect(await call(['import-from', 'carrel', 'nowhere'], { cwd })).toMatchObject({ code: 2 })
})

test('CFG-6 a call that cannot work says what would, and touches nothing', async () => {
  await using folder = await temporaryFolder()
  const { cwd, file } = await filled(folder.path)
  await call(['export', 'good.zip'], { cwd })
  await copyFile(join(cwd, 'good.zip'), join(cwd, 'short.zip'))
  await truncate(join(cwd, 'short.zip'), 5000)
  await mkdir(join(cwd, 'empty'))
  const before = await digestOf(file)
  const calls: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['backup', '--to'], 2, /Usage: carrel backup/],
    [['backup', '--too', 'x'], 2, /Usage: carrel backup/],
    [['backup', '--to', 'nowhere/x.zip'], 2, /There is no folder .*nowhere for it: make it first\./],
    [['backup', '--to', 'good.zip'], 2, /good\.zip is there already/],
    [['export'], 2, /^Name one file or folder\.\n\nUsage: carrel export/],
    [['restore', 'nothing.zip'], 2, /^There is no file nothing\.zip\.\n\nUsage: carrel restore/],
    [
      ['restore', 'short.zip'],
      7,
      /short\.zip cannot be used\. It is no backup of Carrel, or its end is missing\. Nothing was changed\.\n$/,
    ],
    [['import', 'short.zip', '--replace'], 7, /Nothing was changed\.\n$/],
  ]
  for (const [args, code, message] of calls) {
    const ended = await call(args, { cwd })
    expect([args, ended.code, ended.stdout]).toEqual([args, code, ''])
    expect(ended.stderr).toMatch(message)
  }
  expect(await digestOf(file)).toBe(before)

  const none = await call(['backup'], { cwd: join(cwd, 'empty') })
  expect(none).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no database .*CARREL_DATA_DIR/) })
  expect(await readdir(join(cwd, 'empty'))).toEqual([])
})
