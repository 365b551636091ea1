import * as api from '@carrel/api'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { basicHeader } from '../../../test/basic-door.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'
import { noteKnownBooks } from '../../features/koreader/koreader.ts'
import { linkKoreader } from '../../features/koreader/tasks.ts'

let server: TestServer
let now = new Date('2026-11-21T10:00:00.000Z')
beforeAll(async () => {
  server = await startServer({ clock: () => now })
})
afterAll(() => server[Symbol.asyncDispose]())

const later = (minutes: number): Date => (now = new Date(now.getTime() + minutes * 60_000))
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const secondsNow = (): number => Math.floor(now.getTime() / 1000)
let documents = 0
const newDocument = (): string => md5(`document ${(documents += 1)}`)

const keyOf = async (person: Person): Promise<string> =>
  bodyOf(await person.call(api.createApiKey, { body: { name: `KOReader ${(documents += 1)}` } })).key

type Headers = Readonly<Record<string, string>>
/** KOReader's plugin sends this header with everything. */
const accept = { accept: 'application/vnd.koreader.v1+json' }
const ask = (method: string, path: string, headers: Headers = {}, body?: object) =>
  plainRequest(`${server.url}/koreader${path}`, { method, headers: { ...accept, ...headers }, body })

const bookKnownBy = async (document: string, row: object = {}): Promise<string> => {
  const { db } = server.context
  const library = await addLibrary(db, { name: `Library of ${document}`, path: `/data/${document}` })
  const [id = ''] = await addBooks(db, await addSeries(db, library), [{ page_count: 200, ...row }])
  await know(document, id)
  return id
}
const know = (document: string, bookId: string) =>
  server.context.db.write((db) =>
    insertMany(db, 'book_fingerprint', [{ kind: 'koreader', value: document, book_id: bookId, at: '' }]),
  )

const push = (headers: Headers, document: string, page: number, more: object = {}) =>
  ask('PUT', '/syncs/progress', headers, {
    document,
    progress: String(page),
    percentage: page / 200,
    device: 'PocketBook',
    device_id: 'PB-1',
    ...more,
  })
const pull = async (headers: Headers, document: string) =>
  (await ask('GET', `/syncs/progress/${document}`, headers)).json

const standing = async (person: Person, id: string) => {
  const reply = await person.call(api.readProgress, { params: { id } })
  return reply.ok ? reply.body : undefined
}

test('KOR-1 W12 KOReader signs in with a key as its name, or with a name and the digest of a key; Basic is taken too', async () => {
  const reader = await server.person('reader')
  const key = await keyOf(reader)
  const good: Headers[] = [
    { 'x-auth-user': key },
    { 'x-auth-user': key, 'x-auth-key': md5('whatever was typed') },
    { 'x-auth-user': reader.username, 'x-auth-key': md5(key) },
    { 'x-auth-user': reader.username.toUpperCase(), 'x-auth-key': md5(key).toUpperCase() },
    basicHeader(reader.username, reader.password),
    basicHeader(reader.username, key),
    { 'x-api-key': key },
  ]
  for (const headers of good) {
    const { status, json, headers: responseHeaders } = await ask('GET', '/users/auth', headers)
    expect([status, json, responseHeaders['content-type']]).toEqual([200, { authorized: 'OK' }, accept.accept])
  }
  const other = await server.person('reader')
  const bad: Headers[] = [
    {},
    { 'x-auth-user': `${key.slice(0, -1)}-` },
    { 'x-auth-user': other.username, 'x-auth-key': md5(key) },
    { 'x-auth-user': reader.username, 'x-auth-key': md5(reader.password) },
    { 'x-auth-user': reader.username },
  ]
  for (const headers of bad) {
    const { status, json } = await ask('GET', '/users/auth', headers)
    expect([status, json]).toEqual([401, { code: 2001, message: expect.any(String) }])
  }
  const created = await ask('POST', '/users/create', {}, { username: 'role-new', password: md5('x') })
  expect([created.status, created.json]).toEqual([402, { code: 2005, message: expect.any(String) }])
})

