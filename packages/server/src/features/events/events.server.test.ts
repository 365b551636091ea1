import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStream, type TestStream } from '../../../test/event-stream.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { isRefused, rawConnection } from '../../../test/smoke/raw-connection.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { openDatabase } from '../../database/open.ts'
import { announce } from '../../events/outbox.ts'
import { anyEventWithoutNumber, selectLastNumber } from '../../events/queries.ts'
import { newId } from '../../platform/ids.ts'

const bearer = ({ accessToken }: Person) => ({ authorization: `Bearer ${accessToken}` })
const streamOf = (server: TestServer, person: Person, query = '', more: Record<string, string> = {}) =>
  openStream(server.url, { ...bearer(person), ...more }, `/api/v1/events${query}`)
const announceMark = ({ context }: TestServer): Promise<void> =>
  context.db.write((db) => announce(db, [{ event: { type: 'duplicates_updated' }, to: {} }], context.clock()))

/**
 * Events of the preparations of a test may still be on their way when the stream begins: the stream waits for all of
 * them, and drops them.
 */
const quietStreams = async (server: TestServer, ...people: Person[]): Promise<TestStream[]> => {
  const streams = await Promise.all(people.map((person) => streamOf(server, person)))
  await announceMark(server)
  for (const stream of streams) {
    await stream.first('duplicates_updated')
    stream.forget()
  }
  return streams
}

const save = (person: Person, value: number) =>
  person.call(api.saveSetting, { params: { key: 'scan.hold_books' }, body: { value } })
const manyEvents = (count: number) =>
  Array.from({ length: count }, () => ({ event: { type: 'duplicates_updated' } as const, to: {} }))
const settingEvents = (stream: TestStream) => stream.ofType('setting_updated')

/** Most of the tests tell their own people alone, and share a server. */
let server: TestServer
let bystander: Person
beforeAll(async () => {
  server = await startServer()
  bystander = await server.person('reader')
})
afterAll(() => server[Symbol.asyncDispose]())
// What the test before has brought about is told before the next one listens.
beforeEach(async () => {
  const [stream] = await quietStreams(server, bystander)
  await stream?.[Symbol.asyncDispose]()
})

