import { bookOrders, seriesOrders } from '@carrel/api'
import { expect, test } from 'vitest'
import type { ReadDb } from '../../src/database/database.ts'
import { type BookOrder, books } from '../../src/catalogue/lists/books/queries.ts'
import { isInOrder, series, type SeriesOrder } from '../../src/catalogue/lists/series/queries.ts'
import type { Viewer } from '../../src/catalogue/visibility/visibility.ts'
import type { Cursor } from '../../src/filtering/filtering.ts'
import { startServer } from '../start-server.ts'
import { buildWorld } from './world.ts'

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const directions = ['asc', 'desc'] as const
const limit = 5

interface List {
  readonly total: number
  readonly page: (offset: number, limit: number, near?: Cursor) => Promise<readonly { id: string }[]>
  readonly find: (offset: number, near?: Cursor) => Promise<Cursor | undefined>
}

/**
 * A page is the same whatever cursor it is read by; and a cursor is the same whatever other cursor it is looked for
 * by.
 */
const expectSameByCursors = async (name: string, { total, page, find }: List): Promise<void> => {
  const allIds = (await page(0, total)).map(({ id }) => id)
  expect([name, allIds.length]).toEqual([name, total])
  let near: Cursor | undefined
  for (const index of [Math.floor(total / 3), total - 1, Math.floor(total / 2)]) {
    near = await find(index, near)
    expect([name, index, near?.values['id']]).toEqual([name, index, allIds[index]])
    const offsets = [index - limit - 2, index - limit + 1, index, index + 3]
    const isOutside = (offset: number): boolean => offset >= index || offset + limit - 1 <= index
    for (const offset of offsets.filter((each) => each >= 0 && each + limit <= total && isOutside(each))) {
      const rows = await page(offset, limit, near)
      expect([name, index, offset, rows.map(({ id }) => id)]).toEqual([
        name,
        index,
        offset,
        allIds.slice(offset, offset + limit),
      ])
    }
  }
}

const booksOf = async (db: ReadDb, viewer: Viewer, order: BookOrder): Promise<List> => {
  const { total, libraryIds } = await books.countByLibrary(db, viewer, {})
  const list = { order, total, libraryIds }
  return {
    total,
    page: (offset, limit, near) => books.select(db, viewer, {}, { ...list, paging: { offset, limit }, near }),
    find: (offset, near) => books.selectAt(db, viewer, {}, { ...list, offset, near }),
  }
}

const seriesOf = async (db: ReadDb, viewer: Viewer, order: SeriesOrder): Promise<List> => {
  const { total, libraryIds } = await series.countByLibrary(db, viewer, {})
  const list = { order, total, libraryIds }
  return {
    total,
    page: (offset, limit, near) => series.select(db, viewer, {}, { ...list, paging: { offset, limit }, near }),
    find: (offset, near) => series.selectAt(db, viewer, {}, { ...list, offset, near }),
  }
}

test('HTTP-4 HTTP-5 far down in every order a page is the same, whichever row near it it is read from', async () => {
  await using server = await startServer()
  const { db } = server.context
  const { id: userId } = await server.person('reader')
  const { libraryIds } = await buildWorld(db, userId)
  const rules = [
    everything,
    { ...everything, ageCeiling: 12, includeUnrated: true },
    { ...everything, libraries: libraryIds },
  ]
  const orders = [...new Set(Object.values(bookOrders))].filter((field) => field !== 'relevance')
  const ofSeries = [...new Set(Object.values(seriesOrders))].filter((field) => field !== 'relevance')
  const cases = rules.flatMap((rule) =>
    directions.map((direction) => ({
      viewer: { userId, rule, deletedLibraries: [], seesPaths: false } satisfies Viewer,
      direction,
    })),
  )
  let lists = 0
  for (const { viewer, direction } of cases) {
    for (const field of orders)
      await expectSameByCursors(`books ${field}`, await booksOf(db.read, viewer, { field, direction, from: '7' }))
    const inOrder = ofSeries
      .map((field): SeriesOrder => ({ field, direction, from: '7' }))
      .filter((order) => isInOrder(viewer, {}, order))
    for (const order of inOrder)
      await expectSameByCursors(`series ${order.field}`, await seriesOf(db.read, viewer, order))
    lists += orders.length + inOrder.length
  }
  expect(lists).toBeGreaterThan(100)
})