test('W12 AUTH-5 a digest that fails again and again has to wait, and so do others from there; a good one gets in', async () => {
  await using slow = await startServer()
  const reader = await slow.person('reader')
  const tryWith = (digest: string) =>
    plainRequest(`${slow.url}/koreader/users/auth`, {
      headers: { 'x-auth-user': reader.username, 'x-auth-key': digest },
    })
  const seen: number[] = []
  for (let attempt = 0; attempt < 6; attempt += 1) seen.push((await tryWith(md5(`guess ${attempt}`))).status)
  expect(seen).toEqual([401, 401, 401, 401, 401, 429])
  const refused = await tryWith(md5('guess'))
  expect(Object.keys(refused.json as object)).toEqual(['error', 'message', 'retry_after'])
})

test('KOR-1 W12 what KOReader says is where the book is read on, and what is read elsewhere is what it gets', async () => {
  const reader = await server.person('reader')
  const headers = { 'x-auth-user': await keyOf(reader) }
  const document = newDocument()
  const book = await bookKnownBy(document)
  expect(await pull(headers, document)).toEqual({})

  later(5)
  const pushed = await push(headers, document, 42)
  expect([pushed.status, pushed.json]).toEqual([200, { document, timestamp: secondsNow() }])
  expect(await standing(reader, book)).toMatchObject({ currentPage: 42, progressPercentage: 0.21 })
  expect(await pull(headers, document)).toEqual({
    document,
    progress: '42',
    percentage: 0.21,
    device: 'PocketBook',
    device_id: 'PB-1',
    timestamp: secondsNow(),
  })
  const history = bodyOf(await reader.call(api.listProgressHistory, { params: { id: book } }))
  expect(history.data[0]).toMatchObject({ device: { id: 'koreader:PB-1', name: 'PocketBook' }, currentPage: 42 })

  later(5)
  const put = server.callWith({
    authorization: `Bearer ${reader.accessToken}`,
    'x-device-id': 'web-1',
    'x-device-name': 'Firefox',
  })
  bodyOf(await put(api.saveProgress, { params: { id: book }, body: { currentPage: 100 } }))
  expect(await pull(headers, document)).toEqual({
    document,
    progress: '100',
    percentage: 0.5,
    device: 'Firefox',
    device_id: 'web-1',
    timestamp: secondsNow(),
  })

  later(5)
  // A device that was unused for a while opens the book on its first page.
  expect((await push(headers, document, 1, { device_id: 'PB-2', device: 'Kobo' })).status).toBe(200)
  expect(await pull(headers, document)).toMatchObject({ progress: '100', device_id: 'web-1' })
  later(5)
  await push(headers, document, 200)
  expect(await standing(reader, book)).toMatchObject({ currentPage: 200, completed: true })
  bodyOf(await reader.call(api.markBookUnread, { params: { id: book } }))
  expect(await pull(headers, document)).toEqual({})
})

test('KOR-1 W12 C12 an unknown document is kept, and counts as of when it was said once there is a book', async () => {
  const reader = await server.person('reader')
  const headers = { 'x-auth-user': await keyOf(reader) }
  const document = newDocument()
  const reply = await push(headers, document, 30, {
    metadata: { filename: 'x.cbz', title: 'X <b>', pages: 7 },
    more: 1,
  })
  const saidAt = now
  expect([reply.status, reply.json]).toEqual([200, { document, timestamp: secondsNow() }])
  expect(await pull(headers, document)).toMatchObject({ progress: '30', device_id: 'PB-1' })
  later(30)
  const book = await bookKnownBy(document)
  const { db } = server.context
  await db.write((db) => noteKnownBooks(db, [book], now))
  await using _ = workOn(server, [linkKoreader])
  await expect.poll(() => standing(reader, book)).toMatchObject({ currentPage: 30, updatedAt: saidAt.toISOString() })

  // Pages read since then are later, and stay.
  const other = newDocument()
  await push(headers, other, 150)
  const bookId = await bookKnownBy(newDocument())
  later(10)
  bodyOf(await reader.call(api.saveProgress, { params: { id: bookId }, body: { currentPage: 20 } }))
  await know(other, bookId)
  expect(await pull(headers, other)).toMatchObject({ progress: '20' })
})

