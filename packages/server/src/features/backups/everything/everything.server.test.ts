import { appendFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tinyJpeg } from '../../../../test/books/pictures.ts'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { digestsOf } from '../../../../test/row-digests.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'
import type { DatabaseAddress } from '../../../database/open.ts'
import { newId } from '../../../platform/ids.ts'
import { createLog } from '../../../platform/log.ts'
import { InTheWay, type PrepareContext, readEverything, UnusableArchive, writeEverything } from '../backups.ts'
import { coverStore } from '../../covers/covers.ts'

const log = createLog({ level: 'silent', format: 'json' })
const context: PrepareContext = { log, clock: () => new Date(), onProgress: () => undefined }
const picture = { large: tinyJpeg(1), small: tinyJpeg(2) }

let server: TestServer
let folder = ''
let everything = ''
let username = ''

beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'carrel-everything-'))
  const { db, config } = server.context
  const ana = await server.person('editor')
  username = ana.username
  const series = await addSeries(db, await addLibrary(db), { title: 'Ünïcode 本 "quoted" \\ \n 🦊' })
  const [book = ''] = await addBooks(db, series, [
    { number: 1, page_count: 20 },
    { number: 0.1 + 0.2, metadata: '{ "title": "Spaces  stay" }' },
  ])
  await ana.call(api.editBookMetadata, { params: { id: book }, body: { title: 'Said by hand', genres: ['A', 'B'] } })
  await ana.call(api.savePreference, { params: { key: 'shelves' }, body: { value: [null, { a: 1 }] } })
  await ana.call(api.createReadList, { body: { name: 'Later' } })
  await ana.call(api.createApiKey, { body: { name: 'Tablet' } })
  const content_hash = await coverStore(config).put(picture)
  const cover = {
    id: newId(),
    entity_id: book,
    entity: 'book' as const,
    source: 'upload',
    page: null,
    width: 1,
    height: 1,
  }
  const made = { placeholder: null, content_hash, by_user_id: null, created_at: '2026-11-01T10:00:00.000Z' }
  const pages = Buffer.from([0, 255, 10, 13, 34])
  await db.write(async (db) => {
    await db
      .insertInto('cover')
      .values({ ...cover, ...made })
      .execute()
    await db.insertInto('page_index').values({ book_id: book, pages }).execute()
  })
  // What it has noted of the use of sessions is written when it stops.
  await server.app.close()
  everything = await written('everything')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const written = async (
  name: string,
  address: DatabaseAddress = server.context.config.database,
  dataDir = server.context.config.dataDir,
) => {
  const path = join(folder, name)
  await writeEverything({ address, dataDir, folder: path, program: '0.0.0-test' }, context)
  return path
}

const makeTarget = () => {
  const dataDir = join(folder, newId())
  return { dataDir, address: { kind: 'sqlite', file: join(dataDir, 'carrel.db') } as const }
}

test('C26 everything that is written out comes back into an empty installation, row by row and with its ids', async () => {
  const { dataDir, address } = makeTarget()
  await readEverything({ folder: everything, dataDir, address }, context)
  const before = await digestsOf(server.context.config.database)
  expect(await digestsOf(address)).toEqual(before)

  const again = await written('again', address, dataDir)
  const files = (await readdir(everything)).filter((name) => name !== 'manifest.json')
  for (const name of files)
    expect([name, await readFile(join(again, name), 'utf8')]).toEqual([
      name,
      await readFile(join(everything, name), 'utf8'),
    ])
  const [hash = ''] = /[0-9a-f]{40,64}/.exec(await readFile(join(everything, 'pictures.jsonl'), 'utf8')) ?? []
  expect(await coverStore({ dataDir }).get(hash, 'large')).toEqual(picture.large)
})

test('C26 the folder is readable: a line is a record by the names of its fields, and JSON in it is JSON', async () => {
  const lines = async (kind: string) =>
    (await readFile(join(everything, `${kind}.jsonl`), 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect((await lines('user')).map((user) => user['username'])).toContain(username)
  const layers = await lines('metadata_layer')
  expect(layers.map(({ fields }) => fields)).toContainEqual({
    json: { book: { title: 'Said by hand', genres: ['A', 'B'] } },
  })
  const books = await lines('book')
  expect(books.map(({ number }) => number)).toContain(0.1 + 0.2)
  expect((await lines('page_index'))[0]).toMatchObject({ pages: { base64: 'AP8KDSI=' } })
  expect((await stat(join(everything, 'user.jsonl'))).mode & 0o777).toBe(0o600)
})

test('C26 what was changed or is missing is refused, and nothing is there then', async () => {
  const changes: Readonly<Record<string, (path: string) => Promise<void>>> = {
    'is not as it was written': async (path) => change(join(path, 'book.jsonl'), 'Spaces  stay', 'Spaces  sway'),
    'is no row of its kind': async (path) => appendFile(join(path, 'book.jsonl'), '{}\n'),
    'is not in it': async (path) => rm(join(path, 'user.jsonl')),
    'There is no manifest.json': async (path) => rename(join(path, 'manifest.json'), join(path, 'other.json')),
    'is none of carrel export everything': async (path) => writeFile(join(path, 'manifest.json'), '{}'),
    'update first': async (path) => change(join(path, 'manifest.json'), '"format": 1', '"format": 2'),
    'knows nothing of its stranger': async (path) =>
      change(join(path, 'manifest.json'), '"kind": "user"', '"kind": "stranger"').then(() =>
        rename(join(path, 'user.jsonl'), join(path, 'stranger.jsonl')),
      ),
  }
  for (const [why, spoil] of Object.entries(changes)) {
    const path = await written(newId())
    await spoil(path)
    const { dataDir, address } = makeTarget()
    const refusal: unknown = await readEverything({ folder: path, dataDir, address }, context).catch(
      (error: unknown) => error,
    )
    expect(refusal).toBeInstanceOf(UnusableArchive)
    expect((refusal as Error).message).toContain(why)
    expect((await readdir(dataDir).catch(() => [])).filter((name) => !name.endsWith('.lock'))).toEqual([])
  }
})

const change = async (file: string, from: string, to: string): Promise<void> => {
  const before = await readFile(file, 'utf8')
  expect(before).toContain(from)
  await writeFile(file, before.replace(from, to))
}

test('C26 nothing is written over, and an installation that is in use is left alone', async () => {
  await expect(written('everything')).rejects.toThrow('is there already and not empty')
  const { dataDir, address } = makeTarget()
  await readEverything({ folder: everything, dataDir, address }, context)
  const steps: unknown[] = []
  const telling: PrepareContext = { ...context, onProgress: (progress) => void steps.push(progress) }
  const again = readEverything({ folder: everything, dataDir, address }, telling)
  await expect(again).rejects.toThrow(InTheWay)
  await expect(again).rejects.toThrow('carrel import --replace puts in the place of this one')
  const nobody = { kind: 'postgres', url: 'postgres://carrel@127.0.0.1:1/carrel' } as const
  const unreached = readEverything({ folder: everything, dataDir, address: nobody }, telling)
  await expect(unreached).rejects.toThrow(/^The database refuses or cannot be reached .*: nothing was changed\.$/)
  // Neither was packed for nothing.
  expect(steps).toEqual([])
})
