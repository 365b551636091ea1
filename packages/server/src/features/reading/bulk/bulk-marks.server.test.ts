import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addBooksTo, addShelf } from '../../../../test/reading-content.ts'
import { startServer } from '../../../../test/start-server.ts'

test('READ-1 many books are marked at once, say where one stood, and go back to just that', async () => {
  await using server = await startServer()
  const { db } = server.context
  const shelf = await addShelf(db)
  const bookIds = await addBooksTo(db, shelf, 450)
  const [begun = '', read = '', rereading = '', fresh = ''] = bookIds
  const reader = await server.person('reader')
  const other = await server.person('reader')
  const at = (id: string) => reader.call(api.readProgress, { params: { id } })
  bodyOf(await reader.call(api.saveProgress, { params: { id: begun }, body: { currentPage: 17 } }))
  bodyOf(await reader.call(api.markBookRead, { params: { id: read } }))
  bodyOf(await reader.call(api.markBookRead, { params: { id: rereading } }))
  bodyOf(await reader.call(api.saveProgress, { params: { id: rereading }, body: { currentPage: 30, reset: true } }))
  const before = await Promise.all([begun, read, rereading].map(async (id) => bodyOf(await at(id))))

  const marked = bodyOf(await reader.call(api.markBooksRead, { body: { bookIds } }))
  expect([marked.count, marked.before.length]).toEqual([449, 449])
  expect(marked.before.some(({ bookId }) => bookId === read)).toBe(false)
  expect(marked.before.find(({ bookId }) => bookId === fresh)).toEqual({ bookId: fresh, historyId: null })
  expect(bodyOf(await reader.call(api.listProgress, { query: { completed: true } })).total).toBe(450)
  expect(bodyOf(await reader.call(api.markBooksRead, { body: { bookIds } }))).toEqual({ count: 0, before: [] })
  expect(bodyOf(await other.call(api.listProgress, {})).total).toBe(0)

  bodyOf(await reader.call(api.restoreBooks, { body: { points: marked.before } }))
  const after = await Promise.all([begun, read, rereading].map(async (id) => bodyOf(await at(id))))
  const standing = (each: typeof before) => each.map((one) => [one?.currentPage, one?.completed])
  expect(standing(after)).toEqual(standing(before))
  expect((await at(fresh)).status).toBe(204)
  expect(bodyOf(await reader.call(api.listProgress, {})).total).toBe(3)

  const unread = bodyOf(await reader.call(api.markBooksUnread, { body: { bookIds } }))
  expect(unread.count).toBe(3)
  expect(bodyOf(await reader.call(api.listProgress, {})).total).toBe(0)
  bodyOf(await reader.call(api.restoreBooks, { body: { points: unread.before } }))
  expect(bodyOf(await at(begun))).toMatchObject({ currentPage: 17, completed: false })
})

test('HTTP-3 what a reader does not see is not marked, and points of others lead nowhere', async () => {
  await using server = await startServer()
  const { db } = server.context
  const shelf = await addShelf(db)
  const [child = ''] = await addBooksTo(db, shelf, 1, { age_rating: 6 })
  const [adult = ''] = await addBooksTo(db, shelf, 1, { age_rating: 18 })
  const admin = await server.person('admin')
  const kid = await server.person('reader')
  bodyOf(await admin.call(api.saveProgress, { params: { id: child }, body: { currentPage: 9 } }))
  const access = { ageCeiling: 12, includeUnrated: false }
  bodyOf(await admin.call(api.updateUser, { params: { id: kid.id }, body: { access } }))

  const bookIds = [child, adult]
  expect(bodyOf(await kid.call(api.markBooksRead, { body: { bookIds } }))).toMatchObject({ count: 1 })
  const theirs = bodyOf(await admin.call(api.markBooksRead, { body: { bookIds } })).before
  bodyOf(await kid.call(api.restoreBooks, { body: { points: theirs } }))
  expect(bodyOf(await kid.call(api.listProgress, {})).data).toMatchObject([{ bookId: child, completed: true }])
  expect(bodyOf(await admin.call(api.listProgress, {})).total).toBe(2)
})

test('READ-1 a book is marked with all before it, in the order of their numbers, as far as its reader sees them', async () => {
  await using server = await startServer()
  const { db } = server.context
  const shelf = await addShelf(db)
  const other = await addShelf(db)
  const [third = ''] = await addBooksTo(db, shelf, 1, { position_key: '3' })
  const [first = ''] = await addBooksTo(db, shelf, 1, { position_key: '1' })
  const [second = ''] = await addBooksTo(db, shelf, 1, { position_key: '2' })
  const [grown = ''] = await addBooksTo(db, shelf, 1, { position_key: '1', age_rating: 18 })
  await addBooksTo(db, shelf, 1, { position_key: '1', state: 'missing', missing_since: '2026-11-01T10:00:00.000Z' })
  const [elsewhere = ''] = await addBooksTo(db, other, 1, { position_key: '1' })
  const reader = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  bodyOf(await reader.call(api.markBookRead, { params: { id: first } }))

  const marked = bodyOf(await reader.call(api.markReadUpTo, { params: { id: second } }))
  expect(marked).toEqual({ count: 1, before: [{ bookId: second, historyId: null }] })
  const readIds = async () =>
    bodyOf(await reader.call(api.listProgress, { query: { completed: true } }))
      .data.map(({ bookId }) => bookId)
      .toSorted()
  expect(await readIds()).toEqual([first, second].toSorted())
  bodyOf(await reader.call(api.restoreBooks, { body: { points: marked.before } }))
  expect(await readIds()).toEqual([first])
  bodyOf(await reader.call(api.markReadUpTo, { params: { id: third } }))
  expect(await readIds()).toEqual([first, second, third].toSorted())

  expect(errorOf(await reader.call(api.markReadUpTo, { params: { id: grown } })).error).toBe('not_found')
  const admin = await server.person('admin')
  expect(bodyOf(await admin.call(api.markReadUpTo, { params: { id: third } })).count).toBe(4)
  expect(bodyOf(await admin.call(api.markReadUpTo, { params: { id: elsewhere } })).count).toBe(1)
})