test('KOR-1 a document may be known by its file name, where that names one book', async () => {
  const reader = await server.person('reader')
  const headers = { 'x-auth-user': await keyOf(reader) }
  const fileName = 'Night é v01.cbz'
  const name = { fileName, file: { name_hash: md5(fileName) } }
  const book = await bookKnownBy(newDocument(), name)
  await push(headers, md5(fileName), 11)
  expect(await standing(reader, book)).toMatchObject({ currentPage: 11 })
  await push(headers, newDocument(), 12, { metadata: { filename: `/mnt/books/${fileName}` } })
  expect(await standing(reader, book)).toMatchObject({ currentPage: 12 })
  await bookKnownBy(newDocument(), name)
  await push(headers, md5(fileName), 13)
  expect(await standing(reader, book)).toMatchObject({ currentPage: 12 })
})

test('KOR-1 a digest of a book that has become part of another one means that one', async () => {
  const reader = await server.person('reader')
  const headers = { 'x-auth-user': await keyOf(reader) }
  const document = newDocument()
  const part = await bookKnownBy(document)
  const into = await bookKnownBy(newDocument())
  const { db } = server.context
  const books = db.read.selectFrom('book').select('library_id').where('id', '=', into)
  const { library_id } = await books.executeTakeFirstOrThrow()
  const merge = {
    id: newId(),
    entity: 'book' as const,
    library_id,
    into_id: into,
    at: '',
    by_user_id: null,
    undone_at: null,
  }
  await db.write(async (db) => {
    await insertMany(db, 'merge', [merge])
    await insertMany(db, 'book_merge', [{ book_id: part, into_book_id: into, merge_id: merge.id }])
    await db.updateTable('book').set({ state: 'hidden' }).where('id', '=', part).execute()
  })
  await push(headers, document, 77)
  expect(await standing(reader, into)).toMatchObject({ currentPage: 77 })
})

test('KOR-1 HTTP-3 a book somebody may not see is an unknown document to them', async () => {
  const document = newDocument()
  const book = await bookKnownBy(document)
  const outside = await server.person('reader', { access: { libraries: [] } })
  const headers = { 'x-auth-user': await keyOf(outside) }
  await push(headers, document, 50)
  expect(
    await server.context.db.read.selectFrom('reading_log').select('id').where('book_id', '=', book).execute(),
  ).toEqual([])
  expect(await pull(headers, document)).toMatchObject({ progress: '50' })
})

test('KOR-1 C12 a share a little above 1, as devices reckon it, is the end of a book', async () => {
  const reader = await server.person('reader')
  const headers = { 'x-auth-user': await keyOf(reader) }
  const document = newDocument()
  const book = await bookKnownBy(document)
  expect((await push(headers, document, 200, { percentage: 1.0000001 })).status).toBe(200)
  expect(await pull(headers, document)).toMatchObject({ percentage: 1 })
  expect(await standing(reader, book)).toMatchObject({ progressPercentage: 1, completed: true })
  const unknown = newDocument()
  await push(headers, unknown, 200, { percentage: 1.0000001 })
  expect(await pull(headers, unknown)).toMatchObject({ percentage: 1 })
})

test('W2 W12 C14 what cannot be read is refused in the words of KOReader', async () => {
  const reader = await server.person('reader')
  const headers = { 'x-auth-user': await keyOf(reader) }
  const wrong = [
    {},
    { document: 'd' },
    { document: 'd', progress: '1', percentage: 7 },
    { document: 'd', progress: '1', percentage: 1.01 },
    { document: '', progress: '1', percentage: 0 },
  ]
  for (const body of wrong) {
    const { status, json } = await ask('PUT', '/syncs/progress', headers, body)
    expect([status, json]).toEqual([400, { code: 2003, message: expect.any(String) }])
  }
  const strange = await push(headers, newDocument(), 3, { device: '\u0007\u202e<script>', device_id: '' })
  expect(strange.status).toBe(200)
  const limited = bodyOf(
    await reader.call(api.createApiKey, { body: { name: 'looks', permissions: ['progress:read'] } }),
  )
  expect((await push({ 'x-auth-user': limited.key }, newDocument(), 1)).status).toBe(403)
})
