import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addBooksTo, addSeriesTo, addShelf } from '../../../../test/reading-content.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'
import { moveHistory, selectProgressOf, recountSeries, unreadCounts } from '../reading.ts'

const viewerOf = async ({ context }: TestServer, person: Person) =>
  context.viewerOf({
    userId: person.id,
    username: person.username,
    role: 'reader',
    permissions: new Set(['progress:read']),
    language: null,
    downloadMetadata: 'original',
    by: { kind: 'password' },
  })

const countsOf = async (server: TestServer, person: Person, seriesId: string) =>
  (await unreadCounts(server.context.db.read, await viewerOf(server, person), [seriesId])).get(seriesId)

test('READ-1 all books of a series are marked at once, and those that are it already stay', async () => {
  await using server = await startServer()
  const { db } = server.context
  const shelf = await addShelf(db)
  const params = { id: shelf.seriesId }
  const [first = ''] = await addBooksTo(db, shelf, 1203)
  const reader = await server.person('reader')
  const { completedAt } = bodyOf(await reader.call(api.markBookRead, { params: { id: first } }))

  expect(bodyOf(await reader.call(api.markSeriesRead, { params }))).toEqual({
    count: 1202,
    message: '1202 books are marked as read.',
  })
  expect(await countsOf(server, reader, shelf.seriesId)).toEqual({ read: 1203, inProgress: 0 })
  expect(bodyOf(await reader.call(api.readProgress, { params: { id: first } }))).toMatchObject({ completedAt })
  expect(bodyOf(await reader.call(api.markSeriesRead, { params }))).toMatchObject({ count: 0 })
  const other = await server.person('reader')
  expect(await countsOf(server, other, shelf.seriesId)).toBeUndefined()

  expect(bodyOf(await reader.call(api.markSeriesUnread, { params }))).toMatchObject({ count: 1203 })
  expect(await countsOf(server, reader, shelf.seriesId)).toBeUndefined()
  expect(bodyOf(await reader.call(api.listProgress, {})).total).toBe(0)
  expect(bodyOf(await reader.call(api.markSeriesUnread, { params }))).toMatchObject({ count: 0 })
})

test('HTTP-3 what a reader does not see has no progress for them, in no count and at no address', async () => {
  await using server = await startServer()
  const { db } = server.context
  const shelf = await addShelf(db)
  const [child = ''] = await addBooksTo(db, shelf, 1, { age_rating: 6 })
  const [adult = ''] = await addBooksTo(db, shelf, 1, { age_rating: 18 })
  const [hidden = ''] = await addBooksTo(db, shelf, 1, { age_rating: 6, state: 'hidden' })
  await db.write((db) => db.updateTable('series').set({ age_rating: 6 }).execute())
  const admin = await server.person('admin')
  const kid = await server.person('reader')
  bodyOf(await kid.call(api.markSeriesRead, { params: { id: shelf.seriesId } }))
  expect(await countsOf(server, kid, shelf.seriesId)).toEqual({ read: 2, inProgress: 0 })
  const { data } = bodyOf(await kid.call(api.listProgressHistory, { params: { id: adult } }))
  const access = { ageCeiling: 12, includeUnrated: false }
  bodyOf(await admin.call(api.updateUser, { params: { id: kid.id }, body: { access } }))

  for (const id of [adult, hidden]) {
    const params = { id }
    const outcomes = [
      await kid.call(api.readProgress, { params }),
      await kid.call(api.saveProgress, { params, body: { currentPage: 3 } }),
      await kid.call(api.deleteProgress, { params }),
      await kid.call(api.markBookRead, { params }),
      await kid.call(api.markBookUnread, { params }),
      await kid.call(api.readProgression, { params }),
      await kid.call(api.saveProgression, {
        params,
        body: { locator: { href: 'a', type: 'b', locations: { position: 1 } } },
      }),
      await kid.call(api.listProgressHistory, { params }),
      await kid.call(api.restoreProgress, { params, body: { historyId: data[0]?.id ?? '' } }),
      await kid.call(api.readReadHistory, { params }),
      await kid.call(api.clearReadHistory, { params }),
      await kid.call(api.deleteReadCompletion, { params: { id, completionId: data[0]?.id ?? '' } }),
    ]
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 404))
  }
  expect(bodyOf(await kid.call(api.listProgress, {})).data.map(({ bookId }) => bookId)).toEqual([child])
  expect(await countsOf(server, kid, shelf.seriesId)).toEqual({ read: 1, inProgress: 0 })
  expect(bodyOf(await kid.call(api.markSeriesUnread, { params: { id: shelf.seriesId } }))).toMatchObject({ count: 1 })
  await db.write((db) => db.updateTable('series').set({ age_rating: 18 }).execute())
  expect(errorOf(await kid.call(api.markSeriesRead, { params: { id: shelf.seriesId } }))).toMatchObject({
    error: 'not_found',
  })
})