describe('the stream', () => {
  test('EVT-1 C7 begins with connected and then tells what happens, each with id, event and one line of JSON', async () => {
    const admin = await server.person('admin')
    await using stream = await streamOf(server, admin)
    await stream.first('connected')

    bodyOf(await save(admin, 21))

    const event = await stream.first('setting_updated')
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.headers.get('cache-control')).toContain('no-cache')
    expect(stream.headers.get('x-request-id')).toBeTruthy()
    expect(stream.text()).toMatch(/^retry: 3000\n\nid: \d+\nevent: connected\n/)
    const [connected] = stream.events
    expect(connected?.data).toEqual({ type: 'connected', timestamp: expect.any(String), lastEventId: connected?.id })
    expect(event.event).toBe('setting_updated')
    expect(Number(event.id)).toBeGreaterThan(Number(connected?.id))
    expect(event.data).toEqual({
      type: 'setting_updated',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      key: 'scan.hold_books',
    })
  })

  test('C7 on the alias the event line is left out', async () => {
    const admin = await server.person('admin')
    await using stream = await openStream(server.url, bearer(admin), '/api/v1/events/stream')
    await stream.first('connected')

    await save(admin, 21)

    expect((await stream.first('setting_updated')).event).toBeUndefined()
    expect(stream.text()).not.toContain('event:')
  })

  test('EVT-1 a token, a key and the cookie all open it, and nothing else does', async () => {
    const admin = await server.person('admin')
    const { key } = bodyOf(await admin.call(api.createApiKey, { body: { name: 'Panel' } }))

    for (const headers of [bearer(admin), { 'x-api-key': key }, { cookie: admin.cookie }]) {
      await using stream = await openStream(server.url, headers)
      expect((await stream.first('connected')).id).toBeDefined()
    }
    await using refused = await openStream(server.url, {})
    expect(refused.status).toBe(401)
  })

  test('EVT-1 types chooses, by name or by how it begins', async () => {
    const admin = await server.person('admin')
    await using users = await streamOf(server, admin, '?types=user_*')
    await using settings = await streamOf(server, admin, '?types=setting_updated,book_created')
    await Promise.all([users.first('connected'), settings.first('connected')])

    bodyOf(await save(admin, 21))
    const reader = await server.person('reader')

    await settings.first('setting_updated')
    // The administrator may have been announced after the stream began, too.
    const isOfReader = () => users.ofType('user_created').find(({ data }) => data.userId === reader.id)
    await waitUntil('the new reader', isOfReader)
    const others = users.events.filter(({ data }) => data.userId !== reader.id && data.userId !== admin.id)
    expect(others.map(({ data }) => data.type)).toEqual(['connected'])
    expect(settings.events.map(({ data }) => data.type)).toEqual(['connected', 'setting_updated'])
    await using wrong = await streamOf(server, admin, '?types=book_created,weather')
    expect(wrong.status).toBe(400)
  })

  test('C7 a user has at most twenty at a time', async () => {
    const admin = await server.person('admin')
    await using streams = new AsyncDisposableStack()
    for (let count = 0; count < 20; count += 1) streams.use(await streamOf(server, admin))

    const response = await fetch(`${server.url}/api/v1/events`, { headers: bearer(admin) })

    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Object.keys((await response.json()) as object).sort()).toEqual(['error', 'message', 'retry_after'])
    const other = await server.person('reader')
    await using others = await streamOf(server, other)
    expect(others.status).toBe(200)
    await streams.disposeAsync()
    await waitUntil('room for one more', async () => {
      await using again = await streamOf(server, admin)
      return again.status === 200
    })
  })

  test('EVT-1 the end of the server ends it', async () => {
    const server = await startServer()
    const admin = await server.person('admin')
    const stream = await streamOf(server, admin)
    await stream.first('connected')

    await server[Symbol.asyncDispose]()

    await stream.ended
    expect(stream.isEnded()).toBe(true)
  })

  test('EVT-1 HTTP-8 one that is asked for while the server stops is refused, and the server need not wait for it', async () => {
    await using server = await startServer()
    const admin = await server.person('admin')
    await using connection = await rawConnection(server.url)
    const host = `Host: ${new URL(server.url).host}\r\n`
    // The second request has begun when the first is answered: its connection is not idle.
    connection.write(`GET /health HTTP/1.1\r\n${host}\r\n`)
    connection.write(`GET /api/v1/events HTTP/1.1\r\n${host}Authorization: Bearer ${admin.accessToken}\r\n`)
    await waitUntil('the first answer', () => connection.received().includes('{"status":"ok"}'))

    const closing = server.app.close()
    await waitUntil('new connections to be refused', () => isRefused(server.url))
    connection.write('\r\n')

    const refusal = await waitUntil('the second answer', () => connection.received().split('HTTP/1.1 503')[1])
    expect(refusal).toMatch(/^retry-after: 5\r$/m)
    expect(refusal).toContain('"error":"unavailable"')
    await closing
  })
})

describe('what was missed', () => {
  test.each([
    ['Last-Event-ID', (id: string) => ['', { 'last-event-id': id }] as const],
    ['since', (id: string) => [`?since=${id}`, {}] as const],
  ])('EVT-1 %s brings it, once and in order, and goes on', async (_, ask) => {
    const admin = await server.person('admin')
    let lastId = ''
    {
      await using stream = await streamOf(server, admin)
      await stream.first('connected')
      await save(admin, 21)
      lastId = (await stream.first('setting_updated')).id ?? ''
    }
    for (let value = 30; value < 60; value += 1) bodyOf(await save(admin, value))

    const [query, headers] = ask(lastId)
    await using again = await streamOf(server, admin, query, headers)
    bodyOf(await save(admin, 99))

    await waitUntil('all that was missed', () => settingEvents(again).length >= 31)
    const ids = settingEvents(again).map(({ id }) => Number(id))
    expect(ids).toEqual(Array.from({ length: 31 }, (_, index) => Number(lastId) + 1 + index))
    expect(again.ofType('resync')).toEqual([])
  })

  test.each(['999999999', 'nonsense', '-3'])('EVT-1 %s, which was never given, is answered with resync', async (id) => {
    const admin = await server.person('admin')
    await using stream = await streamOf(server, admin, '', { 'last-event-id': id })

    expect((await stream.first('resync')).data).toMatchObject({ reason: 'too_old' })
    await save(admin, 21)

    expect((await stream.first('setting_updated')).data.key).toBe('scan.hold_books')
  })

  test('EVT-1 what is no longer kept is answered with resync', async () => {
    const admin = await server.person('admin')
    await save(admin, 21)
    await using stream = await streamOf(server, admin, '?since=0')
    await stream.first('setting_updated')
    await server.context.db.write(async (db) => {
      await db.deleteFrom('event').execute()
    })

    await using again = await streamOf(server, admin, '?since=0')

    expect((await again.first('resync')).data).toMatchObject({ reason: 'too_old' })
  })
})

