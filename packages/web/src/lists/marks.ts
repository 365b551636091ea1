import {
  type BookDto,
  listBooksWanted,
  listProgressHistory,
  markBookRead,
  markBookUnread,
  markSeriesRead,
  markSeriesUnread,
  restoreProgress,
} from '@carrel/api'
import { call } from '../api/call.ts'

export type Mark = 'read' | 'unread'

/** Requests at once: the others of this user are not to wait for a long series. */
const atOnce = 4
/** Of these the places are kept in mind, to be put back. */
const remembered = 2000

export const inTurns = async <Item>(items: readonly Item[], run: (item: Item) => Promise<unknown>): Promise<void> => {
  const rest = [...items]
  const work = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** The place somebody had before the last mark stands below it in the history of the book. */
const putBack = async ({ id, readProgress }: BookDto): Promise<void> => {
  const params = { id }
  if (!readProgress) return void (await call(markBookUnread, { params }))
  const { body } = await call(listProgressHistory, { params, query: { pageSize: 20 } })
  const marked = body.data.findIndex(({ current }) => current)
  const before = body.data.slice(Math.max(0, marked) + 1).find(({ heldBack }) => !heldBack)
  if (before) await call(restoreProgress, { params, body: { historyId: before.id } })
}

const isMarked = ({ readProgress }: BookDto, mark: Mark): boolean =>
  mark === 'read' ? readProgress?.completed === true : readProgress === null

/** Marks a book, and answers with what puts it back as it was. */
export const markBooks = async (books: readonly BookDto[], mark: Mark): Promise<() => Promise<void>> => {
  const changed = books.filter((book) => !isMarked(book, mark))
  const endpoint = mark === 'read' ? markBookRead : markBookUnread
  await inTurns(changed, ({ id }) => call(endpoint as typeof markBookUnread, { params: { id } }))
  return () => inTurns(changed, putBack)
}

const booksOf = async (seriesId: string): Promise<BookDto[]> => {
  const condition = { seriesId: { operator: 'is', value: seriesId } } as const
  const books: BookDto[] = []
  for (let page = 1; books.length < remembered; page += 1) {
    const { body } = await call(listBooksWanted, { query: { page, pageSize: 500 }, body: { condition } })
    books.push(...body.data)
    if (page >= body.totalPages) break
  }
  return books
}

/** Marks all books of series, and answers with what puts them back as they were. */
export const markSeries = async (ids: readonly string[], mark: Mark): Promise<() => Promise<void>> => {
  const changed: BookDto[] = []
  const endpoint = mark === 'read' ? markSeriesRead : markSeriesUnread
  await inTurns(ids, async (id) => {
    changed.push(...(await booksOf(id)).filter((book) => !isMarked(book, mark)))
    await call(endpoint, { params: { id } })
  })
  return () => inTurns(changed, putBack)
}
