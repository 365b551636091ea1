import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unknownId } from '../../../test/contract/inputs.ts'
import { openStream } from '../../../test/event-stream.ts'
import { type AddedLibrary, type AddedSeries, addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'
import { noteArrivals } from './following.ts'
import { deliverWebhook, startTelling, tellFollowers } from './tasks.ts'

let server: TestServer
let work: ReturnType<typeof workOn>
let library: AddedLibrary
let alpha: AddedSeries
let beta: AddedSeries
beforeAll(async () => {
  server = await startServer()
  const { db } = server.context
  library = await addLibrary(db)
  const [one, other] = await addManySeries(db, library, [
    { title: 'Alpha', age_rating: 6 },
    { title: 'Beta', age_rating: 6 },
  ])
  if (!one || !other) throw new Error('There are no series')
  alpha = one
  beta = other
  for (const each of [alpha, beta]) await addBooks(db, each, [{ age_rating: 6 }])
  work = workOn(server, [tellFollowers, deliverWebhook])
})
afterAll(async () => {
  await work.stop()
  await server[Symbol.asyncDispose]()
})

const follow = ({ call }: Person, id = alpha.id) => call(api.followSeries, { params: { id } })
const toldOf = async ({ call }: Person, query: { unread?: boolean; pageSize?: number } = {}) =>
  bodyOf(await call(api.listNotifications, { query })).data

/** It waits until no task of these kinds is left except those that are retried later. */
const allDone = ({ context: { db } }: TestServer) =>
  waitUntil('everybody is told', async () => {
    const left = await db.read
      .selectFrom('task')
      .select('id')
      .where('type', 'in', [tellFollowers.type, deliverWebhook.type])
      .where(({ or, and, eb }) =>
        or([eb('status', '=', 'processing'), and([eb('status', '=', 'pending'), eb('attempts', '=', 0)])]),
      )
      .execute()
    return left.length === 0
  })

/** Books that one scan has found and that have been read. */
const arrive = async (...books: readonly { series?: AddedSeries; number: number; age?: number; title?: string }[]) => {
  const { db, clock } = server.context
  const scanId = newId()
  for (const { series = alpha, number, age = 6, title } of books) {
    const [id = ''] = await addBooks(db, series, [{ number, age_rating: age, ...(title !== undefined && { title }) }])
    await db.write((db) => noteArrivals(db, scanId, [id], clock()))
  }
  await db.write((db) => startTelling(db, library.id, clock()))
  await allDone(server)
}

/** A place that webhooks are sent to. */
const listening = async (status: () => number) => {
  const got: { readonly signature: string; readonly body: string }[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      got.push({ signature: String(request.headers['x-carrel-signature']), body })
      response.writeHead(status()).end()
    })
  })
  await new Promise<void>((settle) => receiver.listen(0, '127.0.0.1', settle))
  const { port } = receiver.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    got,
    [Symbol.dispose]: () => {
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}

test('EVT-2 whoever follows a series is told once of all that one scan has found in it', async () => {
  await using scanning = await startServer()
  await using folder = await libraryFolder()
  const write = async (path: string, seed: number) => folder.write(path, comic({ seed }))
  await write('Alpha/Alpha 1.cbz', 1)
  const libraryId = await addLibraryOn(scanning, { roots: [folder.path] })
  await scanNow(scanning, libraryId)
  const seriesId = (await booksOf(scanning, libraryId)).get('Alpha/Alpha 1.cbz')?.series_id ?? ''
  const reader = await scanning.person('reader')
  const other = await scanning.person('reader')
  for (let times = 0; times < 2; times += 1) expect((await follow(reader, seriesId)).status).toBe(204)
  const following = async ({ call }: Person) =>
    bodyOf(await call(api.readSeries, { params: { id: seriesId } })).following
  expect([await following(reader), await following(other)]).toEqual([true, false])
  expect(bodyOf(await reader.call(api.listFollowedSeries, {})).data.map(({ title }) => title)).toEqual(['Alpha'])
  await using stream = await openStream(
    scanning.url,
    { authorization: `Bearer ${reader.accessToken}` },
    '/api/v1/events',
  )
  await stream.first('connected')

  for (let number = 2; number <= 7; number += 1) await write(`Alpha/Alpha ${number}.cbz`, number)
  await write('Gamma/Gamma 1.cbz', 9)
  await scanNow(scanning, libraryId)
  await using _ = workOn(scanning, [tellFollowers])
  await allDone(scanning)

  const [notification, ...more] = await toldOf(reader)
  expect(more).toEqual([])
  expect(notification).toMatchObject({
    type: 'new_books',
    seriesId,
    seriesTitle: 'Alpha',
    libraryId,
    bookCount: 6,
    readAt: null,
  })
  expect(notification?.books.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6])
  expect((await stream.first('notification')).data).toMatchObject({ notificationId: notification?.id })
  expect(await toldOf(other)).toEqual([])

  // A scan that finds nothing new tells nobody anything.
  await scanNow(scanning, libraryId)
  expect(await scanning.context.db.read.selectFrom('arrival').select(['told']).execute()).toEqual([{ told: 1 }])
})