describe('who is told', () => {
  const library = newId()
  const tag = newId()

  const announceBook = (
    { context }: TestServer,
    bookId: string,
    content: { ageRating: number | null; sharingTags: string[] } = { ageRating: null, sharingTags: [] },
  ) =>
    context.db.write((db) =>
      announce(
        db,
        [
          {
            event: { type: 'book_created', bookId, seriesId: newId(), libraryId: library },
            to: { libraryId: library, content },
          },
        ],
        context.clock(),
      ),
    )

  test('EVT-3 HTTP-3 only who may see the content: library, age ceiling and tags decide', async () => {
    const admin = await server.person('admin')
    const { id: sharingTag } = bodyOf(await admin.call(api.createSharingTag, { body: { name: 'Private' } }))
    const people = {
      all: await server.person('reader'),
      elsewhere: await server.person('reader', { access: { libraries: [newId()] } }),
      here: await server.person('reader', { access: { libraries: [library] } }),
      child: await server.person('reader', { access: { ageCeiling: 12 } }),
      childWithUnrated: await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } }),
      denied: await server.person('reader', { access: { denyTags: [sharingTag] } }),
      invited: await server.person('reader', { access: { allowTags: [sharingTag] } }),
    }
    await using stack = new AsyncDisposableStack()
    const streams = new Map<string, TestStream>()
    for (const [name, person] of Object.entries(people)) {
      const stream = stack.use(await streamOf(server, person))
      await stream.first('connected')
      streams.set(name, stream)
    }
    const books = { plain: newId(), adult: newId(), forChildren: newId(), tagged: newId(), last: newId() }

    await announceBook(server, books.plain)
    await announceBook(server, books.adult, { ageRating: 18, sharingTags: [] })
    await announceBook(server, books.forChildren, { ageRating: 6, sharingTags: [] })
    await announceBook(server, books.tagged, { ageRating: 6, sharingTags: [sharingTag, tag] })
    await announceMark(server)

    const heard = new Map<string, string[]>()
    for (const [name, stream] of streams) {
      await stream.first('duplicates_updated')
      const names = stream.ofType('book_created').map(({ data }) => data.bookId)
      heard.set(
        name,
        Object.entries(books).flatMap(([book, id]) => (names.includes(id) ? [book] : [])),
      )
    }
    expect(Object.fromEntries(heard)).toEqual({
      all: ['plain', 'adult', 'forChildren', 'tagged'],
      elsewhere: [],
      here: ['plain', 'adult', 'forChildren', 'tagged'],
      child: ['forChildren', 'tagged'],
      childWithUnrated: ['plain', 'forChildren', 'tagged'],
      denied: ['plain', 'adult', 'forChildren'],
      invited: ['tagged'],
    })
  })

  test('EVT-2 settings and users are for those who may see them, and what is mine is for me', async () => {
    const admin = await server.person('admin')
    const reader = await server.person('reader')
    const [mine, theirs] = await quietStreams(server, reader, admin)
    if (!mine || !theirs) throw new Error('There are two streams')
    await using stack = new AsyncDisposableStack()
    stack.use(mine)
    stack.use(theirs)

    await save(admin, 21)
    await server.person('reader')
    const event = { type: 'preset_created', presetId: newId() } as const
    await server.context.db.write((db) =>
      announce(
        db,
        [
          { event, to: { userId: reader.id } },
          { event: { type: 'duplicates_updated' }, to: {} },
        ],
        server.context.clock(),
      ),
    )

    await Promise.all([mine.first('duplicates_updated'), theirs.first('duplicates_updated')])
    const typesOf = (stream: TestStream) => stream.events.map(({ data }) => data.type)
    expect(typesOf(mine)).toEqual(['preset_created', 'duplicates_updated'])
    expect(typesOf(theirs)).toEqual(['setting_updated', 'user_created', 'duplicates_updated'])
  })

  test('EVT-3 AUTH-1 who loses the right hears nothing from then on, and is told to read again', async () => {
    const admin = await server.person('admin')
    const reader = await server.person('reader')
    await using stream = await streamOf(server, reader)
    await stream.first('connected')

    bodyOf(await admin.call(api.updateUser, { params: { id: reader.id }, body: { access: { libraries: [] } } }))
    await announceBook(server, newId())
    await announceMark(server)

    await stream.first('duplicates_updated')
    expect(stream.events.map(({ data }) => data.reason ?? data.type)).toEqual([
      'connected',
      'access_changed',
      'duplicates_updated',
    ])
  })

  test.each([
    ['the session ends', async (_: Person, person: Person) => person.call(api.logout, {})],
    [
      'the user is deactivated',
      async (admin: Person, person: Person) =>
        admin.call(api.updateUser, { params: { id: person.id }, body: { isActive: false } }),
    ],
    [
      'the user is removed',
      async (admin: Person, person: Person) => admin.call(api.deleteUser, { params: { id: person.id } }),
    ],
  ])('AUTH-1 EVT-3 when %s the stream is closed before anything else is told', async (_, revoke) => {
    const admin = await server.person('admin')
    const reader = await server.person('reader')
    await using stream = await streamOf(server, reader)
    await stream.first('connected')

    const outcome = await revoke(admin, reader)
    expect(outcome.ok).toBe(true)
    await announceBook(server, newId())

    await stream.ended
    expect(stream.ofType('book_created')).toEqual([])
  })

  test('AUTH-3 a key that is removed loses its stream', async () => {
    const admin = await server.person('admin')
    const { id, key } = bodyOf(await admin.call(api.createApiKey, { body: { name: 'Panel' } }))
    await using stream = await openStream(server.url, { 'x-api-key': key })
    await stream.first('connected')

    await admin.call(api.deleteApiKey, { params: { id } })

    await stream.ended
    expect(stream.isEnded()).toBe(true)
  })

  test('EVT-2 a key hears no more than it may read', async () => {
    const admin = await server.person('admin')
    const { key } = bodyOf(await admin.call(api.createApiKey, { body: { name: 'Shelf', permissions: ['books:read'] } }))
    await using stream = await openStream(server.url, { 'x-api-key': key })
    await stream.first('connected')

    await save(admin, 21)
    await announceMark(server)

    await stream.first('duplicates_updated')
    expect(settingEvents(stream)).toEqual([])
  })
})

