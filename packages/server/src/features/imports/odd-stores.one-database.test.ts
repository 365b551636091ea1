import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { allOf, startObjectStore } from '../../../test/object-store.ts'
import { bucketAt } from '../../platform/objects/objects.ts'
import { day, movableClock } from '../../../test/movable-clock.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { workOn } from '../../../test/work.ts'
import { enqueue } from '../../tasks/queue.ts'
import { cleanUpImports } from './clean-up.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { importing, unpackStore } from '../../../test/stores.ts'

let server: TestServer
let admin: Person
let folder = ''
let text = ''
beforeAll(async () => {
  server = await startServer()
  admin = await server.person('admin')
  folder = await mkdtemp(join(tmpdir(), 'carrel-odd-'))
  text = await unpackStore('komga/database.sqlite.gz', folder)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const read = (path: string) => importing(server, admin).read({ kind: 'komga', source: { path } })

const storeOf = async (name: string, bytes: Buffer): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

test('C25 what cannot be read is refused with what is wrong, and nothing of it is kept', async () => {
  const bytes = await readFile(text)
  const half = await storeOf('half.sqlite', bytes.subarray(0, Math.floor(bytes.length * 0.6)))
  const noDatabase = await storeOf('text.sqlite', Buffer.from('This is no database.'.repeat(200)))
  const other = await unpackStore('komga/database.sqlite.gz', folder, 'journal.sqlite')
  await writeFile(`${other}-journal`, 'a change that is under way')
  const cases = [
    [half, 'damaged'],
    [noDatabase, 'wrong_kind'],
    [join(folder, 'nothing.sqlite'), 'not_found'],
    [join(folder, 'empty-folder'), 'not_found'],
    [other, 'locked'],
  ] as const
  await mkdir(join(folder, 'empty-folder'))
  for (const [path, code] of cases) {
    const report = await read(path)
    expect([path, report.state, report.fault?.code]).toEqual([path, 'failed', code])
    const parts = await server.context.db.read
      .selectFrom('import_part')
      .selectAll()
      .where('import_id', '=', report.id)
      .execute()
    expect(parts).toEqual([])
    const refusal = errorOf(await admin.call(api.applyImport, { params: { id: report.id }, body: {} }))
    expect(refusal).toMatchObject({ error: 'conflict' })
  }
})

test('C25 a database of something else is refused by the name of what is missing', async () => {
  const { db } = server.context
  if (db.dialect.name !== 'sqlite') return
  const path = await unpackStore('komga/database.sqlite.gz', folder, 'other.sqlite')
  const { default: Sqlite } = await import('better-sqlite3')
  const other = new Sqlite(path)
  other.exec(
    'alter table READ_PROGRESS rename to SOMETHING_ELSE; create view READ_PROGRESS as select * from SOMETHING_ELSE',
  )
  other.close()
  expect(await read(path)).toMatchObject({
    fault: { code: 'wrong_kind', message: expect.stringContaining('READ_PROGRESS') },
  })
})

test('C25 what stands only in the log beside a database is read, and neither file is touched', async () => {
  const beside = join(folder, 'wal')
  await mkdir(beside)
  const store = await unpackStore('komga/wal.sqlite.gz', beside, 'database.sqlite')
  await unpackStore('komga/wal.sqlite-wal.gz', beside, 'database.sqlite-wal')
  const before = [await readFile(store), await readFile(`${store}-wal`)]
  const withLog = await read(beside)
  const without = await unpackStore('komga/wal.sqlite.gz', folder, 'without-log.sqlite')
  const withoutLog = await read(without)
  expect(withLog.found['readLists']).toBe((withoutLog.found['readLists'] ?? 0) + 1)
  const [later, earlier] = [await statesOf(withLog.id), await statesOf(withoutLog.id)]
  expect(later.filter((state) => !earlier.includes(state))).toHaveLength(1)
  expect([await readFile(store), await readFile(`${store}-wal`)]).toEqual(before)
})

const statesOf = async (importId: string): Promise<string[]> => {
  const rows = await server.context.db.read
    .selectFrom('import_part')
    .select('records')
    .where('import_id', '=', importId)
    .where('type', '=', 'progress')
    .execute()
  return rows.flatMap(({ records }) => (JSON.parse(records) as unknown[]).map((state) => JSON.stringify(state)))
}

test('C25 a hostile store is read within bounds, and what makes no sense in it is counted', async () => {
  const hostile = await unpackStore('komga/hostile.sqlite.gz', folder)
  const { read: readIt, apply, undo } = importing(server, admin)
  const report = await readIt({ kind: 'komga', source: { path: hostile } })
  expect(report.state).toBe('ready')
  expect(report.passedOver.some(({ reason }) => reason === 'invalid')).toBe(true)
  const parts = await server.context.db.read
    .selectFrom('import_part')
    .select(['type', 'records'])
    .where('import_id', '=', report.id)
    .execute()
  for (const { records } of parts) expect(records.length).toBeLessThan(2 * 1024 * 1024)
  const paths = parts
    .filter(({ type }) => type === 'book')
    .flatMap(({ records }) => JSON.parse(records) as { path: string | null }[])
    .flatMap(({ path }) => path ?? [])
  for (const path of paths) expect(path.split('/').some((part) => part === '..' || part === '')).toBe(false)

  expect(await apply(report.id)).toMatchObject({ state: 'applied', fault: null })
  expect(await undo(report.id)).toMatchObject({ state: 'undone' })
})

test('C25 a store is sent in parts, and an upload goes on where it was left', async () => {
  const bytes = await readFile(text)
  const upload = bodyOf(await admin.call(api.startUpload, { body: { name: 'database.sqlite', size: bytes.length } }))
  const send = (offset: number, to: number) =>
    admin.call(api.continueUpload, {
      params: { id: upload.id },
      query: { offset },
      body: bytes.subarray(offset, to),
    })
  const half = Math.floor(bytes.length / 2)
  const twice = await Promise.all([send(0, half), send(0, half)])
  expect(twice.some(({ status }) => status === 200)).toBe(true)
  expect(errorOf(await send(0, half))).toMatchObject({ error: 'conflict' })
  const early = await admin.call(api.startImport, { body: { kind: 'komga', source: { uploadId: upload.id } } })
  expect(errorOf(early)).toMatchObject({ error: 'conflict' })
  expect(bodyOf(await admin.call(api.readUpload, { params: { id: upload.id } })).received).toBe(half)
  expect(bodyOf(await send(half, bytes.length)).received).toBe(bytes.length)
  const report = await importing(server, admin).read({ kind: 'komga', source: { uploadId: upload.id } })
  expect([report.state, report.found['books']]).toEqual(['ready', 60])
  await admin.call(api.removeUpload, { params: { id: upload.id } })
  expect(errorOf(await admin.call(api.readUpload, { params: { id: upload.id } }))).toMatchObject({ error: 'not_found' })
})

test('C25 an upload comes in parts to several nodes, and one of them reads it from the bucket', async () => {
  await using store = await startObjectStore()
  const { clock, pass } = movableClock(new Date().toISOString())
  await using one = await startServer({ env: store.env, clock })
  await using two = await startServer({ env: store.env, clock, address: one.context.config.database })
  const keeper = await one.person('admin')
  const other = two.callWith({ authorization: `Bearer ${keeper.accessToken}` })
  const bytes = await readFile(text)
  const upload = bodyOf(await keeper.call(api.startUpload, { body: { name: 'database.sqlite', size: bytes.length } }))
  const params = { id: upload.id }
  const third = Math.ceil(bytes.length / 3)
  for (const [at, call] of [keeper.call, other, keeper.call].entries()) {
    store.mood = 'gone'
    const part = { params, query: { offset: at * third }, body: bytes.subarray(at * third, (at + 1) * third) }
    expect((await call(api.continueUpload, part)).status).toBe(503)
    store.mood = 'well'
    await waitUntil('the store', async () => (await call(api.readUpload, { params })).status === 200)
    expect(bodyOf(await call(api.continueUpload, part)).received).toBe(Math.min((at + 1) * third, bytes.length))
    expect(errorOf(await call(api.continueUpload, part))).toMatchObject({ error: 'conflict' })
  }
  const report = await importing(two, { ...keeper, call: other }).read({
    kind: 'komga',
    source: { uploadId: upload.id },
  })
  expect([report.state, report.found['books']]).toEqual(['ready', 60])
  for (const { context } of [one, two])
    expect((await readdir(context.config.dataDir)).filter((name) => name.endsWith('.upload'))).toEqual([])

  const listUploads = () => allOf(bucketAt(store.address).list('imports'))
  expect((await listUploads()).map(({ size }) => size)).toEqual([third, third, bytes.length - 2 * third])
  pass(2 * day)
  await using _ = workOn(one, [cleanUpImports])
  await one.context.db.write((db) => enqueue(db, cleanUpImports, { byHand: true }, { now: clock() }))
  await waitUntil('an upload that is cleared away', async () => (await listUploads()).length === 0)
})

test('C25 one import is under way at a time, and one nobody works on any more is no hindrance', async () => {
  const path = join(folder, 'copy.sqlite')
  await copyFile(text, path)
  const body = { kind: 'komga', source: { path } } as const
  const first = bodyOf(await admin.call(api.startImport, { body }))
  expect(errorOf(await admin.call(api.startImport, { body }))).toMatchObject({ reason: 'running_already' })
  await admin.call(api.cancelTask, { params: { id: first.taskId } })
  expect(bodyOf(await admin.call(api.readImport, { params: { id: first.importId } }))).toMatchObject({
    state: 'failed',
    fault: { code: 'cancelled' },
  })
  expect((await read(path)).state).toBe('ready')
})

test('C25 what nobody has asked for is cleared away, and what has not come to its end', async () => {
  const { clock, pass } = movableClock(new Date().toISOString())
  await using old = await startServer({ clock })
  const keeper = await old.person('admin')
  const report = await importing(old, keeper).read({ kind: 'komga', source: { path: text } })
  const upload = bodyOf(await keeper.call(api.startUpload, { body: { name: 'database.sqlite', size: 10 } }))
  await keeper.call(api.continueUpload, {
    params: { id: upload.id },
    query: { offset: 0 },
    body: Buffer.from('half'),
  })
  pass(31 * day)
  const later = await old.person('admin')
  await using _ = workOn(old, [cleanUpImports])
  await old.context.db.write((db) => enqueue(db, cleanUpImports, { byHand: true }, { now: clock() }))
  await waitUntil('an upload that is cleared away', async () => {
    const { status } = await later.call(api.readUpload, { params: { id: upload.id } })
    return status === 404
  })
  expect(errorOf(await later.call(api.applyImport, { params: { id: report.id }, body: {} }))).toMatchObject({
    message: 'What was read is no longer kept: read it again.',
  })
})