test('whoever follows no longer is not told, nor whoever has only begun to', async () => {
  const reader = await server.person('reader')
  const late = await server.person('reader')
  const { db, clock } = server.context
  await follow(reader)
  await arrive({ number: 2 })
  expect(await toldOf(reader)).toHaveLength(1)
  expect((await reader.call(api.unfollowSeries, { params: { id: alpha.id } })).status).toBe(204)
  await follow(late)
  const at = new Date(clock().getTime() - 60_000)
  const [id = ''] = await addBooks(db, alpha, [{ number: 3, age_rating: 6 }])
  await db.write((db) => noteArrivals(db, newId(), [id], at))
  await arrive({ number: 4 })
  expect(await toldOf(reader)).toHaveLength(1)
  expect(await toldOf(late)).toMatchObject([{ books: [{ number: 4 }] }])
})

test('nobody is told before the scan is over and its books are read', async () => {
  const reader = await server.person('reader')
  const { db, clock } = server.context
  await follow(reader)
  const scanId = newId()
  const at = clock().toISOString()
  const [id = ''] = await addBooks(db, alpha, [{ number: 5, age_rating: 6, file: { analysis: 'pending' } }])
  await db.write((db) => noteArrivals(db, scanId, [id], clock()))
  const tell = async () => {
    await db.write((db) => startTelling(db, library.id, clock()))
    await allDone(server)
    return toldOf(reader)
  }
  expect(await tell()).toEqual([])
  await db.write((db) => db.updateTable('file').set({ analysis: 'done' }).where('book_id', '=', id).execute())
  const counts = {
    files_total: 1,
    files_processed: 1,
    books_added: 1,
    books_updated: 0,
    books_moved: 0,
    books_missing: 0,
    books_restored: 0,
    series_added: 0,
    error_count: 0,
  }
  await db.write((db) =>
    insertMany(db, 'scan', [
      {
        id: scanId,
        number: 1,
        library_id: library.id,
        task_id: null,
        mode: 'changes',
        paths: null,
        status: 'processing',
        phase: 'applying',
        ...counts,
        errors: '[]',
        started_at: at,
        completed_at: null,
        created_at: at,
      },
    ]),
  )
  expect(await tell()).toEqual([])
  await db.write((db) => db.updateTable('scan').set({ status: 'completed' }).where('id', '=', scanId).execute())
  expect(await tell()).toHaveLength(1)
})

test('HTTP-3 nobody is told of what they may not see, nor counts it, nor hears of it later', async () => {
  const access = { ageCeiling: 12, includeUnrated: true }
  const child = await server.person('reader', { access })
  const stranger = await server.person('reader', { access: { libraries: [] } })
  const adult = await server.person('reader')
  for (const each of [child, adult]) await follow(each, beta.id)
  expect(errorOf(await follow(stranger, beta.id))).toMatchObject({ error: 'not_found' })
  expect(errorOf(await follow(adult, unknownId))).toMatchObject({ error: 'not_found' })

  await arrive({ series: beta, number: 3, age: 18 })
  expect(await toldOf(child)).toEqual([])
  const { db } = server.context
  expect(await db.read.selectFrom('notification').select('id').where('user_id', '=', child.id).execute()).toEqual([])
  expect(await toldOf(adult)).toMatchObject([{ bookCount: 1 }])
  await arrive({ series: beta, number: 4, age: 18 }, { series: beta, number: 5 })
  expect(await toldOf(child)).toMatchObject([{ bookCount: 1, books: [{ number: 5 }] }])
  expect((await toldOf(adult)).map(({ bookCount }) => bookCount)).toEqual([2, 1])

  const admin = await server.person('admin')
  bodyOf(await admin.call(api.updateUser, { params: { id: adult.id }, body: { access: { libraries: [] } } }))
  expect(await toldOf(adult)).toEqual([])
  expect(bodyOf(await adult.call(api.readUnreadCount, {}))).toEqual({ count: 0 })
})

