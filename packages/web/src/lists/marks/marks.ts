import {
  bulkMarksMax,
  listBooksByCondition,
  markBooksRead,
  markBooksUnread,
  markReadUpTo,
  restoreBooks,
  type StandingBefore,
} from '@carrel/api'
import { call } from '../../api/call.ts'

export type Mark = 'read' | 'unread'

/** Requests at once: the others of this user are not to wait for a long series. */
const atOnce = 4

export const inTurns = async <Item>(items: readonly Item[], run: (item: Item) => Promise<unknown>): Promise<void> => {
  const rest = [...items]
  const work = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

const inParts = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / bulkMarksMax) }, (_, part) =>
    items.slice(part * bulkMarksMax, (part + 1) * bulkMarksMax),
  )

const puttingBack = (before: readonly StandingBefore[]) => async (): Promise<void> => {
  for (const points of inParts(before)) await call(restoreBooks, { body: { points } })
}

/** Marks books, and returns with what puts them back as they were. */
export const markBooks = async (ids: readonly string[], mark: Mark): Promise<() => Promise<void>> => {
  const endpoint = mark === 'read' ? markBooksRead : markBooksUnread
  const before: StandingBefore[] = []
  try {
    for (const bookIds of inParts(ids)) before.push(...(await call(endpoint, { body: { bookIds } })).body.before)
  } catch (error) {
    // All or none: nobody would know which of them are marked.
    await puttingBack(before)()
    throw error
  }
  return puttingBack(before)
}

/** Marks a book and all before it in its series as read; returns how many have changed, and what puts them back. */
export const markUpTo = async (
  id: string,
): Promise<{ readonly count: number; readonly putBack: () => Promise<void> }> => {
  const { count, before } = (await call(markReadUpTo, { params: { id } })).body
  return { count, putBack: puttingBack(before) }
}

const idsOfBooks = async (seriesId: string): Promise<string[]> => {
  const condition = { seriesId: { operator: 'is', value: seriesId } } as const
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await call(listBooksByCondition, { query: { page, pageSize: 500 }, body: { condition } })
    ids.push(...body.data.map(({ id }) => id))
    if (page >= body.totalPages) return ids
  }
}

/** Marks all books of series, and returns with what puts them back as they were. */
export const markSeries = async (seriesIds: readonly string[], mark: Mark): Promise<() => Promise<void>> => {
  const ids: string[] = []
  await inTurns(seriesIds, async (id) => {
    ids.push(...(await idsOfBooks(id)))
  })
  return markBooks(ids, mark)
}
