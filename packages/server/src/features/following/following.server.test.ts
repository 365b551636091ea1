import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unknownId } from '../../../test/contract/inputs.ts'
import { openStream } from '../../../test/event-stream.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { newId } from '../../platform/ids.ts'
import { deliverWebhook, tellFollowers } from './tasks.ts'

const rated = (age: 'Everyone' | 'Adults Only 18+') =>
  `<?xml version="1.0"?><ComicInfo><AgeRating>${age}</AgeRating></ComicInfo>`

let server: TestServer
let folder: LibraryFolder
let libraryId: string
let seriesId: string
let otherId: string
beforeAll(async () => {
  server = await startServer()
  folder = await libraryFolder()
  await folder.write('Alpha/Alpha 1.cbz', comic({ seed: 1, comicInfo: rated('Everyone') }))
  await folder.write('Beta/Beta 1.cbz', comic({ seed: 2, comicInfo: rated('Everyone') }))
  libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const books = await booksOf(server, libraryId)
  seriesId = books.get('Alpha/Alpha 1.cbz')?.series_id ?? ''
  otherId = books.get('Beta/Beta 1.cbz')?.series_id ?? ''
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const follow = ({ call }: Person, id = seriesId) => call(api.followSeries, { params: { id } })
const toldOf = async ({ call }: Person, query: { unread?: boolean; pageSize?: number } = {}) =>
  bodyOf(await call(api.listNotifications, { query })).data

/** Until nothing of these kinds is left to do but what is tried again later. */
const doAll = async (types: readonly string[] = [tellFollowers.type, deliverWebhook.type]): Promise<void> => {
  const { db } = server.context
  await using _ = workOn(server, [tellFollowers, deliverWebhook])
  await waitUntil('everybody is told', async () => {
    const left = await db.read
      .selectFrom('task')
      .select('id')
      .where('type', 'in', types)
      .where('status', 'in', ['pending', 'processing'])
      .where('attempts', '=', 0)
      .execute()
    const running = await db.read
      .selectFrom('task')
      .select('id')
      .where('type', 'in', types)
      .where('status', '=', 'processing')
      .execute()
    return left.length + running.length === 0
  })
}

let seed = 10
const arrive = async (...paths: readonly (readonly [string, ('Everyone' | 'Adults Only 18+')?])[]): Promise<void> => {
  for (const [path, age = 'Everyone'] of paths)
    await folder.write(path, comic({ seed: (seed += 1), comicInfo: rated(age) }))
  await scanNow(server, libraryId)
  await doAll()
}

/** A place that webhooks are sent to. */
const listening = async (status: () => number) => {
  const got: { readonly signature: string; readonly body: string }[] = []
  const place = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      got.push({ signature: String(request.headers['x-carrel-signature']), body })
      response.writeHead(status()).end()
    })
  })
  await new Promise<void>((settle) => place.listen(0, '127.0.0.1', settle))
  const { port } = place.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    got,
    [Symbol.dispose]: () => {
      place.closeAllConnections()
      place.close()
    },
  }
}

test('EVT-2 whoever follows a series is told once of all that one scan has found in it', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  expect((await follow(reader)).status).toBe(204)
  expect((await follow(reader)).status).toBe(204)
  expect(bodyOf(await reader.call(api.readSeries, { params: { id: seriesId } })).following).toBe(true)
  expect(bodyOf(await other.call(api.readSeries, { params: { id: seriesId } })).following).toBe(false)
  expect(bodyOf(await reader.call(api.listFollowedSeries, {})).data.map(({ title }) => title)).toEqual(['Alpha'])
  await using stream = await openStream(server.url, { authorization: `Bearer ${reader.accessToken}` }, '/api/v1/events')
  await stream.first('connected')

  await arrive(
    ...Array.from({ length: 6 }, (_, index) => [`Alpha/Alpha ${index + 2}.cbz`] as const),
    ['Beta/Beta 2.cbz'],
    ['Gamma/Gamma 1.cbz'],
  )

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

  // A scan that finds nothing new, and one that is run again, tell nobody anything.
  await arrive()
  expect(await toldOf(reader)).toHaveLength(1)
  expect((await reader.call(api.unfollowSeries, { params: { id: seriesId } })).status).toBe(204)
  await arrive(['Alpha/Alpha 8.cbz'])
  expect(await toldOf(reader)).toHaveLength(1)
})

