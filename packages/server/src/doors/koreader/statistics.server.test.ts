import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { koreaderFileBytesMax } from '@carrel/api/doors'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basicHeader } from '../../../test/basic-door.ts'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { insertMany } from '../../database/many.ts'
import { noteKnownBooks } from '../../features/koreader/koreader.ts'
import { linkKoreader, takeInKoreader } from '../../features/koreader/tasks.ts'
import type { Work } from '../../work.ts'

let server: TestServer
let work: Work
let folder: string
beforeAll(async () => {
  server = await startServer()
  work = workOn(server, [linkKoreader, takeInKoreader])
  folder = await mkdtemp(join(tmpdir(), 'carrel-statistics-'))
})
afterAll(async () => {
  await work.stop()
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const base = '/koreader/webdav'
const dav = (
  person: Person,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: object; body?: Buffer } = {},
) =>
  fetch(`${server.url}${base}${path}`, {
    method,
    headers: { ...basicHeader(person.username, person.password), ...(headers as Record<string, string>) },
    ...(body && { body: new Uint8Array(body) }),
  })

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
/** 21 November 2026, ten o'clock. */
const ten = Date.UTC(2026, 10, 21, 10) / 1000

type Row = readonly [document: string, page: number, start: number, duration: number, total: number]
let made = 0

/** KOReader's plugin makes the file like this, with a write-ahead log beside it as on devices that can. */
const statistics = async (rows: readonly Row[], more = ''): Promise<Buffer> => {
  const path = join(folder, `${(made += 1)}.sqlite3`)
  const db = new Sqlite(path)
  db.pragma('journal_mode = wal')
  db.exec(`
    create table book (id integer primary key autoincrement, title text, authors text, notes integer, last_open integer,
      highlights integer, pages integer, series text, language text, md5 text, total_read_time integer, total_read_pages integer);
    create table page_stat_data (id_book integer, page integer not null default 0, start_time integer not null default 0,
      duration integer not null default 0, total_pages integer not null default 0, unique (id_book, page, start_time));
    create table numbers (number integer primary key);
    pragma user_version = 20221111; ${more}`)
  const documents = [...new Set(rows.map(([document]) => document))]
  for (const [index, document] of documents.entries())
    db.prepare('insert into book (id, title, md5) values (?, ?, ?)').run(index + 1, `Book ${index}`, document)
  for (const [document, ...row] of rows)
    db.prepare('insert into page_stat_data values (?, ?, ?, ?, ?)').run(documents.indexOf(document) + 1, ...row)
  db.pragma('wal_checkpoint(truncate)')
  db.close()
  return readFile(path)
}

/** Two sessions: three pages from ten o'clock, two pages an hour later. */
const reading = (document: string): Row[] => [
  [document, 10, ten, 30, 200],
  [document, 11, ten + 30, 40, 200],
  [document, 12, ten + 80, 20, 200],
  [document, 13, ten + 3600, 60, 200],
  [document, 14, ten + 3660, 60, 200],
]

const bookKnownBy = async (document: string, row: object = {}): Promise<string> => {
  const { db } = server.context
  const library = await addLibrary(db, { name: document, path: `/data/${document}` })
  const [id = ''] = await addBooks(db, await addSeries(db, library), [{ page_count: 200, ...row }])
  await db.write((db) =>
    insertMany(db, 'book_fingerprint', [{ kind: 'koreader', value: document, book_id: id, at: '' }]),
  )
  return id
}

const put = async (person: Person, bytes: Buffer): Promise<void> => {
  const { status, headers } = await dav(person, 'PUT', '/statistics.sqlite3', { body: bytes })
  expect([201, 204]).toContain(status)
  const etag = headers.get('etag')
  const intake = () =>
    server.context.db.read
      .selectFrom('koreader_intake')
      .select('etag')
      .where('user_id', '=', person.id)
      .executeTakeFirst()
  await expect.poll(async () => `"${(await intake())?.etag}"`).toBe(etag)
}

const figuresOf = async (person: Person) => {
  const query = { from: '2026-11-01', to: '2026-11-30', granularity: 'month' } as const
  const { summary } = bodyOf(await person.call(api.readReadingStats, { query }))
  const { sessions, pagesRead, duration } = summary
  return { sessions, pagesRead, measuredMs: duration.measuredMs, inferredMs: duration.inferredMs }
}

test('KOR-1 statistics become measured sessions of the book, and count once however often they come', async () => {
  const reader = await server.person('reader')
  const document = md5('statistics one')
  const book = await bookKnownBy(document)
  await put(reader, await statistics(reading(document)))
  const first = await figuresOf(reader)
  expect(first).toMatchObject({ sessions: 2, measuredMs: 210_000, inferredMs: 0, pagesRead: 5 })
  const progress = await reader.call(api.readProgress, { params: { id: book } })
  expect(progress.ok && progress.body).toMatchObject({
    currentPage: 14,
    updatedAt: new Date((ten + 3720) * 1000).toISOString(),
  })

  await put(reader, await statistics(reading(document)))
  expect(await figuresOf(reader)).toEqual(first)
  // One page more of the second session, and one that another device had read in a pause of the first.
  const more: Row[] = [...reading(document), [document, 15, ten + 3725, 40, 200], [document, 11, ten + 71, 5, 200]]
  await put(reader, await statistics(more))
  expect(await figuresOf(reader)).toMatchObject({ sessions: 2, measuredMs: 255_000 })
})

test('G1 KOR-1 statistics that come while older ones are read are read too', async () => {
  await using server = await startServer()
  const reader = await server.person('reader')
  const send = async (rows: readonly Row[]): Promise<void> => {
    const headers = basicHeader(reader.username, reader.password)
    const body = new Uint8Array(await statistics(rows))
    const { status } = await fetch(`${server.url}${base}/statistics.sqlite3`, { method: 'PUT', headers, body })
    expect([201, 204]).toContain(status)
  }
  const document = md5('statistics overtaken')
  let sent = 0
  const overtaken: typeof takeInKoreader = {
    ...takeInKoreader,
    run: async (...given) => {
      const result = await takeInKoreader.run(...given)
      if ((sent += 1) === 1) await send(reading(document))
      return result
    },
  }
  await using _ = workOn(server, [overtaken])
  await send(reading(document).slice(0, 2))

  await expect.poll(async () => bodyOf(await reader.call(api.readStatisticsIntake, {}))?.pages).toBe(5)
})

test('KOR-1 what was read in a book that is not here yet counts once it is, and nothing counts for others', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  const document = md5('statistics later')
  await put(reader, await statistics(reading(document)))
  expect(await figuresOf(reader)).toMatchObject({ sessions: 0, measuredMs: 0 })
  const intake = bodyOf(await reader.call(api.readStatisticsIntake, {}))
  expect(intake).toMatchObject({ pages: 5, waiting: 5, fault: null })
  const book = await bookKnownBy(document, { format: 'epub', page_count: 0 })
  await server.context.db.write((db) => noteKnownBooks(db, [book], new Date()))
  await expect.poll(async () => (await figuresOf(reader)).measuredMs).toBe(210_000)
  expect(await figuresOf(other)).toMatchObject({ sessions: 0, measuredMs: 0 })

  const admin = await server.person('admin')
  expect((await admin.call(api.deleteReadingLog, { params: { id: reader.id } })).status).toBe(204)
  expect(await figuresOf(reader)).toMatchObject({ sessions: 0, measuredMs: 0 })
  expect((await reader.call(api.readStatisticsIntake, {})).status).toBe(204)
  expect((await dav(reader, 'GET', '/statistics.sqlite3')).status).toBe(404)
})