describe('a client with more than one node', () => {
  test('EVT-1 W8 that comes from a node which is ahead of this one hears nothing twice', async () => {
    const admin = await server.person('admin')
    await using other = await streamOf(server, admin)
    await other.first('connected')
    const elsewhere = await openDatabase(server.context.config.database, server.context.log, (error) => {
      throw error
    })
    await using stack = new AsyncDisposableStack()
    stack.defer(() => elsewhere.close())

    for (let round = 0; round < 5; round += 1) {
      // On SQLite nobody tells this process what another one commits: it checks once a second.
      await elsewhere.write((db) => announce(db, manyEvents(5), new Date()))
      await waitUntil('numbers', async () => !(await anyEventWithoutNumber(elsewhere.read)))
      const last = await selectLastNumber(elsewhere.read)
      await using came = await streamOf(server, admin, '', { 'last-event-id': String(last) })
      await came.first('connected')
      await server.context.db.write((db) => announce(db, manyEvents(1), new Date()))

      await came.first('duplicates_updated')
      expect(came.ofType('duplicates_updated').map(({ id }) => Number(id))).toEqual([last + 1])
    }
    await waitUntil('all of it', () => other.ofType('duplicates_updated').length >= 30)
    const ids = other.ofType('duplicates_updated').map(({ id }) => Number(id))
    expect(ids).toEqual(Array.from({ length: 30 }, (_, index) => Number(ids[0]) + index))
  })
})

test('C7 clients that are gone before their stream begins take no place', async () => {
  const admin = await server.person('admin')
  const { host, hostname, port } = new URL(server.url)
  for (let count = 0; count < 40; count += 1) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${admin.accessToken}\r\n\r\n`)
    for (let turn = 0; turn < count % 8; turn += 1) await nextTurn()
    socket.resetAndDestroy()
  }

  const hasRoom = await waitUntil('room for twenty', async () => {
    await using streams = new AsyncDisposableStack()
    const opened = []
    for (let count = 0; count < 20; count += 1) opened.push(streams.use(await streamOf(server, admin)))
    return opened.every(({ status }) => status === 200)
  })
  expect(hasRoom).toBe(true)
})

test('EVT-3 what is not committed is not told', async () => {
  const admin = await server.person('admin')
  const [stream] = await quietStreams(server, admin)
  if (!stream) throw new Error('There is a stream')
  await using _ = stream

  expect(errorOf(await save(admin, -5)).error).toBe('validation_failed')
  const failing = server.context.db.write(async (db) => {
    await announce(db, [{ event: { type: 'duplicates_updated' }, to: {} }], server.context.clock())
    throw new Error('On second thoughts')
  })
  await expect(failing).rejects.toThrow('On second thoughts')
  await save(admin, 21)

  await stream.first('setting_updated')
  expect(stream.events.map(({ data }) => data.type)).toEqual(['setting_updated'])
})