test('what has been told is read, one by one or all at once, and removed', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  for (const each of [reader, other]) await follow(each)
  for (const number of [9, 10, 11]) await arrive({ number })
  const unread = async () => bodyOf(await reader.call(api.readUnreadCount, {})).count
  const [newest, middle, oldest] = await toldOf(reader)
  expect([newest, middle, oldest].map((each) => each?.books[0]?.number)).toEqual([11, 10, 9])
  const read = (body: api.MarkRead) => reader.call(api.markNotificationsRead, { body })

  expect(await unread()).toBe(3)
  expect((await read({ ids: [middle?.id ?? '', unknownId] })).status).toBe(204)
  expect(await unread()).toBe(2)
  expect((await toldOf(reader, { unread: true })).map(({ id }) => id)).toEqual([newest?.id, oldest?.id])
  expect(await toldOf(reader, { unread: false })).toMatchObject([{ id: middle?.id, readAt: expect.any(String) }])
  expect((await read({ all: true })).status).toBe(204)
  expect(await unread()).toBe(0)
  expect(errorOf(await read({}))).toMatchObject({ error: 'validation_failed' })
  expect(errorOf(await read({ ids: [], all: true }))).toMatchObject({ error: 'validation_failed' })
  for (const person of [reader, other])
    expect((await person.call(api.deleteNotification, { params: { id: newest?.id ?? '' } })).status).toBe(204)
  expect(await toldOf(reader)).toHaveLength(2)
  expect(await toldOf(other)).toHaveLength(3)
})