test('KOR-1 where KOReader also says where one is, no time counts twice', async () => {
  const reader = await server.person('reader')
  const document = md5('statistics twice')
  await bookKnownBy(document)
  const { key } = bodyOf(await reader.call(api.createApiKey, { body: { name: 'Both' } }))
  const saying = { document, progress: '14', percentage: 0.07, device: 'Kobo', device_id: 'K1' }
  await fetch(`${server.url}/koreader/syncs/progress`, {
    method: 'PUT',
    headers: { 'x-auth-user': key, 'content-type': 'application/json' },
    body: JSON.stringify(saying),
  })
  await put(reader, await statistics(reading(document)))
  expect(await figuresOf(reader)).toMatchObject({ measuredMs: 210_000, inferredMs: 0 })
  const sessions = await server.context.db.read
    .selectFrom('reading_session')
    .select('device_id')
    .where('user_id', '=', reader.id)
    .execute()
  expect(new Set(sessions.map(({ device_id }) => device_id))).toEqual(new Set(['koreader:K1']))
})

test('KOR-1 a hostile file is refused by whoever reads it, and changes nothing', async () => {
  const reader = await server.person('reader')
  const document = md5('statistics hostile')
  await bookKnownBy(document)
  const good = await statistics(reading(document))
  const cut = Buffer.from(good.subarray(0, 3000))
  const torn = Buffer.from(good)
  torn.fill(0xff, 4096, 5000)
  const odd: Row[] = [
    [document, 1, ten, -5, 200],
    [document, 2, ten, 900_000, 200],
    [document, 3, ten, 5, 0],
    [document, -4, ten, 5, 10],
  ]
  const views = await statistics(
    [],
    `drop table page_stat_data; create view page_stat_data as
      with recursive n (i) as (select 1 union all select i + 1 from n)
      select 1 as id_book, i as page, i as start_time, 1 as duration, 10 as total_pages from n;`,
  )
  for (const bytes of [Buffer.from('no database at all'), cut, torn, views, await statistics(odd)])
    await put(reader, bytes)
  expect(await figuresOf(reader)).toMatchObject({ sessions: 0, measuredMs: 0 })
  await put(reader, views)
  expect(bodyOf(await reader.call(api.readStatisticsIntake, {}))?.fault).toMatch(/no statistics/)
  const tooLarge = await dav(reader, 'PUT', '/statistics.sqlite3', { body: Buffer.alloc(koreaderFileBytesMax + 1) })
  expect(tooLarge.status).toBe(413)
})