test('HTTP-3 nobody is told of what they may not see, nor counts it, nor hears of it later', async () => {
  const access = { ageCeiling: 12, includeUnrated: true }
  const child = await server.person('reader', { access })
  const stranger = await server.person('reader', { access: { libraries: [] } })
  const adult = await server.person('reader')
  for (const each of [child, adult]) await follow(each, otherId)
  expect(errorOf(await follow(stranger, otherId))).toMatchObject({ error: 'not_found' })
  expect(errorOf(await follow(adult, unknownId))).toMatchObject({ error: 'not_found' })

  await arrive(['Beta/Beta 3.cbz', 'Adults Only 18+'])
  expect(await toldOf(child)).toEqual([])
  expect(await toldOf(adult)).toMatchObject([{ bookCount: 1 }])
  await arrive(['Beta/Beta 4.cbz', 'Adults Only 18+'], ['Beta/Beta 5.cbz'])
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
  for (const number of [9, 10, 11]) await arrive([`Alpha/Alpha ${number}.cbz`])
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
  using place = await listening(() => status)
  const reader = await server.person('reader')
  const admin = await server.person('admin')
  const save = (url: string) => reader.call(api.saveWebhook, { body: { url } })
  expect((await reader.call(api.readWebhook, {})).status).toBe(204)
  expect(errorOf(await save(place.url))).toMatchObject({ error: 'validation_failed', details: [{ path: '/url' }] })
  expect(errorOf(await reader.call(api.testWebhook, {}))).toMatchObject({ error: 'not_found' })
  const setting = { key: 'webhooks.allowed_hosts' }
  bodyOf(await admin.call(api.saveSetting, { params: setting, body: { value: ['127.0.0.1'] } }))
  const { secret, ...shown } = bodyOf(await save(place.url))
  expect(bodyOf(await reader.call(api.readWebhook, {}))).toEqual(shown)
  const { salt } = await server.context.db.read.selectFrom('webhook').selectAll().executeTakeFirstOrThrow()
  expect(secret).not.toContain(salt)

  await follow(reader)
  await arrive(['Alpha/Alpha 12.cbz'])
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
  await doAll()
  expect(bodyOf(await reader.call(api.readWebhook, {}))).toMatchObject({ failures: 0, lastProblem: null })
  const [notification] = await toldOf(reader)
  expect(place.got.map(({ body }) => JSON.parse(body))).toEqual([notification, notification])
  for (const { signature, body } of place.got) {
    const [, seconds = '', given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
    expect(given).toBe(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
  }

  bodyOf(await reader.call(api.testWebhook, {}))
  await doAll()
  expect(place.got.at(-1)?.body).toBe('{"type":"test"}')
  expect(bodyOf(await save(place.url)).secret).toBe(secret)
  expect(bodyOf(await save(`${place.url}/elsewhere`)).secret).not.toBe(secret)
  // Whoever is told to go away does.
  status = 410
  bodyOf(await reader.call(api.testWebhook, {}))
  await doAll()
  expect(bodyOf(await reader.call(api.readWebhook, {}))).toMatchObject({ active: false, failures: 1 })
  expect((await reader.call(api.deleteWebhook, {})).status).toBe(204)
  expect((await reader.call(api.readWebhook, {})).status).toBe(204)
  bodyOf(await admin.call(api.resetSetting, { params: setting }))
})

test('the feed is opened by a key that opens nothing else, and is as good as its user', async () => {
  const reader = await server.person('reader')
  const admin = await server.person('admin')
  await follow(reader)
  await folder.write('Alpha/<b>&amp;.cbz', comic({ seed: 99 }))
  await arrive(['Alpha/Alpha 13.cbz'])
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
  expect(feed.text).toContain(`<link>${server.url}/series/${seriesId}</link>`)
  expect(feed.text).not.toContain('<b>')
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
  const back = bodyOf(await server.call(api.login, { body: reader }))
  const signedIn = server.callWith({ authorization: `Bearer ${back.accessToken}` })
  expect((await signedIn(api.deleteFeedKey, {})).status).toBe(204)
  expect((await read(again.path)).status).toBe(404)
})

test('of series that are followed there are at most as many as anybody looks through', async () => {
  const reader = await server.person('reader')
  const { db } = server.context
  const at = '2026-11-01T10:00:00.000Z'
  const template = await db.read.selectFrom('series').selectAll().where('id', '=', seriesId).executeTakeFirstOrThrow()
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