test('a book that is missing keeps its position and takes new ones, and its series counts without it', async () => {
  await using server = await startServer()
  const { db } = server.context
  const shelf = await addShelf(db)
  const [one = '', two = ''] = await addBooksTo(db, shelf, 2)
  const reader = await server.person('reader')
  bodyOf(await reader.call(api.markSeriesRead, { params: { id: shelf.seriesId } }))
  const setState = (state: 'missing' | 'present') =>
    db.write(async (db) => {
      await db.updateTable('book').set({ state }).where('id', '=', one).execute()
      await recountSeries(db, [shelf.seriesId])
    })
  await setState('missing')

  expect(await countsOf(server, reader, shelf.seriesId)).toEqual({ read: 1, inProgress: 0 })
  const params = { id: one }
  expect(bodyOf(await reader.call(api.saveProgress, { params, body: { currentPage: 70 } }))).toMatchObject({
    currentPage: 70,
    completed: true,
  })
  bodyOf(await reader.call(api.markBookUnread, { params }))
  bodyOf(await reader.call(api.saveProgress, { params, body: { currentPage: 71 } }))
  expect(await countsOf(server, reader, shelf.seriesId)).toEqual({ read: 1, inProgress: 0 })
  await setState('present')
  expect(await countsOf(server, reader, shelf.seriesId)).toEqual({ read: 1, inProgress: 1 })
  const progress = await selectProgressOf(db.read, reader.id, [one, two])
  expect([progress.get(one)?.currentPage, progress.get(two)?.completed]).toEqual([71, true])
})

test('two books that turn out to be one have one history', async () => {
  await using server = await startServer()
  const { db } = server.context
  const shelf = await addShelf(db)
  const elsewhere = { ...shelf, seriesId: await addSeriesTo(db, shelf.libraryId, 'Elsewhere') }
  const [from = ''] = await addBooksTo(db, shelf, 1, { state: 'missing' })
  const [to = ''] = await addBooksTo(db, elsewhere, 1)
  const ana = await server.person('reader')
  const ben = await server.person('reader')
  const say = async (person: Person, id: string, currentPage: number, at: string) =>
    bodyOf(await person.call(api.saveProgress, { params: { id }, body: { currentPage, at } }))
  await say(ana, from, 200, '2026-01-01T10:00:00Z')
  await say(ana, to, 30, '2026-01-02T10:00:00Z')
  await say(ben, from, 80, '2026-01-01T10:00:00Z')

  await db.write((db) => moveHistory(db, from, to))

  const where = async (person: Person, id: string) => (await selectProgressOf(db.read, person.id, [id])).get(id)
  expect(await where(ana, to)).toMatchObject({ currentPage: 30, completed: true })
  expect(await where(ben, to)).toMatchObject({ currentPage: 80, completed: false })
  expect(await where(ana, from)).toBeUndefined()
  expect(await countsOf(server, ana, elsewhere.seriesId)).toEqual({ read: 1, inProgress: 0 })
  expect(await countsOf(server, ben, elsewhere.seriesId)).toEqual({ read: 0, inProgress: 1 })
  expect(bodyOf(await ana.call(api.readReadHistory, { params: { id: to } })).readCount).toBe(1)
  expect(bodyOf(await ana.call(api.listProgressHistory, { params: { id: from } })).total).toBe(0)
})

test('C3 with a user goes everything they have read', async () => {
  await using server = await startServer()
  const { db } = server.context
  const shelf = await addShelf(db)
  await addBooksTo(db, shelf, 3)
  const admin = await server.person('admin')
  const reader = await server.person('reader')
  bodyOf(await reader.call(api.markSeriesRead, { params: { id: shelf.seriesId } }))
  expect((await admin.call(api.deleteUser, { params: { id: reader.id } })).status).toBe(204)

  const tables = [
    'reading_log',
    'reading_head',
    'read_progress',
    'read_completion',
    'series_progress',
    'device',
  ] as const
  for (const table of tables) expect(await db.read.selectFrom(table).selectAll().execute()).toEqual([])
})