test('KOR-1 W2 the folder is as KOReader and other clients of WebDAV expect it, and everybody has their own', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  const propfind = async (path: string, depth = '1') => {
    const reply = await dav(reader, 'PROPFIND', path, { headers: { depth } })
    return { status: reply.status, text: await reply.text() }
  }
  const hrefs = (text: string) => [...text.matchAll(/<d:href>([^<]*)<\/d:href>/g)].map(([, href]) => href)
  expect((await fetch(`${server.url}${base}`, { method: 'PROPFIND' })).status).toBe(401)
  const response = await fetch(`${server.url}${base}`, { method: 'OPTIONS' })
  expect([response.status, response.headers.get('dav'), response.headers.get('allow')]).toEqual([
    204,
    '1',
    expect.stringContaining('PROPFIND'),
  ])
  expect((await fetch(`${server.url}/opds/v2`, { method: 'OPTIONS' })).headers.get('dav')).toBeNull()
  expect(hrefs((await propfind('/')).text)).toEqual([`${base}/`])
  expect((await dav(reader, 'GET', '/statistics.sqlite3')).status).toBe(404)
  expect((await dav(reader, 'MKCOL', '/a%26b')).status).toBe(201)
  expect((await dav(reader, 'MKCOL', '/a%26b/')).status).toBe(409)
  expect((await dav(reader, 'MKCOL', '/no/such')).status).toBe(409)
  const created = await dav(reader, 'PUT', '/a%26b/vocabulary_builder.sqlite3', { body: Buffer.from('one') })
  const etag = created.headers.get('etag') ?? ''
  expect(created.status).toBe(201)

  const listed = await propfind('/a%26b')
  expect(listed.status).toBe(207)
  expect(hrefs(listed.text)).toEqual([`${base}/a%26b/`, `${base}/a%26b/vocabulary_builder.sqlite3`])
  expect(listed.text).toContain('<d:displayname>a&amp;b</d:displayname>')
  expect(listed.text).toContain(`<d:getcontentlength>3</d:getcontentlength><d:getetag>${etag}</d:getetag>`)
  expect(hrefs((await propfind('/a%26b', '0')).text)).toEqual([`${base}/a%26b/`])
  const same = { headers: { 'if-match': etag }, body: Buffer.from('two') }
  const changed = await dav(reader, 'PUT', '/a%26b/vocabulary_builder.sqlite3', same)
  expect([changed.status, changed.headers.get('etag') === etag]).toEqual([204, false])
  expect((await dav(reader, 'PUT', '/a%26b/vocabulary_builder.sqlite3', same)).status).toBe(412)
  const read = await dav(reader, 'GET', '/a%26b/vocabulary_builder.sqlite3')
  expect([await read.text(), read.headers.get('etag')]).toEqual(['two', changed.headers.get('etag')])
  expect((await dav(other, 'GET', '/a%26b/vocabulary_builder.sqlite3')).status).toBe(404)
  for (const path of ['/..%2Fx', '/a%5Cb', '/%01'])
    expect([400, 404]).toContain((await dav(reader, 'PUT', path, { body: Buffer.from('x') })).status)
  expect((await dav(reader, 'DELETE', '/a%26b')).status).toBe(204)
  expect(hrefs((await propfind('')).text)).toEqual([`${base}/`])
})
