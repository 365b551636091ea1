import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { hour, minute, movableClock, second } from '../../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addBooksTo, addShelf } from '../../../../test/reading-content.ts'
import { type Person, startServer } from '../../../../test/start-server.ts'

const opened = async () => {
  const { clock, pass } = movableClock()
  const server = await startServer({ clock })
  const shelf = await addShelf(server.context.db)
  const [bookId = '', otherId = ''] = await addBooksTo(server.context.db, shelf, 2)
  const reader = await server.person('reader')
  return { server, clock, pass, shelf, bookId, otherId, reader, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

const on = (id: string, name?: string) => ({
  headers: { 'x-device-id': id, ...(name !== undefined && { 'x-device-name': name }) },
})

const put = async (reader: Person, id: string, body: api.ProgressUpdate, device = 'tablet') =>
  bodyOf(await reader.call(api.saveProgress, { params: { id }, body }, on(device)))

test('C12 a position is answered as it stands, and there is none before the first', async () => {
  await using setup = await opened()
  const { reader, bookId, clock } = setup
  const before = await reader.call(api.readProgress, { params: { id: bookId } })
  expect([before.status, bodyOf(before)]).toEqual([204, undefined])

  const answer = await put(reader, bookId, { currentPage: 42 })

  const at = clock().toISOString()
  expect(answer).toEqual({
    id: answer?.id,
    userId: reader.id,
    bookId,
    currentPage: 42,
    progressPercentage: 0.21,
    completed: false,
    startedAt: at,
    updatedAt: at,
    completedAt: null,
    heldBack: false,
  })
  const after = await reader.call(api.readProgress, { params: { id: bookId } })
  expect([after.status, bodyOf(after)]).toEqual([200, answer])
})

test('the last page or 98 per cent completes a book, unless the client says otherwise; the first time stays', async () => {
  await using setup = await opened()
  const { reader, bookId, otherId, pass } = setup
  expect(await put(reader, bookId, { currentPage: 200, completed: false })).toMatchObject({ completed: false })
  pass(minute)
  const completed = await put(reader, bookId, { currentPage: 200 })
  expect(completed).toMatchObject({ completed: true })
  pass(minute)
  expect(await put(reader, bookId, { currentPage: 200, completed: true })).toMatchObject({
    completedAt: completed?.completedAt,
  })
  pass(minute)
  expect(await put(reader, bookId, { currentPage: 50, completed: false })).toMatchObject({
    completed: true,
    currentPage: 50,
  })
  expect(await put(reader, otherId, { currentPage: 1, progressPercentage: 0.98 })).toMatchObject({ completed: true })
})

test('C12 READ-1 page 1 from another device is held back and in the history, and two pages further on it counts', async () => {
  await using setup = await opened()
  const { reader, bookId, pass } = setup
  await put(reader, bookId, { currentPage: 100 })
  pass(minute)
  const held = await put(reader, bookId, { currentPage: 1 }, 'phone')
  expect(held).toMatchObject({ currentPage: 100, heldBack: true })
  const history = async () =>
    bodyOf(await reader.call(api.listProgressHistory, { params: { id: bookId } })).data.map(
      ({ currentPage, heldBack, current, device }) => [currentPage, device.id, heldBack, current],
    )
  expect(await history()).toEqual([
    [1, 'phone', true, false],
    [100, 'tablet', false, true],
  ])
  pass(minute)
  await put(reader, bookId, { currentPage: 2 }, 'phone')
  pass(minute)
  expect(await put(reader, bookId, { currentPage: 3 }, 'phone')).toMatchObject({ currentPage: 3, heldBack: false })
  expect(await history()).toEqual([
    [3, 'phone', false, true],
    [2, 'phone', false, false],
    [1, 'phone', false, false],
    [100, 'tablet', false, false],
  ])
})

test('C12 a time more than five minutes ahead counts as its arrival; one in the past stays where it belongs', async () => {
  await using setup = await opened()
  const { reader, bookId, clock, pass } = setup
  const from = (milliseconds: number) => new Date(clock().getTime() + milliseconds).toISOString()
  expect(await put(reader, bookId, { currentPage: 50, at: from(hour) })).toMatchObject({ updatedAt: from(0) })
  expect(await put(reader, bookId, { currentPage: 60, at: from(4 * minute) })).toMatchObject({
    updatedAt: from(4 * minute),
  })
  expect(await put(reader, bookId, { currentPage: 20, at: from(-hour) })).toMatchObject({ currentPage: 60 })
  pass(second)
  // A write without a time counts as now, and nothing already known is later than that.
  expect(await put(reader, bookId, { currentPage: 61 })).toMatchObject({ currentPage: 61 })
  expect(
    errorOf(
      await reader.call(api.saveProgress, {
        params: { id: bookId },
        body: { currentPage: 1, at: '1960-01-01T00:00:00Z' },
      }),
    ),
  ).toMatchObject({ error: 'validation_failed' })
})

test('C12 reset begins a book again, for a device that comes too late as well', async () => {
  await using setup = await opened()
  const { reader, bookId, clock, pass } = setup
  await put(reader, bookId, { currentPage: 100 })
  const before = clock().toISOString()
  pass(minute)
  expect(await put(reader, bookId, { currentPage: 1, reset: true }, 'phone')).toMatchObject({
    currentPage: 1,
    completed: false,
    heldBack: false,
  })
  expect(await put(reader, bookId, { currentPage: 120, at: before }, 'tablet')).toMatchObject({ currentPage: 1 })

  expect((await reader.call(api.deleteProgress, { params: { id: bookId } })).status).toBe(204)
  expect((await reader.call(api.readProgress, { params: { id: bookId } })).status).toBe(204)
  const late = await reader.call(api.saveProgress, { params: { id: bookId }, body: { currentPage: 130, at: before } })
  expect([late.status, bodyOf(late)]).toEqual([204, undefined])
})

test('C12 READ-1 any point of the history comes back, completed or not, whatever the guard would say', async () => {
  await using setup = await opened()
  const { reader, bookId, pass } = setup
  await put(reader, bookId, { currentPage: 1 })
  pass(minute)
  await put(reader, bookId, { currentPage: 100 })
  pass(minute)
  const read = bodyOf(await reader.call(api.markBookRead, { params: { id: bookId } }))
  expect(read).toMatchObject({ currentPage: 200, progressPercentage: 1, completed: true })
  pass(minute)
  bodyOf(await reader.call(api.markBookUnread, { params: { id: bookId } }))
  const { data, total } = bodyOf(await reader.call(api.listProgressHistory, { params: { id: bookId } }))
  expect([total, data.map(({ kind }) => kind)]).toEqual([4, ['reset', 'completed', 'progress', 'progress']])
  const restore = async (index: number) => {
    pass(minute)
    const body = { historyId: data[index]?.id ?? '' }
    return bodyOf(await reader.call(api.restoreProgress, { params: { id: bookId }, body }, on('phone')))
  }

  expect(await restore(2)).toMatchObject({ currentPage: 100, completed: false })
  expect(await restore(1)).toMatchObject({ currentPage: 200, completed: true })
  expect(await restore(3)).toMatchObject({ currentPage: 1, completed: false, heldBack: false })
  expect(await restore(0)).toBeUndefined()
  const other = { params: { id: setup.otherId }, body: { historyId: data[1]?.id ?? '' } }
  expect(errorOf(await reader.call(api.restoreProgress, other))).toMatchObject({ error: 'not_found' })
})

test('a book that was read twice has two entries, which can be removed without touching the position', async () => {
  await using setup = await opened()
  const { server, reader, bookId, pass } = setup
  const params = { id: bookId }
  await put(reader, bookId, { currentPage: 10 })
  pass(minute)
  await put(reader, bookId, { currentPage: 200 })
  pass(minute)
  await put(reader, bookId, { currentPage: 10 })
  pass(minute)
  const last = await put(reader, bookId, { currentPage: 200 })
  const history = bodyOf(await reader.call(api.readReadHistory, { params }))
  expect(history).toMatchObject({ readCount: 2, lastCompletedAt: last?.updatedAt })
  const book = bodyOf(await reader.call(api.readBook, { params }))
  expect([book.readCount, book.lastCompletedAt]).toEqual([2, last?.updatedAt])
  expect(
    history.entries.map(({ startedAt, completedAt }) => [startedAt.slice(11, 16), completedAt.slice(11, 16)]),
  ).toEqual([
    ['10:02', '10:03'],
    ['10:00', '10:01'],
  ])

  const completionId = history.entries[0]?.id ?? ''
  expect((await reader.call(api.deleteReadCompletion, { params: { ...params, completionId } })).status).toBe(204)
  expect((await reader.call(api.deleteReadCompletion, { params: { ...params, completionId } })).status).toBe(404)
  // A late entry makes the log be folded again.
  await put(reader, bookId, { currentPage: 20, at: '2026-11-21T10:00:30.000Z' })
  expect(bodyOf(await reader.call(api.readReadHistory, { params }))).toMatchObject({ readCount: 1 })
  expect((await reader.call(api.clearReadHistory, { params })).status).toBe(204)
  expect(bodyOf(await reader.call(api.readReadHistory, { params }))).toEqual({
    entries: [],
    lastCompletedAt: null,
    readCount: 0,
  })
  expect(bodyOf(await reader.call(api.readProgress, { params }))).toMatchObject({ completed: true, currentPage: 200 })
  expect(server.logLines.filter(({ level }) => level === 'error')).toEqual([])
})

test('READ-1 a Readium locator comes back as it was, and is a position for everybody else', async () => {
  await using setup = await opened()
  const { reader, bookId, pass } = setup
  const params = { id: bookId }
  expect((await reader.call(api.readProgression, { params })).status).toBe(204)
  const locator = {
    href: 'a/b.xhtml',
    type: 'application/xhtml+xml',
    title: 'Übersicht',
    locations: { progression: 0.5, totalProgression: 0.25, fragments: ['p3'] },
    text: { before: 'x' },
  }
  const device = { id: 'laptop', name: 'Läptop' }
  expect(bodyOf(await reader.call(api.saveProgression, { params, body: { locator, device } }))).toMatchObject({
    currentPage: 50,
    progressPercentage: 0.25,
  })
  expect(bodyOf(await reader.call(api.readProgression, { params }))).toMatchObject({ locator, device })
  pass(minute)
  await put(reader, bookId, { currentPage: 60 })
  expect(bodyOf(await reader.call(api.readProgression, { params }))?.locator).toEqual({
    href: '',
    type: '',
    locations: { position: 60, totalProgression: 0.3 },
  })
  const refused = async (broken: object) =>
    errorOf(await reader.call(api.saveProgression, { params, body: { locator: { ...locator, ...broken } } }))
  expect(await refused({ locations: {} })).toMatchObject({ error: 'validation_failed' })
  expect(await refused({ text: 'x'.repeat(api.locatorBytesMax) })).toMatchObject({
    details: [{ path: '/locator', message: 'A locator takes up to 16 KiB.' }],
  })
})

test('READ-2 a device is its header, else the key, else the application', async () => {
  await using setup = await opened()
  const { server, reader, bookId, pass } = setup
  const { key, id: keyId } = bodyOf(await reader.call(api.createApiKey, { body: { name: 'Kitchen' } }))
  const say = async (headers: Record<string, string>) => {
    pass(minute)
    const call = server.callWith(headers.authorization === undefined ? { 'x-api-key': key } : {})
    bodyOf(await call(api.saveProgress, { params: { id: bookId }, body: { currentPage: 50 } }, { headers }))
    const { data } = bodyOf(await reader.call(api.listProgressHistory, { params: { id: bookId } }))
    return data[0]?.device
  }
  const authorization = `Bearer ${reader.accessToken}`
  const utf8 = Buffer.from('Björns Lesegerät', 'utf8').toString('latin1')

  expect(await say({ 'x-device-id': ' pad-7 ', 'x-device-name': utf8 })).toEqual({
    id: 'pad-7',
    name: 'Björns Lesegerät',
  })
  expect(await say({ 'x-device-id': 'pad-7' })).toEqual({ id: 'pad-7', name: 'Björns Lesegerät' })
  expect(await say({})).toEqual({ id: `apikey:${keyId}`, name: 'Kitchen' })
  const komic = await say({ authorization, 'user-agent': 'Komic/6.2 CFNetwork' })
  expect(komic).toEqual({ id: expect.stringMatching(/^ua:[0-9a-f]{16}$/), name: 'Komic' })
  expect(await say({ authorization, 'user-agent': 'Komic/6.2 CFNetwork' })).toEqual(komic)
  expect((await say({ authorization, 'user-agent': 'Komic/6.3 CFNetwork' }))?.id).not.toBe(komic?.id)
  const tooLong = await reader.call(
    api.saveProgress,
    { params: { id: bookId }, body: { currentPage: 5 } },
    on('x'.repeat(129)),
  )
  expect(errorOf(tooLong)).toMatchObject({ details: [{ path: 'X-Device-Id' }] })
})

test('a file with another number of pages keeps everybody as far as they were, and back again', async () => {
  await using setup = await opened()
  const { server, reader, bookId } = setup
  await put(reader, bookId, { currentPage: 50 })
  const setPages = (pages: number) =>
    server.context.db.write((db) =>
      db.updateTable('book').set({ page_count: pages }).where('id', '=', bookId).execute(),
    )
  const shown = async () => bodyOf(await reader.call(api.readProgress, { params: { id: bookId } }))?.currentPage
  const seen = []
  for (const pages of [100, 400, 2, 0, 200]) {
    await setPages(pages)
    seen.push(await shown())
  }
  expect(seen).toEqual([25, 100, 1, 50, 50])
})

test('all begun and read books are listed, the latest first', async () => {
  await using setup = await opened()
  const { reader, bookId, otherId, pass } = setup
  await put(reader, bookId, { currentPage: 50 })
  pass(minute)
  await put(reader, otherId, { currentPage: 200 })
  const listed = async (query: { completed?: boolean }) => {
    const { data, total } = bodyOf(await reader.call(api.listProgress, { query }))
    expect(total).toBe(data.length)
    return data.map((each) => each.bookId)
  }
  expect(await listed({})).toEqual([otherId, bookId])
  expect(await listed({ completed: true })).toEqual([otherId])
  expect(await listed({ completed: false })).toEqual([bookId])
})