test('a webhook gets each notification, signed with a secret of its own, and tries again', async () => {
  let status = 503
  using receiver = await listening(() => status)
  const reader = await server.person('reader')
  const admin = await server.person('admin')
  const save = (url: string) => reader.call(api.saveWebhook, { body: { url } })
  expect((await reader.call(api.readWebhook, {})).status).toBe(204)
  expect(errorOf(await save(receiver.url))).toMatchObject({ error: 'validation_failed', details: [{ path: '/url' }] })
  expect(errorOf(await reader.call(api.testWebhook, {}))).toMatchObject({ error: 'not_found' })
  const setting = { key: 'webhooks.allowed_hosts' }
  bodyOf(await admin.call(api.saveSetting, { params: setting, body: { value: ['127.0.0.1'] } }))
  const { secret, ...shown } = bodyOf(await save(receiver.url))
  expect(bodyOf(await reader.call(api.readWebhook, {}))).toEqual(shown)
  const { salt } = await server.context.db.read.selectFrom('webhook').selectAll().executeTakeFirstOrThrow()
  expect(secret).not.toContain(salt)

  await follow(reader)
  await arrive({ number: 12 })
  expect(bodyOf(await reader.call(api.readWebhook, {}))).toMatchObject({
    active: true,
    failures: 1,
    lastProblem: 'The address answers with 503.',
    lastDeliveredAt: null,
  })
  status = 204
  const { db, clock } = server.context
  const at = clock().toISOString()
  await db.write((db) =>
    db.updateTable('task').set({ scheduled_for: at, is_due: 1, attempts: 0 }).where('status', '=', 'pending').execute(),
  )
  await allDone(server)
  expect(bodyOf(await reader.call(api.readWebhook, {}))).toMatchObject({ failures: 0, lastProblem: null })
  const [notification] = await toldOf(reader)
  expect(receiver.got.map(({ body }) => JSON.parse(body))).toEqual([notification, notification])
  for (const { signature, body } of receiver.got) {
    const [, seconds = '', given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
    expect(given).toBe(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
  }

  bodyOf(await reader.call(api.testWebhook, {}))
  await allDone(server)
  expect(receiver.got.at(-1)?.body).toBe('{"type":"test"}')
  const withhold = async (withheldPermissions: 'progress:read'[]) =>
    bodyOf(await admin.call(api.updateUser, { params: { id: reader.id }, body: { withheldPermissions } }))
  await withhold(['progress:read'])
  await arrive({ number: 15 })
  expect(receiver.got).toHaveLength(3)
  await withhold([])
  expect(bodyOf(await save(receiver.url)).secret).toBe(secret)
  expect(bodyOf(await save(`${receiver.url}/elsewhere`)).secret).not.toBe(secret)
  // A receiver that answers 410 is not called again.
  status = 410
  bodyOf(await reader.call(api.testWebhook, {}))
  await allDone(server)
  expect(bodyOf(await reader.call(api.readWebhook, {}))).toMatchObject({ active: false, failures: 1 })
  expect((await reader.call(api.deleteWebhook, {})).status).toBe(204)
  expect((await reader.call(api.readWebhook, {})).status).toBe(204)
  bodyOf(await admin.call(api.resetSetting, { params: setting }))
})

test('C24 the feed is opened by a key that opens nothing else, is as good as its user, and names books as lists do', async () => {
  const reader = await server.person('reader')
  const admin = await server.person('admin')
  await follow(reader)
  await arrive({ number: 13, title: '<b>&amp;]]>\u0007' }, { number: 14 })
  expect((await reader.call(api.readFeedKey, {})).status).toBe(204)
  const { key, path, createdAt } = bodyOf(await reader.call(api.createFeedKey, {}))
  expect(bodyOf(await reader.call(api.readFeedKey, {}))).toEqual({ createdAt })
  const read = async (address = path) => {
    const reply = await fetch(server.url + address)
    return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() }
  }
  const feed = await read()
  expect([feed.status, feed.type]).toEqual([200, 'application/rss+xml; charset=utf-8'])
  expect(feed.text).toContain('<title>Alpha: 2 new books</title>')
  expect(feed.text).toContain(`<link>${server.url}/series/${alpha.id}</link>`)
  expect(feed.text).toContain('<description>13 · &lt;b&gt;&amp;amp;]]&gt;\n14</description>')
  expect(server.logLines.filter((line) => JSON.stringify(line).includes(key))).toEqual([])
  expect(JSON.stringify(await server.context.db.read.selectFrom('feed_key').selectAll().execute())).not.toContain(key)
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }])
    expect((await fetch(`${server.url}/api/v1/user/notifications`, { headers })).status).toBe(401)

  const again = bodyOf(await reader.call(api.createFeedKey, {}))
  expect((await read()).status).toBe(404)
  expect((await read(again.path)).status).toBe(200)
  bodyOf(await admin.call(api.updateUser, { params: { id: reader.id }, body: { isActive: false } }))
  expect((await read(again.path)).status).toBe(404)
  bodyOf(await admin.call(api.updateUser, { params: { id: reader.id }, body: { isActive: true } }))
  expect((await read(again.path)).status).toBe(200)
  const withhold = (withheldPermissions: 'progress:read'[]) =>
    admin.call(api.updateUser, { params: { id: reader.id }, body: { withheldPermissions } })
  bodyOf(await withhold(['progress:read']))
  expect((await read(again.path)).status).toBe(404)
  bodyOf(await withhold([]))
  expect((await read(again.path)).status).toBe(200)
  const back = bodyOf(await server.call(api.login, { body: { username: reader.username, password: reader.password } }))
  const signedIn = server.callWith({ authorization: `Bearer ${back.accessToken}` })
  expect((await signedIn(api.deleteFeedKey, {})).status).toBe(204)
  expect((await read(again.path)).status).toBe(404)
})

test('of series that are followed there are at most as many as anybody looks through', async () => {
  const reader = await server.person('reader')
  const { db } = server.context
  const at = '2026-11-01T10:00:00.000Z'
  const template = await db.read.selectFrom('series').selectAll().where('id', '=', alpha.id).executeTakeFirstOrThrow()
  const ids = Array.from({ length: api.followsMax }, () => newId())
  await db.write(async (db) => {
    for (let from = 0; from < ids.length; from += 500) {
      const some = ids.slice(from, from + 500)
      const rows = some.map((id) => ({ ...template, id, key: id, book_count: 0 }))
      await db.insertInto('series').values(rows.slice(0, 250)).execute()
      await db.insertInto('series').values(rows.slice(250)).execute()
      await db
        .insertInto('series_follow')
        .values(some.map((id) => ({ user_id: reader.id, series_id: id, followed_at: at, newest_at: at })))
        .execute()
    }
  })
  expect(errorOf(await follow(reader))).toMatchObject({ error: 'conflict' })
})
